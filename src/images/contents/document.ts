/**
 * Converts the operating system, packages and named products of an image to a document, which later steps handle like an
 * SBOM.
 */
import { withVersion } from "../../files/document.ts";
import { asPurl } from "../../text/ids.ts";
import type { Component, ParsedDocument } from "../../model/index.ts";
import { NO_COMPONENT } from "../../resolve/resolve.ts";
import { dependenciesOf } from "../../sbom/graph/dependency-graph.ts";
import { packagePurl, type InstalledPackage, type PackageManager } from "./package.ts";
import type { SystemRelease } from "./os-release.ts";
import { type Platform, formatPlatform } from "./platform.ts";
import type { LanguageFile } from "./languages/packages.ts";
import type { ImageProduct } from "./runtimes.ts";

export interface PackageDatabase {
  readonly manager: PackageManager;
  /** In the image: `var/lib/dpkg/status`. */
  readonly path: string;
  readonly packages: readonly InstalledPackage[];
}

export interface ImageContents {
  readonly platform: Platform;
  /** The operating system, with the path of the file that names it. */
  readonly system?: SystemRelease & { readonly path: string };
  readonly databases: readonly PackageDatabase[];
  /** Files that list packages of languages. */
  readonly languages: readonly { readonly path: string; readonly file: LanguageFile }[];
  /** SBOMs of software in its file system. */
  readonly sboms: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** Products that its configuration and its references name. */
  readonly products: readonly ImageProduct[];
}

type ComponentFields = Pick<Component, "pointer" | "name"> & Partial<Component>;

const component = (fields: ComponentFields): Component => ({ ...NO_COMPONENT, ...fields });

/**
 * Creates the document of an image.
 * @param isKnown Whether an SBOM of the image already lists a package.
 */
export function imageDocument(contents: ImageContents, isKnown: (purl: string) => boolean): ParsedDocument {
  const { platform, system, databases, languages, products } = contents;
  return {
    format: "image",
    specVersion: formatPlatform(platform),
    wrappers: [],
    signed: false,
    components: [
      ...(system === undefined ? [] : [systemComponent(system)]),
      ...databases.flatMap((database) => packageComponents(database, system, isKnown)),
      ...languages.flatMap((language) => languageComponents(language, isKnown)),
      ...products.map((product) => productComponent(product)),
    ],
    roots: [],
    dependencies: () => dependenciesOf(new Map()),
    // Positions are not known: the files are inside the image, and the pointer names them.
    position: () => ({ line: 1, column: 1 }),
  };
}

const systemComponent = ({ name, version, supportEnd, path }: NonNullable<ImageContents["system"]>): Component => {
  const pointer = `/${path}`;
  return component({
    pointer,
    kind: "operating-system",
    name,
    ...(version !== undefined && { version }),
    ...(supportEnd !== undefined && {
      declared: [{ milestone: "end-of-support", value: supportEnd, pointer: `${pointer}/SUPPORT_END` }],
    }),
  });
};

const productComponent = ({ name, version, purl, path, kind }: ImageProduct): Component =>
  component({
    pointer: `/${path}`,
    name,
    ...(kind !== undefined && { kind }),
    ...(version !== undefined && { version }),
    ...(purl !== undefined && { purls: [asPurl(withVersion(purl, version))] }),
  });

/** The packages of a file. A file that could not be read is a component that is not assessed. */
function languageComponents(
  { path, file }: ImageContents["languages"][number],
  isKnown: (purl: string) => boolean,
): readonly Component[] {
  if ("unread" in file) return [component({ pointer: `/${path}`, name: path.slice(path.lastIndexOf("/") + 1) })];
  return file.packages.flatMap(({ name, version, purl }, index) =>
    purl !== undefined && isKnown(purl)
      ? []
      : [
          component({
            pointer: file.packages.length === 1 ? `/${path}` : `/${path}/${String(index)}`,
            name,
            ...(version !== undefined && { version }),
            ...(purl !== undefined && { purls: [asPurl(purl)] }),
          }),
        ],
  );
}

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
