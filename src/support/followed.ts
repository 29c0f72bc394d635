/** The events of packages that a watch list can follow, in addition to the end of life of release cycles. */
import type { AssessedComponent, Evidence, Finding, Policy, StatementCode, Support } from "../model/index.ts";
import { cycleSupport } from "./cycle.ts";
import { compilePrivatePatterns, packageSubject } from "./subject.ts";

/**
 * - `deprecated`: the maintainers deprecate the version or the package, or name a successor.
 * - `unmaintained`: the same, and archived projects and repositories: the level `no-longer-maintained`.
 */
export const FOLLOWED = ["deprecated", "unmaintained"] as const;
export type Followed = (typeof FOLLOWED)[number];

const DEPRECATIONS: ReadonlySet<StatementCode> = new Set([
  "version-deprecated",
  "package-deprecated",
  "package-abandoned",
  "package-relocated",
  "project-deprecated",
] as const);

/** Returns which of the followed events applies to a package with this support level, and the evidence for it. */
export function followedStatement(
  { level, evidence }: Pick<Support, "level" | "evidence">,
  follow: readonly Followed[],
): { readonly follow: Followed; readonly evidence: Evidence } | undefined {
  if (level !== "no-longer-maintained" || follow.length === 0) return undefined;
  const deprecation = evidence.find(({ statement }) => DEPRECATIONS.has(statement));
  if (deprecation !== undefined) return { follow: "deprecated", evidence: deprecation };
  const [deciding] = evidence;
  return deciding !== undefined && follow.includes("unmaintained")
    ? { follow: "unmaintained", evidence: deciding }
    : undefined;
}

export const isFollowed = (value: unknown): value is Followed => FOLLOWED.some((each) => each === value);

/**
 * The bare package URLs of the components that can be followed: public packages that no release cycle decides.
 * @param policy `privatePackages` are patterns of packages that are never sent to a source.
 */
export function followablePackages(
  findings: readonly Finding[],
  policy: Policy,
): ReadonlyMap<AssessedComponent, string> {
  const isPrivate = compilePrivatePatterns(policy.privatePackages);
  return new Map(
    findings.flatMap((finding) => {
      if (finding.outcome.outOfScope === true || cycleSupport(finding, policy).level !== undefined) return [];
      const subject = packageSubject(finding.component, isPrivate);
      return typeof subject === "string" ? [] : [[finding, subject.purl] as const];
    }),
  );
}
