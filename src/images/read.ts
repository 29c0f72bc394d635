/** Reads an image as documents: its attached SBOMs, and one document of its configuration and file system. */
import { EolgateError } from "../messages/error.ts";
import type { ComponentDocument, ImageCoverage, ImageEvidence, ImageGap, ParsedDocument } from "../model/index.ts";
import { orNotRead } from "../messages/not-read.ts";
import { openSbom } from "../sbom/open.ts";
import type { FoundAttachment } from "./attachments.ts";
import { classifyAttachment } from "./contents/attestation.ts";
import { readContents } from "./contents/contents.ts";
import { type ImageContents, imageDocument } from "./contents/document.ts";
import { distinctProducts } from "./contents/distinct-products.ts";
import type { LanguagePackage } from "./contents/package.ts";
import { formatPlatform, parsePlatform, platformOf } from "./contents/platform.ts";
import { ImageRoot } from "./contents/root.ts";
import { readReferences, readVariables } from "./contents/runtimes.ts";
import { WantedPaths } from "./contents/wanted.ts";
import { IMAGE_LIMITS, ImageBudget, type ImageLimits } from "./limits.ts";
import { type OpenedImage, requirePlatform } from "./opened-image.ts";
import { digestOfBytes } from "./stream.ts";
import { openRootFolder } from "./root-folder.ts";
import { type ImageContext, openTarget, referenceOf } from "./targets.ts";

export interface ImageRequest {
  /** The image as given by the user: a reference, or a path with a prefix such as `oci:`. */
  readonly image: string;
  /** `linux/arm64`. */
  readonly platform?: string | undefined;
}

/** A document of an image, as input for `checkDocuments`. */
export interface ImageInput {
  readonly file: string;
  readonly digest: string;
  readonly document: ParsedDocument;
  /** The image. All its documents get one verdict. */
  readonly partOf: string;
}

export interface ImageReading {
  readonly inputs: readonly ImageInput[];
  readonly coverage: ImageCoverage;
}

/** Reads an image. @throws EolgateError of kind `usage`, `input`, `too-large`, `network` or `unauthorised` */
export async function readImage(
  { image, platform }: ImageRequest,
  context: ImageContext,
  limits: ImageLimits = IMAGE_LIMITS,
): Promise<ImageReading> {
  const wanted = new WantedPaths();
  const choice = {
    requested: platform === undefined ? undefined : parsePlatform(platform),
    fallback: platformOf(context.architecture),
  };
  const opened = await openTarget(image, { choice, wanted, limits, context });
  try {
    requirePlatform(opened, choice.requested);
    const attached = await Promise.all(
      (await opened.attachments()).map((each) => openAttachment(each, context.verify)),
    );
    const references = [...referenceOf(image), ...opened.references];
    const contents = await readImageContents(opened, wanted, context, { limits, references });
    return toReading(image, { opened, attached: [...attached, ...(await openInside(contents))], contents });
  } finally {
    await opened.close();
  }
}

/** Reads the root file system in a folder. @throws EolgateError of kind `input` or `too-large` */
export async function readRootFolder(
  folder: string,
  context: ImageContext,
  limits: ImageLimits = IMAGE_LIMITS,
): Promise<ImageReading> {
  const opened = openRootFolder(folder, context.cwd);
  const contents = await readImageContents(opened, new WantedPaths(), context, { limits, references: [] });
  return toReading(folder, { opened, attached: await openInside(contents), contents });
}

/** The SBOMs in the file system. Files of their folders that are none are ignored. */
function openInside({ sboms }: ImageContents): Promise<readonly Attached[]> {
  const found = sboms.flatMap(({ path, bytes }): FoundAttachment[] => {
    const content = classifyAttachment(bytes, new Set());
    const origin = `/${path}` as const;
    return content.kind === "sbom" ? [{ ...content, origin, digest: digestOfBytes(bytes), bytes }] : [];
  });
  return Promise.all(found.map((each) => openAttachment(each)));
}

/** An attached SBOM that was parsed, or the reason why it was not. */
type Attached =
  | { readonly attachment: FoundAttachment; readonly document: ParsedDocument; readonly signedBy?: string | undefined }
  | { readonly attachment: FoundAttachment; readonly gap: ImageGap };

