/**
 * Debian: packages whose security support ends before the distribution's own end, or is limited. Columns are separated
 * by runs of blanks: source, `limited`, `non-supported` or `supported` (the exception to a pattern), for the second
 * mostly the last supported version and a day, then words.
 */
import { asProductSlug, type IsoDate } from "../../text/ids.ts";
import { isoDate } from "./feed/dates.ts";
import { feedChanged, completeLines } from "./feed/location.ts";
import type { PackageEndClaim, PackageEndSource, SourceDocument } from "./source.ts";

const distro = asProductSlug("debian");
const RAW = "https://salsa.debian.org/debian/debian-security-support/-/raw/master";
const LINES = ["11", "12", "13", "14"];

const ROW = /^(?<name>\S+)\s+(?<word>limited|non-supported|supported)(?:\s+(?<rest>.*))?$/;
const KINDS = { limited: "limited", "non-supported": "ended", supported: "supported" } as const;
const isWord = (word: string | undefined): word is keyof typeof KINDS => word !== undefined && word in KINDS;

function readRow(line: string, where: string, cycle: string): PackageEndClaim {
  const { name, word, rest = "" } = ROW.exec(line)?.groups ?? {};
  if (name === undefined || !isWord(word))
    throw feedChanged(where, "a package with limited, non-supported or supported");
  const head = { distro, cycle, package: name, isPattern: /[*[\]()|\\]/.test(name), kind: KINDS[word] };
  // A version begins with a digit and is followed by a day. Without a version, text follows, and no source states the day.
  return head.kind === "ended" && /^\d/.test(rest) ? { ...head, from: endOf(rest, where) } : head;
}

function endOf(rest: string, where: string): IsoDate {
  const from = isoDate(rest.split(/\s+/)[1] ?? "");
  if (from?.precision === "day") return from.value;
  throw feedChanged(where, "the last supported version and the day its support ended");
}

function parse(text: string, document: SourceDocument): readonly PackageEndClaim[] {
  const { part } = document;
  if (part === undefined) throw feedChanged("/", "a document of one Debian line");
  const claims = completeLines(text).flatMap((line, index) =>
    line.trim() === "" || line.startsWith("#") ? [] : [readRow(line, `line ${String(index + 1)}`, part)],
  );
  if (claims.length === 0) throw feedChanged("/", "at least one package");
  return claims;
}

export const debianSecuritySupport: PackageEndSource = {
  kind: "package-ends",
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
