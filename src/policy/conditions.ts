/**
 * The conditions of the policy, one row each: when it applies, with which severity, and its texts. Flags, schemas,
 * reports and docs/policy.md use this table. In the order in which reasons of one severity are listed.
 */
import type { Condition, LimitedCondition, Policy, UnresolvedReason } from "../model/index.ts";
import { endedAs } from "../lifecycle/gate.ts";
import { SIGNALS_MODES } from "../model/support.ts";
import { formatCount, formatKev } from "../messages/format.ts";
import { REASON_LABELS, formatSupport, formatUnmaintained } from "../messages/support.ts";
import {
  admitsEnded,
  declares,
  declaresOtherwise,
  doubtRow,
  droppedBy,
  exploitable,
  formatEarlierKev,
  formatPackageEnd,
  hasLevel,
  isUnmaintained,
  isNotAssessed,
  mayBeExploited,
  SUPERSEDED_RULES,
} from "./deciding.ts";
import type { ConditionRow } from "./condition-row.ts";

/** The lowest limit that the policy sets for a condition; infinite where it sets none. */
const limitOf = (kind: LimitedCondition, { failOn }: Policy): number =>
  Math.min(...failOn.flatMap((each) => (each.kind === kind && "atLeast" in each ? [each.atLeast] : [])));

