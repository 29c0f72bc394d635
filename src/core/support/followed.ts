/** What a watch list may follow about packages, besides the end of life of release cycles. */
import type { AssessedComponent, Finding, Policy } from "../model.ts";
import { cycleSupport } from "./cycle.ts";
import { compilePrivatePatterns } from "./private-patterns.ts";
import { packageSubject } from "./subject.ts";

/**
 * - `deprecated`: the maintainers deprecate the version or the package, or name a successor.
 * - `unmaintained`: the same, and archived projects and repositories: the level `no-longer-maintained`.
 */
export const FOLLOWED = ["deprecated", "unmaintained"] as const;
export type Followed = (typeof FOLLOWED)[number];

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
