/**
 * AI models, by exact id only. The same id retires on different days on different platforms, so the platform has to be
 * told by the purl's namespace, the supplier or the publisher; where it is not, only agreeing dates give an answer.
 */
import type { Catalogue, Component, End, ModelEntry, Tracer } from "../model.ts";
import { own } from "../own.ts";
import { normalizeName } from "./normalize-name.ts";
import type { PurlKey } from "./purl.ts";
import { unresolved, type Unresolved } from "./unresolved.ts";

export type ModelMatch =
  | { readonly kind: "line"; readonly entry: ModelEntry; readonly requested: string }
  | Unresolved
  /** No id of the catalogue. */
  | { readonly kind: "unknown" };

/** Hubs hand out open weights: whoever runs them is no hosted line, however alike the names are. */
const HUBS = new Set(["huggingface", "modelscope", "ollama", "mlflow"]);
export const isHub = (purl: PurlKey): boolean => HUBS.has(purl.type);

/** How documents call the platforms. A vendor with two platforms names neither of them alone. */
const PLATFORMS: Readonly<Record<string, readonly string[]>> = {
  alibaba: ["alibaba-model-studio"],
  alibabacloud: ["alibaba-model-studio"],
  alibabamodelstudio: ["alibaba-model-studio"],
  amazon: ["aws-bedrock"],
  amazonbedrock: ["aws-bedrock"],
  amazonwebservices: ["aws-bedrock"],
  aws: ["aws-bedrock"],
  awsbedrock: ["aws-bedrock"],
  bedrock: ["aws-bedrock"],
  anthropic: ["claude"],
  anthropicapi: ["claude"],
  azure: ["azure"],
  azureopenai: ["azure"],
  azureopenaiservice: ["azure"],
  microsoft: ["azure"],
  microsoftazure: ["azure"],
  cohere: ["cohere-api"],
  deepseek: ["deepseek-api"],
  gemini: ["gemini-api"],
  geminiapi: ["gemini-api"],
  googleaistudio: ["gemini-api"],
  google: ["gemini-api", "google-vertex"],
  googlecloud: ["google-vertex"],
  googlevertex: ["google-vertex"],
  googlevertexai: ["google-vertex"],
  vertexai: ["google-vertex"],
  groq: ["groq-api"],
  minimax: ["minimax-api"],
  mistral: ["mistral-api"],
  mistralai: ["mistral-api"],
  moonshot: ["moonshot-api"],
  moonshotai: ["moonshot-api"],
  openai: ["openai-api"],
  openaiapi: ["openai-api"],
  xai: ["xai-api"],
  "x.ai": ["xai-api"],
  xiaomi: ["xiaomi-api"],
  "z.ai": ["z-ai-api"],
  zai: ["z-ai-api"],
  zhipu: ["z-ai-api"],
};
/**
 * Ids that are not the platform's alone: the names of open weights, which anybody runs, and of others' models. Only a
 * document that says the platform is believed.
 */
const ONLY_WHEN_SAID: Readonly<Record<string, RegExp>> = {
  "alibaba-model-studio": /-\d+b(?:-|$)/,
  "google-vertex": /^(?!gemini-)/,
  "groq-api": /^/,
  "openai-api": /^gpt-oss-/,
};

/** The model line of a component, by its name (or the purl's) and, where the platform counts so, its version. */
export function matchModel(
  catalogue: Catalogue,
  component: Component,
  purl: PurlKey | undefined,
  trace?: Tracer,
): ModelMatch {
  const name = purl?.name ?? component.name;
  const version = purl?.version ?? component.version;
  const said = platformsOf(component, purl);
  if (said) trace?.("platform", [...said].join(" or "));
  for (const id of idsOf(name, version, component, purl)) {
    const all = catalogue.model(id);
    trace?.("model-id", `${id}: ${all.map(({ product, cycle }) => `${product} ${cycle}`).join(", ") || "not known"}`);
    if (all.length === 0) continue;
    if (id === name && isSnapshot(version) && !id.endsWith(version))
      return unresolved("version-not-tracked", { product: all.length === 1 ? all[0]?.product : undefined });
    const entries = all.filter(({ product }) =>
      said ? said.has(product) : own(ONLY_WHEN_SAID, product)?.test(id) !== true,
    );
    return choose(catalogue, entries, version ?? id);
  }
  return { kind: "unknown" };
}

function choose(catalogue: Catalogue, entries: readonly ModelEntry[], requested: string): ModelMatch {
  const [first, ...others] = entries;
  if (first === undefined) return unresolved("model-not-tracked");
  const ends = new Set(entries.map((entry) => endOf(catalogue, entry)));
  if (others.length === 0 || ends.size === 1) return { kind: "line", entry: first, requested };
  return unresolved("version-ambiguous", { candidates: entries.map(({ product, cycle }) => `${product}:${cycle}`) });
}

/** The ids that the component could mean, the most exact first: `gpt-4.1@2025-04-14` on Azure, `gpt-4-0613`, `gpt-4`. */
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

/** A version that is a date or a four-digit stamp names a snapshot; `1.0` and `latest` beside an id say nothing. */
const isSnapshot = (version: string | undefined): version is string =>
  version !== undefined && /^(?:\d{4}-?\d{2}-?\d{2}|\d{4})$/.test(version);

function platformsOf(
  { supplier, publisher, group }: Component,
  purl: PurlKey | undefined,
): ReadonlySet<string> | undefined {
  const words =
    purl && purl.namespace !== "" ? [...purl.namespace.split("/"), supplier, publisher] : [supplier, publisher, group];
  for (const word of words) {
    const platforms =
      word === undefined
        ? undefined
        : own(PLATFORMS, normalizeName(word.replace(/^(?:Organization|Person|Tool):/i, "")));
    if (platforms) return new Set(platforms);
  }
  return undefined;
}

function endOf(catalogue: Catalogue, { product, cycle }: ModelEntry): string {
  const line = catalogue.product(product)?.cycles.find(({ name }) => name === cycle);
  return line ? `${text(line.eol)} ${line.eolNotBefore?.value ?? ""}` : "";
}
const text = (end: End): string => (end.kind === "dated" ? end.date.value : end.kind);
