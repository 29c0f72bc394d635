/**
 * Compares two catalogues by their answers: an update must not turn a failing gate green without a second source. Rows
 * whose answers become weaker stay as they are in the older catalogue; too many of them refuse the update.
 */
import { EolgateError } from "../../messages/error.ts";
import type { AnswerChange, Catalogue } from "../../model/index.ts";
import { formatList } from "../../messages/format.ts";
import type { IsoDate } from "../../text/ids.ts";
import { comparable, type ComparedContent } from "../load.ts";
import { remembered } from "../../text/values.ts";
import { type AcceptedEnds, isAcceptedEnd } from "./accepted-ends.ts";
import { candidateOf, createAnswers, type GateAnswer } from "./answers.ts";
import { isEndAlone, laterAnswers } from "./later.ts";
import { productIn, withOlderCycles, withOlderRows } from "./kept-rows.ts";
import { isConfirmed, type IsWitness } from "./witnesses.ts";
import { effectiveClaim } from "../../lifecycle/ends.ts";
import { ProductComparison } from "./products.ts";
import { distroQuestions } from "./distro-questions.ts";
import { comparedRows, type Question, rowQuestions } from "./questions.ts";

/** More rows with weaker answers than this are not single corrections. The comparison ends with the next one. */
const ACCEPTED = 20;

/** A row whose answer differs. A weaker one keeps its older form. */
export interface ChangedRow {
  readonly section: Question["section"];
  readonly row: string;
  /** The version that was asked for, and its answers. */
  readonly version: string;
  readonly before: GateAnswer;
  readonly after: GateAnswer;
}

/** What an update may change. */
export interface UpdateCheckOptions {
  /** Named in errors. */
  readonly origin: string;
  readonly today: IsoDate;
  /** Ends that an update may return to. */
  readonly acceptedEnds?: AcceptedEnds | undefined;
  /** Accept lost records beyond the limits, and answers that failed before and have no release cycle now. */
  readonly allowLoss?: boolean | undefined;
  /** Accept moved ends beyond the limits, and answers that do not fail any more. */
  readonly allowDateChanges?: boolean | undefined;
}

export interface UpdateContext extends UpdateCheckOptions {
  readonly comparison: ProductComparison;
  readonly isWitness: IsWitness;
  /** The catalogue of this release, or the one that the user named. */
  readonly trusted: Catalogue;
}

/**
 * Returns `newer` without the rows that would weaken answers of `older`.
 * @throws EolgateError `catalogue`, code `update-dates`: too many answers, or rows that cannot be held back.
 */
export function holdWeakened(
  older: ComparedContent,
  newer: ComparedContent,
  context: UpdateContext,
): { readonly newer: ComparedContent; readonly held: readonly ChangedRow[] } {
  const { origin } = context;
  const { rows: held, isTooMany } = weakenedRows(older, newer, context);
  if (isTooMany) throw refusal(held, "without", origin);
  let [kept, rest] = [newer, held];
  // The smallest part first: where a cycle is enough, the rest of its product is taken.
  for (const withOlder of [withOlderCycles, withOlderRows]) {
    if (rest.length === 0) return { newer: kept, held };
    kept = comparable(withOlder(older.content, kept.content, rest), origin);
    rest = weakenedRows(older, kept, context).rows;
  }
  if (rest.length > 0) throw refusal(rest, "without", origin);
  return { newer: kept, held };
}

const isFailing = ({ severity, exploited }: GateAnswer): boolean => severity === "fail" || exploited;

/** How answers are compared, on all days and under all policies. */
interface AnswerComparison {
  readonly canFail: (answer: GateAnswer) => boolean;
  readonly isWeaker: (was: GateAnswer, is: GateAnswer) => boolean;
}

const comparedAnswers = remembered((today: IsoDate): AnswerComparison => {
  const later = laterAnswers(today);
  return {
    canFail: (answer) => {
      const candidate = candidateOf(answer);
      return isFailing(answer) || (candidate !== undefined && later.canFail(candidate));
    },
    isWeaker: (was, is) => {
      const [before, after] = [candidateOf(was), candidateOf(is)];
      return isWeakerToday(was, is) || (before !== undefined && after !== undefined && later.isWeaker(before, after));
    },
  };
});

interface WeakenedRows {
  readonly rows: readonly ChangedRow[];
  readonly isTooMany: boolean;
}

