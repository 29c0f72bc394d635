/**
 * Step 2, first half: a package URL becomes the key of the catalogue's map. A hand split answers for plain purls, because
 * 100,000 components must not cost a full parse each (0.3 µs instead of 5); everything that is not plain goes through
 * packageurl-js, and the tests hold that both say the same. The catalogue's compiler makes its keys here too.
 */
import { PackageURL } from "packageurl-js";
import { imageKey } from "./image.ts";
import { checkType } from "./purl-types.ts";

/** A purl cut into what the map and the version rules need. */
export interface PurlKey {
  readonly kind: "purl";
  /** `type/namespace/name`, normalised; images off Docker Hub end in `?repository_url=…`. */
  readonly key: string;
  readonly type: string;
  /** Lower case where the type compares without case; empty when there is none. */
  readonly namespace: string;
  readonly name: string;
  /** Percent-decoded. */
  readonly version: string | undefined;
  /** Percent-decoded value of a qualifier, by lower-case name; empty ones are absent. */
  qualifier(name: string): string | undefined;
}

export interface InvalidPurl {
  readonly kind: "invalid";
  readonly why: string;
}

/** Types whose names compare without case: by the specification, or by their registry where it has no word on them. */
const FOLDED = new Set(
  "alpm apk bitbucket brew chocolatey composer deb docker github gitlab golang hex npm nuget oci pypi scoop winget".split(
    " ",
  ),
);
/** Types without rules of their own in packageurl-js beyond case: their plain purls are valid by their shape alone. */
const PLAIN = new Set([...FOLDED, "cargo", "conda", "gem", "generic", "rpm"]);
PLAIN.delete("oci");
/** Plain types whose key is not just their path. */
const OWN_KEYS = new Set(["docker", "pypi", "rpm"]);

const WORD = "[\\w.~+-]+";
/** Percent-encoded ASCII always decodes; anything above may be broken UTF-8, which the full parser judges. */
const VERSION = "(?:[\\w.~+:^-]|%[0-7][\\da-fA-F])+";
const QUALIFIER = "[A-Za-z_.-][\\w.-]*=(?:[^&#%\\s]|%[0-7][\\da-fA-F])*";
const TAIL = `(?:@(${VERSION}))?(?:\\?(${QUALIFIER}(?:&${QUALIFIER})*))?$`;
const PLAIN_PURL = new RegExp(`^pkg:([a-z]+)/((?:%40|@)?${WORD}(?:/${WORD})*)${TAIL}`);
/** Maven's namespace is required, so its plain form has exactly one. */
const PLAIN_MAVEN = new RegExp(`^pkg:(maven)/(${WORD}/${WORD})${TAIL}`);

/** Key, version and qualifiers of a purl, or why it is none. */
export function purlKey(text: string): PurlKey | InvalidPurl {
  const plain = PLAIN_PURL.exec(text);
  if (plain) {
    const type = plain[1] ?? "";
    const path = plain[2] ?? "";
    const scoped = path.startsWith("@") || path.startsWith("%");
    if (scoped ? type === "npm" : PLAIN.has(type) || (type === "maven" && PLAIN_MAVEN.test(text)))
      return new SplitPurl(type, path.startsWith("%40") ? `@${path.slice(3)}` : path, versionIn(plain[3]), plain[4]);
  }
  return parsePurl(text);
}

/** The same through packageurl-js: the full grammar, and the type's own rules. */
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
    // packageurl-js wants semantic versions after a Go module's `v`; the specification does not.
    const golang = type.toLowerCase() === "golang";
    const purl = new PackageURL(
      type,
      namespace,
      name ?? "",
      golang ? undefined : version,
      // The library hands over URLSearchParams and takes them back; its types name only the plain object.
      qualifiers as Record<string, string> | undefined,
      subpath,
    );
    if (golang && version) purl.version = version.trim();
    return checkType(purl);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** `pkg:deb/debian/perl/`: some upstream entries end in a slash. */
function withoutTrailingSlash(text: string): string {
  return text.trim().replace(/^([^?#]*[^/?#])\/+$/, "$1");
}

/** Of 100,000 purls nearly all are looked up and forgotten: only the key is made at once. */
class SplitPurl implements PurlKey {
  readonly kind = "purl";
  readonly key: string;
  readonly type: string;
  readonly version: string | undefined;
  readonly #path: string;
  readonly #query: string | undefined;

  constructor(type: string, path: string, version: string | undefined, query: string | undefined) {
    this.type = type;
    this.version = version;
    this.#path = FOLDED.has(type) ? path.toLowerCase() : path;
    this.#query = query;
    this.key = OWN_KEYS.has(type) ? keyOf(this) : `${type}/${this.#path}`;
  }

  get namespace(): string {
    const slash = this.#path.lastIndexOf("/");
    return slash < 0 ? "" : foldNamespace(this.type, this.#path.slice(0, slash));
  }
  get name(): string {
    return foldPackage(this.type, this.#path.slice(this.#path.lastIndexOf("/") + 1));
  }

  qualifier(name: string): string | undefined {
    if (this.#query === undefined) return undefined;
    let value: string | undefined;
    for (const pair of this.#query.split("&")) {
      const equals = pair.indexOf("=");
      if (equals === name.length && pair.slice(0, equals).toLowerCase() === name)
        value = decoded(pair.slice(equals + 1).replaceAll("+", " "))?.trim() || value;
    }
    return value;
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
    const [type, namespace] = written(purl);
    const fold = FOLDED.has(type);
    this.type = type;
    this.namespace = foldNamespace(type, fold ? namespace.toLowerCase() : namespace);
    this.name = foldPackage(type, fold ? purl.name.toLowerCase() : purl.name);
    this.version = purl.version || undefined;
    this.#qualifiers = purl.qualifiers ?? {};
    this.key = keyOf(this);
  }

  qualifier(name: string): string | undefined {
    return this.#qualifiers[name];
  }
}

const decoded = (text: string | undefined): string | undefined =>
  text?.includes("%") ? decodeURIComponent(text) : text;
/** Only an encoded character can be white space. */
const versionIn = (text: string | undefined): string | undefined =>
  text?.includes("%") ? decodeURIComponent(text).trim() || undefined : text;

/** Before apk had a type of its own, generators wrote `pkg:alpine/musl`. */
function written({ type, namespace }: PackageURL): readonly [type: string, namespace: string] {
  return type === "alpine" && !namespace ? ["apk", "alpine"] : [type, namespace ?? ""];
}

/** rpm's namespace is a vendor and compares without case, its name does not. */
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
  // A software identification tag has no name that anybody else may not use: its tag is its identity.
  const tag = purl.type === "swid" ? purl.qualifier("tag_id") : undefined;
  return tag === undefined ? `${purl.type}/${path}` : `${purl.type}/${path}?tag_id=${tag}`;
}
