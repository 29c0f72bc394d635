/** Resolves components without a purl: operating systems, products and models by their exact name, products by CPE. */
import type { ProductSlug } from "../text/ids.ts";
import { lastDay } from "../lifecycle/days.ts";
import { lifecycleState } from "../lifecycle/status.ts";
import type { Catalogue, Component, Product, ReleaseCycle, Resolution, Tracer } from "../model/index.ts";
import { versionOptions, type ResolveContext } from "./context.ts";
import { type CpeName, isMadeBy, otherVendor, parseCpe } from "./cpe.ts";
import { matchSystemComponent } from "./distro/system.ts";
import { inventoryReadings } from "./inventory-name.ts";
import { matchModel, resolvedModel } from "./model.ts";
import { matchName, matchTitle, isWholeName, type NameMatch } from "./name.ts";
import { refuseRebuild } from "./product.ts";
import { isComputed } from "./version/parse.ts";
import { unresolved } from "./unresolved.ts";
import { resolveRelease } from "./version/resolve.ts";
import { byText } from "../text/values.ts";

/** Resolves an operating system by its name and version, else by a title that contains the version. */
export function resolveSystem(component: Component, context: ResolveContext, trace?: Tracer): Resolution {
  const system = matchSystemComponent(context, component, trace);
  if (system.kind === "unmatched") return system;
  if (system.kind === "rolling") return unresolved("distro-unknown");
  if (system.kind === "cycle")
    return {
      kind: "resolved",
      releaseCycle: system.releaseCycle,
      matchedBy: "name",
      ...(system.versionMatchedBy && { versionMatchedBy: system.versionMatchedBy }),
      requestedVersion: component.version ?? "",
    };
  const found = resolveName(component, context, trace);
  if (found.kind !== "unmatched" || found.reason !== "name-not-recognised") return found;
  return resolveTitle(component, { context, trace }) ?? found;
}

/** An operating system whose name contains its version, or the first part of it: `Windows 10` with the version `22H2`. */
function resolveTitle(component: Component, step: NameStep): Resolution | undefined {
  const titled = matchTitle(step.context.catalogue, component.name);
  if (!titled) return undefined;
  const at = (version: string) => atVersion(titled.product, version, { component, matchedBy: "name" }, step);
  const own = at(component.version || titled.version);
  return own.kind === "resolved" || !component.version ? own : at(`${titled.version} ${component.version}`);
}

/**
 * Ids that are ordinary words (`command`, `ada`, `davinci`) or short codes (`o1`) name a model only in a component of
 * the type model.
 */
const DISTINCTIVE_ID = /^(?=.*[a-z])(?=.*\d)[^\s]*[-.@:/][^\s]*$/i;

/** Resolves a component by its name, else as inventories of installed programs write it. */
export function resolveName(component: Component, context: ResolveContext, trace?: Tracer): Resolution {
  // A component that is stated by its CPE alone has no other name.
  if (component.cpes.includes(component.name))
    return resolveCpe(component, context, trace) ?? unresolved("name-not-recognised");
  const found = resolveWholeName(component, context, trace);
  if (found.kind !== "unmatched" || found.reason !== "name-not-recognised") return found;
  const readings = inventoryReadings(component).map((reading) => resolveWholeName(reading, context, trace));
  const isOwn = (reading: Resolution): boolean => {
    const product = reading.kind === "resolved" ? context.catalogue.product(reading.releaseCycle.product) : undefined;
    return product !== undefined && isMadeBy(component, product);
  };
  return readings.find(isOwn) ?? found;
}

/** Resolves a component by the complete name of a product, else by the id of a model, else by its CPE. */
function resolveWholeName(component: Component, context: ResolveContext, trace?: Tracer): Resolution {
  const { catalogue } = context;
  const cpe = matchCpe(component, context, trace);
  const match = isWholeName(component) ? matchName(catalogue, component.name, trace) : { kind: "none" as const };
  if (match.kind === "several") return atSeveral(match, component, context);
  const product = match.kind === "product" ? catalogue.product(match.slug) : undefined;
  if (product) return atNamedProduct(product, component, cpe, { context, trace });
  if (DISTINCTIVE_ID.test(component.name)) {
    const model = matchModel(catalogue, component, undefined, trace);
    if (model.kind !== "unknown") return model.kind === "cycle" ? resolvedModel(model) : model;
  }
  if (cpe) return atCpe(cpe, component, context, trace);
  return unresolved(isComputed(component.name) ? "computed-value" : "name-not-recognised");
}

/**
 * The build that ended last, if every vendor's builds of the version have ended. A vendor without a cycle of the version
 * never supported it.
 */
