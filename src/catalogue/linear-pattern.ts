/**
 * Whether the time of a regular expression grows no faster than the length of the text. V8 tries every way in which a pattern
 * can read a text before it answers that none does: `(a+)+$` has exponentially many, `\d+\d*$` as many as the square of the
 * length. A pattern is linear where no two of its loops can read the same text, one after the other.
 *
 * The automaton has a state for each character of the pattern. What has no width is taken as empty, which adds ways
 * and removes none.
 */
import { remembered } from "../text/values.ts";

const LONGEST = 500;
/** ReachableStates `{n}` was written out. */
const MOST_STATES = 400;
const MOST_STEPS = 100_000;

const TOKEN =
  /\[(?:\\.|[^\]\\])*\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|[^xukp1-9])|\(\?<[a-z]\w*>|\(\?[:=!]|\((?!\?)|\{\d+,?\d*\}\??|[*+?]\??|[^\\[{(]/gisy;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?\d*)\})\??$/;
/** ASCII, and one character for all others. */
const SAMPLES = Array.from({ length: 129 }, (_, code) => String.fromCharCode(code === 128 ? 0x4e_00 : code));

interface PatternState {
  /** A bit for each of `SAMPLES`. */
  readonly reads: bigint;
  readonly next: Set<PatternState>;
}

/** The states that read its first and its last character; `isEmpty`: it can read nothing. */
interface PatternPart {
  readonly isEmpty: boolean;
  readonly first: readonly PatternState[];
  readonly last: readonly PatternState[];
}
const NOTHING: PatternPart = { isEmpty: true, first: [], last: [] };

class NotLinear extends Error {}

/** Why a pattern is not accepted; undefined: it is linear. */
export function problemOfPattern(source: string): string | undefined {
  try {
    void new RegExp(source);
    checkLoops(new Automaton(source).states);
    return undefined;
  } catch (error) {
    if (error instanceof NotLinear) return error.message;
    if (error instanceof SyntaxError) return "is not a regular expression";
    throw error;
  }
}

class Automaton {
  readonly states: PatternState[] = [];
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(source: string) {
    if (source.length > LONGEST) throw new NotLinear(`has more than ${LONGEST} characters`);
    this.#tokens = source.match(TOKEN) ?? [];
    if (this.#tokens.join("") !== source)
      throw new NotLinear("has a part that is not supported, such as a backreference");
    const before = this.#state("[^]");
    this.#joined(before, before);
    this.#joined(before, this.#alternatives(true));
  }

  #alternatives(isWhole = false): PatternPart {
    const parts: PatternPart[] = [];
    do {
      // What begins with `^` is tried at one place.
      const isAnchored = isWhole && this.#tokens[this.#at] === "^";
      const part = this.#sequence();
      parts.push(isAnchored ? { ...part, first: [] } : part);
      this.#at += 1;
    } while (this.#tokens[this.#at - 1] === "|");
    return {
      isEmpty: parts.some(({ isEmpty }) => isEmpty),
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
    };
  }

  #sequence(): PatternPart {
    let all = NOTHING;
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined || token === "|" || token === ")") return all;
      all = this.#joined(all, this.#repeated(this.#at));
    }
  }

  #atom(start: number): PatternPart {
    this.#at = start + 1;
    const token = this.#tokens[start] ?? "";
    if (/^(?:[$^]|\\b)$/i.test(token)) return NOTHING;
    if (!token.startsWith("(")) return this.#state(token);
    const from = this.states.length;
    const group = this.#alternatives();
    if (!/[=!]$/.test(token)) return group;
    const inside = this.states.slice(from);
    if (inside.some((state) => reachable(state).has(state)))
      throw new NotLinear("repeats a part of a lookahead without a limit");
    return NOTHING;
  }

  #state(token: string): PatternPart {
    const state = { reads: charactersOf(token), next: new Set<PatternState>() };
    if (this.states.push(state) > MOST_STATES) throw new NotLinear(`reads more than ${MOST_STATES} characters`);
    return { isEmpty: false, first: [state], last: [state] };
  }

  /** What begins at a token, as often as the quantifier after it states. */
  #repeated(start: number): PatternPart {
    const one = this.#atom(start);
    const quantifier = QUANTIFIER.exec(this.#tokens[this.#at] ?? "");
    if (quantifier === null) return one;
    const end = this.#at + 1;
    const [least, most] = limitsOf(quantifier);
    let all = NOTHING;
    // From the last one on: `a{1,3}` is `a(a(a)?)?`.
    for (let count = most === Infinity ? Math.max(least, 1) : most; count > 0; count -= 1) {
      const part = all === NOTHING ? one : this.#atom(start);
      if (most === Infinity && all === NOTHING) this.#joined(part, part);
      all = this.#joined(part, all);
      if (count > least) all = { ...all, isEmpty: true };
    }
    this.#at = end;
    return all;
  }

  #joined(before: PatternPart, after: PatternPart): PatternPart {
    for (const last of before.last)
      for (const first of after.first) {
        // The same two characters by two ways, as in `(a+)+`.
        if (last.next.has(first)) throw new NotLinear("repeats a repetition");
        last.next.add(first);
      }
    return {
      isEmpty: before.isEmpty && after.isEmpty,
      first: before.isEmpty ? [...before.first, ...after.first] : before.first,
      last: after.isEmpty ? [...before.last, ...after.last] : after.last,
    };
  }
}

