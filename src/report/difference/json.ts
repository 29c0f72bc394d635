/** The JSON output of `eolgate diff`. Fields are only added, never removed, as in the JSON report. */
import type { FindingRecord } from "../../compare/finding-record.ts";
import { escapeJson as escaped } from "../escape.ts";
import type { DifferenceReport } from "./labels.ts";

export function differenceJson({ difference, tool, asOf, exit }: DifferenceReport): string {
  const { old, added, removed, changed, unchanged } = difference;
  const object = {
    schema_version: "1.0",
    tool,
    as_of: asOf,
    old,
    new: difference.new,
    added: added.map(findingObject),
    removed: removed.map(findingObject),
    changed: changed.map(({ before, after }) => ({ before: findingObject(before), after: findingObject(after) })),
    unchanged,
    exit,
  };
  return escaped(`${JSON.stringify(object, null, 2)}\n`);
}

function findingObject({ name, version, purl, cycle, end, verdict, condition, active }: FindingRecord) {
  return { name, version, purl, cycle, eol_date: end, verdict, condition, excused: verdict !== "pass" && !active };
}
