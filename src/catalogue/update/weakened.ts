/**
 * Compares two catalogues by their answers: an update must not turn a failing gate green without a second source. Rows
 * whose answers become weaker stay as they are in the older catalogue; too many of them refuse the update.
 */
import { EolgateError } from "../../messages/error.ts";
import type { AnswerChange, Catalogue, Product } from "../../model/index.ts";
import { formatList } from "../../messages/format.ts";
import type { IsoDate } from "../../text/ids.ts";
import { encodeCatalogue } from "../file.ts";
import { parseCatalogue } from "../load.ts";
import type { StoredContent, StoredProduct } from "../schema.ts";
import { answersOf, type GateAnswer } from "./answers.ts";
import { GrowingTables, isConfirmed } from "./moves.ts";
import { decodeEolClaims } from "../decode.ts";
import { effectiveClaim } from "../../lifecycle/ends.ts";
import { type ProductDifference, questionsOf, type Question } from "./questions.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import { indexCycles } from "../../resolve/version/cycle-index.ts";

/** More weaker answers than this, and than this share of the failing ones, are not single corrections. */
const ACCEPTED = 20;
const SHARE = 0.002;

/** A row that keeps its older form, because its new one would make an answer weaker. */
export interface HeldRow {
  readonly section: Question["section"];
  readonly row: string;
  /** The version that was asked for, and its answers. */
  readonly version: string;
  readonly before: GateAnswer;
  readonly after: GateAnswer;
}

export interface ComparedContent {
  readonly content: StoredContent;
  readonly catalogue: Catalogue;
}

/** A content with its catalogue, for asking. */
export const comparable = (content: StoredContent, origin: string): ComparedContent => ({
  content,
  catalogue: parseCatalogue(encodeCatalogue(content), origin),
});

export interface HoldOptions {
  /** Named in errors. */
  readonly origin: string;
  readonly today: IsoDate;
  /** Accept answers that are lost: failing before, without a release cycle now. */
  readonly allowLoss?: boolean | undefined;
  /** Accept answers that do not fail any more. */
  readonly allowDateChanges?: boolean | undefined;
}

/**
 * Returns `newer` without the rows that would weaken answers of `older`.
 * @throws EolgateError `catalogue`, code `update-dates`: too many answers, or rows that cannot be held back.
 */
export function holdWeakened(
  older: ComparedContent,
  newer: ComparedContent,
  options: HoldOptions,
): { readonly content: StoredContent; readonly held: readonly HeldRow[] } {
  const { origin } = options;
  const { weakened, failing } = weakenedAnswers(older, newer, options);
  const rows = distinctRows(weakened);
  if (rows.length > Math.max(ACCEPTED, failing * SHARE)) throw refusal(rows, origin);
  if (rows.length === 0) return { content: newer.content, held: [] };
  const content = withOlderRows(older.content, newer.content, rows);
  const rest = weakenedAnswers(older, comparable(content, origin), options).weakened;
  if (rest.length > 0) throw refusal(distinctRows(rest), origin);
  return { content, held: rows };
}

const isFailing = ({ severity, exploited }: GateAnswer): boolean => severity === "fail" || exploited;

/** The questions that fail with the older catalogue and not with the newer one, without confirmed changes. */
function weakenedAnswers(older: ComparedContent, newer: ComparedContent, options: HoldOptions) {
  const questions = questionsOf(
    older.content,
    newer.content,
    differences(older.catalogue, newer.catalogue, options.today),
  );
  const before = answersOf(older.catalogue, questions, options.today);
  const after = answersOf(newer.catalogue, questions, options.today);
  const weakened: HeldRow[] = [];
  let failing = 0;
  for (const [index, { section, row, version }] of questions.entries()) {
    const [was, is] = [before[index], after[index]];
    if (was === undefined || is === undefined || !isFailing(was)) continue;
    failing += 1;
    if (isWeaker(was, is, newer) && !isAccepted(is, options) && !isByEnd(row, is, older, newer))
      weakened.push({ section, row, version, before: was, after: is });
  }
  return { weakened, failing };
}

