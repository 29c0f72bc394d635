/**
 * The release cycles of products whose maintainers publish a rule instead of dates: "only the newest major version".
 * A rule gives a day only where the release is known that replaces a line; without it the end has no day.
 */
import type { ListedVersion, NewestVersions } from "../../model/index.ts";
import { partOfPurl } from "../../catalogue/purls.ts";
import { addMonths } from "../../lifecycle/days.ts";
import { compareNumbers, leadingNumbers, precedesFirstRelease } from "../../resolve/version/parse.ts";
import { asIsoDate } from "../../text/ids.ts";
import { compact } from "../../text/values.ts";
import type { CuratedProduct } from "./curated-schemas.ts";
import type { Problems } from "../problems.ts";

type FindNewest = NewestVersions["find"];

type SupportRule = NonNullable<CuratedProduct["rule"]>;
type RuledCycle = CuratedProduct["cycles"][number];
interface PlacedCycle {
  readonly cycle: RuledCycle;
  /** Lines that are in no list may lie between it and the newer one. */
  readonly isApart: boolean;
}

/** The product with the cycles that its rule gives; a product with dates of its own as it is. */
export function withRule(product: CuratedProduct, newest: FindNewest, problems: Problems): CuratedProduct {
  const { slug, rule, purls = [], parts = [] } = product;
  if (rule === undefined) return checkEnds(product, problems);
  const cycles =
    parts.length > 0 ? parts.flatMap((purl) => ofPart(purl, rule, newest)) : ofProduct(purls, product, rule, newest);
  if (cycles.length === 0)
    problems.refuse("no-line", slug, `the newest version of ${slug} is in no list, and no cycle is written`);
  return { ...product, ...(concludesAll(product, rule) && { scope: "complete" as const }), cycles: [...cycles] };
}

function checkEnds(product: CuratedProduct, problems: Problems): CuratedProduct {
  for (const { cycle, eol } of product.cycles)
    if (eol === undefined)
      problems.refuse("no-end", `${product.slug}:${cycle}`, "the cycle has no end, and no rule gives one");
  return product;
}

/** Whether the rule states what every version is. Packages with numbers of their own have all of their cycles. */
const concludesAll = ({ parts = [] }: CuratedProduct, { others, months }: SupportRule): boolean =>
  parts.length === 0 && (others !== undefined || months !== undefined);

function ofProduct(
  purls: readonly string[],
  { cycles }: CuratedProduct,
  rule: SupportRule,
  newest: FindNewest,
): readonly RuledCycle[] {
  const listed = purls.map((purl) => listedVersion(purl, newest)).find((each) => each !== undefined);
  const all = merged(cycles, listed && cycleNumbers(listed.version, rule), rule);
  return evaluate(
    all.map(({ cycle, isApart }) => ({ cycle: withRelease(cycle, listed, rule), isApart })),
    rule,
  );
}

/** A package with numbers of its own. Every older line is written: a version that is none of them resolves to nothing. */
function ofPart(purl: string, rule: SupportRule, newest: FindNewest): readonly RuledCycle[] {
  const listed = listedVersion(purl, newest);
  if (listed === undefined) return [];
  const cycles = computed(cycleNumbers(listed.version, rule), rule, rule.others === undefined ? rule.newest : Infinity);
  const placed = cycles.map((cycle) => ({ cycle: withRelease(cycle, listed, rule), isApart: false }));
  return evaluate(placed, rule).map((each) => ({ ...each, cycle: `${partOfPurl(purl)}@${each.cycle}` }));
}

function listedVersion(purl: string, newest: FindNewest): ListedVersion | undefined {
  const found = newest(/^pkg:([^/]+)/.exec(purl)?.[1] ?? "", partOfPurl(purl));
  return found !== undefined && leadingNumbers(found.version).length > 0 ? found : undefined;
}

/** `5` of 5.2.1; `5.2` where minor versions are the lines, and `0.2` of 0.2.1 in either case. */
function cycleNumbers(version: string, { of }: SupportRule): readonly number[] {
  const [major = 0, minor = 0] = leadingNumbers(version);
  return of === "major" && major > 0 ? [major] : [major, minor];
}

/**
 * The cycles of the file, newest first, with the lines above, between and below them as far as the rule needs them.
 * @param listed The line of the newest version in the list; that of the first cycle counts where it is newer.
 */
