/**
 * Debian: packages whose security support ends before the distribution's own end, or is limited. Columns stand between
 * runs of blanks: source, `limited` or `non-supported`, and for the latter the last supported version and a day, then words.
 */
import { asProductSlug } from "../../core/ids.ts";
import { isoDate } from "./feed/dates.ts";
import { feedChanged, wholeLines } from "./feed/feed-changed.ts";
import type { EarlyEndFact, EarlyEndSource, SourceDocument } from "./source.ts";

const distro = asProductSlug("debian");
const RAW = "https://salsa.debian.org/debian/debian-security-support/-/raw/master";
const LINES = ["11", "12", "13", "14"];

const ENDED = /^(?<name>\S+)\s+non-supported\s+\S+\s+(?<day>\d{4}-\d{2}-\d{2})(?:\s|$)/;
const LIMITED = /^(?<name>\S+)\s+limited(?:\s|$)/;

function readRow(line: string, where: string, cycle: string): EarlyEndFact {
  const ended = ENDED.exec(line)?.groups;
  const name = (ended ?? LIMITED.exec(line)?.groups)?.["name"];
  const from = ended?.["day"] === undefined ? undefined : isoDate(ended["day"]);
  if (name === undefined || (ended && !from)) {
    throw feedChanged(where, "a package with `limited`, or with `non-supported`, a version and a day");
  }
  const head = { distro, cycle, package: name, isPattern: /[*[\]()|\\]/.test(name) };
  return from ? { ...head, kind: "ended", from: from.value } : { ...head, kind: "limited" };
}

function parse(text: string, document: SourceDocument): readonly EarlyEndFact[] {
  const { part } = document;
  if (part === undefined) throw feedChanged("/", "a document of one Debian line");
  const facts = wholeLines(text).flatMap((line, index) =>
    line.trim() === "" || line.startsWith("#") ? [] : [readRow(line, `line ${String(index + 1)}`, part)],
  );
  if (facts.length === 0) throw feedChanged("/", "at least one package");
  return facts;
}

export const debianSecuritySupport: EarlyEndSource = {
  kind: "early-ends",
  id: "debian-security-support",
  title: "Debian packages that lost security support early",
  origin: "debian-security-team",
  products: [distro],
  format: "text",
  verification: "read",
  independentOfUpstream: true,
  documents: LINES.map((line) => ({ url: `${RAW}/security-support.deb${line}`, part: line })),
  parse,
};
