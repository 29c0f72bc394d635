/** The inputs that were read, by kind, and those that were not read. */
import { formatCount, formatNumber } from "../messages/format.ts";
import type {
  DocumentReport,
  FolderCoverage,
  ImageCoverage,
  ImageEvidence,
  ImageGap,
  Report,
  UnreadFiles,
} from "../model/index.ts";

/** Files of one kind over the whole run. */
interface InputKind {
  /** `package-lock.json`, `Dockerfile`, `CycloneDX`. */
  readonly kind: string;
  files: number;
  assessed: number;
  /** Components, assessed or not. */
  total: number;
}

/** The kinds of input, most components first. For checked folders, files without components are counted too. */
function inputKinds({ documents, folders = [] }: Report): readonly InputKind[] {
  const kinds = new Map<string, InputKind>();
  const at = (kind: string): InputKind => {
    const known = kinds.get(kind) ?? { kind, files: 0, assessed: 0, total: 0 };
    kinds.set(kind, known);
    return known;
  };
  for (const each of documents) {
    const { assessed, notAssessed } = each.verdict.coverage;
    const counts = at(kindOf(each));
    counts.files += 1;
    counts.assessed += assessed;
    counts.total += assessed + notAssessed;
  }
  for (const { kind, files } of folders.flatMap(({ read }) => read)) {
    if (kind !== "SBOM") at(kind).files = Math.max(at(kind).files, files);
  }
  return [...kinds.values()].sort((one, other) => other.total - one.total);
}

/** Whether a document is a file of the project itself, not an SBOM or an image. */
export const isProjectFile = ({ format }: Pick<DocumentReport["document"], "format">): boolean =>
  format === "pins" || format === "lockfile";

/** The kind of a project's file without the version of its format; of an SBOM its format. */
const kindOf = ({ document }: DocumentReport): string =>
  isProjectFile(document) ? (document.specVersion.split(" ")[0] ?? "") : document.format;

function skippedEntries(folders: readonly FolderCoverage[]) {
  const directories = new Map<string, number>();
  const counts = { gitIgnored: 0, excluded: 0, links: 0 };
  for (const { skipped } of folders) {
    for (const { name, count } of skipped.directories) directories.set(name, (directories.get(name) ?? 0) + count);
    counts.gitIgnored += skipped.gitIgnored;
    counts.excluded += skipped.excluded;
    counts.links += skipped.links;
  }
  return { directories, ...counts };
}

/**
 * For checked folders, the number of assessed components by kind of input; for images, their contents. The text is not
 * escaped.
 */
export function formatInputs(report: Report): readonly string[] {
  const images = formatImages(report.images);
  if (report.folders === undefined) return images;
  const files = inputKinds(report).map(({ kind, files, assessed, total }) => {
    const share =
      total === 0 ? "no component" : `${formatNumber(assessed)} of ${formatCount(total, "component")} assessed`;
    return `${kind}: ${formatCount(files, "file")}, ${share}`;
  });
  return [...files, ...images];
}

/**
 * Files that name components and were not read, and entries that were skipped. Files that a pattern leaves out are
 * listed with `isVerbose`. The text is not escaped.
 */
export function formatUnread({ folders = [], images }: Report, isVerbose = false): readonly string[] {
  const files = folders.flatMap(({ notRead }) =>
    notRead.filter(({ reason }) => isVerbose || reason !== "omitted").map(formatUnreadFiles),
  );
  const { directories, gitIgnored, excluded, links } = skippedEntries(folders);
  const entries = [
    ...[...directories].map(([name, count]) => `${name} ×${formatNumber(count)}`),
    ...(gitIgnored > 0 ? [`${formatNumber(gitIgnored)} by .gitignore`] : []),
    ...(excluded > 0 ? [`${formatNumber(excluded)} by --exclude`] : []),
    ...(links > 0 ? [formatCount(links, "symbolic link")] : []),
  ];
  const skipped = entries.length === 0 ? [] : [`skipped: ${entries.join(", ")}`];
  return [...files, ...formatImageGaps(images), ...skipped];
}

/** Files of one kind that were not read, with the reason and the first paths. The text is not escaped. */
export function formatUnreadFiles({ kind, reason, count, examples }: UnreadFiles): string {
  const more = count > examples.length ? ` … ${formatNumber(count - examples.length)} more` : "";
  const named = reason === "mentions-images" ? formatCount(count, "file") : kind;
  return `${named} ${UNREAD[reason]}: ${examples.join(", ")}${more}`;
}

const UNREAD: Readonly<Record<UnreadFiles["reason"], string>> = {
  "no-lockfile": "without a lockfile, so its dependencies are unknown",
  "not-supported": "not supported",
  "too-large": "too large",
  omitted: "left out by .gitignore or --exclude",
  "mentions-images": "with images that are not read",
};

const ORIGINS: Readonly<Record<string, string>> = {
  index: "in its index",
  referrer: "as a referrer",
  "cosign-tag": "under a tag of cosign",
};

const EVIDENCE: Readonly<Record<ImageEvidence["kind"], (evidence: ImageEvidence) => string>> = {
  sbom: ({ source, components, signedBy }) =>
    source.startsWith("/")
      ? `the SBOM ${source} (${formatCount(components, "component")})`
      : `an SBOM attached ${ORIGINS[source] ?? source} (${formatCount(components, "component")}; ${signedBy === undefined ? "its signature is not verified" : `signed with the key ${signedBy}`})`,
  "operating-system": ({ source }) => `the operating system in /${source}`,
  packages: ({ source, components }) => `${formatCount(components, "package")} in /${source}`,
  "language-packages": ({ source, components }) => `${formatCount(components, "package")} of languages (${source})`,
  runtimes: ({ source }) => `runtimes in the environment (${source})`,
  reference: ({ source }) => `the products that its name states (${source})`,
};

/** One line for each image. */
export function formatImages(images: readonly ImageCoverage[] = []): readonly string[] {
  return images.map(({ image, platform, digest, evidence }) => {
    const found = evidence.map((each) => EVIDENCE[each.kind](each)).join(", ");
    const details = digest === null ? platform : `${platform}, ${digest}`;
    return `${image} (${details}): ${found === "" ? "nothing that can be assessed" : found}`;
  });
}

const GAPS: Readonly<Record<ImageGap["kind"], (detail: string, image: string) => string>> = {
  "language-packages": (detail) => `files that list packages of languages: ${detail}`,
  "foreign-attestation": (detail) => `an attached SBOM that does not name this image (${detail})`,
  attachment: (detail) => `an attachment (${detail})`,
  "system-packages": (path) =>
    `packages of the operating system, because ${path === "" ? "it has no database of dpkg, apk or rpm" : `${path} lists none`}`,
  "file-system": (detail) => `the file system, because images for ${detail} are not read`,
};

const FIRST_GAPS = 5;

/** One line for each part that was not read; of an image with many, only the first ones. */
export function formatImageGaps(images: readonly ImageCoverage[] = []): readonly string[] {
  return images.flatMap(({ image, notRead }) => {
    const lines = notRead.slice(0, FIRST_GAPS).map(({ kind, detail }) => `${image}: ${GAPS[kind](detail, image)}`);
    const more = notRead.length - lines.length;
    return more > 0 ? [...lines, `${image}: … ${formatNumber(more)} more`] : lines;
  });
}
