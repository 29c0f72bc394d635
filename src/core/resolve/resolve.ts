/**
 * Step 2 of the main path: a component becomes a release line, or a reason why not. By purl first and only; without one by
 * name, model id or CPE; operating systems by their name. Nothing is guessed: what two lines could claim is refused.
 */
import type { Purl } from "../ids.ts";
import type { Catalogue, Component, CycleRef, Product, Resolution, SbomDocument, Tracer } from "../model.ts";
import { parseCpe, type CpeName } from "./cpe.ts";
import { distroFinder, systemOf } from "./distro.ts";
import { matchModel } from "./model.ts";
import { matchName, matchTitle, standsAlone } from "./name.ts";
import { resolvePurl, type PackageContext } from "./package.ts";
import { unresolved } from "./unresolved.ts";
import { RESOLVER_TABLES, type ResolverTables } from "./tables.ts";
import { untrackedTest } from "./untracked.ts";
import { resolveRelease } from "./version.ts";

export interface ResolverOptions {
  /** By purl only: no names, no CPEs, no models by name. */
  readonly strict: boolean;
  /** Only tests hand in others. */
  readonly tables?: ResolverTables;
}

/** Answers for each component of one document. `document` is null where a purl or a name stands alone. */
export type Resolver = (component: Component, trace?: Tracer) => Resolution;

export function createResolver(
  catalogue: Catalogue,
  document: SbomDocument | null,
  { strict, tables = RESOLVER_TABLES }: ResolverOptions,
): Resolver {
  const setting: PackageContext = { catalogue, tables, distro: distroFinder(catalogue, document, tables, !strict) };
  const isUntracked = untrackedTest(catalogue, document?.components.length ?? 0);
  return (component, trace) => {
    switch (component.kind) {
      // The described software itself is what the document is about, an image's purl included: its parts are judged, and
      // so is the operating system in it. (A root that is itself a system or a model is read as such, and judged.)
      case "root":
        return { kind: "not-applicable", why: "root" };
      case "file":
      case "data":
        return byIdentifier(component, setting, strict, trace) ?? { kind: "not-applicable", why: component.kind };
      case "operating-system":
      case "model":
      case "other": {
        if (isUntracked && component.kind === "other" && !trace && component.purlBytes?.(isUntracked))
          return unresolved("purl-not-tracked");
        // Asked for once: a component makes its texts anew from the document's bytes.
        const { purls } = component;
        if (purls.length > 0) return byPurls(purls, component, setting, trace);
        return strict ? unresolved("name-matching-off") : withoutPurl(component, setting, trace);
      }
    }
  };
}

/** Files and data are judged only when a purl or CPE names a tracked product; their names say nothing. */
function byIdentifier(
  component: Component,
  setting: PackageContext,
  strict: boolean,
  trace?: Tracer,
): Resolution | undefined {
  const { purls } = component;
  if (purls.length > 0) {
    const found = byPurls(purls, component, setting, trace);
    return found.kind === "unmatched" && NOT_TRACKED.has(found.reason) ? undefined : found;
  }
  const cpe = strict ? undefined : cpeOf(component, setting, trace);
  if (cpe === undefined) return undefined;
  return atVersion(cpe.product, component.version ?? cpe.name.version, "cpe", cpe.text, setting, trace);
}

const NOT_TRACKED: ReadonlySet<string> = new Set(["purl-not-tracked", "purl-invalid", "model-not-tracked"]);

/** One purl in CycloneDX; an SPDX package may have several, which have to mean the same line. */
function byPurls(
  purls: readonly Purl[],
  component: Component,
  setting: PackageContext,
  trace: Tracer | undefined,
): Resolution {
  const [first] = purls;
  if (first === undefined) return unresolved("purl-invalid");
  if (purls.length === 1) return resolvePurl(first, component, setting, trace);
  const all = purls.map((purl) => resolvePurl(purl, component, setting, trace));
  const known = all.filter((resolution) => resolution.kind !== "unmatched" || resolution.product !== undefined);
  const lines = new Set(known.map(told));
  const best =
    known.find(({ kind }) => kind === "resolved") ?? known.find(({ kind }) => kind === "covered") ?? known[0];
  if (lines.size <= 1) return best ?? all[0] ?? unresolved("purl-not-tracked");
  trace?.("candidate-refused", `the package's purls mean ${[...lines].join(" and ")}`);
  return unresolved("version-ambiguous", { candidates: [...lines] });
}

