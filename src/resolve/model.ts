/**
 * Resolves AI models, by exact id only. The same id may retire on different days on different platforms. The purl's
 * namespace, the supplier or the publisher names the platform. Without a platform, the id resolves only if all
 * platforms have the same date.
 */
import { cycleKey } from "../text/ids.ts";
import type { Catalogue, Component, End, ModelEntry, Resolution, Tracer } from "../model/index.ts";
import { getOwn } from "../text/values.ts";
import { normalizeName } from "./normalize-name.ts";
import type { PurlKey } from "./purl/key.ts";
import { unresolved, type Unresolved } from "./unresolved.ts";

export type ModelMatch =
  | { readonly kind: "cycle"; readonly entry: ModelEntry; readonly requested: string }
  | Unresolved
  /** Not an id of the catalogue. */
  | { readonly kind: "unknown" };

/** Types of registries of one's own models and of local copies: their models are not a platform's of the same name. */
const OWN_MODELS = new Set(["modelscope", "ollama", "mlflow"]);
export const hasOwnModels = (purl: PurlKey): boolean => OWN_MODELS.has(purl.type);
/**
 * The type of the hub whose models resolve where the id is exactly that of a hosted model, exclusive to its platform.
 * Open weights such as `openai/gpt-oss-20b` do not end with a platform's offer.
 */
export const MODEL_HUB = "huggingface";

/**
 * Finds the release cycle of a model by the name of the purl or component and, where ids contain a version, by the
 * version.
 */
export function matchModel(
  catalogue: Catalogue,
  component: Component,
  purl: PurlKey | undefined,
  trace?: Tracer,
): ModelMatch {
  const { name } = purl ?? component;
  const version = purl?.version ?? component.version;
  const platforms = platformsOf(catalogue, component, purl);
  if (platforms) trace?.("platform", [...platforms].join(" or "));
  const found = firstModel(catalogue, idsOf(name, version, component, purl), trace);
  if (found === undefined) return { kind: "unknown" };
  const { id, all } = found;
  if (id === name && isOtherSnapshot(id, version)) return notTracked(all);
  return choose(catalogue, entriesFor(catalogue, all, { id, platforms, purl }), version ?? id);
}

interface ModelQuestion {
  readonly id: string;
  /** The platforms that the document names. */
  readonly platforms: ReadonlySet<string> | undefined;
  readonly purl: PurlKey | undefined;
}

/**
 * The entries of the platforms that the document names; without a platform, those whose id is exclusive to their
 * platform. The namespace of a hub names the maker, who also distributes open weights: both apply.
 */
function entriesFor(
  { facts }: Catalogue,
  all: readonly ModelEntry[],
  { id, platforms, purl }: ModelQuestion,
): readonly ModelEntry[] {
  const takesShared = platforms !== undefined && purl?.type !== MODEL_HUB;
  const isShared = ({ product }: ModelEntry): boolean =>
    getOwn(facts.modelPlatforms.sharedIds, product)?.test(id) === true;
  return all.filter((entry) => platforms?.has(entry.product) !== false && (takesShared || !isShared(entry)));
}

const notTracked = (all: readonly ModelEntry[]): ModelMatch =>
  unresolved("version-not-tracked", { product: all.length === 1 ? all[0]?.product : undefined });
const isOtherSnapshot = (id: string, version: string | undefined): boolean =>
  isSnapshot(version) && !id.endsWith(version);

function firstModel(catalogue: Catalogue, ids: Iterable<string>, trace: Tracer | undefined) {
  for (const id of ids) {
    const all = catalogue.model(id);
    trace?.("model-id", `${id}: ${all.map(({ product, cycle }) => `${product} ${cycle}`).join(", ") || "not known"}`);
    if (all.length > 0) return { id, all };
  }
  return undefined;
}

/** Converts a match to a resolution. `identifier`: the purl that matched. */
export function resolvedModel(
  { entry, requested }: Extract<ModelMatch, { kind: "cycle" }>,
  identifier?: string,
): Extract<Resolution, { kind: "resolved" }> {
  const { product, cycle } = entry;
  return {
    kind: "resolved",
    releaseCycle: { product, cycle },
    matchedBy: "model",
    requestedVersion: requested,
    ...(identifier !== undefined && { identifier }),
  };
}

function choose(catalogue: Catalogue, entries: readonly ModelEntry[], requested: string): ModelMatch {
  const [first, ...others] = entries;
  if (first === undefined) return unresolved("model-not-tracked");
  const ends = new Set(entries.map((entry) => endOf(catalogue, entry)));
  if (others.length === 0 || ends.size === 1) return { kind: "cycle", entry: first, requested };
  return unresolved("version-ambiguous", { candidates: entries.map(cycleKey) });
}

/**
 * The ids that the component may mean, the most specific first: `gpt-4.1@2025-04-14` on Azure, `gpt-4-0613`, `gpt-4`.
 */
function idsOf(
  name: string,
  version: string | undefined,
  component: Component,
  purl: PurlKey | undefined,
): readonly string[] {
  const group = purl ? purl.namespace : component.group;
  const ids = version ? [`${name}@${version}`, `${name}-${version}`, name] : [name];
  return group ? [`${group}/${name}`, ...ids] : ids;
}

/**
 * Whether a version names a snapshot: a date or a four-digit number. Other versions next to an id (`1.0`, `latest`) are
 * ignored.
 */
const isSnapshot = (version: string | undefined): version is string =>
  version !== undefined && /^(?:\d{4}-?\d{2}-?\d{2}|\d{4})$/.test(version);

function platformsOf(
  { facts }: Catalogue,
  { supplier, publisher, group }: Component,
  purl: PurlKey | undefined,
): ReadonlySet<string> | undefined {
  const words =
    purl && purl.namespace !== "" ? [...purl.namespace.split("/"), supplier, publisher] : [supplier, publisher, group];
  for (const word of words) {
    const platforms =
      word === undefined
        ? undefined
        : getOwn(facts.modelPlatforms.names, normalizeName(word.replace(/^(?:Organization|Person|Tool):/i, "")));
    if (platforms) return new Set(platforms);
  }
  return undefined;
}

function endOf(catalogue: Catalogue, { product, cycle }: ModelEntry): string {
  const found = catalogue.product(product)?.cycles.find(({ name }) => name === cycle);
  return found ? `${describeEnd(found.eol)} ${found.eolNotBefore?.value ?? ""}` : "";
}
const describeEnd = (end: End): string => (end.kind === "dated" ? end.date.value : end.kind);
