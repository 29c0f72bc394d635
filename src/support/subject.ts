/**
 * Decides which components sources may be asked about, and which text is sent for each: a bare purl of a public type.
 */
import { percentEncode } from "../text/values.ts";
import { type PurlKey, purlKey } from "../resolve/purl/key.ts";
import type { Component, UnknownReason } from "../model/index.ts";

/** One version of a package of a public registry. */
export interface PackageSubject {
  /** `pkg:type/namespace/name@version`: no qualifiers, no subpath, encoded. The key of caches and answers. */
  readonly purl: string;
  readonly type: string;
  /** As the registry names it: with its scope, group or vendor before a slash. */
  readonly path: string;
  readonly version: string;
}

/** Package types with a public registry that a source covers, and the hosts of that registry. */
const PUBLIC_TYPES: Readonly<Record<string, RegExp>> = {
  cargo: /^(?:(?:index\.|static\.)?crates\.io)$/,
  composer: /^(?:repo\.)?packagist\.org$/,
  gem: /^(?:index\.)?rubygems\.org$/,
  golang: /^proxy\.golang\.org$/,
  maven: /^(?:repo1?\.maven\.(?:apache\.)?org|central\.sonatype\.com)$/,
  npm: /^(?:registry\.npmjs\.org|www\.npmjs\.com)$/,
  nuget: /^(?:api|www)\.nuget\.org$/,
  pypi: /^(?:pypi\.org|pypi\.python\.org|files\.pythonhosted\.org)$/,
};
/** A package that is built from a repository on another host may be private. */
const PUBLIC_REPOSITORIES = /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|go\.googlesource\.com)$/;
const LOCATIONS = ["repository_url", "download_url", "registry_url"] as const;
/** A range, a path or a placeholder is not a version that a registry knows. */
const VERSION = /^[0-9A-Za-z][0-9A-Za-z.+_~!-]*$/;
const MAX_PATH_LENGTH = 500;

/** Returns the package to ask sources about, or why none is asked. */
export function packageSubject(component: Component, isPrivate: PrivateMatcher): PackageSubject | UnknownReason {
  if (component.kind === "root" || component.kind === "file" || component.kind === "data") return "not-a-package";
  const subjects = component.purls.map((purl) => purlSubject(purl, isPrivate));
  // With several purls, a single private one prevents all of them from being sent.
  if (subjects.includes("private")) return "private";
  return subjects.find((each) => typeof each === "object") ?? subjects[0] ?? "no-purl";
}

/** Most purls of npm: no qualifiers, nothing encoded but the `@` of the scope, and no segment of dots. */
const PLAIN_NPM = /^pkg:npm\/(?:(?:%40|@)(\w[\w.-]*)\/)?(\w[\w.-]*)@(\d[\w.-]*)$/;

/** Returns the package that a package URL names, or why no source is asked about it. */
function purlSubject(text: string, isPrivate: PrivateMatcher): PackageSubject | UnknownReason {
  const plain = text.length <= MAX_PATH_LENGTH ? PLAIN_NPM.exec(text) : null;
  if (plain === null) return otherSubject(text, isPrivate);
  const [, scope, name = "", version = ""] = plain;
  const path = scope === undefined ? name : `@${scope}/${name}`;
  if (isPrivate(`pkg:npm/${path}`)) return "private";
  return { purl: `pkg:npm/${path.replace("@", "%40")}@${version}`, type: "npm", path, version };
}

function otherSubject(text: string, isPrivate: PrivateMatcher): PackageSubject | UnknownReason {
  const parsed = purlKey(text);
  if (parsed.kind === "invalid") return "purl-invalid";
  const { type } = parsed;
  if (!Object.hasOwn(PUBLIC_TYPES, type)) return "type-without-source";
  const path = type === "pypi" ? parsed.name : writtenPath(type, text);
  if (isPrivate(`pkg:${type}/${path}`)) return "private";
  return isElsewhere(parsed, path) ? "other-registry" : versionOf(parsed, path);
}

