/**
 * A fast path for packages that are not tracked, which most components of large documents are: it reads the purl's bytes
 * without creating a string. It answers for half of the purls of real documents (bench/purl.ts), and these need no other
 * look-up: a check of 100,000 components takes 573 ms of CPU time instead of 835. It answers only when it is certain;
 * every other purl takes the regular path. The tests check that both give the same answer.
 */
import type { Catalogue } from "../../model.ts";
import { PACKAGE_TYPES } from "../distro/origin.ts";
import { ALLOWED, AT, FOLDED, NAME, OWN_KEYS, PERCENT, PLAIN, QUESTION, SLASH, VERSION } from "./key.ts";

/** Whether a purl is valid and its package not tracked; false when its bytes alone do not show it. */
export type UntrackedTest = (bytes: Uint8Array, at: number) => boolean;

/** Below this number of components the table of keys costs more than it saves. */
const WORTH_IT = 5000;

/** The test for a document with this number of components; undefined when the regular path is faster. */
export function untrackedTest(catalogue: Catalogue, components: number): UntrackedTest | undefined {
  const keys = components < WORTH_IT ? undefined : catalogue.purlKeys?.();
  if (keys === undefined) return undefined;
  const tracked = new Set<number>();
  for (const key of keys) tracked.add(hashOf(key));
  const reader = new PurlBytes();
  return (bytes, at) => {
    const hash = reader.keyHash(bytes, at);
    return hash !== undefined && !tracked.has(hash);
  };
}

interface PlainType {
  /** Hash of `type/`, with which its keys start. */
  readonly seed: number;
  readonly folds: boolean;
  readonly scoped: boolean;
  /** Required number of path segments, where the type has one. */
  readonly segments: number | undefined;
}

/** Types whose packages are tracked by the purl map only: no distribution, hub or model resolves them. */
const TYPES: ReadonlyMap<number, PlainType> = new Map(
  [...PLAIN]
    .filter((type) => type !== "generic" && type !== "golang" && !OWN_KEYS.has(type) && !PACKAGE_TYPES.has(type))
    .map((type) => [
      overLetters(type, nextCode),
      {
        seed: overLetters(`${type}/`, mixed),
        folds: FOLDED.has(type),
        scoped: type === "npm",
        segments: type === "maven" ? 2 : undefined,
      },
    ]),
);

/** The letters of a type as one number, five bits each: exact for up to ten letters. */
function nextCode(code: number, letter: number): number {
  return code * 32 + (letter - 0x60);
}
const LONGEST_TYPE = 10;

const QUOTE = 0x22;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const SCHEME = [0x70, 0x6b, 0x67, 0x3a];

/** Reads one purl after another. */
class PurlBytes {
  private bytes: Uint8Array = new Uint8Array();
  private at = 0;
  private hash = 0;

  /** Hash of the purl's key; undefined when a part is not plain. */
  keyHash(bytes: Uint8Array, at: number): number | undefined {
    this.bytes = bytes;
    this.at = at;
    for (const letter of SCHEME) if (bytes[this.at++] !== letter) return undefined;
    const type = this.type();
    if (type === undefined) return undefined;
    this.hash = type.seed;
    if (type.scoped) this.scope();
    const segments = this.path(type.folds);
    if (segments === 0 || (type.segments !== undefined && segments !== type.segments)) return undefined;
    return this.endsPlain() ? finished(this.hash) : undefined;
  }

  /** Whether a plain version and plain qualifiers, or none, and the quote follow. */
  private endsPlain(): boolean {
    const { bytes } = this;
    if (bytes[this.at] === AT && !this.version()) return false;
    if (bytes[this.at] === QUESTION && !this.qualifiers()) return false;
    return bytes[this.at] === QUOTE;
  }

  /** Reads up to and including the slash. */
  private type(): PlainType | undefined {
    let code = 0;
    for (const end = this.at + LONGEST_TYPE; this.at <= end; this.at++) {
      const letter = this.bytes[this.at] ?? 0;
      if (letter === SLASH) {
        this.at++;
        return TYPES.get(code);
      }
      if (letter < 0x61 || letter > 0x7a) return undefined;
      code = nextCode(code, letter);
    }
    return undefined;
  }

  private scope(): void {
    const { bytes, at } = this;
    if (bytes[at] === AT) this.at++;
    else if (bytes[at] === PERCENT && bytes[at + 1] === 0x34 && bytes[at + 2] === 0x30) this.at += 3;
    else return;
    this.hash = mixed(this.hash, AT);
  }

  /** The number of segments; 0 when one of them is empty. */
  private path(folds: boolean): number {
    const { bytes } = this;
    let { at, hash } = this;
    for (let segments = 1; ; segments++) {
      const start = at;
      for (; ; at++) {
        const letter = bytes[at] ?? 0;
        if (((ALLOWED[letter] ?? 0) & NAME) === 0) break;
        hash = mixed(hash, folds ? lowerCase(letter) : letter);
      }
      if (at === start) return 0;
      if (bytes[at] !== SLASH) {
        this.at = at;
        this.hash = hash;
        return segments;
      }
      hash = mixed(hash, SLASH);
      at++;
    }
  }

  private version(): boolean {
    const start = ++this.at;
    this.run(VERSION);
    return this.at > start;
  }

  /** `name=value&…`. */
  private qualifiers(): boolean {
    do {
      const start = ++this.at;
      while (isNameLetter(this.bytes[this.at] ?? 0)) this.at++;
      if (this.at === start || this.bytes[this.at++] !== EQUALS) return false;
      this.run(VERSION);
    } while (this.bytes[this.at] === AMPERSAND);
    return true;
  }

  private run(kind: typeof NAME | typeof VERSION): void {
    while (((ALLOWED[this.bytes[this.at] ?? 0] ?? 0) & kind) !== 0) this.at++;
  }
}

const lowerCase = (letter: number): number => (letter >= 0x41 && letter <= 0x5a ? letter + 0x20 : letter);

/** `repository_url`, `package-id`. */
function isNameLetter(letter: number): boolean {
  return (letter >= 0x61 && letter <= 0x7a) || letter === 0x5f || letter === 0x2d;
}

function mixed(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x01000193);
}

/** 30 bits, so that V8 stores the number without allocating. */
function finished(hash: number): number {
  return (hash ^ (hash >>> 15)) & 0x3fffffff;
}

function hashOf(key: string): number {
  return finished(overLetters(key, mixed));
}

/** Combines the letters of a text, from 0 on. */
function overLetters(text: string, combine: (sum: number, letter: number) => number): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = combine(sum, text.charCodeAt(at));
  return sum;
}