export const CONDITIONS: Readonly<Record<Condition, ConditionRow>> = {
  eol: {
    matches: "a release cycle that has ended, from the day after its end",
    includedIn: "approaching",
    // Retirement and supersession have conditions of their own.
    cycle: [{ fails: "eol", otherwise: "warn", applies: (of) => endedAs(of) === "eol" }],
    title: "end of life",
    one: "has reached end of life",
    many: "have reached end of life",
    sarif: "PastEndOfLife",
    sentence: ({ subject, since }) => `${subject} has reached end of life${since}`,
  },
  retired: {
    matches: "a project that its maintainers retired: deprecated, archived, replaced (without this condition it warns)",
    cycle: [{ fails: "retired", otherwise: "warn", applies: (of) => endedAs(of) === "retired" }],
    title: "retired by its maintainers",
    one: "was retired by its maintainers",
    many: "were retired by their maintainers",
    sarif: "Retired",
    sentence: ({ subject, retiredBy }) => `${subject} was retired by ${retiredBy}`,
  },
  superseded: {
    matches:
      "a release cycle that a newer one has replaced for `supersededAfterDays`, in a product of which only the newest is supported (without this condition it warns)",
    cycle: SUPERSEDED_RULES,
    title: "superseded by a newer release",
    one: "was superseded by a newer release",
    many: "were superseded by newer releases",
    sarif: "Superseded",
    sentence: ({ subject, since }) => `${subject} was superseded by a newer release${since}`,
  },
  score: {
    matches: "a risk score of at least N",
    highest: 100,
    cycle: [
      { fails: "score", otherwise: undefined, applies: ({ score }, policy) => score >= limitOf("score", policy) },
    ],
    title: "risk score at or above the limit",
    one: "has a risk score at or above the limit",
    many: "have a risk score at or above the limit",
    sarif: "RiskScore",
    sentence: ({ subject, assessment, since }) => `${subject} has a risk score of ${assessment?.score ?? 0}${since}`,
  },
  approaching: {
    matches: "a release cycle that ends within `warnDays` (without this condition it warns); includes `eol`",
    cycle: [
      {
        fails: "approaching",
        otherwise: "warn",
        applies: ({ support: { daysUntilEol } }, { warnDays }) => daysUntilEol !== null && daysUntilEol <= warnDays,
      },
    ],
    title: "ending soon",
    one: "ends soon",
    many: "end soon",
    sarif: "NearEndOfLife",
    sentence: ({ subject, warnDays, since }) =>
      `${subject} reaches its end of life within ${formatCount(warnDays, "day")}${since}`,
  },
  blocked: {
    matches:
      "an ended release cycle that only development needs, where no range of a requirer admits a supported release (without this condition it warns)",
    strict: true,
    title: "blocked by its requirer",
    one: "has ended, and its requirers admit no supported release",
    many: "have ended, and their requirers admit no supported release",
    sarif: "BlockedByRequirer",
    sentence: ({ subject, since }) => `${subject} has ended${since}, and its requirers admit no supported release`,
  },
  "end-may-have-come": doubtRow("end-may-have-come"),
  "probably-superseded": doubtRow("probably-superseded"),
  "not-checked": doubtRow("not-checked"),
  "meaning-not-stated": doubtRow("meaning-not-stated"),
  kev: {
    matches:
      "a version that a vulnerability in CISA's catalogue of known exploited vulnerabilities affects, even if its release cycle is supported",
    includedIn: "kev-product",
    component: [
      {
        fails: "kev",
        otherwise: undefined,
        applies: ({ candidate }, policy) => exploitable(candidate, policy)?.kevBasis === "affected",
      },
    ],
    title: "with a known exploited vulnerability",
    one: "has a known exploited vulnerability",
    many: "have known exploited vulnerabilities",
    sarif: "KnownExploited",
    sentence: ({ subject, findings }) =>
      `${subject} has a vulnerability in CISA's catalogue of known exploited vulnerabilities: ${formatKev(findings.flatMap(({ assessment }) => assessment?.kevEntries ?? []))}`,
  },
  "kev-product": {
    matches:
      "the same, release cycles without a patch version whose earlier releases are affected, and products that CISA's catalogue names without a known range of versions; includes `kev`",
    component: [{ fails: "kev-product", otherwise: undefined, applies: mayBeExploited }],
    title: "of a product with known exploited vulnerabilities",
    one: "belongs to a product with known exploited vulnerabilities",
    many: "belong to products with known exploited vulnerabilities",
    sarif: "ProductKnownExploited",
    sentence: ({ subject, findings }) =>
      `${subject} is named in CISA's catalogue of known exploited vulnerabilities; ${formatEarlierKev(findings)}`,
  },
  "package-eol": {
    component: [
      { fails: "eol", otherwise: "warn", applies: (input, policy) => droppedBy(input, policy) === "ended" },
      // Nearly every Debian image contains a package of limited support (binutils): reported without a warning.
      {
        fails: "never",
        otherwise: "pass",
        applies: (input, policy) => droppedBy(input, policy) === "limited" && !isNotAssessed(input.candidate),
      },
    ],
    isSingle: true,
    title: "no longer supported by the distribution",
    one: "is no longer supported by its distribution",
    many: "are no longer supported by their distribution",
    sarif: "DroppedByDistribution",
    sentence: ({ subject, findings: [finding] }) =>
      `${subject} is no longer supported by its distribution${formatPackageEnd(finding?.resolution)}`,
  },
  license: {
    component: [
      { fails: "always", otherwise: "warn", applies: ({ license }) => license === "denied" },
      { fails: "never", otherwise: "warn", applies: ({ license }) => license === "unreadable" },
    ],
    isSingle: true,
    title: "denied licence",
    one: "has a denied licence",
    many: "have a denied licence",
    // It cannot be parsed, or the baseline contains it.
    warning: { one: "has a questionable licence", many: "have a questionable licence" },
    sarif: "LicenceDenied",
    sentence: ({ subject, outcome }) =>
      outcome.severity === "warn" && !outcome.baselined
        ? `${subject} has a licence that is not an SPDX expression, so it cannot be compared with the policy`
        : `${subject} has a licence that the policy denies`,
  },
  "declared-eol": {
    component: [
      { fails: "eol", otherwise: "warn", applies: (input) => declares("end-of-support", input) },
      // Who gives no support does not state that it ended.
      { fails: "never", otherwise: "warn", applies: (input) => declares("no-longer-maintained", input) },
    ],
    isSingle: true,
    title: "no support, as the document declares",
    one: "has reached the end of support that the document declares",
    many: "have reached the end of support that the document declares",
    warning: { one: "has no support, as the document declares", many: "have no support, as the document declares" },
    sarif: "DeclaredEndPassed",
    sentence: ({ component }) => `${component} has no support, as the document declares`,
  },
  "declared-mismatch": {
    matches: "an end of life in the document that differs from the catalogue",
    component: [
      { fails: "declared-mismatch", otherwise: "warn", applies: ({ candidate }) => declaresOtherwise(candidate) },
    ],
    isSingle: true,
    title: "declared end differs from the catalogue",
    one: "declares an end that differs from the catalogue",
    many: "declare an end that differs from the catalogue",
    sarif: "DeclaredEndDiffers",
    sentence: ({ subject, since }) =>
      `${subject}: the document declares an end that differs from the catalogue${since}`,
  },
  unmaintained: {
    matches:
      "a package that its maintainers deprecated, archived or abandoned, as a lockfile or a source of `signals` states (a warning without this condition)",
    statesLevel: true,
    component: [{ fails: "unmaintained", otherwise: "warn", applies: isUnmaintained }],
    isSingle: true,
    title: "no longer maintained",
    one: "is no longer maintained",
    many: "are no longer maintained",
    sarif: "NoLongerMaintained",
    sentence: ({ component, findings: [finding] }) => `${component}: ${finding ? formatUnmaintained(finding) : ""}`,
  },
  outdated: {
    matches:
      "a package that is at least N major versions behind its newest version (minor versions while it is 0.x, of which fewer than three do not count); needs `signals: bundled`",
    highest: 999,
    statesLevel: true,
    needsSignals: ["bundled"],
    component: [
      {
        fails: "outdated",
        otherwise: undefined,
        applies: ({ candidate: { support } }, policy) =>
          support?.level === "outdated" && (support.evidence[0]?.newest?.behind ?? 0) >= limitOf("outdated", policy),
      },
    ],
    isSingle: true,
    title: "behind the newest version",
    one: "is behind its newest version",
    many: "are behind their newest versions",
    sarif: "Outdated",
    sentence: ({ component, findings: [finding] }) => `${component}: ${formatSupport(finding?.support)}`,
  },
  inactive: {
    matches: "a package without a release or commit for `inactiveMonths`; needs `signals`",
    statesLevel: true,
    needsSignals: SIGNALS_MODES,
    component: [{ fails: "inactive", otherwise: undefined, applies: hasLevel("inactive") }],
    isSingle: true,
    title: "no recent release or commit",
    one: "has no recent release or commit",
    many: "have no recent release or commit",
    sarif: "Inactive",
    sentence: ({ component, findings: [finding] }) => `${component}: ${formatSupport(finding?.support)}`,
  },
  minimum: {
    matches:
      "a lowest supported version (`engines`, `requires-python`, `rust-version`, the `go` line since 1.21, `required_version`, `kubeVersion`, several target frameworks of a .NET library) whose release cycle has ended: the version in use may be a later one",
    component: [
      { fails: "minimum", otherwise: "pass", applies: ({ candidate }, policy) => admitsEnded(candidate, policy) },
    ],
    title: "declares support for an ended version",
    one: "declares support for an ended version",
    many: "declare support for an ended version",
    sarif: "MinimumEnded",
    sentence: ({ component, subject }) => `${component} declares support for an ended version: ${subject}`,
  },
  unknown: {
    matches:
      "a release cycle without a known end, or a component whose product is known but whose release cycle is not",
    cycle: [{ fails: "unknown", otherwise: "pass", applies: ({ support }) => support.status === "unknown" }],
    component: [
      { fails: "unknown", otherwise: "pass", applies: ({ candidate }) => isNotAssessed(candidate) },
      {
        fails: "unknown",
        otherwise: undefined,
        applies: ({ candidate: { resolution } }) => resolution.kind === "unmatched" && resolution.product !== undefined,
      },
    ],
    title: "end of life unknown",
    one: "has an unknown end of life",
    many: "have an unknown end of life",
    sarif: "EndOfLifeUnknown",
    sentence: ({ subject, reason }) =>
      `${subject}: ${reason === undefined ? "no end date published" : REASON_LABELS[reason]}`,
  },
  untracked: {
    matches: "a component that could not be assessed",
    component: [
      {
        fails: "untracked",
        otherwise: undefined,
        applies: ({ candidate: { resolution } }) => resolution.kind === "unmatched",
      },
    ],
    title: "not in the catalogue",
    one: "is not in the catalogue",
    many: "are not in the catalogue",
    sarif: "NotTracked",
    sentence: ({ subject, reason }) => `${subject}: ${notTracked(reason)}`,
  },
  none: {
    title: "supported",
    one: "is supported",
    many: "are supported",
    sarif: "Supported",
    sentence: ({ subject, assessment, reason, since }) =>
      assessment === undefined ? `${subject}: ${notTracked(reason)}` : `${subject} is supported${since}`,
  },
};

export const CONDITION_ORDER: readonly Condition[] = Object.keys(CONDITIONS).filter(
  (key): key is Condition => key in CONDITIONS,
);

/** A row with its key, for lists that are derived from the table. */
export const CONDITION_ROWS: readonly (ConditionRow & { readonly key: Condition })[] = CONDITION_ORDER.map((key) => ({
  key,
  ...CONDITIONS[key],
}));

function notTracked(reason: UnresolvedReason | undefined): string {
  return reason === undefined ? CONDITIONS.untracked.title : REASON_LABELS[reason];
}
