/**
 * The purls of which the catalogue's key is known without decoding them, as a pattern of bytes: its hash is the hash of
 * the key. They have a type whose packages only the purl map tracks, and plain versions and qualifiers or none. Readers of
 * documents compute the hash while they read.
 */
import { hashAlong, PatternBuilder, type BytePattern } from "../../json-rows/bytes.ts";
import { PATTERN } from "../../json-rows/memory-layout.ts";
import { lazy } from "../../text/values.ts";
import { PACKAGE_TYPES } from "../distro/origin.ts";
import { PLACE_TYPES } from "../place.ts";
import { ALLOWED, AT, FOLDED, NAME, OWN_KEYS, PERCENT, PLAIN, QUESTION, SLASH, VERSION } from "./key.ts";

/** Made at its first use. */
export const purlPattern: () => BytePattern = lazy(() => new PurlPattern().build());

/** Hash of the key of the purl that begins at `at`; `NO_MATCH` when only the regular path can tell its key. */
export const keyHash = (bytes: Uint8Array, at: number): number => hashAlong(purlPattern(), bytes, at);

/** Modules of Go belong to the paths above them, a generic purl may be the id of a model, others name a place. */
const OTHER_RULES: ReadonlySet<string> = new Set(["generic", "golang", ...PLACE_TYPES]);

/** Types whose packages are tracked by the purl map only: no distribution, hub or model resolves them. */
const TYPES: readonly string[] = [...PLAIN].filter(
  (type) => type === "pypi" || !(OTHER_RULES.has(type) || OWN_KEYS.has(type) || PACKAGE_TYPES.has(type)),
);

const AMPERSAND = 0x26;
const HYPHEN = 0x2d;
const EQUALS = 0x3d;
const codesOf = (kind: typeof NAME | typeof VERSION): readonly number[] =>
  [...ALLOWED.keys()].filter((code) => ((ALLOWED[code] ?? 0) & kind) !== 0);
const NAME_CODES = codesOf(NAME);
const VERSION_CODES = codesOf(VERSION);
const SEPARATOR_CODES = Array.from("-_.", (letter) => letter.charCodeAt(0));
/** Of names such as `repository_url` and `package-id`. */
const QUALIFIER_CODES = Array.from("abcdefghijklmnopqrstuvwxyz_-", (letter) => letter.charCodeAt(0));

interface Path {
  /** Before the first character of a segment, and behind it. */
  readonly start: number;
  readonly inside: number;
}

class PurlPattern {
  private readonly builder = new PatternBuilder();
  /** States behind the characters that types begin with. */
  private readonly prefixes = new Map<string, number>();
  private readonly qualifiers = this.addQualifiers();
  private readonly version = this.addVersion();

  build(): BytePattern {
    const exact = this.addPath(false);
    const folded = this.addPath(true);
    const paths: Readonly<Record<string, number>> = {
      maven: this.addMavenPath(),
      npm: this.addScope(folded),
      pypi: this.addPypiPath(),
    };
    for (const type of TYPES) {
      const path = FOLDED.has(type) ? folded : exact;
      this.addType(type, paths[type] ?? path.start);
    }
    return this.builder.result();
  }

  /** Only the type and what follows are part of the key. */
  private addType(type: string, path: number): void {
    const scheme = "pkg:";
    const text = scheme + type;
    let state: number = PATTERN.start;
    for (let end = 1; end <= text.length; end++) {
      const prefix = text.slice(0, end);
      const next = this.prefixes.get(prefix) ?? this.builder.state();
      this.prefixes.set(prefix, next);
      const code = text.charCodeAt(end - 1);
      this.builder.step(state, code, next, end > scheme.length ? code : 0);
      state = next;
    }
    this.builder.step(state, SLASH, path, SLASH);
  }

  /** Segments that are not empty. */
  private addPath(folds: boolean): Path {
    const path = { start: this.builder.state(), inside: this.builder.state() };
    this.addName(path.start, path.inside, folds);
    this.addName(path.inside, path.inside, folds);
    this.builder.step(path.inside, SLASH, path.start, SLASH);
    this.endPath(path.inside);
    return path;
  }

  /** Exactly two segments. */
  private addMavenPath(): number {
    const { builder } = this;
    const [group, insideGroup, name, insideName] = [builder.state(), builder.state(), builder.state(), builder.state()];
    this.addName(group, insideGroup, false);
    this.addName(insideGroup, insideGroup, false);
    builder.step(insideGroup, SLASH, name, SLASH);
    this.addName(name, insideName, false);
    this.addName(insideName, insideName, false);
    this.endPath(insideName);
    return group;
  }

  /** One segment, in which each run of separators is a hyphen (PEP 503). */
  private addPypiPath(): number {
    const { builder } = this;
    const [start, inside, separated] = [builder.state(), builder.state(), builder.state()];
    for (const from of [start, inside, separated]) {
      this.addName(from, inside, true);
      for (const code of SEPARATOR_CODES) builder.step(from, code, separated, from === separated ? 0 : HYPHEN);
    }
    this.endPath(inside);
    this.endPath(separated);
    return start;
  }

  /** An `@` before the path, which may be encoded, or none. */
  private addScope({ start, inside }: Path): number {
    const { builder } = this;
    const [scope, percent, four] = [builder.state(), builder.state(), builder.state()];
    this.addName(scope, inside, true);
    builder.step(scope, AT, start, AT);
    builder.step(scope, PERCENT, percent);
    builder.step(percent, 0x34, four);
    builder.step(four, 0x30, start, AT);
    return scope;
  }

  private addName(from: number, to: number, folds: boolean): void {
    for (const code of NAME_CODES) this.builder.step(from, code, to, folds ? lowerCase(code) : code);
  }

  private endPath(state: number): void {
    this.builder.step(state, AT, this.version);
    this.builder.step(state, QUESTION, this.qualifiers);
    this.builder.accept(state);
  }

  /** The state behind the `@`. A version is not empty. */
  private addVersion(): number {
    const { builder } = this;
    const [start, inside] = [builder.state(), builder.state()];
    for (const code of VERSION_CODES) {
      builder.step(start, code, inside);
      builder.step(inside, code, inside);
    }
    builder.step(inside, QUESTION, this.qualifiers);
    builder.accept(inside);
    return start;
  }

  /** The state behind the `?`: `name=value&…`, where a value may be empty. */
  private addQualifiers(): number {
    const { builder } = this;
    const [start, name, value] = [builder.state(), builder.state(), builder.state()];
    for (const code of QUALIFIER_CODES) {
      builder.step(start, code, name);
      builder.step(name, code, name);
    }
    builder.step(name, EQUALS, value);
    for (const code of VERSION_CODES) builder.step(value, code, value);
    builder.step(value, AMPERSAND, start);
    builder.accept(value);
    return start;
  }
}

const lowerCase = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);
