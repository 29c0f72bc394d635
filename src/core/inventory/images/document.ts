/** What an image states itself becomes a document like any other: its system, its packages and its runtimes. */
import { asPurl } from "../../ids.ts";
import type { Component, SbomDocument } from "../../model.ts";
import { packagePurl, type InstalledPackage, type PackageManager } from "./package.ts";
import type { SystemRelease } from "./os-release.ts";
import type { Platform } from "./platform.ts";
import { formatPlatform } from "./platform.ts";
import type { Runtime } from "./runtimes.ts";

export interface PackageDatabase {
  readonly manager: PackageManager;
  /** In the image: `var/lib/dpkg/status`. */
  readonly path: string;
  readonly packages: readonly InstalledPackage[];
}

export interface ImageContents {
  readonly platform: Platform;
  /** With the path of the file that names it. */
  readonly system?: SystemRelease & { readonly path: string };
  readonly databases: readonly PackageDatabase[];
  readonly runtimes: readonly Runtime[];
}

type Parts = Pick<Component, "pointer" | "name"> & Partial<Component>;

const component = (parts: Parts): Component => ({
  span: { start: 0, end: 0 },
  kind: "other",
  purls: [],
  cpes: [],
  licenses: [],
  declared: [],
  ...parts,
});

/** @param isKnown whether an SBOM of the image lists a package already */
export function imageDocument(contents: ImageContents, isKnown: (purl: string) => boolean): SbomDocument {
  const { platform, system, databases, runtimes } = contents;
  return {
    format: "image",
    specVersion: formatPlatform(platform),
    wrappers: [],
    signed: false,
    components: [
      ...(system === undefined ? [] : [systemComponent(system)]),
      ...databases.flatMap((database) => packageComponents(database, system, isKnown)),
      ...runtimes.map((runtime) => runtimeComponent(runtime)),
    ],
    roots: [],
    dependencies: new Map(),
    // The files are inside the image: the pointer names them.
    position: () => ({ line: 1, column: 1 }),
  };
}

const systemComponent = ({ name, version, path }: NonNullable<ImageContents["system"]>): Component =>
  component({ pointer: `/${path}`, kind: "operating-system", name, ...(version !== undefined && { version }) });

const runtimeComponent = ({ name, version, purl, variable }: Runtime): Component =>
  component({
    pointer: `/config/Env/${variable}`,
    name,
    ...(version !== undefined && { version }),
    ...(purl !== undefined && { purls: [asPurl(`${purl}@${encodeURIComponent(version ?? "")}`)] }),
  });

function packageComponents(
  { manager, path, packages }: PackageDatabase,
  system: SystemRelease | undefined,
  isKnown: (purl: string) => boolean,
): readonly Component[] {
  return packages.flatMap((found, index) => {
    const purl = packagePurl(manager, found, system);
    if (isKnown(purl)) return [];
    const { name, version, vendor, license } = found;
    return [
      component({
        pointer: `/${path}/${String(index)}`,
        name,
        version,
        purls: [asPurl(purl)],
        ...(vendor !== undefined && { supplier: vendor }),
        ...(license !== undefined && { licenses: [license] }),
      }),
    ];
  });
}