/** A distribution's cover says nothing against a line that another purl of the same package names. */
function told(resolution: Resolution): string {
  if (resolution.kind === "resolved") return keyOf(resolution.releaseCycle);
  if (resolution.kind === "covered") return keyOf(resolution.by);
  return resolution.kind === "unmatched" ? `${resolution.product ?? ""}` : resolution.why;
}
const keyOf = ({ product, cycle }: CycleRef): string => `${product}:${cycle}`;

function withoutPurl(component: Component, setting: PackageContext, trace?: Tracer): Resolution {
  if (component.kind === "operating-system") return bySystem(component, setting, trace);
  if (component.kind === "model") return byModel(component, setting, trace) ?? unresolved("model-not-tracked");
  return byName(component, setting, trace);
}

function bySystem(component: Component, setting: PackageContext, trace?: Tracer): Resolution {
  const system = systemOf(setting.catalogue, component, setting.tables, trace);
  if (system.kind === "unmatched") return system;
  if (system.kind === "rolling") return unresolved("distro-unknown");
  if (system.kind === "unknown") {
    const found = byName(component, setting, trace);
    if (found.kind !== "unmatched" || found.reason !== "name-not-recognised") return found;
    const titled = matchTitle(setting.catalogue, component.name);
    if (!titled) return found;
    return atVersion(titled.product, component.version || titled.version, "name", undefined, setting, trace);
  }
  return {
    kind: "resolved",
    releaseCycle: system.line,
    matchedBy: "name",
    ...(system.versionMatchedBy && { versionMatchedBy: system.versionMatchedBy }),
    requestedVersion: component.version ?? "",
  };
}

function byModel(component: Component, { catalogue }: PackageContext, trace?: Tracer): Resolution | undefined {
  const model = matchModel(catalogue, component, undefined, trace);
  if (model.kind === "unknown") return undefined;
  if (model.kind === "unmatched") return model;
  const { product, cycle } = model.entry;
  return { kind: "resolved", releaseCycle: { product, cycle }, matchedBy: "model", requestedVersion: model.requested };
}

/** Ids that are ordinary words (`command`, `ada`, `davinci`) or short codes (`o1`) name a model only in a model. */
const TELLING_ID = /^(?=.*[a-z])(?=.*\d)[^\s]*[-.@:/][^\s]*$/i;

/** The whole name of a product, else a model's id, else a CPE whose vendor and product are catalogued. */
function byName(component: Component, setting: PackageContext, trace?: Tracer): Resolution {
  const { catalogue } = setting;
  const cpe = cpeOf(component, setting, trace);
  const match = standsAlone(component) ? matchName(catalogue, component.name, trace) : { kind: "none" as const };
  if (match.kind === "several") return unresolved("version-ambiguous", { candidates: match.candidates });
  if (match.kind === "product") {
    const product = catalogue.product(match.slug);
    if (cpe && cpe.product.slug !== match.slug)
      return unresolved("version-ambiguous", { candidates: [match.slug, cpe.product.slug].sort() });
    if (product) return atVersion(product, component.version, "name", undefined, setting, trace);
  }
  if (TELLING_ID.test(component.name)) {
    const model = byModel(component, setting, trace);
    if (model) return model;
  }
  if (!cpe) return unresolved("name-not-recognised");
  return atVersion(cpe.product, component.version ?? cpe.name.version, "cpe", cpe.text, setting, trace);
}

interface MatchedCpe {
  readonly text: string;
  readonly name: CpeName;
  readonly product: Product;
}

/** The component's CPE, when all that are catalogued mean one product. Generators guess CPEs in swarms. */
function cpeOf({ cpes }: Component, { catalogue }: PackageContext, trace?: Tracer): MatchedCpe | undefined {
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
  matchedBy: "name" | "cpe",
  identifier: string | undefined,
  { tables }: PackageContext,
  trace?: Tracer,
): Resolution {
  // A line that holds every version holds an unknown one.
  const found = resolveRelease(product, version ?? "", trace, tables.rules);
  if (found.kind === "refused")
    return unresolved(found.reason, { product: product.slug, candidates: found.candidates });
  return {
    kind: "resolved",
    releaseCycle: { product: product.slug, cycle: found.cycle.name },
    matchedBy,
    ...(found.versionMatchedBy && { versionMatchedBy: found.versionMatchedBy }),
    requestedVersion: version ?? "",
    ...(identifier !== undefined && { identifier }),
  };
}
