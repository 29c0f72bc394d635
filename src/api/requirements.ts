/**
 * Who requires the components whose release cycle has ended, and whether their ranges admit a supported release: the
 * owner of a project can only upgrade what the requirers admit.
 */
import { withSupport } from "../lifecycle/assess.ts";
import { isMinimum } from "../policy/deciding.ts";
import type {
  Assessed,
  Assessment,
  Catalogue,
  Component,
  ComponentRows,
  CycleRef,
  ParsedDocument,
  Policy,
  Product,
  RequiredBy,
  Requirements,
  Requirer,
} from "../model/index.ts";
import { highestBelow, type Interval, parseRange } from "../resolve/version/range.ts";
import { admittedCycles, hasPlainNumbers } from "../resolve/version/several.ts";
import { requirersIn, type StatedRequirements, type StatedRequirer } from "../sbom/graph/requirers.ts";
import { asPurl } from "../text/ids.ts";
import { percentEncode } from "../text/values.ts";

export interface RequirementContext {
  readonly document: ParsedDocument;
  readonly policy: Policy;
  readonly catalogue: Pick<Catalogue, "product">;
  /** The assessment of a component by its own release cycle. */
  readonly assess: (component: Component) => Assessment | undefined;
  readonly assessCycle: (releaseCycle: CycleRef) => Assessment;
}

/** Adds the search for requirers to the components of ended release cycles. */
export function withRequirements(rows: ComponentRows<Assessed>, context: RequirementContext): ComponentRows<Assessed> {
  if (!rows.counts().some(({ value }) => hasOwnEnd(value, context.policy))) return rows;
  const requirements = new RequirementSearch(rows, context);
  return rows.map((value) => (hasOwnEnd(value, context.policy) ? { ...value, requirements } : value));
}

/** The component is assessed by its own release cycle, which has ended. */
function hasOwnEnd({ resolution, assessment, distroAssessment }: Assessed, policy: Policy): boolean {
  if (resolution.kind !== "resolved" || isMinimum(resolution) || distroAssessment !== undefined) return false;
  return assessment !== undefined && hasEnded(assessment, policy);
}

const hasEnded = (assessment: Assessment, policy: Policy): boolean =>
  withSupport(assessment, policy).support.status === "eol";

/** The most packages of one release cycle that are followed from one of them. Above it, who requires it stays unknown. */
const LARGEST_FAMILY = 100;

class RequirementSearch implements Requirements {
  readonly haveRanges: boolean;
  private readonly rows: ComponentRows<Assessed>;
  private readonly context: RequirementContext;
  private readonly stated: StatedRequirements;
  private readonly known = new Map<string, RequiredBy | undefined>();

  constructor(rows: ComponentRows<Assessed>, context: RequirementContext) {
    this.rows = rows;
    this.context = context;
    this.stated = requirersIn(context.document);
    this.haveRanges = this.stated.haveRanges;
  }

  of({ bomRef = "" }: Component): RequiredBy | undefined {
    if (!this.known.has(bomRef)) {
      const index = this.stated.indexOf(bomRef);
      this.known.set(bomRef, index === undefined ? undefined : this.requirementOf(index));
    }
    return this.known.get(bomRef);
  }

  /**
   * The requirers of a component. Those of its own release cycle are upgraded together with it, so their requirers count
   * instead. Undefined where the document states nothing, and above `LARGEST_FAMILY`.
   */
  private requirementOf(index: number): RequiredBy | undefined {
    const family = new Set([index]);
    const requirers: Requirer[] = [];
    const direct: boolean[] = [];
    for (const member of family) {
      if (family.size > LARGEST_FAMILY) return undefined;
      const stated = this.stated.on(this.rows.component(member).bomRef ?? "");
      if (stated.isDirect !== undefined) direct.push(stated.isDirect);
      for (const each of stated.requirers) {
        if (this.isSameCycle(each.index, index)) family.add(each.index);
        else requirers.push(this.toRequirer(each, member));
      }
    }
    if (direct.length + requirers.length === 0) return undefined;
    return { ...(direct.length > 0 && { isDirect: direct.includes(true) }), requirers };
  }

  private isSameCycle(one: number, other: number): boolean {
    const [a, b] = [one, other].map((index) => this.rows.at(index).assessment?.releaseCycle);
    return a !== undefined && a.product === b?.product && a.cycle === b.cycle;
  }

  private toRequirer({ index, range }: StatedRequirer, required: number): Requirer {
    const { group, name, version } = this.rows.component(index);
    return {
      name: group === undefined ? name : `${group}/${name}`,
      ...(version !== undefined && { version }),
      ...(range !== undefined && { range, admitsSupported: this.admits(range, required) }),
    };
  }

  /** Whether a range admits a supported release of a component. Only one whose releases have all ended does not. */
  private admits(range: string, index: number): boolean {
    const { assess, catalogue, policy } = this.context;
    const { assessment } = this.rows.at(index);
    const product = assessment && catalogue.product(assessment.releaseCycle.product);
    if (assessment === undefined || product === undefined) return true;
    if (this.haveEnded(product, assessment.cycle.part)) return false;
    const component = this.rows.component(index);
    const asked = assess(withVersion(component, range));
    if (asked !== undefined) return !hasEnded(asked, policy);
    const intervals = parseRange(range) ?? [];
    return intervals.length === 0 || !intervals.every((each) => this.isEnded(each, component, product));
  }

  /** No release of this package is supported any more. */
  private haveEnded({ slug, scope, cycles }: Product, part: string | undefined): boolean {
    const own = cycles.filter((each) => each.part === part);
    const isWhole = scope === "complete" || own.some(({ name }) => name === "all");
    return isWhole && own.every(({ name }) => this.isEndedCycle(slug, name));
  }

  private isEndedCycle(slug: Product["slug"], name: string): boolean {
    return hasEnded(this.context.assessCycle({ product: slug, cycle: name }), this.context.policy);
  }

  /** The lowest and the highest version of the interval have ended, and so has every recorded cycle that it meets. */
  private isEnded(interval: Interval, component: Component, product: Product): boolean {
    const highest = highestBelow(interval);
    if (highest === undefined || product.scope !== "complete" || !hasPlainNumbers(product)) return false;
    const ends = [interval.from, highest].filter(({ length }) => length > 0);
    const isPast = ends.every((numbers) => {
      const asked = this.context.assess(withVersion(component, numbers.join(".")));
      return asked !== undefined && hasEnded(asked, this.context.policy);
    });
    return isPast && admittedCycles(product, [interval]).every(({ name }) => this.isEndedCycle(product.slug, name));
  }
}

/** The same package in another version. Components of documents compute their fields, which a spread does not copy. */
function withVersion({ pointer, span, kind, name, group, purls: [purl] }: Component, version: string): Component {
  const bare = purl?.replace(/[?#].*$/s, "").replace(/(?<=.)@[^@/]*$/, "");
  const purls = bare === undefined ? [] : [asPurl(`${bare}@${percentEncode(version)}`)];
  return { pointer, span, kind, name, group, version, purls, cpes: [], licenses: [], declared: [] };
}
