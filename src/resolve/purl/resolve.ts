/** Resolves purls: packages of the purl map, packages of distributions, and ids of models. */
import type { Catalogue, Component, PurlEntry, Resolution, Tracer } from "../../model/index.ts";
import { PACKAGE_TYPES } from "../distro/origin.ts";
import { resolveDistroPackage, type DistroContext } from "../distro/package.ts";
import { isHub, matchModel, resolvedModel } from "../model.ts";
import { unresolved } from "../unresolved.ts";
import { resolveEntry, type MappedPackage } from "./entry.ts";
import type { GoModuleFinder } from "./go-modules.ts";
import { purlKey, type PurlKey } from "./key.ts";

export interface PurlContext extends DistroContext {
  readonly goModuleOf: GoModuleFinder;
}

/** Resolves `text`, one of the component's purls. */
export function resolvePurl(text: string, component: Component, context: PurlContext, trace?: Tracer): Resolution {
  const purl = purlKey(text);
  if (purl.kind === "invalid") {
    trace?.("purl-invalid", purl.why);
    return unresolved("purl-invalid");
  }
  trace?.("purl-key", purl.key);
  const mapped = mappedPackage(text, purl, component, context);
  if (mapped) trace?.("map-entry", `${mapped.entry.product}, basis ${mapped.entry.basis}`);
  if (mapped && mapped.entry.distroMaintained !== true) return resolveEntry(mapped, context, trace);
  if (PACKAGE_TYPES.has(purl.type)) return resolveDistroPackage({ text, purl, component, mapped }, context, trace);
  return mapped ? resolveEntry(mapped, context, trace) : resolveModel(text, purl, component, { context, trace });
}

function mappedPackage(
  text: string,
  purl: PurlKey,
  component: Component,
  { catalogue, goModuleOf }: PurlContext,
): MappedPackage | undefined {
  const entry = catalogue.purl(purl.key) ?? (purl.type === "golang" ? goEntry(purl, catalogue, goModuleOf) : undefined);
  const product = entry && catalogue.product(entry.product);
  return product && { entry, product, purl, text, component };
}

function goEntry(purl: PurlKey, catalogue: Catalogue, goModuleOf: GoModuleFinder): PurlEntry | undefined {
  const module = goModuleOf(purl);
  return module === undefined ? undefined : catalogue.purl(module);
}

/** A purl that is not in the purl map can only be the id of a model. */
function resolveModel(
  text: string,
  purl: PurlKey,
  component: Component,
  { context, trace }: { readonly context: DistroContext; readonly trace: Tracer | undefined },
): Resolution {
  const isModel = component.kind === "model";
  if (isHub(purl)) return unresolved(component.kind === "data" ? "purl-not-tracked" : "model-not-tracked");
  if (purl.type !== "generic" && !isModel) return unresolved("purl-not-tracked");
  const model = matchModel(context.catalogue, component, purl, trace);
  if (model.kind === "unmatched") return model;
  if (model.kind === "cycle") return resolvedModel(model, text);
  return unresolved(isModel ? "model-not-tracked" : "purl-not-tracked");
}
