/**
 * Filters and sorts the rows of the HTML report in the browser. The report is complete without it: the form is hidden
 * until the script runs. The content security policy allows only this text, by its digest; a test compares the two.
 */
import type { ProvenanceSource } from "../../model/index.ts";
import { SOURCE_LABELS } from "../../messages/provenance.ts";
import type { RowSet, RowState } from "../rows.ts";
import { NOT_ASSESSED, OUT_OF_SCOPE } from "./groups.ts";

export const SCRIPT = `
"use strict";
(() => {
  const form = document.querySelector("form.filter");
  if (!form) return;
  const rows = [...document.querySelectorAll(".rows > details")].map((element, index) => ({ element, index, data: element.dataset }));
  const field = (name) => form.elements.namedItem(name).value;
  const textOf = (row) => (row.text ??= row.element.querySelector("summary").textContent.toLowerCase());
  const itemsOf = (row) =>
    (row.items ??= [...row.element.querySelectorAll(".parts > li")].map((element) => ({ element, text: element.textContent.toLowerCase() })));
  const orders = {
    risk: (a, b) => a.index - b.index,
    end: (a, b) => Number(a.data.days) - Number(b.data.days) || a.index - b.index,
    name: (a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0),
    count: (a, b) => Number(b.data.count) - Number(a.data.count) || a.index - b.index,
  };
  const matches = (row, words) => {
    const whole = words === "" || textOf(row).includes(words);
    const items = whole && row.items === undefined ? [] : itemsOf(row);
    let shown = 0;
    for (const { element, text } of items) {
      element.hidden = !whole && !text.includes(words);
      if (!element.hidden) shown += 1;
    }
    if (whole) return true;
    if (shown > 0) row.element.open = true;
    return shown > 0;
  };
  const update = () => {
    const words = field("text").trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const state = field("state");
      const source = field("source");
      const kept = (state === "" || row.data.state === state) && (source === "" || row.data.source === source);
      row.element.hidden = !(kept && matches(row, words));
      if (!row.element.hidden) shown += 1;
    }
    form.querySelector("output").textContent = shown + " of " + rows.length + " rows";
  };
  const sort = () => {
    for (const { element } of rows.toSorted(orders[field("sort")])) element.parentElement.append(element);
  };
  const setAll = (open) => rows.forEach(({ element }) => (element.open = open));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", update);
  form.elements.namedItem("sort").addEventListener("change", sort);
  form.querySelector("[data-open]").addEventListener("click", () => setAll(true));
  form.querySelector("[data-close]").addEventListener("click", () => setAll(false));
  form.hidden = false;
  update();
})();
`;

/** `sha256-` and the base64 digest of `SCRIPT`, as a content security policy names a script. */
export const SCRIPT_DIGEST = "sha256-pkN8Jh0psTRbDDZ+11vOmtORXmf/0/YkmxnJQtDDW6E=";

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
