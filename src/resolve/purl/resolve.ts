/** Resolves purls: packages of the purl map, packages of distributions, Go modules, and ids of models. */
import type { Catalogue, Component, ComponentDocument, Resolution, Tracer } from "../../model/index.ts";
import { PACKAGE_TYPES } from "../distro/origin.ts";
import { type DistroContext, resolveDistroPackage } from "../distro/package.ts";
import { hasOwnModels, matchModel, MODEL_HUB, resolvedModel } from "../model.ts";
import { unresolved } from "../unresolved.ts";
import { type MappedPackage, resolveEntry } from "./entry.ts";
import { type PurlKey, purlKey } from "./key.ts";
import { getOwn } from "../../text/values.ts";
import { NO_MATCH } from "../../json-rows/memory-layout.ts";

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
  const own = catalogue.purl(purl.key);
  const module = own === undefined && purl.type === "golang" ? goModuleOf(purl) : undefined;
  const entry = own ?? (module === undefined ? undefined : catalogue.purl(module));
  const product = entry && catalogue.product(entry.product);
  return product && { entry, product, purl, text, component };
}

/** A purl that is not in the purl map can only be the id of a model. */
function resolveModel(
  text: string,
  purl: PurlKey,
  component: Component,
  { context, trace }: { readonly context: DistroContext; readonly trace: Tracer | undefined },
): Resolution {
  const isModel = component.kind === "model";
  const isHub = purl.type === MODEL_HUB;
  if (component.kind === "data") return unresolved("purl-not-tracked");
  if (hasOwnModels(purl)) return unresolved("model-not-tracked");
  if (!isHub && !isModel && purl.type !== "generic") return unresolved("purl-not-tracked");
  const model = matchModel(context.catalogue, component, purl, trace);
  if (model.kind === "unmatched") return model;
  if (model.kind === "cycle") return resolvedModel(model, text);
  return unresolved(isModel || isHub ? "model-not-tracked" : "purl-not-tracked");
}

/** The key of the mapped module that a package belongs to; undefined when there is none, or no evidence for it. */
export type GoModuleFinder = (purl: PurlKey) => string | undefined;

/**
 * Some generators list every package of a module (`github.com/docker/docker/client`), with the version of the module. A
 * nested module (`github.com/hashicorp/consul/api`) has the same form and a version of its own
 * (https://go.dev/ref/mod#modules-overview). Therefore a path belongs to its longest mapped module only if the purl marks
 * it as a package, or if the document lists the module itself with the same version.
 */
export function goModuleFinder(catalogue: Catalogue, document: ComponentDocument | null): GoModuleFinder {
  let modules: ReadonlySet<string> | undefined;
  return (purl) => {
    const module = mappedModule(catalogue, purl.key);
    if (module === undefined || isNested(catalogue, module, purl.key)) return undefined;
    if (purl.qualifier("type") === "package") return module;
    modules ??= listedModules(catalogue, document);
    return modules.has(versioned(module, purl)) ? module : undefined;
  };
}

/** `golang/host/owner`: no module is shorter than its repository. */
const MIN_SEGMENTS = 3;

function mappedModule(catalogue: Catalogue, key: string): string | undefined {
  const segments = key.split("/");
  for (let end = segments.length - 1; end >= MIN_SEGMENTS; end -= 1) {
    const module = segments.slice(0, end).join("/");
    if (catalogue.purl(module)) return module;
  }
  return undefined;
}

/** Whether the path is in a recorded nested module. */
function isNested({ facts }: Catalogue, module: string, key: string): boolean {
  const path = `${key.slice(module.length + 1)}/`;
  return (
    getOwn(facts.packageEvidence.nestedGoModules, module)?.some((nested) => path.startsWith(`${nested}/`)) ?? false
  );
}

const versioned = (module: string, { version = "" }: PurlKey): string => `${module} ${version.replace(/^v/, "")}`;

/** The mapped modules that the document lists by their own path, with their versions. */
function listedModules(catalogue: Catalogue, document: ComponentDocument | null): ReadonlySet<string> {
  const modules = new Set<string>();
  for (const { purls } of document?.components ?? [])
    for (const text of purls) {
      const purl = text.startsWith("pkg:golang/") ? purlKey(text) : undefined;
      if (purl?.kind === "purl" && catalogue.purl(purl.key)) modules.add(versioned(purl.key, purl));
    }
  return modules;
}

/**
 * Packages of these ecosystems resolve by their purl and the component's version alone. A package of a distribution also
 * depends on its publisher, a model on its name.
 */
const BY_PURL_ALONE = /^pkg:(?:cargo|composer|gem|golang|maven|npm|nuget|pypi)\//;
/** Limits the memory: few packages occur often. */
const MAX_ENTRIES = 4096;

/**
 * A cache of the resolutions of one document: dependency trees repeat packages, and resolving takes ten times as long as
 * a look-up (bench/table.ts).
 */
export class ResolutionMemo {
  private readonly known = new Map<string, Resolution>();
  /** By purls that end in the version of their component, which most do: no key is composed (bench/table.ts). */
  private readonly agreeing = new Map<string, Resolution>();

  /** Returns the resolution of an equal package, or that of `resolve`. */
  of(purl: string, component: Component, resolve: () => Resolution): Resolution {
    if (component.kind !== "other" || !BY_PURL_ALONE.test(purl)) return resolve();
    const { version } = component;
    const isAgreeing = version !== undefined && version === purl.slice(purl.lastIndexOf("@") + 1);
    // The length keeps keys apart whose concatenations are equal.
    const key = isAgreeing || version === undefined ? purl : `${purl.length} ${purl} ${version}`;
    const cache = isAgreeing ? this.agreeing : this.known;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const resolution = resolve();
    if (cache.size < MAX_ENTRIES) cache.set(key, resolution);
    return resolution;
  }
}

/** Whether a purl with this hash along the pattern is valid and its package not tracked; false when that is not certain. */
export type UntrackedTest = (hash: number) => boolean;

/** Below this number of components, of one document or of several, the table of keys costs more than it saves. */
const MIN_COMPONENTS = 5000;

/** What was resolved with a catalogue so far. A service resolves many small documents with the same one. */
interface Use {
  components: number;
  test: UntrackedTest | undefined;
}
const uses = new WeakMap<Catalogue, Use>();

/**
 * The test for a document with this number of components; undefined when the regular path is faster. It compares the hash
 * of the key, computed from the bytes of the purl without creating a string, and answers for half of the purls of real
 * documents (bench/purl.ts). Every purl that it is not certain of takes the regular path.
 */
export function untrackedTest(catalogue: Catalogue, components: number): UntrackedTest | undefined {
  const use = uses.get(catalogue) ?? { components: 0, test: undefined };
  uses.set(catalogue, use);
  use.components += components;
  if (use.components >= MIN_COMPONENTS) use.test ??= testOf(catalogue);
  return use.test;
}

function testOf(catalogue: Catalogue): UntrackedTest | undefined {
  const tracked = catalogue.purlHashes?.();
  // Purls that the pattern does not match may be tracked: the regular path decides.
  return tracked && ((hash) => hash !== NO_MATCH && !tracked.has(hash));
}
