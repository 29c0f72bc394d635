/**
 * The release cycles of products whose maintainers publish a rule instead of dates: "only the newest major version".
 * A rule gives a day only where the release is known that replaces a line; without it the end has no day.
 */
import type { ListedVersion } from "../../catalogue/newest-versions.ts";
import { partOfPurl } from "../../catalogue/purls.ts";
import { addMonths } from "../../lifecycle/days.ts";
import { compareNumbers, leadingNumbers } from "../../resolve/version/parse.ts";
import { asIsoDate } from "../../text/ids.ts";
import { compact } from "../../text/values.ts";
import type { CuratedProduct } from "./curated-schemas.ts";
import type { Problems } from "./shared.ts";

/** Looks up the newest version of a package, by its package URL type and its path. */
export type NewestVersions = (type: string, path: string) => ListedVersion | undefined;

type SupportRule = NonNullable<CuratedProduct["rule"]>;
type RuledCycle = CuratedProduct["cycles"][number];

/** The product with the cycles that its rule gives; a product with dates of its own as it is. */
export function withRule(product: CuratedProduct, newest: NewestVersions, problems: Problems): CuratedProduct {
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
  newest: NewestVersions,
): readonly RuledCycle[] {
  const listed = purls.map((purl) => listedVersion(purl, newest)).find((each) => each !== undefined);
  const all = merged(cycles, listed && cycleNumbers(listed.version, rule), rule);
  return evaluate(withRelease(all, listed, rule), rule);
}

/** A package with numbers of its own. Every older line is written: a version that is none of them resolves to nothing. */
function ofPart(purl: string, rule: SupportRule, newest: NewestVersions): readonly RuledCycle[] {
  const listed = listedVersion(purl, newest);
  if (listed === undefined) return [];
  const cycles = computed(cycleNumbers(listed.version, rule), rule, rule.others === undefined ? rule.newest : Infinity);
  return evaluate(withRelease(cycles, listed, rule), rule).map((each) => ({
    ...each,
    cycle: `${partOfPurl(purl)}@${each.cycle}`,
  }));
}

function listedVersion(purl: string, newest: NewestVersions): ListedVersion | undefined {
  const found = newest(/^pkg:([^/]+)/.exec(purl)?.[1] ?? "", partOfPurl(purl));
  return found !== undefined && leadingNumbers(found.version).length > 0 ? found : undefined;
}

/** `5` of 5.2.1; `5.2` where minor versions are the lines, and `0.2` of 0.2.1 in either case. */
function cycleNumbers(version: string, { of }: SupportRule): readonly number[] {
  const [major = 0, minor = 0] = leadingNumbers(version);
  return of === "major" && major > 0 ? [major] : [major, minor];
}

/**
 * The cycles of the file with those of newer lines. Where the file has one cycle or none, the lines that the rule needs.
 * @param listed The line of the newest version in the list; that of the first cycle counts where it is newer.
 */
function merged(
  cycles: readonly RuledCycle[],
  listed: readonly number[] | undefined,
  rule: SupportRule,
): readonly RuledCycle[] {
  const [top, ...others] = cycles;
  const recorded = top && leadingNumbers(top.cycle);
  const isListed = listed !== undefined && (recorded === undefined || compareNumbers(listed, recorded) > 0);
  const newest = isListed ? listed : recorded;
  if (newest === undefined) return [];
  if (others.length === 0)
    return computed(newest, rule, rule.newest + 1).map((each) => (each.cycle === top?.cycle ? top : each));
  const above = computed(newest, rule, Infinity);
  const end = above.findIndex(({ cycle }) => cycle === top?.cycle);
  return [...(end === -1 ? above.slice(0, 1) : above.slice(0, end)), ...cycles];
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

/** The newest line with the month of its first release, where the newest version is that release. */
function withRelease(
  cycles: readonly RuledCycle[],
  listed: ListedVersion | undefined,
  rule: SupportRule,
): readonly RuledCycle[] {
  if (listed?.released === undefined) return cycles;
  const { version, released } = listed;
  const numbers = cycleNumbers(version, rule);
  if (
    leadingNumbers(version)
      .slice(numbers.length)
      .some((number) => number > 0)
  )
    return cycles;
  return cycles.map((each) => (each.cycle === numbers.join(".") ? { released, ...each } : each));
}

/** The newest lines are supported; each other one ends with the release of the line that replaced it. Newest first. */
function evaluate(cycles: readonly RuledCycle[], rule: SupportRule): readonly RuledCycle[] {
  const evaluated: RuledCycle[] = [];
  for (const [index, cycle] of cycles.entries()) {
    const replaced = cycles[index - rule.newest]?.released;
    const isReplaced = index >= rule.newest;
    if (cycle.eol !== undefined) evaluated.push(cycle);
    else if (!isReplaced) evaluated.push({ ...cycle, eol: false, rolling: true });
    else if (rule.months !== undefined)
      evaluated.push(compact({ ...cycle, eol: monthsAfter(replaced, rule.months) ?? endedWith(evaluated.at(-1)) }));
    else if (rule.others !== undefined)
      evaluated.push(compact({ ...cycle, eol: replaced ?? true, rolling: rule.others === "superseded" || undefined }));
  }
  return evaluated;
}

/** A line below one that has ended on a day that is not known has ended too. */
const endedWith = (above: RuledCycle | undefined): true | undefined => (above?.eol === true ? true : undefined);

function monthsAfter(date: string | undefined, months: number): string | undefined {
  if (date === undefined) return undefined;
  return date.length > 7 ? addMonths(asIsoDate(date), months) : addMonths(asIsoDate(`${date}-01`), months).slice(0, 7);
}
