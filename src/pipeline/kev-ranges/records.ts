/**
 * Affected versions of a product in a CVE record, JSON 5: https://github.com/CVEProject/cve-schema, and in the NVD's
 * answer. Of a CVE record, what the numbering authority states comes first, then what others added.
 */
import { Type } from "typebox";
import { Value } from "typebox/value";

const text = Type.String();
const optional = Type.Optional;
const AffectedVersion = Type.Object({
  version: text,
  status: text,
  lessThan: optional(text),
  lessThanOrEqual: optional(text),
  changes: optional(Type.Array(Type.Unknown())),
});
const Container = Type.Object({
  affected: optional(
    Type.Array(
      Type.Object({
        vendor: optional(text),
        product: optional(text),
        cpes: optional(Type.Array(text)),
        defaultStatus: optional(text),
        versions: optional(Type.Array(AffectedVersion)),
      }),
    ),
  ),
});
const CveRecord = Type.Object({
  cveMetadata: Type.Object({ cveId: text }),
  containers: Type.Object({ cna: Container, adp: optional(Type.Array(Container)) }),
});

/** What identifies a product in a record: the names under which CISA lists it, and its CPEs as `vendor:product`. */
export interface RecordSubject {
  readonly cve: string;
  readonly names: readonly { readonly vendor: string; readonly product: string }[];
  readonly cpes: ReadonlySet<string>;
}

/** Undefined: the record names no version of the product, or not all of them can be read. */
export function rangesInRecord(json: unknown, subject: RecordSubject): readonly string[] | undefined {
  if (!Value.Check(CveRecord, json) || json.cveMetadata.cveId !== subject.cve) return undefined;
  const { cna, adp = [] } = json.containers;
  for (const { affected = [] } of [cna, ...adp]) {
    const rows = affected.filter((row) => isSubject(row, subject));
    if (rows.length === 0) continue;
    // "Affected unless listed" names what is fixed, not what is affected.
    if (rows.some(({ defaultStatus }) => defaultStatus === "affected")) return undefined;
    const versions = rows.flatMap((row) => row.versions ?? []).filter(({ status }) => status === "affected");
    const ranges = allOrNone(versions.map(rangeOf));
    if (ranges) return ranges;
  }
  return undefined;
}

interface AffectedRow {
  readonly vendor?: string;
  readonly product?: string;
  readonly cpes?: readonly string[];
}

function isSubject({ vendor = "", product = "", cpes = [] }: AffectedRow, subject: RecordSubject): boolean {
  const named = `${normalize(vendor)}:${normalize(product)}`;
  return (
    subject.names.some((name) => `${normalize(name.vendor)}:${normalize(name.product)}` === named) ||
    cpes.some((cpe) => subject.cpes.has(cpeName(cpe)))
  );
}

const normalize = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "");

/** `cpe:2.3:a:apache:tomcat:9.0:…` → `apache:tomcat` */
export const cpeName = (cpe: string): string => cpe.split(":").slice(3, 5).join(":").toLowerCase();

function rangeOf(row: {
  readonly version: string;
  readonly lessThan?: string;
  readonly lessThanOrEqual?: string;
  readonly changes?: readonly unknown[];
}): string | undefined {
  const { version, lessThan, lessThanOrEqual, changes = [] } = row;
  if (changes.length > 0) return undefined;
  if (lessThan !== undefined) return rangeText({ from: version, to: lessThan });
  if (lessThanOrEqual !== undefined) return rangeText({ from: version, to: lessThanOrEqual, toInclusive: true });
  return /^\s*[<>=]/.test(version) ? writtenRange(version) : oneVersion(version);
}

// Affected versions of a product in the NVD's answer: https://nvd.nist.gov/developers/vulnerabilities.

const CpeMatch = Type.Object({
  vulnerable: Type.Boolean(),
  criteria: text,
  versionStartIncluding: optional(text),
  versionStartExcluding: optional(text),
  versionEndIncluding: optional(text),
  versionEndExcluding: optional(text),
});
const NvdAnswer = Type.Object({
  vulnerabilities: Type.Array(
    Type.Object({
      cve: Type.Object({
        id: text,
        configurations: optional(
          Type.Array(Type.Object({ nodes: Type.Array(Type.Object({ cpeMatch: Type.Array(CpeMatch) })) })),
        ),
      }),
    }),
  ),
});

