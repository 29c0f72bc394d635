/** Verdict and faults become an exit code with a name and a sentence: the last word of the gate (decisions, section 5). */
import { ERROR_KINDS, type ErrorKind } from "../errors.ts";
import { mergeVerdicts, coverageShortfall } from "./evaluate.ts";
import type { Condition, FailedDocument, Policy, Report, DocumentReport, Verdict, Severity } from "../model.ts";

export type Exit = Report["exit"];

/** Every code with its name and what it means to a pipeline; documentation is made from it. */
export const EXITS: Readonly<Record<number, { readonly name: string; readonly meaning: string }>> = {
  0: { name: "pass", meaning: "pass, or warn" },
  1: { name: "fail", meaning: "the gate failed, and nothing else ever" },
  2: { name: "usage", meaning: "usage or configuration; a Node that is too old" },
  3: { name: "input", meaning: "the input cannot be read as an SBOM, or has no components" },
  4: { name: "catalogue", meaning: "the catalogue is missing, corrupt or too old" },
  5: { name: "network", meaning: "the network or a remote service" },
  6: { name: "unjudged", meaning: "nothing could be judged, or too little (`--min-coverage`)" },
  70: { name: "internal", meaning: "a bug here" },
};
/** With several documents or causes, the first that applies (decisions, section 5). */
const PRECEDENCE: readonly number[] = [70, 2, 4, 3, 5, 1, 6, 0];

/** The one exit of several that have come about: 0 of none, 70 where one stands in no table. */
export function worstExit(codes: readonly number[]): number {
  if (codes.some((code) => !PRECEDENCE.includes(code))) return ERROR_KINDS.internal.exit;
  return PRECEDENCE.find((code) => codes.includes(code)) ?? 0;
}

/** What the exit needs to know of a judged document. */
export type EvaluatedDocument = Pick<DocumentReport, "file" | "findings" | "verdict" | "partOf">;

/**
 * The exit of a whole run. `failed` are documents without an answer, `verdict` is the merged one. Each document is
 * its own gate: one of which nothing could be judged does not pass because another could. The files of a scanned
 * folder are one document here, because a single pin is seldom the whole answer.
 */
export function exitFor(
  scans: readonly EvaluatedDocument[],
  failed: readonly Pick<FailedDocument, "file" | "error">[],
  verdict: Verdict,
  policy: Policy,
): Exit {
  const causes = [...failed.map(faultCause), ...gateCauses(scans, verdict, policy)];
  const code = worstExit(causes.map((each) => each.code));
  const cause = causes.find((each) => each.code === code) ?? passing(verdict, scans);
  if (cause.code === 0) return { ...named(cause), name: verdict.value };
  if (!policy.exitZero || (cause.code !== 1 && cause.code !== 6)) return named(cause);
  // The name still says what it would have been: a failure must not look like a pass.
  return { ...named(cause), code: 0, why: `${cause.why}; not failing, as --exit-zero asks` };
}

const GIVEN: readonly string[] = ["pass", "warn", "fail"] satisfies Severity[];

/** The verdict as it may be said: only an exit that rests on one has one. */
export function reportableVerdict(verdict: Verdict, exit: Exit): Verdict {
  return GIVEN.includes(exit.name) ? verdict : { ...verdict, value: "none" };
}

interface Cause {
  readonly code: number;
  readonly why: string;
}

function named({ code, why }: Cause): Exit {
  return { code, name: EXITS[code]?.name ?? "internal", why };
}

function faultCause({ file, error }: Pick<FailedDocument, "file" | "error">): Cause {
  // A kind that this version does not know (a remote one may) is no answer, and a bug until shown otherwise.
  const code = isFaultKind(error.kind) ? ERROR_KINDS[error.kind].exit : ERROR_KINDS.internal.exit;
  return { code, why: `${file}: ${error.message}` };
}

const isFaultKind = (kind: string): kind is ErrorKind => Object.hasOwn(ERROR_KINDS, kind);

function gateCauses(scans: readonly EvaluatedDocument[], verdict: Verdict, policy: Policy): readonly Cause[] {
  const failing = verdict.value === "fail" ? [{ code: 1, why: sentence(verdict, "fail") }] : [];
  return [...failing, ...gates(scans).flatMap((scan) => unjudged(scan, policy) ?? [])];
}

