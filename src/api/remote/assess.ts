/**
 * The assess step of a hosted check. By default, only slugs and versions are sent to the service. With `--send-sbom`,
 * the document is sent, and the service's resolution of a component takes precedence over the local one.
 */
import { EolgateError } from "../../messages/error.ts";
import { kevByFix, lastFix } from "../../lifecycle/kev.ts";
import type { Assessment, Component, ComponentRows, Resolution } from "../../model/index.ts";
import { asProductSlug, cycleKey } from "../../text/ids.ts";
import { toRows } from "../../policy/rows.ts";
import { assessmentFromScore } from "../../wire/lifecycle.ts";
import type { SbomResponse } from "../../wire/schemas.ts";
import type { KevOfVersion } from "../../lifecycle/assess.ts";
import { assessByCycle, type Assess, type ResolvedDocument } from "../assess.ts";
import type { Engine } from "../operations/operations.ts";

/** A service states the first fixed version of a cycle, which decides for most versions. */
const kevFromService: KevOfVersion = ({ kevBasis, kevFixedIn, kevEntries, releaseCycle: { cycle } }, version) => {
  if (kevBasis !== "affected" && kevBasis !== "depends-on-patch") return undefined;
  if (version === cycle) return undefined;
  const state = kevByFix(kevFixedIn, cycle, version);
  const affecting = kevEntries.filter(({ fixedIn }) => kevByFix(fixedIn, cycle, version) !== "not-affected");
  const entries = state === "affected" ? affecting : [];
  return { state, fixedIn: lastFix(entries), entries };
};

/** Asks the service for one assessment per release cycle. */
export const assessByService = (service: Pick<Engine, "assessCycles">): Assess =>
  assessByCycle((cycles) => service.assessCycles(cycles), kevFromService);

/**
 * Sends each document to the service. Cycles that its answer does not contain (above the limit of its tier, or those of
 * the distribution) are requested by name.
 */
export function assessBySentDocument(
  service: Pick<Engine, "assessCycles" | "sbom">,
  options: { readonly strict: boolean },
): Assess {
  return async ({ document, resolutions, bytes }) => {
    if (bytes === undefined) return assessByService(service)({ document, resolutions });
    const answer = await service.sbom({ document: bytes(), ...(options.strict && { strict: "1" as const }) });
    verifySameDocument(answer, { document, resolutions });
    const known = assessmentsByCycle(answer);
    const merged = mergeResolutions(resolutions, answer);
    const assess = assessByCycle(async (cycles) => {
      const missing = cycles.filter((each) => !known.has(cycleKey(each)));
      const found = await service.assessCycles(missing);
      for (const assessment of found) known.set(cycleKey(assessment.releaseCycle), assessment);
      return cycles.flatMap((each) => known.get(cycleKey(each)) ?? []);
    }, kevFromService);
    return assess({ document, resolutions: merged });
  };
}

/**
 * The assessments of an answer by cycle. A cycle can have several results, which differ by known exploitation; the
 * first fixed version distinguishes its versions again.
 */
function assessmentsByCycle({ results }: SbomResponse): Map<string, Assessment> {
  const worstLast = results.toSorted((a, b) => a.factors.cisa_kev_exposure - b.factors.cisa_kev_exposure);
  return new Map(worstLast.map((score) => [`${score.product}:${score.version}`, assessmentFromScore(score)]));
}

/** The fields of a component that both sides have. Copies of one component have the same key and the same answer. */
type NamedComponent = Pick<SbomResponse["unmatched"][number], "bom_ref" | "version" | "purl"> & {
  readonly name: string;
};
const identity = ({ bom_ref, name, version, purl }: NamedComponent): string =>
  JSON.stringify([bom_ref, name, version, purl]);
const identityOf = ({ bomRef, name, version, purls }: Component): string =>
  identity({ bom_ref: bomRef ?? null, name, version: version ?? null, purl: purls[0] ?? null });

/** Throws `unexpected-answer` unless the answer is about these components and no others. */
function verifySameDocument(answer: SbomResponse, { document, resolutions }: ResolvedDocument): void {
  const expected = resolutions
    .counts()
    .reduce((sum, { value, count }) => (value.kind === "not-applicable" ? sum : sum + count), 0);
  const known = new Set(Array.from(document.components, identityOf));
  const named = [
    ...answer.results.flatMap(({ components }) => components),
    ...answer.unmatched.map((each) => ({ ...each, name: each.component })),
  ];
  const unexpected = named.find((each) => !known.has(identity(each)));
  if (answer.components === expected && unexpected === undefined) return;
  const why =
    unexpected === undefined
      ? `it counts ${answer.components} components, the document has ${expected}`
      : `it names ${unexpected.name}, which is not in the document`;
  throw EolgateError.of("unexpected-answer", {
    problem: `the service's answer is about another document: ${why}`,
    advice: "Check the address of the service, and that the service and this command have the same version.",
  });
}

/**
 * The service's resolution where it lists the component, else the local one. Packages of distributions keep the local
 * resolution.
 */
function mergeResolutions(
  resolutions: ComponentRows<Resolution>,
  { results, unmatched }: SbomResponse,
): ComponentRows<Resolution> {
  const remote = new Map<string, Resolution>();
  for (const { product, version: cycle, components: members } of results)
    for (const member of members)
      remote.set(identity(member), {
        kind: "resolved",
        releaseCycle: { product: asProductSlug(product), cycle },
        matchedBy: member.matched_by,
        ...(member.version_matched_by && { versionMatchedBy: member.version_matched_by }),
        requestedVersion: member.version ?? "",
      });
  for (const { component: name, reason, candidates, ...rest } of unmatched)
    remote.set(identity({ name, ...rest }), { kind: "unmatched", reason, ...(candidates && { candidates }) });
  return toRows(resolutions.components, (component, index) => {
    const local = resolutions.at(index);
    if (local.kind === "distro-maintained" || local.kind === "not-applicable") return local;
    if (local.kind === "resolved" && local.maintainedBy) return local;
    return remote.get(identityOf(component)) ?? local;
  });
}