/** The rows that fail with the older catalogue and not with the newer one, without confirmed changes; a few too many at most. */
function weakenedRows(older: ComparedContent, newer: ComparedContent, context: UpdateContext): WeakenedRows {
  const rows = new Map<string, ChangedRow>();
  const counted = new Set<string>();
  const confirmed = new Map<string, ChangedRow>();
  const isReturn = returnTest(older, context);
  const limitFailures = limitOfFailures(newer, context);
  const { isWeaker, canFail } = comparedAnswers(context.comparison.today);
  for (const { question, ...change } of differingAnswers(older, newer, context.comparison, { canFail, isWeaker })) {
    const { section, row, before, after } = change;
    limitFailures(question, change);
    if (isAccepted(after, context) || !isWeaker(before, after) || isByEnd(row, after, older, newer)) continue;
    if (isReturn(question, change)) continue;
    if (isConfirmedChange(change, newer, context)) {
      confirmed.set(after.resolution, change);
      if (confirmed.size > ACCEPTED) throw refusal([...confirmed.values()], "even with", context.origin);
      continue;
    }
    // Releases of one cycle count once.
    rows.set(`${section} ${row} ${before.resolution}`, change);
    // So do all cycles of a row that fail as before today.
    counted.add(`${section} ${row} ${isWeakerToday(before, after) ? before.resolution : ""}`);
    if (counted.size > ACCEPTED) break;
  }
  return { rows: [...rows.values()], isTooMany: counted.size > ACCEPTED };
}

/**
 * Counts release cycles that begin to fail by the word of one source. Known exploitation does not count: CISA alone states it.
 * The function throws where there are too many.
 */
function limitOfFailures(
  newer: ComparedContent,
  context: UpdateContext,
): (question: Question, change: ChangedRow) => void {
  const counted = new Map<string, ChangedRow>();
  const answers = createAnswers(context.trusted, context.comparison.today);
  return (question, change) => {
    const { before, after } = change;
    if (!beginsToFail(before, after) || context.allowDateChanges === true || counted.has(after.resolution)) return;
    // The catalogue of this release states it, too.
    if (isConfirmedEnd(after, newer, context) || answers([question])[0]?.severity === "fail") return;
    counted.set(after.resolution, change);
    if (counted.size > ACCEPTED) throw refusal([...counted.values()], "without", context.origin, "to failing");
  };
}

const beginsToFail = (was: GateAnswer, is: GateAnswer): boolean =>
  (was.severity === "pass" || was.severity === "warn") && is.severity === "fail" && (was.exploited || !is.exploited);

/** Whether an accepted update stated the end, or the catalogue of this release gives the same answer or a weaker one. */
function returnTest(
  { catalogue }: ComparedContent,
  { trusted, comparison, acceptedEnds = {} }: UpdateContext,
): (question: Question, change: ChangedRow) => boolean {
  if (catalogue === trusted) return () => false;
  const answers = createAnswers(trusted, comparison.today);
  const { isWeaker } = comparedAnswers(comparison.today);
  return (question, { before, after }) => {
    const [was, is] = [candidateOf(before), candidateOf(after)];
    const end = is?.assessment?.cycle.eol;
    if (was && is && end && isEndAlone(was, is) && isAcceptedEnd(acceptedEnds, after.resolution, end)) return true;
    const [answer] = answers([question]);
    return answer !== undefined && answer.resolution === after.resolution && !isWeaker(answer, after);
  };
}

/** A changed row with the question that shows it. */
interface AskedRow extends ChangedRow {
  readonly question: Question;
}

/**
 * Every answer about a product that differs. Of rows, only those with an older answer of interest are compared.
 */
function* differingAnswers(
  older: ComparedContent,
  newer: ComparedContent,
  comparison: ProductComparison,
  { canFail, isWeaker }: AnswerComparison = { canFail: () => true, isWeaker: () => false },
): Generator<AskedRow> {
  const { today } = comparison;
  const [before, after] = [createAnswers(older.catalogue, today), createAnswers(newer.catalogue, today)];
  function* ask(questions: readonly Question[], isOfInterest = canFail): Generator<AskedRow> {
    const answers = before(questions);
    const rows = questions.flatMap((question, index) => {
      const answer = answers[index];
      return answer !== undefined && isOfInterest(answer) ? [{ question, answer }] : [];
    });
    for (const [index, is] of after(rows.map(({ question }) => question)).entries()) {
      const asked = rows[index];
      if (asked === undefined || (describe(asked.answer) === describe(is) && !isWeaker(asked.answer, is))) continue;
      const { question } = asked;
      const { section, row, version } = question;
      yield { question, section, row, version, before: asked.answer, after: is };
    }
  }
  const changed = new Map<string, readonly string[] | "all">();
  for (const slug of new Set([...older.catalogue.slugs(), ...newer.catalogue.slugs()])) {
    const pair = [older.catalogue.product(slug), newer.catalogue.product(slug)] as const;
    const versions = comparison.differingVersions(pair);
    const rows = [
      ...ask(
        versions.map((version) => ({ section: "products", row: slug, version })),
        () => true,
      ),
    ];
    const assessed = rows.filter(({ before: was, after: is }) =>
      [was, is].some((each) => each.severity !== "unresolved"),
    );
    if (comparison.isRedefined(pair)) changed.set(slug, "all");
    else if (assessed.length > 0)
      changed.set(
        slug,
        assessed.map(({ version }) => version),
      );
    yield* rows;
  }
  const rows = comparedRows([older.content, newer.content], changed);
  for (const questions of [rowQuestions(rows), distroQuestions(rows)])
    for (const portion of portions(questions)) yield* ask(portion);
}