function gates(scans: readonly EvaluatedDocument[]): readonly EvaluatedDocument[] {
  const folders = Map.groupBy(
    scans.filter(({ partOf }) => partOf !== undefined),
    ({ partOf }) => partOf ?? "",
  );
  const joined = [...folders].map(([file, parts]) => ({
    file,
    findings: parts.flatMap(({ findings }) => findings),
    verdict: mergeVerdicts(parts.map(({ verdict }) => verdict)),
  }));
  return [...scans.filter(({ partOf }) => partOf === undefined), ...joined];
}

function unjudged({ file, findings, verdict: { coverage } }: EvaluatedDocument, policy: Policy): Cause | undefined {
  if (findings.length === 0) return undefined;
  const { assessed, notAssessed } = coverage;
  const short = coverageShortfall(coverage, policy);
  if (short === "nothing") {
    const all =
      notAssessed === 0
        ? "it holds only files, the described software itself, or what is out of scope"
        : `no line is known for any of ${counted(notAssessed, "component")}`;
    return { code: 6, why: `${file}: nothing could be judged, ${all}` };
  }
  if (short === undefined) return undefined;
  return {
    code: 6,
    why: `${file}: ${assessed} of ${counted(assessed + notAssessed, "component")} could be judged (${coverage.percent} %), below the ${policy.minCoverage} % that the policy asks for`,
  };
}

function passing(verdict: Verdict, scans: readonly EvaluatedDocument[]): Cause {
  const known = scans.reduce(
    (sum, { findings }) => sum + findings.filter(({ outcome }) => outcome.baselined).length,
    0,
  );
  const sinceBaseline = known === 0 ? "" : `; ${known} known from the baseline, nothing new fails`;
  if (verdict.value === "warn") return { code: 0, why: `${sentence(verdict, "warn")}${sinceBaseline}` };
  const { assessed, notAssessed } = verdict.coverage;
  if (scans.every(({ findings }) => findings.length === 0))
    return { code: 0, why: "there are no components, which --allow-empty accepts" };
  if (assessed === 0) return { code: 0, why: "nothing could be judged, which --allow-unjudged accepts" };
  return {
    code: 0,
    why: `none of ${counted(assessed, "judged component")} is against the policy${notAssessed === 0 ? "" : `; ${notAssessed} more could not be judged`}`,
  };
}

/** `3 components are past their end of life, and 1 has a denied licence`. */
function sentence({ reasons }: Verdict, word: "fail" | "warn"): string {
  const parts = reasons
    .filter(({ verdict }) => verdict === word)
    .map(({ condition, count }) => ({
      count,
      words: word === "warn" && condition === "license" ? QUESTIONED : WORDS[condition],
    }));
  return parts
    .map(
      ({ count, words: [one, many] }, index) =>
        `${index === 0 ? counted(count, "component") : count} ${count === 1 ? one : many}`,
    )
    .join(", ")
    .replace(/, ([^,]*)$/, ", and $1");
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** After a count, for one and for several. */
const WORDS: Readonly<Record<Condition, readonly [one: string, many: string]>> = {
  none: ["is supported", "are supported"],
  eol: ["is past its end of life", "are past their end of life"],
  kev: ["is past its end and known to be exploited", "are past their end and known to be exploited"],
  retired: ["was retired by its maintainers", "were retired by their maintainers"],
  superseded: ["was superseded by a newer line", "were superseded by newer lines"],
  score: ["has a risk score at or above the limit", "have a risk score at or above the limit"],
  approaching: ["is near its end of life", "are near their end of life"],
  unknown: ["has an unknown end of life", "have an unknown end of life"],
  untracked: ["is not in the catalogue", "are not in the catalogue"],
  license: ["has a denied licence", "have a denied licence"],
  "ended-early": ["was dropped early by its distribution", "were dropped early by their distribution"],
  "declared-mismatch": ["declares another end than the catalogue", "declare another end than the catalogue"],
};

/** A denied licence fails; what only warns is one that nobody can read, or that the baseline knew. */
const QUESTIONED: readonly [one: string, many: string] = ["has a licence in question", "have a licence in question"];
