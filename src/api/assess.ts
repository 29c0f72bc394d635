/**
 * The assess step of a check, which turns resolutions into assessments. Local and remote checks differ only in this
 * step; see `remote/assess.ts` for the service.
 */
import { EolgateError } from "../messages/error.ts";
import { assess, createVersionAssessment, kevFromCatalogue, type KevOfVersion } from "../lifecycle/assess.ts";
import type {
  Assessed,
  Assessment,
  Catalogue,
  ComponentRows,
  CycleRef,
  ParsedDocument,
  Product,
  ReleaseCycle,
  Resolution,
} from "../model/index.ts";
import { cycleByName } from "../resolve/version/resolve.ts";
import type { IsoDate } from "../text/ids.ts";

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
    const assessed = createVersionAssessment(kevOf);
    return resolutions.map((resolution) => assessResolution(resolution, { byKey, assessed }));
  };
}

/** The assess step of the local catalogue. */
export function assessLocally(catalogue: Catalogue, asOf: IsoDate): Assess {
  const { known } = cycleAssessments(catalogue, asOf);
  return assessByCycle(async (cycles) => cycles.map(known), kevFromCatalogue(catalogue));
}

export interface CycleAssessments {
  readonly assessed: (product: Product, cycle: ReleaseCycle) => Assessment;
  /** By its own name. @throws EolgateError `catalogue`. */
  readonly known: (releaseCycle: CycleRef) => Assessment;
}

/** Assesses each cycle once. */
export function cycleAssessments(catalogue: Catalogue, asOf: IsoDate): CycleAssessments {
  const assessments = new Map<string, Assessment>();

  function assessed(product: Product, cycle: ReleaseCycle): Assessment {
    const key = keyOf({ product: product.slug, cycle: cycle.name });
    const known = assessments.get(key);
    if (known) return known;
    const assessment = assess(product, cycle, asOf);
    // Cycles older than the recorded ones are made of what clients ask for: nothing about them is kept.
    if (cycle.olderThan === undefined) assessments.set(key, assessment);
    return assessment;
  }

  function known({ product: slug, cycle: name }: CycleRef): Assessment {
    const named = catalogue.product(slug);
    const cycle = named && cycleByName(named, name, asOf);
    if (named && cycle) return assessed(named, cycle);
    throw EolgateError.of("cycle-not-in-catalogue", { product: slug, cycle: name });
  }

  return { assessed, known };
}

const keyOf = ({ product, cycle }: CycleRef): string => `${product}:${cycle}`;

/** Every cycle that a component belongs to or is maintained by, once. */
function uniqueCycles(resolutions: ComponentRows<Resolution>): ReadonlyMap<string, CycleRef> {
  const cycles = new Map<string, CycleRef>();
  for (const { value: resolution } of resolutions.counts()) {
    if (resolution.kind === "distro-maintained") cycles.set(keyOf(resolution.by), resolution.by);
    if (resolution.kind !== "resolved") continue;
    cycles.set(keyOf(resolution.releaseCycle), resolution.releaseCycle);
    if (resolution.maintainedBy) cycles.set(keyOf(resolution.maintainedBy), resolution.maintainedBy);
  }
  return cycles;
}

interface DocumentAssessments {
  readonly byKey: ReadonlyMap<string, Assessment | undefined>;
  readonly assessed: (assessment: Assessment, version: string) => Assessment;
}

function assessResolution(resolution: Resolution, { byKey, assessed }: DocumentAssessments): Assessed {
  if (resolution.kind === "distro-maintained") {
    const assessment = byKey.get(keyOf(resolution.by));
    return { resolution, ...(assessment && { assessment }) };
  }
  if (resolution.kind !== "resolved") return { resolution };
  const { releaseCycle, maintainedBy, requestedVersion } = resolution;
  const ofCycle = byKey.get(keyOf(releaseCycle));
  const assessment = ofCycle && assessed(ofCycle, requestedVersion);
  const distroAssessment = maintainedBy && byKey.get(keyOf(maintainedBy));
  return { resolution, ...(assessment && { assessment }), ...(distroAssessment && { distroAssessment }) };
}
