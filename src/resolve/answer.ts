/**
 * The only way from a component, or from a product and the version that was asked of it, to its answer: the resolution and
 * the assessments of its release cycles. A hosted check replaces the assessments by those of a service.
 */
import { assess, createVersionAssessment, kevFromCatalogue } from "../lifecycle/assess.ts";
import { EolgateError } from "../messages/error.ts";
import type {
  Assessed,
  AssessedComponent,
  Assessment,
  Catalogue,
  Component,
  ComponentDocument,
  CycleRef,
  Product,
  ReleaseCycle,
  Resolution,
  Tracer,
} from "../model/index.ts";
import { type IsoDate, asPurl } from "../text/ids.ts";
import { resolveAsked } from "./typed.ts";
import { NO_COMPONENT, createResolver, type Resolver, type ResolverOptions } from "./resolve.ts";
import { cycleByName } from "./version/resolve.ts";

/** The assessments of release cycles and of their versions. */
export interface CycleAssessments {
  /** By its own name; undefined for a cycle that a service did not assess. @throws EolgateError `catalogue` */
  readonly known: (releaseCycle: CycleRef) => Assessment | undefined;
  /** A version of an assessed cycle. */
  readonly version: (assessment: Assessment, version: string) => Assessment;
}

/** The assessments of a catalogue on one day: each recorded cycle is assessed once. */
export interface CatalogueAssessments extends CycleAssessments {
  readonly known: (releaseCycle: CycleRef) => Assessment;
  readonly assessed: (product: Product, cycle: ReleaseCycle) => Assessment;
}

/** What the answers about the components of one document share. */
export interface AssessContext {
  readonly catalogue: Catalogue;
  readonly asOf: IsoDate;
  readonly resolve: Resolver;
  readonly assessments: CycleAssessments;
}

/** The day, the document and the settings of answers. */
export interface AssessContextOptions extends ResolverOptions {
  /** The components' document; absent for a component without one. */
  readonly document?: ComponentDocument;
  /** Those of the same catalogue and day, where they exist already. */
  readonly assessments?: CycleAssessments;
}

/** Collects the evidence of a document for the answers about its components. */
export function createAssessContext(catalogue: Catalogue, options: AssessContextOptions): AssessContext {
  const { asOf, document = null, assessments = catalogueAssessments(catalogue, asOf) } = options;
  return { catalogue, asOf, resolve: createResolver(catalogue, document, options), assessments };
}

/** Resolves a component and assesses its release cycles. `trace` receives each step of the resolution. */
export function assessComponent(
  component: Component,
  { resolve, assessments }: AssessContext,
  trace?: Tracer,
): AssessedComponent {
  return { component, ...assessResolution(resolve(component, trace), assessments) };
}

/** Answers a person or a program that names a product and a version. */
export function assessAsked(
  product: Product,
  version: string,
  { catalogue, asOf, assessments }: Omit<AssessContext, "resolve">,
  trace?: Tracer,
): AssessedComponent {
  const component = { ...NO_COMPONENT, name: product.name, version };
  return { component, ...assessResolution(resolveAsked(product, version, { catalogue, asOf, trace }), assessments) };
}

/** The component of a purl that is in no document; `version`: one that is stated beside the purl. */
export const purlComponent = (purl: string, version?: string): Component => ({
  ...NO_COMPONENT,
  name: purl,
  ...(version !== undefined && { version }),
  purls: [asPurl(purl)],
});

/** Adds the assessments of the cycles that a resolution names. */
export function assessResolution(resolution: Resolution, { known, version }: CycleAssessments): Assessed {
  if (resolution.kind === "distro-maintained") {
    const assessment = known(resolution.by);
    return { resolution, ...(assessment && { assessment }) };
  }
  if (resolution.kind !== "resolved") return { resolution };
  const { releaseCycle, maintainedBy, requestedVersion } = resolution;
  const ofCycle = known(releaseCycle);
  const assessment = ofCycle && version(ofCycle, requestedVersion);
  const distroAssessment = maintainedBy && known(maintainedBy);
  return { resolution, ...(assessment && { assessment }), ...(distroAssessment && { distroAssessment }) };
}

/** Assesses each cycle of a catalogue once. */
export function catalogueAssessments(catalogue: Catalogue, asOf: IsoDate): CatalogueAssessments {
  const assessments = new Map<string, Assessment>();
  const kevOf = kevFromCatalogue(catalogue);
  const ofRecorded = createVersionAssessment(kevOf);

  function assessed(product: Product, cycle: ReleaseCycle): Assessment {
    const key = `${product.slug}:${cycle.name}`;
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

  return {
    assessed,
    known,
    version: (assessment, version) =>
      (assessment.cycle.olderThan === undefined ? ofRecorded : createVersionAssessment(kevOf))(assessment, version),
  };
}
