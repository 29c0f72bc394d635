/**
 * The ignore files of other scanners, as waivers. A waiver accepts the end of life of a release cycle. A rule that
 * accepts one vulnerability does not, so most rules cannot be converted; each of these is reported with its reason.
 * Files: osv-scanner's `osv-scanner.toml`, Trivy's `.trivyignore` and `.trivyignore.yaml`, xeol's `.xeol.yaml`.
 */
import { EolgateError } from "../messages/error.ts";
import { type IsoDate, isIsoDate } from "../text/ids.ts";
import type { Waiver } from "../model/index.ts";
import { purlKey } from "../resolve/purl/key.ts";
import { getOwn, isRecord, percentEncode } from "../text/values.ts";

export type IgnoreFormat = "osv-scanner" | "trivyignore" | "trivyignore-yaml" | "xeol";

export interface IgnoreImportOptions {
  /** Name of the file, for the reasons. */
  readonly file: string;
  readonly asOf: IsoDate;
  /** The expiry date of waivers whose rule has none: every waiver must have one. */
  readonly expires: IsoDate;
}

export interface RefusedRule {
  /** Its location: `PackageOverrides[2]`, `line 4`, `vulnerabilities[0]`. */
  readonly where: string;
  /** The rule as the file writes it. */
  readonly rule: string;
  readonly why: string;
}

export interface ImportedIgnores {
  readonly waivers: readonly Waiver[];
  readonly refused: readonly RefusedRule[];
}

/** The format by the file's name: each tool reads its file under a fixed name. Undefined for other names. */
export function ignoreFormatOf(file: string): IgnoreFormat | undefined {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).toLowerCase();
  if (/osv-scanner.*\.toml$/.test(name)) return "osv-scanner";
  if (/^\.?trivyignore\.ya?ml$/.test(name)) return "trivyignore-yaml";
  if (/^\.?trivyignore$/.test(name)) return "trivyignore";
  return /^\.?xeol\.ya?ml$/.test(name) ? "xeol" : undefined;
}

/**
 * Converts the rules of an ignore file to waivers. `value` is the parsed file (the text itself for `trivyignore`).
 * @throws EolgateError `config` (`bad-ignore-file`) when the file does not have the structure that its tool reads
 */
export function importIgnores(format: IgnoreFormat, value: unknown, options: IgnoreImportOptions): ImportedIgnores {
  switch (format) {
    case "osv-scanner":
      return fromOsv(record(value, options), options);
    case "trivyignore":
      return { waivers: [], refused: trivyLines(String(value)) };
    case "trivyignore-yaml":
      return { waivers: [], refused: trivyEntries(record(value ?? {}, options), options) };
    case "xeol":
      return { waivers: [], refused: xeolSettings(record(value ?? {}, options)) };
  }
}

type IgnoreFields = Readonly<Record<string, unknown>>;

function record(value: unknown, options: IgnoreImportOptions): IgnoreFields {
  if (isRecord(value)) return value;
  throw badFile(options, "it must be an object of settings");
}

const badFile = ({ file }: IgnoreImportOptions, why: string): EolgateError =>
  EolgateError.of("bad-ignore-file", { problem: `the file cannot be read: ${why}` }, { where: file });

const ONE_VULNERABILITY = "accepts one vulnerability, which does not accept an end of life";

