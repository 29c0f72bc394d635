/**
 * What files of the checked repository change in the answers: each component is evaluated with and without them, and
 * the answers that differ are listed by file. This is the only place that decides it; reports show the list.
 */
import type {
  StatedAnswer,
  Assessment,
  Catalogue,
  Component,
  Contribution,
  ContributionKind,
  EvaluatedComponent,
  EvaluatedRows,
  FolderCoverage,
  Policy,
  Report,
  Verdict,
} from "../model/index.ts";
import { CONTRIBUTION_KINDS, MOST_REPLACED } from "../model/contributions.ts";
import { formatDate } from "../messages/format.ts";
import { toRows } from "./rows.ts";
import { bySeverity, verdictOf } from "./verdict.ts";
import type { IsoDate } from "../text/ids.ts";

/** The same check without the files of the repository, and these files. */
export interface WithoutRepository {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly asOf: IsoDate;
  /** The file of each role; absent where no file of the repository has it. */
  readonly files: Readonly<Partial<Record<ContributionKind, string>>>;
  /** The commit from which the files of a role are read; absent for the working tree. */
  readonly commits: Readonly<Partial<Record<ContributionKind, string>>>;
  /** The fields of the configuration file. */
  readonly fields: readonly string[];
  /** The roles in which nothing is applied that makes an answer weaker. */
  readonly refused: ReadonlySet<ContributionKind>;
}

interface Evaluated {
  readonly rows: EvaluatedRows;
  readonly verdict: Verdict;
}

/** The answers that count, and the list of those that files of the repository replaced. */
export function compareAnswers(
  given: Evaluated,
  before: EvaluatedRows,
  policy: Policy,
  without: WithoutRepository,
): Evaluated & { readonly contributions: readonly Contribution[] } {
  const changes = new Changes(without);
  const isRefused = (after: EvaluatedComponent, base: EvaluatedComponent, component: Component): boolean => {
    const change = changes.of(after, base);
    if (change !== undefined) changes.count(change, component);
    return change?.isRefused === true;
  };
  let hasRefused = false;
  const rows = toRows(given.rows.components, (component, index) => {
    const [after, base] = [given.rows.at(index), before.at(index)];
    if (!isRefused(after, base, component)) return after;
    hasRefused = true;
    return base;
  });
  const contributions = changes.list();
  if (!hasRefused) return { ...given, contributions };
  const applied = new Set(rows.counts().flatMap(({ value: { outcome } }) => outcome.waived ?? []));
  const { used, ...others } = given.verdict.waivers;
  const waivers = { ...others, used: used.filter((waiver) => applied.has(waiver)) };
  return { rows, verdict: verdictOf(rows, policy, waivers), contributions };
}

interface ReplacedPair {
  readonly kind: ContributionKind;
  readonly isRefused: boolean;
  readonly before: StatedAnswer;
  readonly after: StatedAnswer;
}

/** Collects the changes of a document; each pair of answers is compared once. */
class Changes {
  readonly #without: WithoutRepository;
  readonly #pairs = new Map<EvaluatedComponent, Map<EvaluatedComponent, ReplacedPair | undefined>>();
  readonly #found = new Map<string, { readonly change: ReplacedPair; readonly subject: string; count: number }>();

  constructor(without: WithoutRepository) {
    this.#without = without;
  }