/** In portions: the findings of all questions would take some hundred megabytes. */
const PORTION = 2_000;

function* portions<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let portion: Item[] = [];
  for (const item of items)
    if (portion.push(item) === PORTION) {
      yield portion;
      portion = [];
    }
  yield portion;
}

function isWeakerToday(was: GateAnswer, is: GateAnswer): boolean {
  if (was.severity === "fail" && is.severity !== "fail") return true;
  // An exploited version that fails for another reason is still found.
  return was.exploited && !isFailing(is);
}

/**
 * Whether a package is unknown because the upstream cycle that its name means has ended, and nothing states that the
 * distribution maintains it longer. With equal rows about the distribution, only an end that passed causes that.
 */
function isByEnd(row: string, { resolution }: GateAnswer, older: ComparedContent, newer: ComparedContent): boolean {
  if (resolution !== "alternative-version-unknown") return false;
  const release = row.replace(/ .*/, "");
  const [before, after] = [older, newer].map(({ content: { alternativeVersions, packageLifecycles: periods } }) =>
    JSON.stringify([alternativeVersions, periods[release], periods[release.replace(/\..*/, "")]]),
  );
  return before === after;
}

/** Reasons that a later end causes: not all cycles of the version have ended, or the distribution's release has not. */
const BY_DATES: ReadonlySet<string> = new Set(["version-ambiguous", "distro-version-unknown"]);

function isAccepted(is: GateAnswer, { allowLoss, allowDateChanges }: UpdateCheckOptions): boolean {
  const isLost = is.severity === "unresolved" && !BY_DATES.has(is.resolution);
  return (isLost ? allowLoss : allowDateChanges) === true;
}

/** Every answer that differs, one for each row and release cycle. */
export function changedAnswers(
  older: ComparedContent,
  newer: ComparedContent,
  today: IsoDate,
): readonly AnswerChange[] {
  const changes = new Map<string, AnswerChange>();
  for (const { section, row, version, before, after } of differingAnswers(older, newer, new ProductComparison(today))) {
    const change = { section, row, version, before: describe(before), after: describe(after) };
    changes.set(`${section} ${row} ${change.before}`, change);
  }
  return [...changes.values()];
}

const describe = ({ severity, exploited, resolution }: GateAnswer): string =>
  [severity, resolution, ...(exploited ? ["known exploited"] : [])].join(" ");

/** Whether two known and independent sources state the end of the cycle that is the new answer. */
function isConfirmedChange({ before, after }: ChangedRow, newer: ComparedContent, context: UpdateContext): boolean {
  // An end does not show which versions are exploited.
  const [was, is] = [candidateOf(before), candidateOf(after)];
  if (was === undefined || is === undefined || !isEndAlone(was, is) || (before.exploited && !after.exploited))
    return false;
  return isConfirmedEnd(after, newer, context);
}

function isConfirmedEnd(
  { resolution }: GateAnswer,
  { catalogue }: ComparedContent,
  { isWitness }: UpdateContext,
): boolean {
  const product = productIn(resolution);
  const name = resolution.slice(product.length + 1);
  const cycle = catalogue.product(product)?.cycles.find((each) => each.name === name);
  if (cycle === undefined || cycle.rolling || cycle.retired) return false;
  if (cycle.tracks.some(({ cost }) => cost === "free")) return false;
  const claim = effectiveClaim(cycle.claims);
  return claim !== undefined && isConfirmed(claim, cycle.claims, (source) => isWitness(product, source));
}

function refusal(
  rows: readonly ChangedRow[],
  source: "without" | "even with",
  where: string,
  change: "to failing" | "to not failing" = "to not failing",
): EolgateError {
  const examples = formatList(rows.slice(0, 3).map(({ row, version }) => `${row} ${version}`.trim()));
  const count = rows.length > ACCEPTED ? `more than ${ACCEPTED}` : rows.length;
  const problem = `${count} answers would change ${CHANGES[change]} ${source} a second source, for example ${examples}`;
  return EolgateError.of("update-dates", { problem }).at(where);
}

const CHANGES = {
  "to failing": "from not failing to failing",
  "to not failing": "from failing to not failing",
} as const;