function isWeaker(was: GateAnswer, is: GateAnswer, newer: ComparedContent): boolean {
  if (was.severity === "fail" && is.severity !== "fail") return !isStatedTwice(newer, is);
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

function isAccepted(is: GateAnswer, { allowLoss, allowDateChanges }: HoldOptions): boolean {
  // A version becomes ambiguous where not all of the cycles that it can mean have ended.
  const isLost = is.severity === "unresolved" && is.resolution !== "version-ambiguous";
  return (isLost ? allowLoss : allowDateChanges) === true;
}

/** Every answer that differs, one for each row and release cycle. */
export function changedAnswers(
  older: ComparedContent,
  newer: ComparedContent,
  today: IsoDate,
): readonly AnswerChange[] {
  const questions = questionsOf(older.content, newer.content, differences(older.catalogue, newer.catalogue, today));
  const [before, after] = [older, newer].map(({ catalogue }) => answersOf(catalogue, questions, today).map(describe));
  const changes = questions.flatMap(({ section, row, version }, index): readonly AnswerChange[] => {
    const [was = "", is = ""] = [before?.[index], after?.[index]];
    return was === is ? [] : [{ section, row, version, before: was, after: is }];
  });
  return [...new Map(changes.map((each) => [`${each.section} ${each.row} ${each.before}`, each])).values()];
}

const describe = ({ severity, exploited, resolution }: GateAnswer): string =>
  [severity, resolution, ...(exploited ? ["known exploited"] : [])].join(" ");

/** Whether two independent sources state the end of the cycle that is the new answer. */
function isStatedTwice({ content }: ComparedContent, { resolution }: GateAnswer): boolean {
  const colon = resolution.indexOf(":");
  const product = colon < 0 ? undefined : content.products[resolution.slice(0, colon)];
  const cycle = product?.cycles.find(({ name }) => name === resolution.slice(colon + 1));
  if (product === undefined || cycle === undefined) return false;
  if (cycle.rolling || cycle.retired || cycle.tracks?.some(({ cost }) => cost === "free")) return false;
  const claims = decodeEolClaims(cycle, product.read, new GrowingTables(content).references);
  const claim = effectiveClaim(claims);
  return claim !== undefined && isConfirmed(claim, claims);
}

/** Compares products by what is decided about them; sources and the days on which they were read do not decide. */
function differences(older: Catalogue, newer: Catalogue, today: IsoDate): (slug: string) => ProductDifference {
  const known = new Map<string, ProductDifference>();
  const isEqual = (slug: string, text: (product: Product) => string): boolean => {
    const [before, after] = [older.product(slug), newer.product(slug)].map((product) => product && text(product));
    return before === after;
  };
  return (slug) => {
    let difference = known.get(slug);
    if (difference === undefined) {
      if (!isEqual(slug, (product) => versionText(product, today))) difference = "cycles";
      else if (!isEqual(slug, kevText)) difference = "exploited";
      else difference = isEqual(slug, ({ cycles }) => JSON.stringify(cycles, decisive)) ? "none" : "dates";
      known.set(slug, difference);
    }
    return difference;
  };
}

const headOf = ({
  slug,
  name,
  aliases,
  split,
  versionRule,
  scope,
  monotonic,
  models,
  codeNames,
  purlsOfPart,
}: Product) =>
  [
    slug,
    name,
    aliases,
    [...split],
    versionRule,
    scope,
    monotonic,
    models,
    codeNames,
    purlsOfPart !== undefined,
  ] as const;

const kevText = ({ kev }: Product): string =>
  JSON.stringify(
    kev?.entries.map(({ cve, basis, versions }) => [cve, basis, versions?.ranges, versions?.cycles, versions?.fixedIn]),
  );

/** Leaves out the claims, whose end is in `eol`. */
const decisive = (field: string, value: unknown): unknown => (field === "claims" ? undefined : value);

/**
 * What decides to which cycle a version leads: of an end, whether it has passed. Those that passed have an order, and
 * newest releases are compared by some schemes (src/resolve/version).
 */
function versionText(product: Product, today: IsoDate): string {
  const { namesMatchReleases } = indexCycles(product);
  const cycles = product.cycles.map((cycle) => [
    [cycle.name, cycle.part, cycle.codename, cycle.label, cycle.releaseDate],
    [cycle.rolling, cycle.retired, cycle.declaredBy],
    product.versionRule === undefined || cycle.latest?.name,
    lifecycleState(cycle.eol, today).status === "eol" && cycle.eol,
  ]);
  return JSON.stringify([headOf(product), namesMatchReleases, cycles]);
}

/** One row for each row of the catalogue and answer: releases of one cycle count once. */
function distinctRows(weakened: readonly HeldRow[]): readonly HeldRow[] {
  const rows = new Map(weakened.map((each) => [`${each.section} ${each.row} ${each.before.resolution}`, each]));
  return [...rows.values()];
}

function refusal(rows: readonly HeldRow[], where: string): EolgateError {
  const examples = formatList(rows.slice(0, 3).map(({ row, version }) => `${row} ${version}`.trim()));
  const problem = `${rows.length} answers would change from failing to not failing without a second source, for example ${examples}`;
  return EolgateError.of("update-dates", { problem }, { where });
}

/** Sections whose rows are kept one by one, besides those of distributions. Of the others the products are kept. */
type HeldSection = "purls" | "cpes" | "systems" | "models";

function withOlderRows(older: StoredContent, newer: StoredContent, rows: readonly HeldRow[]): StoredContent {
  const tables = new GrowingTables(newer);
  const products: Record<string, StoredProduct> = { ...newer.products };
  for (const { section, row, before, after } of rows) {
    for (const slug of [section === "products" ? row : productIn(before), productIn(after)]) {
      const kept = older.products[slug];
      if (kept !== undefined) products[slug] = tables.take(kept, older);
    }
  }
  const names = { ...newer.names };
  for (const slug of Object.keys(products)) names[slug] = older.names[slug] ?? names[slug] ?? [];
  const keep = <Row>(table: HeldSection, of: (content: StoredContent) => Readonly<Record<string, Row>>) =>
    withOlder(of(older), of(newer), rowsOf(table, rows));
  const distro = rows.filter(({ section }) => section === "distroPackages").map(({ row }) => row.split(" "));
  const releases = new Set(distro.map(([release = ""]) => release));
  const packages = new Set(distro.map(([, name = ""]) => name));
  const read = <Row extends { readonly read: number }>(row: Row): Row => ({
    ...row,
    read: tables.takeRead(row.read, older),
  });
  return {
    ...newer,
    distroPackages: Object.fromEntries(
      Object.entries(newer.distroPackages).map(([type, table]) => [
        type,
        { ...table, names: withOlder(older.distroPackages[type]?.names ?? {}, table.names, packages) },
      ]),
    ),
    packageEnds: withOlder(older.packageEnds, newer.packageEnds, releases, read),
    packageLifecycles: withOlder(older.packageLifecycles, newer.packageLifecycles, releases, (list) => list.map(read)),
    purls: keep("purls", (content) => content.purls),
    cpes: keep("cpes", (content) => content.cpes),
    systems: keep("systems", (content) => content.systems),
    models: keep("models", (content) => content.models),
    products,
    names,
    ...tables.content,
  };
}

const rowsOf = (table: HeldSection, rows: readonly HeldRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ section, row }) => (section === table ? [row] : [])));

/** `newer` with the named rows of `older`, which may be absent there. */
function withOlder<Row>(
  older: Readonly<Record<string, Row>>,
  newer: Readonly<Record<string, Row>>,
  rows: ReadonlySet<string>,
  take: (row: Row) => Row = (row) => row,
): Readonly<Record<string, Row>> {
  const entries = [
    ...Object.entries(newer).filter(([row]) => !rows.has(row)),
    ...Object.entries(older).flatMap(([row, value]) => (rows.has(row) ? [[row, take(value)] as const] : [])),
  ];
  return Object.fromEntries(entries);
}

const productIn = ({ resolution }: GateAnswer): string => resolution.slice(0, Math.max(0, resolution.indexOf(":")));