/** The entries of a list of objects, each with its path. */
function* entries(
  fields: IgnoreFields,
  key: string,
  options: IgnoreImportOptions,
): Generator<readonly [where: string, IgnoreFields]> {
  const list = fields[key];
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw badFile(options, `${key} must be a list`);
  for (const [index, entry] of list.entries()) {
    if (!isRecord(entry)) throw badFile(options, `${key}[${index}] must be an object`);
    yield [`${key}[${index}]`, entry];
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(textOf).filter(Boolean) : []);

function fromOsv(fields: IgnoreFields, options: IgnoreImportOptions): ImportedIgnores {
  const waivers: Waiver[] = [];
  const refused: RefusedRule[] = [];
  for (const [where, entry] of entries(fields, "IgnoredVulns", options))
    refused.push({ where, rule: textOf(entry["id"]), why: ONE_VULNERABILITY });
  for (const [where, entry] of entries(fields, "PackageOverrides", options)) {
    const waiver = osvWaiver(entry, options);
    if (typeof waiver === "string") refused.push({ where, rule: osvRule(entry), why: waiver });
    else waivers.push(waiver);
  }
  return { waivers, refused };
}

const osvRule = (entry: IgnoreFields): string =>
  ["ecosystem", "name", "version", "group"]
    .map((key) => textOf(entry[key]))
    .filter(Boolean)
    .join(" ") || "any package";

/** The waiver, or why the rule gives none. */
function osvWaiver(entry: IgnoreFields, options: IgnoreImportOptions): Waiver | string {
  if (entry["ignore"] !== true) return "does not ignore the whole package, only its vulnerabilities or its licence";
  if (textOf(entry["group"]) !== "")
    return "applies to a group of dependencies; --scope runtime leaves development dependencies out";
  const target = osvPurl(textOf(entry["ecosystem"]), textOf(entry["name"]), textOf(entry["version"]));
  if (target === undefined) return "does not name a single package of a known ecosystem";
  if (purlKey(target).kind === "invalid") return `is not a valid package URL: ${target}`;
  const expires = dayOf(entry["effectiveUntil"]) ?? options.expires;
  if (expires < options.asOf) return `expired on ${expires}`;
  return {
    target,
    reason: textOf(entry["reason"]) || `imported from ${options.file}, which gives no reason`,
    expires,
  };
}

/** TOML has dates of its own; YAML's parser leaves them as text. */
function dayOf(value: unknown): IsoDate | undefined {
  const written = value instanceof Date ? value.toISOString().slice(0, 10) : textOf(value).slice(0, 10);
  return isIsoDate(written) ? written : undefined;
}

function trivyLines(text: string): readonly RefusedRule[] {
  return text.split("\n").flatMap((line, index) => {
    const [rule = ""] = line.trim().split(/\s+/);
    if (rule === "" || rule.startsWith("#")) return [];
    return {
      where: `line ${index + 1}`,
      rule,
      why: "accepts one finding by its id, which does not accept an end of life",
    };
  });
}

/** The lists of `.trivyignore.yaml`, and what each of them accepts. */
const TRIVY: Readonly<Record<string, string>> = {
  vulnerabilities: ONE_VULNERABILITY,
  misconfigurations: "accepts a misconfiguration, which eolgate does not check",
  secrets: "accepts a secret, which eolgate does not check",
  licenses: "accepts a licence: leave it out of denyLicense instead",
};

function trivyEntries(fields: IgnoreFields, options: IgnoreImportOptions): readonly RefusedRule[] {
  return Object.entries(TRIVY).flatMap(([key, why]) =>
    [...entries(fields, key, options)].map(([where, entry]) => ({
      where,
      rule: [textOf(entry["id"]), ...list(entry["purls"])].join(" "),
      why,
    })),
  );
}

/** xeol has no ignore rules; these of its settings have a counterpart that people look for. */
const XEOL: Readonly<Record<string, string>> = {
  lookahead: "is not an ignore rule: warnDays (--warn-days) sets how long before an end the gate warns",
  "fail-on-eol-found": "is not an ignore rule: the gate fails on an end of life unless --exit-zero is given",
  distro: "is not an ignore rule: the distribution is read from the SBOM",
  ignore: "is not read by xeol itself",
};

const xeolSettings = (fields: IgnoreFields): readonly RefusedRule[] =>
  Object.entries(XEOL).flatMap(([key, why]) =>
    fields[key] === undefined ? [] : { where: key, rule: JSON.stringify(fields[key]) ?? key, why },
  );

/** Converts a name to the part of the purl between type and version. */
type Naming = (name: string) => string;

const encoded = (name: string): string => percentEncode(name);
/** `@scope/name`, `vendor/name`, `github.com/a/b`: slashes separate the namespace from the name. */
const path: Naming = (name) => name.split("/").map(encoded).join("/");
const maven: Naming = (name) => name.split(":").map(encoded).join("/");
const plain: Naming = encoded;
const under =
  (namespace: string): Naming =>
  (name) =>
    `${namespace}/${encoded(name)}`;

interface Ecosystem {
  readonly type: string;
  readonly naming: Naming;
  /** Versions of Go modules begin with a `v` that OSV leaves out. */
  readonly prefix?: string;
}

const ECOSYSTEMS: Readonly<Record<string, Ecosystem>> = {
  npm: { type: "npm", naming: path },
  PyPI: { type: "pypi", naming: plain },
  Go: { type: "golang", naming: path, prefix: "v" },
  Maven: { type: "maven", naming: maven },
  "crates.io": { type: "cargo", naming: plain },
  RubyGems: { type: "gem", naming: plain },
  Packagist: { type: "composer", naming: path },
  NuGet: { type: "nuget", naming: plain },
  Pub: { type: "pub", naming: plain },
  Hex: { type: "hex", naming: plain },
  Hackage: { type: "hackage", naming: plain },
  CRAN: { type: "cran", naming: plain },
  ConanCenter: { type: "conan", naming: plain },
  SwiftURL: { type: "swift", naming: path },
  "GitHub Actions": { type: "github", naming: path },
  Debian: { type: "deb", naming: under("debian") },
  Ubuntu: { type: "deb", naming: under("ubuntu") },
  Alpine: { type: "apk", naming: under("alpine") },
  Chainguard: { type: "apk", naming: under("chainguard") },
  Wolfi: { type: "apk", naming: under("wolfi") },
  "Red Hat": { type: "rpm", naming: under("redhat") },
  "Rocky Linux": { type: "rpm", naming: under("rocky-linux") },
  AlmaLinux: { type: "rpm", naming: under("almalinux") },
  SUSE: { type: "rpm", naming: under("suse") },
  openSUSE: { type: "rpm", naming: under("opensuse") },
};

/**
 * Returns the package URL of a package in an OSV ecosystem; the release in `Debian:12` is ignored. `version` may be
 * empty. Undefined for an unknown ecosystem and for an empty name.
 */
export function osvPurl(ecosystem: string, name: string, version: string): string | undefined {
  const family = ecosystem.split(":", 1)[0] ?? "";
  const known = getOwn(ECOSYSTEMS, family);
  if (known === undefined || name === "") return undefined;
  const { type, naming, prefix = "" } = known;
  const at = version === "" ? "" : `@${version.startsWith(prefix) ? "" : prefix}${encoded(version)}`;
  return `pkg:${type}/${naming(name)}${at}`;
}
