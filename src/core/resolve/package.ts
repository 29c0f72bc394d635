/** One purl becomes a resolution: the map's entry, its limits, the version's cut, the line, and who maintains it. */
import type { Catalogue, Component, EarlyEnd, CycleRef, Product, PurlEntry, Resolution, Tracer } from "../model.ts";
import { own } from "../own.ts";
import { agrees, versionFromName } from "./version-from-name.ts";
import type { DistroFinder } from "./distro.ts";
import { cycleIndex } from "./cycle-index.ts";
import { isHub, matchModel } from "./model.ts";
import { purlKey, type PurlKey } from "./purl.ts";
import { unresolved, type Unresolved } from "./unresolved.ts";
import type { ResolverTables } from "./tables.ts";
import { toProductVersion } from "./transform.ts";
import { resolveRelease } from "./version.ts";
import { noVersion } from "./normalize-version.ts";

export interface PackageContext {
  readonly catalogue: Catalogue;
  readonly distro: DistroFinder;
  readonly tables: ResolverTables;
}

/** What `text`, one of the component's purls, resolves to. */
export function resolvePurl(text: string, component: Component, setting: PackageContext, trace?: Tracer): Resolution {
  const purl = purlKey(text);
  if (purl.kind === "invalid") {
    trace?.("purl-invalid", purl.why);
    return unresolved("purl-invalid");
  }
  trace?.("purl-key", purl.key);
  const entry = setting.catalogue.purl(purl.key);
  if (!entry) return unmapped(text, purl, component, setting, trace);
  trace?.("map-entry", `${entry.product}, basis ${entry.basis}`);
  const product = setting.catalogue.product(entry.product);
  if (!product) return unresolved("purl-not-tracked");
  const maintained = entry.distroMaintained === true && setting.distro.maintains(purl, trace);
  const maintainer = maintained ? setting.distro.lineOf(purl, trace) : undefined;
  const found = lineOfEntry(entry, product, purl, component, setting.tables, trace);
  if (maintainer?.kind !== "line") return found.kind === "unmatched" ? found : { ...found, identifier: text };
  // The distribution answers for its package also where the software's own line cannot be told.
  if (found.kind === "unmatched") return covered(setting.catalogue, purl, maintainer.line);
  const early = earlyEnd(setting.catalogue, purl, maintainer.line);
  return { ...found, identifier: text, maintainedBy: maintainer.line, ...(early && { earlyEnd: early }) };
}

/** In no map: a model's id, a distribution's own package, or nothing that we track. */
function unmapped(
  text: string,
  purl: PurlKey,
  component: Component,
  { catalogue, distro }: PackageContext,
  trace?: Tracer,
): Resolution {
  if (isHub(purl)) return unresolved(component.kind === "data" ? "purl-not-tracked" : "model-not-tracked");
  if (purl.type === "generic" || component.kind === "model") {
    const model = matchModel(catalogue, component, purl, trace);
    if (model.kind === "unmatched") return model;
    if (model.kind === "line") {
      const { product, cycle } = model.entry;
      return {
        kind: "resolved",
        releaseCycle: { product, cycle },
        matchedBy: "model",
        requestedVersion: model.requested,
        identifier: text,
      };
    }
    return unresolved(component.kind === "model" ? "model-not-tracked" : "purl-not-tracked");
  }
  if (!distro.maintains(purl, trace)) return unresolved("purl-not-tracked");
  const line = distro.lineOf(purl, trace);
  // Of a rolling distribution no line is known because it has none.
  return line?.kind === "line" ? covered(catalogue, purl, line.line) : unresolved("distro-unknown");
}

function covered(catalogue: Catalogue, purl: PurlKey, by: CycleRef): Resolution {
  const early = earlyEnd(catalogue, purl, by);
  return early ? { kind: "covered", by, earlyEnd: early } : { kind: "covered", by };
}

/** Distributions end support by source package; syft and others name it in `upstream`, `openssl@3.0.11`. */
function earlyEnd(catalogue: Catalogue, purl: PurlKey, by: CycleRef): EarlyEnd | undefined {
  const source = purl.qualifier("upstream")?.replace(/@.*$/, "");
  return catalogue.endedEarly(by.product, by.cycle, source ?? purl.name);
}

type Found = Extract<Resolution, { readonly kind: "resolved" }> | Unresolved;

function lineOfEntry(
  entry: PurlEntry,
  product: Product,
  purl: PurlKey,
  component: Component,
  tables: ResolverTables,
  trace: Tracer | undefined,
): Found {
  const refuse = (reason: Unresolved["reason"], candidates?: readonly string[]) =>
    unresolved(reason, { product: product.slug, candidates });
  if (entry.productOnly) {
    trace?.("limit", "the package's numbers are not the product's");
    return refuse("version-not-tracked");
  }
  const bounded = entry.min !== undefined || entry.max !== undefined;
  const written = versionOf(purl, component);
  const whole = cycleIndex(product).whole;
  if (whole && !bounded) {
    trace?.("line", `${product.slug} all: holds every version`);
    return resolved(product, whole.name, written ?? "", "release-line");
  }
  if (written === undefined) return refuse("no-version");
  const cut = own(tables.cuts, purl.type)?.(written, product, purl) ?? written;
  if (typeof cut !== "string") return refuse(cut.reason);
  if (cut !== written) trace?.("version-cut", `${purl.type}: ${written} → ${cut}`);
  const none = noVersion(cut);
  if (none) return refuse(none);
  const numbered = toProductVersion(entry, cut, tables.transforms);
  if (typeof numbered !== "string") {
    trace?.("limit", numbered.why);
    return refuse(numbered.reason);
  }
  if (numbered !== cut) trace?.("transform", `${entry.transform}: ${cut} → ${numbered}`);
  const found = resolveRelease(product, numbered, trace, tables.rules);
  if (found.kind === "refused") return refuse(found.reason, found.candidates);
  const carried = entry.cycle ?? versionFromName(purl.name, tables.carried);
  if (carried !== undefined && !agrees(found.cycle.name, carried)) {
    trace?.("candidate-refused", `the name says ${carried}, the version ${found.cycle.name}`);
    return refuse("version-ambiguous", [carried, found.cycle.name]);
  }
  return resolved(product, found.cycle.name, written, found.versionMatchedBy);
}

/** The purl's own version; a `tag` says more than a digest; where the purl has none, the component's field. */
function versionOf(purl: PurlKey, component: Component): string | undefined {
  const tag = purl.type === "docker" || purl.type === "oci" ? purl.qualifier("tag") : undefined;
  const version = tag ?? purl.version ?? component.version;
  return version === undefined || version.trim() === "" ? undefined : version;
}

function resolved(
  product: Product,
  cycle: string,
  requestedVersion: string,
  versionMatchedBy: Extract<Found, { kind: "resolved" }>["versionMatchedBy"],
): Found {
  return {
    kind: "resolved",
    releaseCycle: { product: product.slug, cycle },
    matchedBy: "purl",
    ...(versionMatchedBy && requestedVersion !== cycle && { versionMatchedBy }),
    requestedVersion,
  };
}