function atSeveral(
  { candidates, builds: areBuilds }: Extract<NameMatch, { kind: "several" }>,
  { version = "" }: Component,
  context: ResolveContext,
): Resolution {
  const builds = candidates.map((product) => ({ product, cycle: endedCycleOf(product, version, context) }));
  const [last] = builds
    .flatMap(({ product, cycle }) => (typeof cycle === "object" ? { product, cycle } : []))
    .toSorted((one, other) => byText(endOrder(other.cycle), endOrder(one.cycle)));
  if (areBuilds === undefined || last === undefined || builds.some(({ cycle }) => cycle === "not-ended"))
    return unresolved("version-ambiguous", { candidates });
  const releaseCycle = { product: last.product, cycle: last.cycle.name };
  return {
    kind: "resolved",
    releaseCycle,
    matchedBy: "name",
    versionMatchedBy: "all-builds",
    requestedVersion: version,
  };
}

/** The ended cycle of a version; undefined for a complete record without one. */
function endedCycleOf(
  slug: ProductSlug,
  version: string,
  context: ResolveContext,
): ReleaseCycle | "not-ended" | undefined {
  const { catalogue, asOf } = context;
  const product = catalogue.product(slug);
  if (product?.scope !== "complete") return "not-ended";
  const found = resolveRelease(product, version, versionOptions(context));
  if (found.kind === "unresolved") return found.reason === "version-not-tracked" ? undefined : "not-ended";
  return lifecycleState(found.cycle.eol, asOf).status === "eol" ? found.cycle : "not-ended";
}

/** By the end, after cycles that are only older than the recorded ones: they may have had no builds. */
const endOrder = ({ eol, olderThan }: ReleaseCycle): string =>
  `${olderThan === undefined ? "recorded" : ""} ${eol.kind === "dated" ? lastDay(eol.date) : ""}`;

interface NameStep {
  readonly context: ResolveContext;
  readonly trace: Tracer | undefined;
}

/** A product whose name matches, unless the CPE or the publisher names another one. */
function atNamedProduct(
  product: Product,
  component: Component,
  cpe: MatchedCpe | undefined,
  { context, trace }: NameStep,
): Resolution {
  if (cpe && cpe.product.slug !== product.slug)
    return unresolved("version-ambiguous", { candidates: [product.slug, cpe.product.slug].sort() });
  const vendor = cpe ? undefined : otherVendor(component, product, context.catalogue);
  if (vendor === undefined)
    return atVersion(product, component.version, { component, matchedBy: "name" }, { context, trace });
  trace?.("candidate-rejected", `${product.slug} is not made by ${vendor}`);
  return unresolved("name-conflict", { product: product.slug, evidence: [component.name, vendor] });
}

/** Resolves a component by its CPE only; undefined when none of its CPEs is in the catalogue. */
export function resolveCpe(component: Component, context: ResolveContext, trace?: Tracer): Resolution | undefined {
  const cpe = matchCpe(component, context, trace);
  return cpe && atCpe(cpe, component, context, trace);
}

function atCpe(cpe: MatchedCpe, component: Component, context: ResolveContext, trace?: Tracer): Resolution {
  const how = { component, matchedBy: "cpe", identifier: cpe.text } as const;
  return atVersion(cpe.product, component.version ?? cpe.name.version, how, { context, trace });
}

interface MatchedCpe {
  readonly text: string;
  readonly name: CpeName;
  readonly product: Product;
}

/**
 * The component's CPE, if all of its CPEs that are in the catalogue belong to one product. Generators list several
 * guesses.
 */
function matchCpe({ cpes }: Component, { catalogue }: ResolveContext, trace?: Tracer): MatchedCpe | undefined {
  const matched = cpes.flatMap((text) => {
    const name = parseCpe(text);
    const product = name && productOfCpe(name, catalogue);
    trace?.("cpe", `${name?.key ?? text}: ${product?.slug ?? "not catalogued"}`);
    return name && product ? [{ text, name, product }] : [];
  });
  const [first, ...others] = matched;
  return others.every(({ product }) => product.slug === first?.product.slug) ? first : undefined;
}

function productOfCpe({ key }: CpeName, catalogue: Catalogue): Product | undefined {
  const slug = catalogue.cpe(key);
  return slug === undefined ? undefined : catalogue.product(slug);
}

function atVersion(
  product: Product,
  version: string | undefined,
  {
    component,
    ...how
  }: { readonly component: Component; readonly matchedBy: "name" | "cpe"; readonly identifier?: string },
  { context, trace }: NameStep,
): Resolution {
  const rebuilt = refuseRebuild(product, version, context.catalogue, trace);
  if (rebuilt) return rebuilt;
  // An absent version resolves only where one cycle contains every version.
  const found = resolveRelease(product, version ?? "", versionOptions(context, trace, component));
  if (found.kind === "unresolved")
    return unresolved(found.reason, { product: product.slug, candidates: found.candidates });
  return {
    kind: "resolved",
    releaseCycle: { product: product.slug, cycle: found.cycle.name },
    ...how,
    ...(found.versionMatchedBy && { versionMatchedBy: found.versionMatchedBy }),
    requestedVersion: version ?? "",
    ...(found.minimum && { minimum: true }),
  };
}
