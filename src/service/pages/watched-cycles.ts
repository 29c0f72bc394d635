/** Lists the release cycles and packages of a watch list. Cycles that are not in the catalogue any more have their stored names. */
import { formatCount } from "../../messages/format.ts";
import type { Assessment } from "../../model/index.ts";
import { formatCycle } from "../../report/labels.ts";
import { assessCycles } from "../alerts/cycles.ts";
import type { CycleName, WatchSummary } from "../http/services.ts";
import { scrolling } from "./layout.ts";
import { link, markup, type Markup } from "./markup.ts";
import { ending, risk, statusChip } from "./parts.ts";
import type { Site } from "./site.ts";

interface Watched {
  readonly name: CycleName;
  readonly assessment: Assessment | undefined;
}

const watchedCycles = ({ catalogue, asOf }: Site, names: readonly CycleName[]): readonly Watched[] =>
  names.map((name) => ({ name, assessment: assessCycles(catalogue, [name], asOf)[0] }));

/** Lists of the release cycles and of the packages, each with its number as the heading. */
export function listContents(site: Site, { cycles, packages }: Pick<WatchSummary, "cycles" | "packages">): Markup {
  const links = watchedCycles(site, cycles).map((each) => cycleLink(site, each));
  return markup`${nameList("release cycle", links)}${packageNames(packages)}`;
}

export const packageNames = (packages: readonly string[]): Markup | null =>
  nameList(
    "package",
    packages.map((purl) => markup`${purl}`),
  );

function nameList(noun: string, entries: readonly Markup[]): Markup | null {
  if (entries.length === 0) return null;
  return markup`<h2>${formatCount(entries.length, noun)}</h2>
<ul class="names">${entries.map((entry) => markup`<li>${entry}</li>\n`)}</ul>`;
}

export function watchedTable(site: Site, cycles: readonly CycleName[]): Markup {
  const rows = watchedCycles(site, cycles).map((each) => {
    const { assessment } = each;
    const cells = assessment
      ? markup`<td>${statusChip(assessment)}<br><span class="soft">${ending(assessment)}</span></td><td>${risk(assessment)}</td>`
      : markup`<td colspan="2">no longer in the catalogue: no mails are sent for it</td>`;
    return markup`<tr><th scope="row">${cycleLink(site, each)}</th>${cells}</tr>\n`;
  });
  const label = "Watched release cycles";
  return scrolling(
    label,
    markup`<table><caption class="hidden">${label}</caption><thead><tr><th scope="col">Release cycle</th><th scope="col">Status</th><th scope="col">Risk of 100</th></tr></thead><tbody>\n${rows}</tbody></table>`,
  );
}

function cycleLink({ paths }: Site, { name, assessment }: Watched): Markup {
  if (assessment === undefined) return markup`${`${name.product} ${name.cycle}`}`;
  return link(formatCycle(assessment), paths.scoreCard(assessment.releaseCycle));
}
