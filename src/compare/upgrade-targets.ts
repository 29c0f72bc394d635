/**
 * Where to move from a release cycle. Suggested in addition to the verdict, never part of it: the longest-supported cycle first,
 * then the nearest one that stays supported for a year, both of the same family.
 */
import type { IsoDate } from "../text/ids.ts";
import { addMonths, lastDay } from "../lifecycle/days.ts";
import { doubtOn, doubtsOf } from "../lifecycle/doubts.ts";
import { provenanceOf } from "../lifecycle/provenance.ts";
import { isLongTerm, lifecycleState } from "../lifecycle/status.ts";
import type { Advice, Product, ReleaseCycle, UpgradeTarget } from "../model/index.ts";

/** A cycle that ends sooner is suggested only if no other is left. */
const WORTHWHILE_MONTHS = 6;
/** The nearest cycle is suggested only if it stays supported for this long. */
const NEAREST_MONTHS = 12;

/**
 * Upgrade targets above `cycle`, or undefined when no supported cycle of its family is left and the maintainers name no
 * successor. A cycle counts as supported only if its sources state it.
 */
export function upgradeAdvice(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Advice | undefined {
  const { successor } = cycle;
  const targets = adviceOnCycles(product, cycle, asOf);
  if (targets === undefined && successor === undefined) return undefined;
  return { ...targets, ...(successor !== undefined && { successor }) };
}

function adviceOnCycles(product: Product, cycle: ReleaseCycle, asOf: IsoDate): Advice | undefined {
  const newer = newerCycles(product, cycle);
  const { targets, endsSoon } = targetsFor(product, cycle, newer, asOf);
  const [longest] = targets.toSorted((a, b) => compareEnds(b, a));
  // The newest cycle and its successor serve longer than a target that ends soon.
  const newest = longest === undefined || endsSoon ? newestDue(product, cycle, newer, asOf) : undefined;
  if (newest) return { orNewer: { product: product.slug, cycle: newest.name } };
  if (longest === undefined) return undefined;
  const nearest = targets.findLast((target) => lastsFor(product, target, asOf, NEAREST_MONTHS));
  return {
    longest: upgradeTarget(product, longest, asOf),
    ...(nearest && nearest !== longest && { nearest: upgradeTarget(product, nearest, asOf) }),
    ...(endsSoon && { endsSoon: true as const }),
  };
}

/** A cycle that is not recorded is older than the recorded ones. Another package is no newer version of this one. */
function newerCycles({ cycles }: Product, { name, part }: ReleaseCycle): readonly ReleaseCycle[] {
  const at = cycles.findIndex((each) => each.name === name);
  return (at < 0 ? cycles : cycles.slice(0, at)).filter((each) => each.part === part);
}

/** The newest cycle, of which a later release, unknown to the catalogue, was due: that one or a newer one is supported. */
function newestDue(product: Product, cycle: ReleaseCycle, newer: readonly ReleaseCycle[], asOf: IsoDate) {
  const [newest] = familiesOf(product, cycle, newer).flat();
  const doubts = newest && doubtsOf(product, newest, provenanceOf(newest.claims, asOf));
  return doubtOn(doubts ?? [], asOf)?.kind === "probably-superseded" ? newest : undefined;
}

interface Targets {
  /** Newest first. */
  readonly targets: readonly ReleaseCycle[];
  /** Each of them ends within half a year. */
  readonly endsSoon: boolean;
}

/** The cycles of the closest family with one that lasts; else of the closest family with a supported one. */
function targetsFor(product: Product, cycle: ReleaseCycle, newer: readonly ReleaseCycle[], asOf: IsoDate): Targets {
  const supported = newer.filter((each) => isSupported(product, each, asOf) && !endsEarlier(each, cycle));
  const families = familiesOf(product, cycle, supported);
  const lasting = families.map((family) => family.filter((each) => lastsFor(product, each, asOf, WORTHWHILE_MONTHS)));
  const best = lasting.find((family) => family.length > 0);
  if (best) return { targets: best, endsSoon: false };
  return { targets: families.find((family) => family.length > 0) ?? [], endsSoon: true };
}

/** A cycle whose end may have come is no target either: only an end that is open can be in doubt. */
function isSupported(product: Product, cycle: ReleaseCycle, asOf: IsoDate): boolean {
  const doubts = cycle.eol.kind === "open" ? doubtsOf(product, cycle, provenanceOf(cycle.claims, asOf)) : [];
  const { status } = lifecycleState(cycle.eol, asOf, doubts);
  return !cycle.retired && (status === "active" || status === "approaching");
}

/** A cycle that ends before the one in use, such as a release after one with long-term support, is no way forward. */
const endsEarlier = ({ eol }: ReleaseCycle, { eol: own }: ReleaseCycle): boolean =>
  eol.kind === "dated" && own.kind === "dated" && lastDay(eol.date) <= lastDay(own.date);

/** No announced end counts as lasting, unless the vendor promises less than half a year. */
function lastsFor(product: Product, { name, eol, eolNotBefore }: ReleaseCycle, asOf: IsoDate, months: number): boolean {
  if (eol.kind === "dated") return lastDay(eol.date) >= addMonths(asOf, months);
  if (eolNotBefore !== undefined) return lastDay(eolNotBefore) >= addMonths(asOf, WORTHWHILE_MONTHS);
  // The name of a model without a day leads to one of its snapshots: it does not outlast all of them.
  const snapshots = product.models ? product.cycles.filter((each) => isSnapshot(each.name, name)) : [];
  return snapshots.length === 0 || snapshots.some((each) => lastsFor(product, each, asOf, months));
}

/** `gpt-4o-2024-08-06` of `gpt-4o`, `gpt-4-0613` of `gpt-4`, `gemini-1.5-pro-001` of `gemini-1.5-pro`. */
const isSnapshot = (name: string, of: string): boolean =>
  name.startsWith(of) && /^-(?:\d{8}|(?:\d{4}-)?\d\d-\d\d|\d{3,4})$/.test(name.slice(of.length));

/** By the end of support; no announced end is the latest. */
function compareEnds(a: ReleaseCycle, b: ReleaseCycle): number {
  const [left, right] = [a, b].map(({ eol }) => (eol.kind === "dated" ? lastDay(eol.date) : undefined));
  if (left === right) return 0;
  if (left === undefined) return 1;
  return right === undefined || left < right ? -1 : 1;
}

function upgradeTarget(product: Product, cycle: ReleaseCycle, asOf: IsoDate): UpgradeTarget {
  return {
    releaseCycle: { product: product.slug, cycle: cycle.name },
    eol: cycle.eol,
    days: lifecycleState(cycle.eol, asOf).daysUntilEol,
    lts: isLongTerm(cycle, asOf),
  };
}

/** What an AI model is for, by words of its name. The first row with such a word counts; without one, it is text. */
const MODEL_KINDS = Object.entries({
  embedding: ["embedding", "embed", "similarity"],
  search: ["search"],
  rerank: ["rerank"],
  image: ["image", "imagen", "imagine", "canvas", "dall"],
  video: ["video", "veo", "sora", "reel"],
  audio: ["audio", "voice", "speech", "tts", "sonic", "voxtral"],
  music: ["music"],
  realtime: ["realtime", "live"],
  transcription: ["transcribe", "whisper", "asr"],
  moderation: ["moderation", "guard"],
  ocr: ["ocr"],
  code: ["code", "codex", "coder", "codestral", "devstral"],
  edit: ["edit"],
  translation: ["translate"],
  robotics: ["robotics"],
});

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
  return {
    words: new Set(words),
    first,
    kind: MODEL_KINDS.find(([, stating]) => stating.some((word) => words.includes(word)))?.[0] ?? "text",
  };
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
