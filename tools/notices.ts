/** The packages of a bundle and their licence texts, which must be distributed with the bundle. */
import { readFileSync } from "node:fs";
import { join, sep } from "node:path";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as its manifest states it. */
  readonly license: string | undefined;
  readonly folder: string;
}

/** Every package with a module in the bundle, by name. `modules` are file paths. */
export function packagesOf(modules: readonly string[]): readonly BundledPackage[] {
  const folders = new Set<string>();
  const packages = new Map<string, BundledPackage>();
  for (const module of modules) {
    const path = module.replace(/^\0[a-z]+:/, "").replace(/\?.*$/, "");
    const at = path.lastIndexOf(`${sep}node_modules${sep}`);
    if (at === -1) continue;
    const rest = path.slice(at + "/node_modules/".length).split(sep);
    const name = rest[0]?.startsWith("@") === true ? `${rest[0]}/${rest[1]}` : (rest[0] ?? "");
    const folder = join(path.slice(0, at), "node_modules", name);
    if (folders.has(folder)) continue;
    folders.add(folder);
    const { version, license } = manifestOf(folder);
    // The same version may be installed in two folders.
    packages.set(`${name}@${version}`, { name, version, license, folder });
  }
  return [...packages.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function manifestOf(folder: string): Pick<BundledPackage, "version" | "license"> {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("version" in manifest))
    throw new Error(`${folder}: its manifest has no version`);
  const license = "license" in manifest && typeof manifest.license === "string" ? manifest.license : undefined;
  return { version: String(manifest.version), license };
}

/** The notices of the packages in a bundle. */
export const notices = (packages: readonly BundledPackage[]): string =>
  `Packages in this bundle, with their licences.\n\n${packages.map(notice).join("\n")}`;

const LICENCE_FILES = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license", "License", "COPYING"];

function notice({ name, version, license, folder }: BundledPackage): string {
  const text = LICENCE_FILES.map((file) => {
    try {
      return readFileSync(join(folder, file), "utf8").trim();
    } catch {
      return undefined;
    }
  }).find((found) => found !== undefined);
  return `${"=".repeat(80)}\n${name} ${version} (${license ?? "licence in its text"})\n\n${text ?? "The package ships no licence text; the identifier above is from its manifest."}\n`;
}
