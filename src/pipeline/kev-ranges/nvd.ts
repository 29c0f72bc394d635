/** Affected versions of a product in the NVD's answer: https://nvd.nist.gov/developers/vulnerabilities. */
import { Type } from "typebox";
import { Value } from "typebox/value";
import { allOrNone, oneVersion, rangeText } from "./affected.ts";
import { cpeName, type RecordSubject } from "./cve-record.ts";

const text = Type.String();
const optional = Type.Optional;
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
  return allOrNone(matches.map(rangeOf));
}

function rangeOf(match: {
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
