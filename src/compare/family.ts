/**
 * Which cycles of a product can replace one another. A product may record several series next to each other: editions
 * (`11-24h2-e`, `11-24h2-w`), runtimes (`nodejs22.x`, `python3.13`) and AI models of several kinds. The words of a
 * cycle's name distinguish them.
 */
import type { Product, ReleaseCycle } from "../model/index.ts";

/** What an AI model is for, by a word of its name. A model without such a word is a text model. */
const MODEL_KINDS: Readonly<Record<string, string>> = {
  embedding: "embedding",
  embed: "embedding",
  similarity: "embedding",
  search: "search",
  rerank: "rerank",
  image: "image",
  imagen: "image",
  imagine: "image",
  canvas: "image",
  dall: "image",
  video: "video",
  veo: "video",
  sora: "video",
  reel: "video",
  audio: "audio",
  voice: "audio",
  speech: "audio",
  tts: "audio",
  sonic: "audio",
  voxtral: "audio",
  music: "music",
  realtime: "realtime",
  live: "realtime",
  transcribe: "transcription",
  whisper: "transcription",
  asr: "transcription",
  moderation: "moderation",
  guard: "moderation",
  ocr: "ocr",
  code: "code",
  codex: "code",
  coder: "code",
  codestral: "code",
  devstral: "code",
  edit: "edit",
  translate: "translation",
  robotics: "robotics",
};

/** Words for a stage of a release, which do not distinguish series. */
const STAGES: ReadonlySet<string> = new Set(["preview", "exp", "beta", "latest", "x", "v", "sp", "r"]);

interface CycleName {
  readonly words: ReadonlySet<string>;
  /** The word that the name begins with; undefined if it begins with a digit. */
  readonly first: string | undefined;
  readonly kind: string;
}

/** The words of a name: the letters that its parts begin with. `java17.al2023` has java and al, `11-24h2-e` has e. */
function parseName(name: string): CycleName {
  const parts = name.toLowerCase().split(/[^a-z\d]+/);
  const words = parts.flatMap((part) => /^[a-z]+/.exec(part) ?? []).filter((word) => !STAGES.has(word));
  const first = /^[a-z]/i.test(name) ? words[0] : undefined;
  return { words: new Set(words), first, kind: kindOf(words) };
}

function kindOf(words: readonly string[]): string {
  const named = words.find((word) => Object.hasOwn(MODEL_KINDS, word));
  return named === undefined ? "text" : (MODEL_KINDS[named] ?? "text");
}

/**
 * `candidates` by how close they are to `cycle`, the closest family first: the same words; then the same first word and,
 * for models, the same kind; for names without a first word, those with the fewest words of their own.
 */
export function familiesOf(
  product: Product,
  cycle: ReleaseCycle,
  candidates: readonly ReleaseCycle[],
): readonly (readonly ReleaseCycle[])[] {
  const own = parseName(cycle.name);
  const named = candidates.map((candidate) => ({ candidate, name: parseName(candidate.name) }));
  const related = named.filter(({ name }) => name.first === own.first && (!product.models || name.kind === own.kind));
  const same = related.filter(({ name }) => extraWords(name, own) + extraWords(own, name) === 0);
  const fewest = Math.min(...related.map(({ name }) => extraWords(name, own)));
  const close = related.filter(({ name }) => extraWords(name, own) === fewest);
  return [same, close].map((family) => family.map(({ candidate }) => candidate));
}

/** How many words of `name` the other does not have. */
const extraWords = (name: CycleName, other: CycleName): number =>
  [...name.words].filter((word) => !other.words.has(word)).length;
