/** Builders of components and findings with made-up data, for the tests of policy and comparison. */
import { asProductSlug, asPurl } from "../../src/text/ids.ts";
import { assess } from "../../src/lifecycle/assess.ts";
import type {
  Assessment,
  AssessedComponent,
  Component,
  Policy,
  Product,
  ReleaseCycle,
  Resolution,
  UnresolvedReason,
} from "../../src/model/index.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { day, kev, releaseCycle, product } from "../lifecycle/builders.ts";

export const AS_OF = day("2025-06-15");
export const policy = (more: Partial<Policy> = {}): Policy => ({ ...DEFAULT_POLICY, ...more });

let places = 0;
export function component(
  more: Partial<Omit<Component, "purls">> & { readonly purls?: readonly string[] } = {},
): Component {
  const { purls = [], ...rest } = more;
  return {
    pointer: `/components/${(places += 1)}`,
    span: { start: 0, end: 0 },
    kind: "other",
    name: "invented",
    cpes: [],
    licenses: [],
    declared: [],
    ...rest,
    purls: purls.map(asPurl),
  };
}

/** The assessment of a release cycle with this end. */
export function assessed(
  ends: string,
  more: Partial<ReleaseCycle> = {},
  of: Partial<Product> & { readonly is?: string } = {},
  asOf = AS_OF,
): Assessment {
  const { is, ...rest } = of;
  const cycle = releaseCycle(ends, more);
  return assess(
    product([cycle], { ...rest, ...(is !== undefined && { slug: asProductSlug(is), name: is }) }),
    cycle,
    asOf,
  );
}

export function resolved(
  assessment: Assessment,
  more: Parameters<typeof component>[0] = {},
  distroAssessment?: Assessment,
): AssessedComponent {
  const maintained = distroAssessment && { maintainedBy: distroAssessment.releaseCycle };
  const resolution: Resolution = {
    kind: "resolved",
    releaseCycle: assessment.releaseCycle,
    matchedBy: "purl",
    requestedVersion: "1.2.3",
    ...maintained,
  };
  return { component: component(more), resolution, assessment, ...(distroAssessment && { distroAssessment }) };
}

export function distroMaintained(
  by: Assessment,
  more: Parameters<typeof component>[0] = {},
  packageEnd?: Extract<Resolution, { kind: "distro-maintained" }>["packageEnd"],
): AssessedComponent {
  return {
    component: component(more),
    resolution: { kind: "distro-maintained", by: by.releaseCycle, ...(packageEnd && { packageEnd }) },
    assessment: by,
  };
}

export function unmatched(
  reason: UnresolvedReason = "purl-not-tracked",
  more: Parameters<typeof component>[0] = {},
  slug?: string,
): AssessedComponent {
  const resolution: Resolution = {
    kind: "unmatched",
    reason,
    ...(slug !== undefined && { product: asProductSlug(slug) }),
  };
  return { component: component(more), resolution };
}

export const root = (): AssessedComponent => ({
  component: component({ kind: "root", name: "app" }),
  resolution: { kind: "not-applicable", why: "root" },
});
export const file = (): AssessedComponent => ({
  component: component({ kind: "file", name: "a.txt" }),
  resolution: { kind: "not-applicable", why: "file" },
});

/** Assessments by the kind of their end; the table tests use these names. */
export const CYCLES = {
  supported: assessed("2027-01-01"),
  open: assessed("open"),
  near: assessed("2025-08-01"),
  past: assessed("2025-06-14"),
  pastUnknownDay: assessed("ended"),
  unknown: assessed("unknown"),
  retired: assessed("ended", { retired: true }),
  rolling: assessed("2025-03-17", { rolling: true }),
  newlySuperseded: assessed("2025-03-18", { rolling: true }),
  supersededOnUnknownDay: assessed("ended", { rolling: true }),
  rollingAndRetired: assessed("2025-06-14", { rolling: true, retired: true }),
  pastAffected: assessed("2025-06-14", {}, { kev: kev("affected") }),
  pastNamed: assessed("2025-06-14", {}, { kev: kev("product") }),
  pastNotAffected: assessed("2025-06-14", {}, { kev: kev("not-affected") }),
  supportedAffected: assessed("2027-01-01", {}, { kev: kev("affected") }),
  supportedNamed: assessed("2027-01-01", {}, { kev: kev("product") }),
  retiredAffected: assessed("ended", { retired: true }, { kev: kev("affected") }),
} as const;