  of(after: EvaluatedComponent, base: EvaluatedComponent): ReplacedPair | undefined {
    let known = this.#pairs.get(after);
    if (known === undefined) this.#pairs.set(after, (known = new Map<EvaluatedComponent, ReplacedPair | undefined>()));
    if (!known.has(base)) known.set(base, changeOf(after, base, this.#without));
    return known.get(base);
  }

  count(change: ReplacedPair, { name, version }: Component): void {
    const subject = version === undefined ? name : `${name} ${version}`;
    const key = JSON.stringify([subject, change]);
    const found = this.#found.get(key);
    if (found === undefined) this.#found.set(key, { change, subject, count: 1 });
    else found.count += 1;
  }

  list(): readonly Contribution[] {
    const groups = Map.groupBy(this.#found.values(), ({ change: { kind, isRefused } }) => `${kind} ${isRefused}`);
    return [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { kind, isRefused } = first.change;
      const replaced = group.map(({ change: { before, after }, subject, count }) => ({
        subject,
        count,
        before,
        after,
      }));
      return contribution(kind, this.#without, { applied: !isRefused, replaced });
    });
  }
}

/** The fields of a configuration file by role; all others are of the policy, or change nothing in an answer. */
const FIELDS: Readonly<Partial<Record<ContributionKind, readonly string[]>>> = {
  waivers: ["waivers"],
  baseline: ["baseline"],
  exclude: ["exclude"],
  exit: ["exitZero", "allowUnassessed", "minCoverage"],
  settings: ["allowEmpty", "asOf", "imageMirrors", "maxCatalogueAge"],
};
const NOT_OF_POLICY = new Set([
  ...Object.values(FIELDS).flat(),
  "$schema",
  "catalogue",
  "forecast",
  "format",
  "groupBy",
  "report",
  "verbose",
]);

function contribution(
  kind: ContributionKind,
  { files, commits, fields }: Pick<WithoutRepository, "files" | "commits" | "fields">,
  { applied, count, replaced = [] }: Pick<Contribution, "applied"> & Partial<Contribution>,
): Contribution {
  const isOfKind = (field: string): boolean =>
    kind === "policy" ? !NOT_OF_POLICY.has(field) : FIELDS[kind]?.includes(field) === true;
  return {
    kind,
    file: files[kind] ?? "",
    commit: commits[kind] ?? null,
    fields: fields.filter(isOfKind),
    applied,
    count: count ?? replaced.reduce((sum, each) => sum + each.count, 0),
    replaced: replaced.slice(0, MOST_REPLACED),
  };
}

/** Undefined where the answers are the same, or only the policy makes one stricter. */
function changeOf(
  after: EvaluatedComponent,
  base: EvaluatedComponent,
  without: WithoutRepository,
): ReplacedPair | undefined {
  if (after === base) return undefined;
  const answers = { before: answerOf(base), after: answerOf(after) };
  const isWeaker = bySeverity(base.outcome.severity, after.outcome.severity) < 0;
  if (!isWeaker && JSON.stringify(answers.after) === JSON.stringify(answers.before)) return undefined;
  const kind = acceptedBy(after, without) ?? changedBy(answers, without);
  const isOut = after.outcome.outOfScope !== base.outcome.outOfScope;
  if (kind === undefined || (kind === "policy" && !isWeaker && !isOut)) return undefined;
  return { kind, isRefused: isWeaker && without.refused.has(kind), ...answers };
}

function acceptedBy({ outcome }: EvaluatedComponent, { files }: WithoutRepository): ContributionKind | undefined {
  if (outcome.waived !== undefined && files.waivers !== undefined) return "waivers";
  return outcome.baselined === true && files.baseline !== undefined ? "baseline" : undefined;
}

/** The role of the file that replaced an answer. */
function changedBy(
  { before, after }: Pick<ReplacedPair, "before" | "after">,
  { files }: WithoutRepository,
): ContributionKind | undefined {
  const policy = files.policy === undefined ? undefined : "policy";
  if (files.catalogue === undefined || after.outcome === OUT_OF_SCOPE) return policy;
  if (after.product !== before.product || after.cycle !== before.cycle) return "purls";
  return after.end === before.end ? (policy ?? "catalogue") : "catalogue";
}

const OUT_OF_SCOPE = "out of scope";
const NO_ANSWER: StatedAnswer = { outcome: "none", condition: null, product: null, cycle: null, end: null };

function answerOf({ outcome, assessment: own }: EvaluatedComponent): StatedAnswer {
  const { condition, waived, outOfScope, severity } = outcome;
  const assessment = outcome.assessment ?? own;
  if (outOfScope === true) return { ...NO_ANSWER, outcome: OUT_OF_SCOPE };
  if (assessment === undefined && condition === "none") return NO_ANSWER;
  return {
    ...(waived ? { outcome: "waived", condition: null } : { outcome: severity, condition: stated(condition) }),
    ...(assessment ? cycleOf(assessment) : { product: null, cycle: null, end: null }),
  };
}

const stated = (condition: string): string | null => (condition === "none" ? null : condition);

const cycleOf = ({ releaseCycle, support: { date } }: Assessment) => ({
  product: releaseCycle.product,
  cycle: releaseCycle.cycle,
  end: date === null ? null : formatDate(date),
});

export interface RunParts {
  readonly documents: readonly { readonly contributions?: readonly Contribution[] }[];
  readonly folders: readonly FolderCoverage[];
  readonly exit: Report["exit"];
  /** The exit under another policy. */
  readonly exitUnder: (policy: Policy) => Report["exit"];
  readonly policy: Policy;
}

/** The contributions to a whole report: those to its documents, what was left out, and the exit code. */
export function contributionsTo(run: RunParts, without: WithoutRepository): readonly Contribution[] {
  const { files, refused } = without;
  const found = mergeContributions(run.documents.flatMap(({ contributions = [] }) => contributions));
  const left = run.folders.reduce((sum, { skipped }) => sum + skipped.excluded, 0);
  const simple = (["exclude", "settings"] as const).map((kind) =>
    contribution(kind, without, { applied: !refused.has(kind), count: kind === "exclude" ? left : 0 }),
  );
  const isUsed = found.some(({ kind }) => kind === "catalogue" || kind === "purls");
  return [
    ...(files.catalogue === undefined || isUsed ? [] : [contribution("catalogue", without, { applied: true })]),
    ...found,
    ...[...simple, ...exitOf(run, without)].filter(({ fields, file }) => fields.length > 0 && file !== ""),
  ];
}

const exitAnswer = ({ code, name }: Report["exit"]): StatedAnswer => ({
  ...NO_ANSWER,
  outcome: `${String(code)} ${name}`,
});

/** The fields that only change the exit code, if they do. */
function exitOf({ exit, exitUnder, policy }: RunParts, without: WithoutRepository): readonly Contribution[] {
  const { exitZero, allowUnassessed, minCoverage } = without.policy;
  const before = exitUnder({ ...policy, exitZero, allowUnassessed, minCoverage });
  if (without.refused.has("exit")) return [contribution("exit", without, { applied: false })];
  if (before.code === exit.code) return [];
  const replaced = [{ subject: "exit code", count: 1, before: exitAnswer(before), after: exitAnswer(exit) }];
  return [contribution("exit", without, { applied: true, replaced })];
}

/** One entry for each file, role and state. */
export function mergeContributions(all: readonly Contribution[]): readonly Contribution[] {
  const groups = Map.groupBy(all, ({ kind, file, applied }) => JSON.stringify([kind, file, applied]));
  const merged = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const count = group.reduce((sum, each) => sum + each.count, 0);
    return { ...first, count, replaced: group.flatMap((each) => each.replaced).slice(0, MOST_REPLACED) };
  });
  return merged.toSorted((a, b) => CONTRIBUTION_KINDS.indexOf(a.kind) - CONTRIBUTION_KINDS.indexOf(b.kind));
}
