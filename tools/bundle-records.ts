/** Writes the records of a bundle: the licence texts of the packages in it, and an SBOM that lists them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { PackageURL } from "packageurl-js";
import { refuseLicenses } from "./licenses.ts";
import { notices, packagesOf, type BundledPackage } from "./notices.ts";

/** `modules` are the file paths of the modules in the bundle. Throws if a licence does not allow redistribution. */
export function writeBundleRecords(folder: string, modules: readonly string[]): void {
  const packages = packagesOf(modules);
  refuseLicenses(packages);
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices(packages));
  writeFileSync(join(folder, "bundle.cdx.json"), sbomOf(packages));
}

/** The SBOM has no serial number and no timestamp, so that the output is deterministic. */
export function sbomOf(packages: readonly BundledPackage[]): string {
  const bom = new Models.Bom();
  for (const each of packages) bom.components.add(componentOf(each));
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 1 })}\n`;
}

function componentOf({ name: fullName, version, license }: BundledPackage): Models.Component {
  const [first = "", second] = fullName.split("/");
  const [group, name] = second === undefined ? [undefined, first] : [first, second];
  const purl = new PackageURL("npm", group ?? null, name, version, null, null).toString();
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    ...(group !== undefined && { group }),
    version,
    purl,
    bomRef: purl,
  });
  if (license !== undefined) component.licenses.add(new Models.LicenseExpression(license));
  return component;
}