/** Undefined: no affected version of the product is named, or not all of them can be read. */
export function rangesInNvd(json: unknown, { cve, cpes }: RecordSubject): readonly string[] | undefined {
  if (!Value.Check(NvdAnswer, json)) return undefined;
  const found = json.vulnerabilities.find((each) => each.cve.id === cve);
  const matches = (found?.cve.configurations ?? [])
    .flatMap(({ nodes }) => nodes.flatMap(({ cpeMatch }) => cpeMatch))
    .filter(({ vulnerable, criteria }) => vulnerable && cpes.has(cpeName(criteria)));
  return allOrNone(matches.map(rangeInNvd));
}

function rangeInNvd(match: {
  readonly criteria: string;
  readonly versionStartIncluding?: string;
  readonly versionStartExcluding?: string;
  readonly versionEndIncluding?: string;
  readonly versionEndExcluding?: string;
}): string | undefined {
  const [, , , , , version = "*", update = "*"] = match.criteria.split(":");
  // An update or service pack is not a part of a range of versions.
  if (version !== "*") return update === "*" || update === "-" ? oneVersion(version) : undefined;
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = match;
  return rangeText({
    from: versionStartIncluding ?? versionStartExcluding,
    fromExclusive: versionStartIncluding === undefined && versionStartExcluding !== undefined,
    to: versionEndExcluding ?? versionEndIncluding,
    toInclusive: versionEndExcluding === undefined && versionEndIncluding !== undefined,
  });
}

// Affected versions as a record states them, in the form of `lifecycle/kev.ts`. Undefined: the text is not a range of versions.

const VERSION = /^v?\d+(?:\.\d+)*(?:[-.+_]?[a-z0-9]+)*$/i;
/** Texts that stand for "from the first version on". */
const FIRST = /^(?:0|0\.0|0\.0\.0|\*|unspecified)$/i;

export interface Bounds {
  readonly from?: string | undefined;
  readonly fromExclusive?: boolean;
  readonly to?: string | undefined;
  readonly toInclusive?: boolean;
}

/** `>=2.0.1|<2.15.0`. Undefined without a bound: every version would be affected, which no version states. */
export function rangeText({ from, fromExclusive, to, toInclusive }: Bounds): string | undefined {
  const start = from === undefined || FIRST.test(from) ? [] : [bound(fromExclusive ? ">" : ">=", from)];
  const end = to === undefined || to === "*" ? [] : [bound(toInclusive ? "<=" : "<", to)];
  const bounds = [...start, ...end];
  return bounds.length === 0 || bounds.includes(undefined) ? undefined : bounds.join("|");
}

const bound = (sign: string, version: string): string | undefined =>
  VERSION.test(version) ? `${sign}${plain(version)}` : undefined;

export const oneVersion = (version: string): string | undefined =>
  VERSION.test(version) && !FIRST.test(version) ? `=${plain(version)}` : undefined;

const plain = (version: string): string => version.replace(/^v(?=\d)/i, "");

/** `>= 1.0.0, < 1.2.3`, `<= 4.5`: how some records write a range in the place of a version. */
export function writtenRange(text: string): string | undefined {
  const parts = text.split(",").map((part) => /^\s*(>=|>|<=|<|=)\s*(\S+)\s*$/.exec(part));
  const bounds: { from?: string; fromExclusive?: boolean; to?: string; toInclusive?: boolean } = {};
  for (const part of parts) {
    const [, sign, version] = part ?? [];
    if (sign === undefined || version === undefined) return undefined;
    if (sign === "=") return parts.length === 1 ? oneVersion(version) : undefined;
    if (sign.startsWith(">")) Object.assign(bounds, { from: version, fromExclusive: sign === ">" });
    else Object.assign(bounds, { to: version, toInclusive: sign === "<=" });
  }
  return rangeText(bounds);
}

/** All of them, or undefined if one cannot be read: a part of the affected versions would clear the others. */
export function allOrNone(ranges: readonly (string | undefined)[]): readonly string[] | undefined {
  const known = ranges.filter((range) => range !== undefined);
  return known.length === ranges.length && known.length > 0 ? [...new Set(known)] : undefined;
}
