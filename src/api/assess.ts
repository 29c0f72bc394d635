/**
 * The assess step of a check, which turns resolutions into assessments. Local and remote checks differ only in this
 * step; see `remote/assess.ts` for the service.
 */
import { createVersionAssessment, kevFromCatalogue, type KevOfVersion } from "../lifecycle/assess.ts";
import type {
  Assessed,
  Assessment,
  Catalogue,
  ComponentRows,
  CycleRef,
  ParsedDocument,
  Resolution,
} from "../model/index.ts";
import { assessResolution, catalogueAssessments } from "../resolve/answer.ts";
import { type IsoDate, cycleKey } from "../text/ids.ts";

/** The input of the step: a document and the resolutions of its components, in their order. */
export interface ResolvedDocument {
  readonly document: ParsedDocument;
  readonly resolutions: ComponentRows<Resolution>;
  /** Reads all bytes of the document, to send them somewhere; absent if it was built from a list. */
  readonly bytes?: (() => Uint8Array) | undefined;
}

/** Assesses each component, in the order of the components. */
export type Assess = (resolved: ResolvedDocument) => Promise<ComponentRows<Assessed>>;

/** One assessment for each cycle, in that order. */
export type AssessCycles = (cycles: readonly CycleRef[]) => Promise<readonly Assessment[]>;

/** Assesses each cycle once, and each component by its cycle and its version. */
export function assessByCycle(assessCycles: AssessCycles, kevOf: KevOfVersion): Assess {
  return async ({ resolutions }) => {
    const cycles = uniqueCycles(resolutions);
    const assessments = await assessCycles([...cycles.values()]);
    const byKey = new Map([...cycles.keys()].map((key, index) => [key, assessments[index]] as const));
    const known = (releaseCycle: CycleRef): Assessment | undefined => byKey.get(cycleKey(releaseCycle));
    const version = createVersionAssessment(kevOf);
    return resolutions.map((resolution) => assessResolution(resolution, { known, version }));
  };
}

/** The assess step of the local catalogue. */
export function assessLocally(catalogue: Catalogue, asOf: IsoDate): Assess {
  const { known } = catalogueAssessments(catalogue, asOf);
  return assessByCycle(async (cycles) => cycles.map(known), kevFromCatalogue(catalogue));
}

/** Every cycle that a component belongs to or is maintained by, once. */
function uniqueCycles(resolutions: ComponentRows<Resolution>): ReadonlyMap<string, CycleRef> {
  const cycles = new Map<string, CycleRef>();
  for (const { value: resolution } of resolutions.counts()) {
    if (resolution.kind === "distro-maintained") cycles.set(cycleKey(resolution.by), resolution.by);
    if (resolution.kind !== "resolved") continue;
    cycles.set(cycleKey(resolution.releaseCycle), resolution.releaseCycle);
    if (resolution.maintainedBy) cycles.set(cycleKey(resolution.maintainedBy), resolution.maintainedBy);
  }
  return cycles;
}
