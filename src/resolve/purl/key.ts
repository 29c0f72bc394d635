/**
 * From a package URL to the key of the catalogue's purl map. packageurl-js parses purls. Plain ones, which nearly all
 * are, are split by hand in a third of its time: 74 instead of 219 ms for 100,000 of real documents (bench/purl.ts). The
 * tests check that both agree. The catalogue's compiler makes its keys here too.
 */
import { PackageURL } from "packageurl-js";
import { MOST_ANSWERS, remembered } from "../../text/values.ts";
import { imageKey } from "./image.ts";
import { type InvalidPurl, type PurlKey, checkType } from "./types.ts";

export type { InvalidPurl, PurlKey } from "./types.ts";

/** Types whose names compare without case: by the specification, or by their registry where the specification is silent. */
export const FOLDED: ReadonlySet<string> = new Set(
  "alpm apk bitbucket brew chocolatey composer deb docker github gitlab golang hex npm nuget oci pypi scoop winget".split(
    " ",
  ),
);
/** Types for which packageurl-js has no rules beyond case: a plain purl of them is always valid. */
export const PLAIN: ReadonlySet<string> = new Set(
  [...FOLDED, "cargo", "conda", "gem", "generic", "maven", "rpm"].filter((type) => type !== "oci"),
);
/** Plain types whose key is not only the path. */
export const OWN_KEYS: ReadonlySet<string> = new Set(["docker", "pypi", "rpm"]);