function merged(
  cycles: readonly RuledCycle[],
  listed: readonly number[] | undefined,
  rule: SupportRule,
): readonly PlacedCycle[] {
  const [top] = cycles;
  const isNewer = listed !== undefined && (top === undefined || compareNumbers(listed, leadingNumbers(top.cycle)) > 0);
  const placed: PlacedCycle[] = [];
  for (const cycle of isNewer ? [{ cycle: listed.join(".") }, ...cycles] : cycles) {
    const below = cyclesBelow(placed, rule);
    const at = below.findIndex((each) => each.cycle === cycle.cycle);
    const numbers = leadingNumbers(cycle.cycle);
    // The last minor version of an older major is not known: below 8.0, a file may begin with 7.4.
    const between = below.filter((each, index) =>
      at < 0 ? compareNumbers(leadingNumbers(each.cycle), numbers) > 0 : index < at,
    );
    const isApart = placed.length > 0 && at < 0;
    placed.push(...between.map((each) => ({ cycle: each, isApart: false })), { cycle, isApart });
  }
  const missing = cyclesBelow(placed, rule).slice(0, Math.max(0, rule.newest + 1 - placed.length));
  return [...placed, ...missing.map((cycle) => ({ cycle, isApart: false }))];
}

/** The lines below the last one, downwards. */
function cyclesBelow(placed: readonly PlacedCycle[], rule: SupportRule): readonly RuledCycle[] {
  const last = placed.at(-1);
  if (last === undefined) return [];
  // So many of them, with the last one, can still be supported.
  const newest = Math.max(1, rule.newest - placed.length + 1);
  return computed(leadingNumbers(last.cycle.cycle), { ...rule, newest }, Infinity).slice(1);
}

/** At most `limit` lines from the newest one downwards. */
function computed(newest: readonly number[], rule: SupportRule, limit: number): readonly RuledCycle[] {
  const [major = 0, minor = 0] = newest;
  const minors = newest.length === 1 ? [] : countdown(minor - 1).map((each) => `${major}.${each}`);
  // The last minor version of an older major is not known: that major is one line, which only an ended line may be.
  const isKnown = minors.length + 1 >= rule.newest || (newest.length === 1 && major >= rule.newest);
  const majors = isKnown ? countdown(major - 1).map(String) : [];
  return [newest.join("."), ...minors, ...majors].slice(0, limit).map((cycle) => ({ cycle }));
}

/** From `start` to 0. */
const countdown = (start: number): readonly number[] =>
  Array.from({ length: Math.max(0, start + 1) }, (_, at) => start - at);

/** The newest line: with the month of its first release if the newest version is that; with a newest pre-release. */
function withRelease(cycle: RuledCycle, listed: ListedVersion | undefined, rule: SupportRule): RuledCycle {
  if (listed === undefined || cycle.cycle !== cycleNumbers(listed.version, rule).join(".")) return cycle;
  const { version, released } = listed;
  const numbers = leadingNumbers(cycle.cycle);
  const isFirst = leadingNumbers(version).every((number, at) => number === (numbers[at] ?? 0));
  const latest = precedesFirstRelease(version, cycle.cycle) ? version : undefined;
  return { ...compact({ released: isFirst ? released : undefined, latest }), ...cycle };
}

/** The newest lines are supported; each other one ends with the release of the line that replaced it. Newest first. */
function evaluate(placed: readonly PlacedCycle[], rule: SupportRule): readonly RuledCycle[] {
  const evaluated: RuledCycle[] = [];
  for (const [index, { cycle }] of placed.entries()) {
    const replacing = index - rule.newest;
    // Where lines may be missing, it is not known which one is so many lines above.
    const isCounted = !placed.slice(Math.max(replacing, 0) + 1, index + 1).some(({ isApart }) => isApart);
    const replaced = isCounted ? placed[replacing]?.cycle.released : undefined;
    if (cycle.eol !== undefined) evaluated.push(cycle);
    else if (replacing < 0) evaluated.push(isCounted ? { ...cycle, eol: false, rolling: true } : cycle);
    else if (rule.months !== undefined || rule.others !== undefined)
      evaluated.push(compact({ ...cycle, ...endOf(replaced, evaluated.at(-1), rule) }));
  }
  return evaluated;
}

/** The end of a line that is not one of the newest; `replaced` is the day on which it stopped to be one, if known. */
function endOf(
  replaced: string | undefined,
  above: RuledCycle | undefined,
  { months, others }: SupportRule,
): Pick<Partial<RuledCycle>, "eol" | "rolling"> {
  if (months === undefined)
    return compact({ eol: replaced ?? true, rolling: others === "superseded" ? (true as const) : undefined });
  return compact({ eol: monthsAfter(replaced, months) ?? endedWith(above) });
}

/** A line below one that has ended on a day that is not known has ended too. */
const endedWith = (above: RuledCycle | undefined): true | undefined => (above?.eol === true ? true : undefined);

function monthsAfter(date: string | undefined, months: number): string | undefined {
  if (date === undefined) return undefined;
  return date.length > 7 ? addMonths(asIsoDate(date), months) : addMonths(asIsoDate(`${date}-01`), months).slice(0, 7);
}