async function openAttachment(attachment: FoundAttachment, verify?: ImageContext["verify"]): Promise<Attached> {
  const { digest } = attachment;
  if (attachment.kind === "foreign") return { attachment, gap: { kind: "foreign-attestation", detail: digest } };
  if (attachment.kind === "unreadable") return { attachment, gap: unreadable(digest, attachment.why) };
  try {
    const verified = verify?.(attachment.bytes);
    // The bytes that are read are those that were verified.
    const bytes = verified?.statement ?? attachment.bytes;
    return { attachment, document: await orNotRead(() => openSbom(bytes)), signedBy: verified?.signedBy };
  } catch (cause) {
    if (!(cause instanceof EolgateError)) throw cause;
    return { attachment, gap: unreadable(isInside(attachment) ? attachment.origin : digest, cause.message) };
  }
}

const isInside = ({ origin }: FoundAttachment): boolean => origin.startsWith("/");
const unreadable = (digest: string, why: string): ImageGap => ({ kind: "attachment", detail: `${digest}: ${why}` });

/** A reading can find links to files that were not kept and that the next reading has to keep. Chains of links are short. */
const MAX_READINGS = 5;

async function readImageContents(
  opened: OpenedImage,
  wanted: WantedPaths,
  { facts, purl }: ImageContext,
  { limits, references }: { readonly limits: ImageLimits; readonly references: readonly string[] },
): Promise<ImageContents> {
  const { platform, environment, osVersion } = opened.config;
  const named = readVariables(environment, facts.imageVariables);
  const products = (hasSystem: boolean) => [
    ...named,
    ...readReferences(references, { tools: facts.tools, purl }, hasSystem),
  ];
  if (platform.os !== "linux") {
    const system = { name: platform.os, id: platform.os, path: "config", ...(osVersion && { version: osVersion }) };
    return { platform, system, databases: [], languages: [], sboms: [], products: products(true) };
  }
  for (let reading = 1; ; reading += 1) {
    const root = new ImageRoot(wanted);
    const budget = new ImageBudget(limits);
    for (const layer of await opened.layers(wanted, budget)) root.apply(layer);
    const found = await orNotRead(() => readContents(root, budget.jars));
    const isNew = [...root.unseen].map(([path, isFolder]) => wanted.add(path, isFolder)).some(Boolean);
    if (!isNew) return { platform, ...found, ...statedOnce(found.languages, products(found.system !== undefined)) };
    if (reading === MAX_READINGS)
      throw EolgateError.of("image-layer", { why: "links lead from its package database to too many places" });
  }
}

/** A variable with the version of Java does not name its vendor; the file of a JDK does. */
function statedOnce(languages: ImageContents["languages"], products: ImageContents["products"]) {
  const files = distinctProducts(languages, products);
  const hasJava = files.some(({ file }) => "packages" in file && file.packages.some(isJava));
  return { languages: files, products: hasJava ? products.filter(({ name }) => name !== "java") : products };
}

const isJava = ({ installed }: LanguagePackage): boolean => installed?.tool === "java" && installed.by === "file";

interface ImageReadParts {
  readonly opened: OpenedImage;
  readonly attached: readonly Attached[];
  readonly contents: ImageContents;
}

function toReading(image: string, { opened, attached, contents }: ImageReadParts): ImageReading {
  const sboms = attached.flatMap((each) => ("document" in each ? [each] : []));
  const own = imageDocument(contents, knownPackages(sboms.map(({ document }) => document)));
  const inputs: ImageInput[] = sboms.map(({ attachment, document }) => ({
    file: `${image} (${isInside(attachment) ? attachment.origin : attachment.digest.slice(0, 19)})`,
    digest: attachment.digest,
    document,
    partOf: image,
  }));
  // If nothing was found, the report contains an empty document.
  if (own.components.length > 0 || inputs.length === 0)
    inputs.push({ file: image, digest: opened.digest ?? digestOfContents(contents), document: own, partOf: image });
  return {
    inputs,
    coverage: {
      image,
      platform: formatPlatform(opened.config.platform),
      digest: opened.digest,
      evidence: [
        ...sboms.map(({ attachment, document, signedBy }): ImageEvidence => ({
          kind: "sbom",
          source: attachment.origin,
          components: document.components.length,
          ...(signedBy !== undefined && { signedBy }),
        })),
        ...evidenceOf(contents),
      ],
      notRead: gapsOf(attached, contents),
    },
  };
}