/** Characters that need no decoding: in a name, and in a version. */
export const NAME = 1;
export const VERSION = 2;
export const ALLOWED: Uint8Array = new Uint8Array(128);
for (const letter of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.~+-")
  ALLOWED[letter.charCodeAt(0)] = NAME | VERSION;
for (const letter of ":^") ALLOWED[letter.charCodeAt(0)] = VERSION;
export const SLASH = 0x2f;
export const AT = 0x40;
export const QUESTION = 0x3f;
export const PERCENT = 0x25;

/** Percent-encoded ASCII always decodes; other bytes may be invalid UTF-8, which the full parser checks. */
const ENCODED_ASCII = /%[0-7][\da-fA-F]/y;
const QUALIFIER = "[A-Za-z_.-][\\w.-]*=(?:[^&#%\\s]|%[0-7][\\da-fA-F])*";
const QUALIFIERS = new RegExp(`^${QUALIFIER}(?:&${QUALIFIER})*$`);

/** Key, version and qualifiers of a purl, or why it is invalid. */
export function purlKey(text: string): PurlKey | InvalidPurl {
  return splitPlain(text) ?? parsePurl(text);
}

/** Splits a purl in which only the version and the qualifiers are encoded; undefined for any other. */
function splitPlain(text: string): SplitPurl | undefined {
  const slash = text.indexOf("/");
  if (slash < 0 || !text.startsWith("pkg:")) return undefined;
  const type = text.slice(4, slash);
  if (!PLAIN.has(type)) return undefined;
  const scope = type === "npm" ? scopeAt(text, slash + 1) : 0;
  const start = slash + 1 + scope;
  // Maven's namespace is required.
  const pathEnd = endOfPath(text, start, type === "maven" ? 2 : 0);
  const end = pathEnd < 0 ? -1 : endOfVersion(text, pathEnd);
  if (end < 0 || !endsPlain(text, end)) return undefined;
  const name = text.slice(start, pathEnd);
  return new SplitPurl(type, scope > 0 ? `@${name}` : name, text, pathEnd + 1, end);
}

/** -1 when a segment is empty, or their number is not the required one (0: any). */
function endOfPath(text: string, from: number, required: number): number {
  let end = from - 1;
  let segments = 0;
  do {
    const start = end + 1;
    end = runOf(NAME, text, start);
    if (end === start) return -1;
    segments++;
  } while (text.charCodeAt(end) === SLASH);
  return required === 0 || segments === required ? end : -1;
}

/** The same place where no version follows; -1 when it is empty. */
function endOfVersion(text: string, at: number): number {
  if (text.charCodeAt(at) !== AT) return at;
  const end = runOf(VERSION, text, at + 1);
  return end === at + 1 ? -1 : end;
}

/** Whether nothing follows, or plain qualifiers. */
function endsPlain(text: string, end: number): boolean {
  return text.charCodeAt(end) === QUESTION ? QUALIFIERS.test(text.slice(end + 1)) : end >= text.length;
}

/** Length of the `@` before an npm scope, plain or encoded. */
function scopeAt(text: string, at: number): number {
  if (text.charCodeAt(at) === AT) return 1;
  return text.startsWith("%40", at) ? 3 : 0;
}

/** The end of the run of characters that starts at `at`. */
function runOf(kind: typeof NAME | typeof VERSION, text: string, at: number): number {
  let end = at;
  for (;;) {
    const letter = text.charCodeAt(end);
    if (((ALLOWED[letter] ?? 0) & kind) !== 0) end++;
    else if (letter === PERCENT && kind === VERSION) {
      ENCODED_ASCII.lastIndex = end;
      if (!ENCODED_ASCII.test(text)) return end;
      end += 3;
    } else return end;
  }
}

/** The same with packageurl-js: the full grammar and the rules of the type. */
export function parsePurl(text: string): PurlKey | InvalidPurl {
  const parsed = parse(text);
  if (typeof parsed === "string") return { kind: "invalid", why: parsed };
  return new ParsedPurl(parsed);
}

/** Every component of a purl as the specification reads it, or why it is invalid. */
export function parse(text: string): PackageURL | string {
  try {
    const [type, namespace, name, version, qualifiers, subpath] = PackageURL.parseString(withoutTrailingSlash(text));
    if (type === undefined) return "empty";
    // packageurl-js requires semantic versions after the `v` of a Go module; the specification does not.
    const golang = type.toLowerCase() === "golang";
    const purl = new PackageURL(type, namespace, name ?? "", golang ? undefined : version, qualifiers, subpath);
    if (golang && version) purl.version = version.trim();
    return checkType(purl);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Some upstream entries end in a slash: `pkg:deb/debian/perl/`. */
function withoutTrailingSlash(text: string): string {
  return text.trim().replace(/^([^?#]*[^/?#])\/+$/, "$1");
}

/** Most purls are looked up once: only the key is computed eagerly. */
class SplitPurl implements PurlKey {
  readonly kind = "purl";
  readonly key: string;
  readonly type: string;
  readonly #path: string;
  readonly #text: string;
  readonly #versionAt: number;
  /** End of the version, or of the path when there is none. */
  readonly #end: number;
  #qualifiers: ReadonlyMap<string, string> | undefined;

  // oxlint-disable-next-line max-params -- made for each of 100,000 purls: an object of parameters would be a second one (bench/table.ts)
  constructor(type: string, path: string, text: string, versionAt: number, end: number) {
    this.type = type;
    this.#path = FOLDED.has(type) ? path.toLowerCase() : path;
    this.#text = text;
    this.#versionAt = versionAt;
    this.#end = end;
    this.key = OWN_KEYS.has(type) ? keyOf(this) : `${type}/${this.#path}`;
  }

  get version(): string | undefined {
    return this.#end < this.#versionAt ? undefined : versionIn(this.#text.slice(this.#versionAt, this.#end));
  }
  get namespace(): string {
    const slash = this.#path.lastIndexOf("/");
    return slash < 0 ? "" : foldNamespace(this.type, this.#path.slice(0, slash));
  }
  get name(): string {
    return foldPackage(this.type, this.#path.slice(this.#path.lastIndexOf("/") + 1));
  }

  qualifier(name: string): string | undefined {
    return (this.#qualifiers ??= qualifiersIn(this.#text.slice(this.#end + 1))).get(name);
  }
}

class ParsedPurl implements PurlKey {
  readonly kind = "purl";
  readonly key: string;
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string | undefined;
  readonly #qualifiers: Readonly<Record<string, string>>;

  constructor(purl: PackageURL) {
    const [type, namespace, name] = written(purl);
    const fold = FOLDED.has(type);
    this.type = type;
    this.namespace = foldNamespace(type, fold ? namespace.toLowerCase() : namespace);
    this.name = foldPackage(type, fold ? name.toLowerCase() : name);
    this.version = purl.version || undefined;
    this.#qualifiers = purl.qualifiers ?? {};
    this.key = keyOf(this);
  }

  qualifier(name: string): string | undefined {
    return this.#qualifiers[name];
  }
}

/** Of equal names, the last one that has a value counts. The packages of an image share few texts. */
const qualifiersIn = remembered((text: string): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  for (const pair of text.split("&")) {
    const equals = pair.indexOf("=");
    const value = decodeURIComponent(pair.slice(equals + 1).replaceAll("+", " ")).trim();
    if (value) values.set(pair.slice(0, equals).toLowerCase(), value);
  }
  return values;
}, MOST_ANSWERS);

/** Only encoded characters can be white space. */
const versionIn = (text: string | undefined): string | undefined =>
  text?.includes("%") ? decodeURIComponent(text).trim() || undefined : text;

/**
 * Before the apk type existed, generators wrote `pkg:alpine/musl`. The subpath of a Go purl is part of the path: a nested
 * module or a package, unless the purl states that it names the module.
 */
function written({
  type,
  namespace,
  name,
  subpath,
  qualifiers,
}: PackageURL): readonly [type: string, namespace: string, name: string] {
  if (type === "golang" && subpath && qualifiers?.["type"] !== "module") {
    const path = [...(namespace ? [namespace] : []), name, ...subpath.split("/")];
    return [type, path.slice(0, -1).join("/"), path.at(-1) ?? name];
  }
  return type === "alpine" && !namespace ? ["apk", "alpine", name] : [type, namespace ?? "", name];
}

/** An rpm namespace is a vendor and compares without case; an rpm name does not. */
function foldNamespace(type: string, namespace: string): string {
  return type === "rpm" ? namespace.toLowerCase() : namespace;
}

/** PEP 503. */
function foldPackage(type: string, name: string): string {
  return type === "pypi" ? name.replace(/[-_.]+/g, "-") : name;
}

function keyOf(purl: Omit<PurlKey, "key">): string {
  if (purl.type === "docker" || purl.type === "oci") return imageKey(purl);
  const path = purl.namespace === "" ? purl.name : `${purl.namespace}/${purl.name}`;
  // Names of software identification tags are not unique: the tag id identifies them.
  const tag = purl.type === "swid" ? purl.qualifier("tag_id") : undefined;
  return tag === undefined ? `${purl.type}/${path}` : `${purl.type}/${path}?tag_id=${tag}`;
}
