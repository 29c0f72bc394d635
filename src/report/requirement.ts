/** Who requires the components of a row, and whether they admit an upgrade, as text. */
import type { Requirer } from "../model/index.ts";
import { truncate } from "./escape.ts";
import type { ReportRow } from "./rows.ts";

/** Requirers that a note names. */
const MOST_NAMES = 3;

/** The requirers of a row's components that admit no supported release, each once. */
export function holdersOf({ findings }: Pick<ReportRow, "findings">): readonly Requirer[] {
  const holders = findings.flatMap(({ component, requirements }) =>
    requirements?.haveRanges === true
      ? (requirements.of(component)?.requirers ?? []).filter(({ admitsSupported }) => admitsSupported === false)
      : [],
  );
  return [...new Map(holders.map((each) => [`${each.name} ${each.version} ${each.range}`, each])).values()];
}

/** `required by terser 5.31.0 as ^2.20.0: no supported release in that range; upgrade or replace terser`. */
export function requirementNote(row: Pick<ReportRow, "findings" | "state">): readonly string[] {
  const holders = row.state === "fail" || row.state === "warn" ? holdersOf(row) : [];
  if (holders.length === 0) return [];
  const shown = holders.slice(0, MOST_NAMES);
  const more = holders.length > shown.length ? ` and ${holders.length - shown.length} more` : "";
  const by = shown.map(
    ({ name, version, range = "" }) => `${name}${version === undefined ? "" : ` ${version}`} as ${truncate(range, 40)}`,
  );
  const ranges = holders.length === 1 ? "that range" : "these ranges";
  const names = [...new Set(shown.map(({ name }) => name))].join(", ");
  return [
    `required by ${by.join(", ")}${more}: no supported release in ${ranges}; upgrade or replace ${more === "" ? names : "them"}`,
  ];
}
