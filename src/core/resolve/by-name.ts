/** Components without a purl: operating systems, products and models by their exact name, and products by CPE. */
import type { Component, Product, Resolution, Tracer } from "../model.ts";
import { versionOptions, type ResolveContext } from "./context.ts";
import { parseCpe, type CpeName } from "./cpe.ts";
import { matchSystemComponent } from "./distro/stated-release.ts";
import { matchModel, resolvedModel } from "./model.ts";
import { matchName, matchTitle, standsAlone } from "./name.ts";
import { unresolved } from "./unresolved.ts";
import { otherVendor } from "./vendor-name.ts";
import { resolveRelease } from "./version/resolve.ts";

/** An operating system by its name and version, else a product whose title contains the version. */
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
  const titled = matchTitle(context.catalogue, component.name);
  if (!titled) return found;
  return atVersion(titled.product, component.version || titled.version, { matchedBy: "name" }, context, trace);
}

/** Ids that are ordinary words (`command`, `ada`, `davinci`) or short codes (`o1`) name a model only in a model. */
const DISTINCTIVE_ID = /^(?=.*[a-z])(?=.*\d)[^\s]*[-.@:/][^\s]*$/i;

/** The complete name of a product, else the id of a model, else a CPE whose vendor and product are catalogued. */
export function resolveName(component: Component, context: ResolveContext, trace?: Tracer): Resolution {
  const { catalogue } = context;
  const cpe = matchCpe(component, context, trace);
  const match = standsAlone(component) ? matchName(catalogue, component.name, trace) : { kind: "none" as const };
  if (match.kind === "several") return unresolved("version-ambiguous", { candidates: match.candidates });
  const product = match.kind === "product" ? catalogue.product(match.slug) : undefined;
  if (product) {
    if (cpe && cpe.product.slug !== product.slug)
      return unresolved("version-ambiguous", { candidates: [product.slug, cpe.product.slug].sort() });
    const vendor = cpe ? undefined : otherVendor(component, product, catalogue);
    if (vendor !== undefined) {
      trace?.("candidate-rejected", `${product.slug} is not made by ${vendor}`);
      return unresolved("name-conflict", { product: product.slug, evidence: [component.name, vendor] });
    }
    return atVersion(product, component.version, { matchedBy: "name" }, context, trace);
  }
  if (DISTINCTIVE_ID.test(component.name)) {
    const model = matchModel(catalogue, component, undefined, trace);
    if (model.kind !== "unknown") return model.kind === "cycle" ? resolvedModel(model) : model;
  }
  return cpe ? atCpe(cpe, component, context, trace) : unresolved("name-not-recognised");
}

/** By CPE only; undefined when none is catalogued. */
export function resolveCpe(component: Component, context: ResolveContext, trace?: Tracer): Resolution | undefined {
  const cpe = matchCpe(component, context, trace);
  return cpe && atCpe(cpe, component, context, trace);
}

function atCpe(cpe: MatchedCpe, component: Component, context: ResolveContext, trace?: Tracer): Resolution {
  const how = { matchedBy: "cpe", identifier: cpe.text } as const;
  return atVersion(cpe.product, component.version ?? cpe.name.version, how, context, trace);
}

interface MatchedCpe {
  readonly text: string;
  readonly name: CpeName;
  readonly product: Product;
}

/** The component's CPE, when all catalogued ones mean the same product. Generators list many guesses. */
function matchCpe({ cpes }: Component, { catalogue }: ResolveContext, trace?: Tracer): MatchedCpe | undefined {
  let matched: MatchedCpe | undefined;
  for (const text of cpes) {
    const name = parseCpe(text);
    const slug = name && catalogue.cpe(name.key);
    trace?.("cpe", `${name?.key ?? text}: ${slug ?? "not catalogued"}`);
    const product = slug && catalogue.product(slug);
    if (!name || !product) continue;
    if (matched && matched.product.slug !== product.slug) return undefined;
    matched ??= { text, name, product };
  }
  return matched;
}

function atVersion(
  product: Product,
  version: string | undefined,
  how: { readonly matchedBy: "name" | "cpe"; readonly identifier?: string },
  context: ResolveContext,
  trace?: Tracer,
): Resolution {
  // An absent version resolves only where one cycle contains every version.
  const found = resolveRelease(product, version ?? "", versionOptions(context, trace));
  if (found.kind === "unresolved")
    return unresolved(found.reason, { product: product.slug, candidates: found.candidates });
  return {
    kind: "resolved",
    releaseCycle: { product: product.slug, cycle: found.cycle.name },
    ...how,
    ...(found.versionMatchedBy && { versionMatchedBy: found.versionMatchedBy }),
    requestedVersion: version ?? "",
  };
}
