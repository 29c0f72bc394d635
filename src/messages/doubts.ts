/** Words what makes the support of a release cycle doubtful, with the rule, its figures and the page to read. */
import type { Doubt, DoubtKind } from "../model/index.ts";
import type { StatementDay } from "../text/ids.ts";
import { formatCount } from "./format.ts";

/** Months after its last release for which a package counts as supported where its vendor's list names no end. */
export const RELEASE_CURRENT_MONTHS = 24;

/** The texts of the condition of each doubt; the title is the state in few words. */
export const DOUBT_TEXTS: Readonly<
  Record<DoubtKind, Readonly<Record<"matches" | "title" | "one" | "many" | "sarif", string>>>
> = {
  "end-may-have-come": {
    matches: `a release cycle for which only a "not before" day is on record, and that day is past, or one without a published end and without a release in ${RELEASE_CURRENT_MONTHS} months (a warning without this condition or \`strict\`, like the next three)`,
    title: "end may have come",
    one: "may have ended",
    many: "may have ended",
    sarif: "EndMayHaveCome",
  },
  "probably-superseded": {
    matches:
      "a release cycle that later releases end, after the day on which they were due by the product's own rhythm",
    title: "probably superseded",
    one: "is probably superseded",
    many: "are probably superseded",
    sarif: "ProbablySuperseded",
  },
  "not-checked": {
    matches:
      "support that rests on a statement of eolgate's own records which was last seen more than `maxCatalogueAge` days ago, or on the page of a hosted AI model without an announced end that was read more than 30 days ago",
    title: "not checked recently",
    one: "was not checked recently",
    many: "were not checked recently",
    sarif: "NotCheckedRecently",
  },
  "meaning-not-stated": {
    matches: "a product of which no source states that its dates are the end of security fixes",
    title: "meaning of the date not stated",
    one: "has a date whose meaning is not stated",
    many: "have a date whose meaning is not stated",
    sarif: "MeaningNotStated",
  },
};

/** ` as of 2026-08-22`, after what a source states; empty without a source. */
export const asOfDay = (day: StatementDay | null): string => (day === null ? "" : ` as of ${day}`);

/** `no release known after 2026-08-18, and the median of 10 intervals is 28 days; catalogue of 2026-08-22`. */
export function formatDoubt(doubt: Doubt): string {
  const { url } = doubt;
  return `${REASONS[doubt.kind](doubt)}${url === null ? "" : `; read ${url}`}`;
}

/** `end may have come: …`; null without a doubt. */
export const formatDoubtTitle = (doubt: Doubt | undefined): string | null =>
  doubt ? `${DOUBT_TEXTS[doubt.kind].title}: ${formatDoubt(doubt)}` : null;

const REASONS: Readonly<Record<DoubtKind, (doubt: Doubt) => string>> = {
  "end-may-have-come": ({ statedOn, lastRelease }) => {
    if (lastRelease === undefined)
      return `its "not before" day is past, and no end by the vendor is on record${asOfDay(statedOn)}`;
    const release = lastRelease === null ? "no dated release is known" : `the last release is of ${lastRelease}`;
    return `no end published${asOfDay(statedOn)}, and ${release}: it counts as supported for ${RELEASE_CURRENT_MONTHS} months after a release`;
  },
  "probably-superseded": ({ rhythm, statedOn }) => {
    const catalogue = statedOn === null ? "" : `; catalogue of ${statedOn}`;
    if (rhythm === undefined) return `a later release that ends it was due${catalogue}`;
    const { lastRelease, medianDays, intervals, releases, expectedEnd } = rhythm;
    return `${formatCount(releases, "later release")} would end it, expected by ${expectedEnd}: the last known release is of ${lastRelease}, the median of the last ${intervals} intervals is ${medianDays} days${catalogue}`;
  },
  "not-checked": ({ statedOn, from }) =>
    `it rests on a statement${statedOn === null ? "" : ` of ${statedOn}`}, whose page was not read since${from === null ? "" : `: it does not count from ${from} on`}`,
  "meaning-not-stated": () => "no source states that its date is the end of security fixes",
};
