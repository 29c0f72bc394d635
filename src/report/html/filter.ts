/** The form that filters the rows by status, source of the date and text. It is hidden until the script runs. */
import type { ProvenanceSource } from "../../model/index.ts";
import { SOURCE_LABELS } from "../labels.ts";
import type { RowSet, RowState } from "../rows.ts";
import { NOT_ASSESSED, OUT_OF_SCOPE } from "./groups.ts";

const STATES: readonly (readonly [RowState | typeof NOT_ASSESSED | typeof OUT_OF_SCOPE, string])[] = [
  ["fail", "fails"],
  ["warn", "warns"],
  ["waived", "waived"],
  ["pass", "passes"],
  [NOT_ASSESSED, "not assessed"],
  [OUT_OF_SCOPE, "out of scope"],
];

const SORTS: readonly (readonly [string, string])[] = [
  ["risk", "risk"],
  ["end", "end of support"],
  ["name", "name"],
  ["count", "components"],
];

export function filterForm(sections: readonly RowSet[]): string {
  const sources = new Set(
    sections.flatMap(({ rows }) => rows.flatMap(({ assessment }) => assessment?.provenance.source ?? [])),
  );
  const known = Object.entries(SOURCE_LABELS).filter(([name]) => isOneOf(sources, name));
  return `<form class="filter" hidden aria-label="Filter">
<label>Text <input type="search" name="text" autocomplete="off"></label>
${select("state", "Status", [["", "all"], ...STATES])}
${select("source", "Source of the date", [["", "all"], ...known, ["none", "none"]])}
${select("sort", "Sort by", SORTS)}
<span><button type="button" data-open>Expand all</button> <button type="button" data-close>Collapse all</button></span>
<output role="status"></output>
</form>`;
}

const isOneOf = (sources: ReadonlySet<ProvenanceSource>, name: string): boolean =>
  [...sources].some((each) => each === name);

function select(name: string, label: string, options: readonly (readonly [string, string])[]): string {
  const items = options.map(([value, words]) => `<option value="${value}">${words}</option>`);
  return `<label>${label} <select name="${name}">${items.join("")}</select></label>`;
}
