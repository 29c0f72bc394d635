/** The texts of a mail about packages that are no longer maintained. */
import { formatCount, formatNumber } from "../../messages/format.ts";
import { formatEvidence } from "../../messages/support.ts";
import type { PackageDetails } from "./content.ts";
import type { Block, MailRow } from "./message.ts";

/** Packages that get a card; further ones are only named. */
const CARDS = 20;

/** The subject of the mail. */
export function packagesSubject(packages: readonly PackageDetails[]): string {
  const [first] = packages;
  if (first === undefined) throw new Error("a mail about no package");
  return packages.length === 1
    ? headline(first)
    : `${formatCount(packages.length, "package")} on your watch list are no longer maintained`;
}

export function packageBlocks(packages: readonly PackageDetails[]): readonly Block[] {
  const others = packages.slice(CARDS).map(({ purl }) => packageLabel(purl));
  return [
    ...packages.slice(0, CARDS).map(packageCard),
    ...(others.length === 0
      ? []
      : [paragraph(`And ${formatNumber(others.length)} more:`), ...namesInLines(others).map(paragraph)]),
  ];
}

/** The label of a package: `@scope/name 1.0.0 (npm)`. */
export function packageLabel(purl: string): string {
  const [, type = "", path = "", version = ""] = /^pkg:([^/]+)\/(.+)@([^@]+)$/.exec(purl) ?? [];
  return type === "" ? purl : `${decoded(path)} ${decoded(version)} (${type})`;
}

const HEADLINES = {
  deprecated: "is deprecated by its maintainers",
  unmaintained: "is no longer maintained",
} as const;

const headline = ({ purl, trigger }: PackageDetails): string => `${packageLabel(purl)} ${HEADLINES[trigger]}`;

function packageCard(details: PackageDetails): Block {
  const { evidence, replacement, lastRelease } = details;
  const rows: readonly MailRow[] = [
    { name: "Evidence", value: formatEvidence(evidence), url: evidence.url },
    ...(replacement === undefined ? [] : [{ name: "Replaced by", value: replacement }]),
    ...(lastRelease === undefined ? [] : [{ name: "Last release", value: lastRelease }]),
  ];
  return { kind: "card", title: headline(details), url: evidence.url, tone: "ended", rows };
}

const paragraph = (text: string): Block => ({ kind: "paragraph", text });

/** Joins names to texts of at most about 200 characters: longer paragraphs would be truncated. */
export function namesInLines(names: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const name of names) {
    const last = parts.at(-1);
    if (last === undefined || last.length + name.length > 200) parts.push(name);
    else parts[parts.length - 1] = `${last}, ${name}`;
  }
  return parts;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
