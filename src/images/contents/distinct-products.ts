/** Of the products in the files of an image, those that no other file states: a runtime has several files that name it. */
import { getOwn } from "../../text/values.ts";
import type { LanguageFile } from "./languages/packages.ts";
import { PROGRAMS } from "./languages/installed.ts";
import type { LanguagePackage } from "./package.ts";
import type { ImageProduct } from "./runtimes.ts";

interface FoundFile {
  readonly path: string;
  readonly file: LanguageFile;
}

type Installed = NonNullable<LanguagePackage["installed"]>;
const ORDER: readonly Installed["by"][] = ["file", "copy", "program"];

/**
 * Leaves out programs and environments that another file explains, and of several versions in one folder the less exact
 * ones.
 * @param named what the configuration and the references of the image name
 */
export function distinctProducts(files: readonly FoundFile[], named: readonly ImageProduct[]): readonly FoundFile[] {
  const kept = new Set<LanguagePackage>();
  const seen: LanguagePackage[] = [];
  const names = new Set(named.flatMap(({ name }) => [name, getOwn(PROGRAMS, name) ?? name]));
  for (const product of files.flatMap(({ file }) => ("packages" in file ? file.packages : [])).sort(byExactness)) {
    const { installed, version } = product;
    const isNamed = installed?.by === "program" && version === undefined && names.has(installed.tool);
    if (installed !== undefined && !isNamed && !seen.some((other) => explains(other, product))) kept.add(product);
    seen.push(product);
  }
  const isKept = (found: LanguagePackage) => found.installed === undefined || kept.has(found);
  return files.map(({ path, file }) => ({
    path,
    file: "packages" in file ? { packages: file.packages.filter(isKept) } : file,
  }));
}

const orderOf = ({ installed }: LanguagePackage): number => (installed ? ORDER.indexOf(installed.by) : -1);

/** Files that state a version come first, and the longest version of them. */
const byExactness = (one: LanguagePackage, other: LanguagePackage): number =>
  orderOf(one) - orderOf(other) || (other.version ?? "").length - (one.version ?? "").length;

function explains(other: LanguagePackage, { installed: own, version }: LanguagePackage): boolean {
  const stated = other.installed;
  if (stated === undefined || own === undefined || stated.tool !== own.tool || !isNear(stated, own)) return false;
  const isByFile = own.by === "program" && stated.by !== "program";
  return (
    isByFile || version === undefined || version === other.version || other.version?.startsWith(`${version}.`) === true
  );
}

/** The programs of a JDK 8 may be one folder below it. */
const isNear = (stated: Installed, own: Installed): boolean =>
  own.by === "copy" || stated.prefix === own.prefix || (own.by === "program" && stated.prefix === parentOf(own.prefix));

const parentOf = (folder: string): string => folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