function limitsOf([, sign, from = "", upTo = ""]: readonly (string | undefined)[]): readonly [number, number] {
  if (sign === undefined) return [Number(from), upTo === "," ? Infinity : Number(upTo.slice(1) || from)];
  return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity];
}

const charactersOf = remembered((token: string): bigint => {
  const one = new RegExp(`^(?:${token})$`);
  return SAMPLES.reduce((all, sample, bit) => (one.test(sample) ? all | (1n << BigInt(bit)) : all), 0n);
});

function reachable(from: PatternState): ReadonlySet<PatternState> {
  const found = new Set(from.next);
  // A set is read up to what is added meanwhile.
  for (const state of found) for (const next of state.next) found.add(next);
  return found;
}

type ReachableStates = ReadonlyMap<PatternState, ReadonlySet<PatternState>>;

/** @throws NotLinear */
function checkLoops(states: readonly PatternState[]): void {
  const after: ReachableStates = new Map(states.map((state) => [state, reachable(state)]));
  const loops = states.filter((state) => after.get(state)?.has(state));
  const count = { steps: 0 };
  for (const p of loops)
    for (const q of loops)
      if (p !== q && after.get(p)?.has(q)) requireDifferentTexts([p, p, q], [p, q, q], after, count);
}

type StateTriple = readonly [PatternState, PatternState, PatternState];

/** Refuses a text that leads from one triple to another: from `p` to `p`, from `p` to `q`, and from `q` to `q`. */
function requireDifferentTexts(
  from: StateTriple,
  to: StateTriple,
  after: ReachableStates,
  count: { steps: number },
): void {
  const found = new Map<PatternState, Map<PatternState, Set<PatternState>>>();
  const isNew = ([a, b, c]: StateTriple): boolean => {
    const ofA = found.get(a) ?? new Map<PatternState, Set<PatternState>>();
    const ofB = ofA.get(b) ?? new Set<PatternState>();
    found.set(a, ofA.set(b, ofB));
    return !ofB.has(c) && ofB.add(c).has(c);
  };
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const each of stepsFrom(at)) {
      if (each.every((state, index) => state === to[index])) throw new NotLinear("reads a text in many ways");
      if ((count.steps += 1) > MOST_STEPS) throw new NotLinear("is too complex");
      const leads = each.every((state, index) => after.get(state)?.has(to[index] ?? state));
      if (leads && isNew(each)) open.push(each);
    }
}

/** Where one character can lead three states. */
function* stepsFrom([p, between, q]: StateTriple): Generator<StateTriple> {
  for (const a of p.next)
    for (const b of between.next)
      if ((a.reads & b.reads) !== 0n) for (const c of q.next) if ((a.reads & b.reads & c.reads) !== 0n) yield [a, b, c];
}