function versionOf({ type, version }: PurlKey, path: string): PackageSubject | UnknownReason {
  if (version === undefined) return "no-version";
  if (!VERSION.test(version) || !isPlainPath(path)) return "purl-invalid";
  const asked = type === "golang" ? moduleVersion(version) : version;
  return { purl: `pkg:${type}/${encodedPath(path)}@${percentEncode(asked)}`, type, path, version: asked };
}

/**
 * Namespace and name in the document's own case. Purls of npm, Go and NuGet are compared without case, but their
 * registries distinguish case: `JSONStream` and `jsonstream` are two npm packages.
 */
function writtenPath(type: string, text: string): string {
  const bare = text
    .trim()
    .replace(/[?#].*$/s, "")
    .replace(/^pkg:\/*[^/]*\//i, "")
    .replace(/\/+$/, "");
  const at = bare.lastIndexOf("@");
  const path = at > bare.lastIndexOf("/") + 1 ? bare.slice(0, at) : bare;
  const written = path.split("/").filter(Boolean).map(decodeURIComponent).join("/");
  // A scope without its @: npm has no other namespace.
  return type === "npm" && written.includes("/") && !written.startsWith("@") ? `@${written}` : written;
}

/** Paths without a dot in their first element are reserved for the standard library and for local modules. */
const isPublicModule = (path: string): boolean => /^[^/]*\./.test(path) && path.includes("/");

/** Some generators drop the `v` that every Go version starts with. */
const moduleVersion = (version: string): string => (/^\d+\.\d+\.\d+/.test(version) ? `v${version}` : version);

function isElsewhere(purl: PurlKey, path: string): boolean {
  const hosts = PUBLIC_TYPES[purl.type] ?? /^$/;
  return (
    (purl.type === "golang" && !isPublicModule(path)) ||
    LOCATIONS.some((name) => isOtherHost(purl.qualifier(name), hosts)) ||
    isOtherHost(purl.qualifier("vcs_url"), PUBLIC_REPOSITORIES)
  );
}

function isOtherHost(location: string | undefined, hosts: RegExp): boolean {
  if (location === undefined) return false;
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?([^/:?#]+)/i.exec(location)?.[1];
  return host === undefined || !hosts.test(host.toLowerCase());
}

/** Segments that URLs remove (`.`, `..`) and characters that no registry allows are never sent. */
const isPlainPath = (path: string): boolean =>
  path.length <= MAX_PATH_LENGTH &&
  /^[\x21-\x7e]+$/.test(path) &&
  !path.split("/").some((part) => /^\.{0,2}$/.test(part));

/** Encode each segment of a package path for a URL. */
export const encodedPath = (path: string): string => path.split("/").map(percentEncode).join("/");

export type PrivateMatcher = (packagePath: string) => boolean;

/**
 * Compile patterns such as `pkg:npm/@acme/*`, `pkg:maven/com.acme*` or `pkg:golang/git.example.com`. `*` matches any
 * run of characters, slashes included. A pattern also covers everything below it. Case and percent-encoding do not
 * count, so that no spelling of a private name is sent.
 */
export function compilePrivatePatterns(patterns: readonly string[]): PrivateMatcher {
  if (patterns.length === 0) return () => false;
  const source = patterns.map((pattern) => patternSource(normalize(pattern))).join("|");
  const regex = new RegExp(`^(?:${source})(?:/.*)?$`, "s");
  return (packagePath) => regex.test(normalize(packagePath));
}

/** Returns what is wrong with a pattern; undefined for a valid one. */
export function privatePatternProblem(pattern: string): string | undefined {
  if (!pattern.startsWith("pkg:")) return 'a pattern starts with "pkg:" and a type, for example pkg:npm/@acme/*';
  if (!/^pkg:[a-z*][a-z0-9.+*-]*(?:\/@?[^\s@?#/]+)+\/?$/i.test(pattern))
    return "a pattern is a package URL without version, qualifiers or subpath";
  return undefined;
}

function normalize(text: string): string {
  const decoded = decode(text).normalize("NFKC").toLowerCase().replace(/\/+$/, "");
  // https://packaging.python.org/en/latest/specifications/name-normalization/
  return decoded.startsWith("pkg:pypi/") ? decoded.replaceAll(/[-_.]+/g, "-") : decoded;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const patternSource = (pattern: string): string =>
  pattern
    .split("*")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
