/**
 * A pattern of strings: a table of states that reads a JSON string byte by byte, up to its closing quote, and hashes the
 * bytes that its steps give. Two strings with the same given bytes have the same hash, however they are written. The
 * tokenizer computes the same while it reads a document.
 */

/** Hash of a string that the pattern does not match. No other string has it. */
export const NO_MATCH = 1;
/** States of strings that do not match, and of those that do; the first state of the others is where patterns start. */
const REFUSED = 0;
const ACCEPTED = 0x100;
export const START_STATE = 0x200;
/** A state has a step for each ASCII character: its next state, and in the lowest eight bits the byte that it gives. */
const STEPS = 128;
const MAX_STATES = 256;
const QUOTE = 0x22;

export interface BytePattern {
  readonly steps: Uint16Array;
}

/** Hash of the string whose content begins at `at`. Never 0. A string without its closing quote does not match. */
export function hashAlong({ steps }: BytePattern, bytes: Uint8Array, at: number): number {
  let hash = 0;
  let state = START_STATE;
  for (let index = at; state > ACCEPTED; index++) {
    const byte = bytes[index] ?? STEPS;
    const step = byte < STEPS ? (steps[(state >> 1) + byte] ?? REFUSED) : REFUSED;
    state = step & 0xff00;
    const given = step & 0xff;
    if (given !== 0) hash = Math.imul(hash ^ given, 0x01000193);
  }
  // V8 stores a number of 30 bits without allocating.
  return state === REFUSED ? NO_MATCH : ((hash ^ (hash >>> 15)) & 0x1fffffff) | 0x20000000;
}

/** Makes a pattern from its states and steps. */
export class PatternBuilder {
  private readonly steps = new Uint16Array(MAX_STATES * STEPS);
  private states = START_STATE >> 8;

  state(): number {
    const state = ++this.states;
    if (state >= MAX_STATES) throw new RangeError("the pattern has too many states");
    return state << 8;
  }

  /** At `byte`, `from` continues with `to` and gives `given`; 0 for nothing. */
  step(from: number, byte: number, to: number, given = 0): void {
    if (byte === QUOTE) throw new RangeError("a quote ends the string");
    this.steps[(from >> 1) + byte] = to | given;
  }

  /** A string may end in this state. */
  accept(state: number): void {
    this.steps[(state >> 1) + QUOTE] = ACCEPTED;
  }

  result(): BytePattern {
    return { steps: this.steps.slice(0, (this.states + 1) * STEPS) };
  }
}