/** A folder has no digest of its own: that of everything that was found in it. */
const digestOfContents = (contents: ImageContents): string => {
  const sboms = contents.sboms.map(({ path, bytes }) => ({ path, digest: digestOfBytes(bytes) }));
  return digestOfBytes(new TextEncoder().encode(JSON.stringify({ ...contents, sboms })));
};

function evidenceOf({ system, databases, languages, products }: ImageContents): readonly ImageEvidence[] {
  return [
    ...(system === undefined ? [] : [{ kind: "operating-system" as const, source: system.path, components: 1 }]),
    ...databases.map(({ path, packages }) => ({
      kind: "packages" as const,
      source: path,
      components: packages.length,
    })),
    ...languageEvidence(languages),
    ...productEvidence("runtimes", "config/Env/", products),
    ...productEvidence("reference", "reference/", products),
  ];
}

/** The packages of languages, with the number of each kind: `npm ×12, pypi ×3`. */
function languageEvidence(languages: ImageContents["languages"]): readonly ImageEvidence[] {
  const packages = languages.flatMap(({ file }) => ("packages" in file ? file.packages : []));
  const kinds = new Map<string, number>();
  for (const { purl } of packages) {
    const kind = /^pkg:([a-z]+)\//.exec(purl ?? "")?.[1] ?? "others";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const source = [...kinds].map(([kind, count]) => `${kind} ×${String(count)}`).join(", ");
  return packages.length === 0 ? [] : [{ kind: "language-packages", source, components: packages.length }];
}

function productEvidence(
  kind: "runtimes" | "reference",
  start: string,
  products: ImageContents["products"],
): readonly ImageEvidence[] {
  const found = products.filter(({ path }) => path.startsWith(start));
  const source = [...new Set(found.map(({ path }) => path.slice(start.length)))].join(", ");
  return found.length === 0 ? [] : [{ kind, source, components: found.length }];
}

const gapIf = (condition: boolean, kind: ImageGap["kind"], detail = ""): readonly ImageGap[] =>
  condition ? [{ kind, detail }] : [];

const MAX_EXAMPLES = 3;

/** The files with packages of languages that could not be read, with their reasons. */
function languageGap(languages: ImageContents["languages"]): readonly ImageGap[] {
  const unread = languages.flatMap(({ path, file }) => ("unread" in file ? [`/${path} (${file.unread})`] : []));
  const more = unread.length > MAX_EXAMPLES ? `, and ${String(unread.length - MAX_EXAMPLES)} more` : "";
  return gapIf(unread.length > 0, "language-packages", `${unread.slice(0, MAX_EXAMPLES).join(", ")}${more}`);
}

function gapsOf(attached: readonly Attached[], { platform, databases, languages }: ImageContents): readonly ImageGap[] {
  const isLinux = platform.os === "linux";
  const hasSbom = attached.some((each) => "document" in each && !isInside(each.attachment));
  return [
    ...attached.flatMap((each) => ("gap" in each ? [each.gap] : [])),
    ...gapIf(!isLinux, "file-system", platform.os),
    // A package manager without packages is no system: its database was emptied or lost.
    ...gapIf(
      isLinux && databases.every(({ packages }) => packages.length === 0) && !hasSbom,
      "system-packages",
      databases.map(({ path }) => path).join(", "),
    ),
    ...languageGap(languages),
  ];
}

// Packages that an attached SBOM already lists. They are not added again from the package database.

/**
 * The key of a package: its package URL with the qualifier `distro` only, because generators differ in the other ones.
 * Undefined for a package of a distribution without `distro`: such an entry of an SBOM is less precise than the package
 * database, so both are assessed.
 */
function packageKey(purl: string): string | undefined {
  const [path = "", query = ""] = purl.split(/[?#]/, 2);
  const distribution = query.split("&").find((qualifier) => qualifier.startsWith("distro="));
  if (distribution === undefined && /^pkg:(?:deb|rpm|apk|alpm)\//.test(path)) return undefined;
  try {
    return decodeURIComponent(`${path}?${distribution ?? ""}`).toLowerCase();
  } catch {
    return undefined;
  }
}

/** Returns a predicate: whether one of the documents lists the package with this package URL. */
export function knownPackages(documents: readonly ComponentDocument[]): (purl: string) => boolean {
  const known = new Set(
    documents.flatMap(({ components }) =>
      [...components].flatMap(({ purls }) => purls.flatMap((purl) => packageKey(purl) ?? [])),
    ),
  );
  return (purl) => {
    const key = packageKey(purl);
    return key !== undefined && known.has(key);
  };
}
