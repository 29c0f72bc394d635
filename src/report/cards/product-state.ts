/** Formats the state of a product in the catalogue for a terminal. */
import type { ProductState } from "../../model/index.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import { escapeTerminal } from "../escape.ts";
import { columns } from "./lists.ts";

const RECORD = { upstream: "endoflife.date", custom: "our own record" } as const;
const SCOPE = {
  complete: "every release cycle is recorded",
  partial: "some release cycles are recorded; others are not assessed",
  "retired-only": "only retired release cycles are recorded; others are not assessed",
} as const;

export function productStateCard(state: ProductState): string {
  const { cycles, newest, kev } = state;
  const about = columns([
    ["product", `${escapeTerminal(state.name)} (${state.product})`],
    ["record", `${RECORD[state.record]}; ${SCOPE[state.scope]}`],
    [
      "release cycles",
      `${formatNumber(cycles.count)}: ${formatNumber(cycles.supported)} supported, ${formatNumber(cycles.ended)} ended, ${formatNumber(cycles.unknown)} without a known end`,
    ],
    ["newest", newest === null ? "no release date is recorded" : `${escapeTerminal(newest.cycle)}, ${newest.status}`],
    ["agreement", `two independent sources state the end of ${formatCount(state.agreed, "cycle")}`],
    [
      "KEV",
      `${formatCount(kev.entries, "entry", "entries")}, ${formatNumber(kev.with_versions)} with affected versions`,
    ],
    ["purls", formatNumber(state.purls)],
  ]);
  const sources = columns([
    ["source", "kind", "cycles", "checked on", "address"],
    ...state.sources.map(({ source, kind, url, cycles: stated, read_on, age_days, copied }) => [
      escapeTerminal(source),
      copied ? `${kind}, a copy` : kind,
      formatNumber(stated),
      `${read_on}, ${formatCount(age_days, "day")} ago`,
      escapeTerminal(url),
    ]),
  ]);
  const disputed = state.discrepancies.map(({ cycle, stated }) => {
    const claims = stated.map(({ source, end, read_on }) => `${escapeTerminal(source)} ${end} (${read_on})`);
    return `sources differ on ${escapeTerminal(cycle)}: ${claims.join(", ")}\n`;
  });
  const waiting = state.quarantined.map(
    (cycle) => `a new end of ${escapeTerminal(cycle)} is not used until another source confirms it\n`,
  );
  return `${about}\n\n${sources}\n${[...disputed, ...waiting].join("")}`;
}
