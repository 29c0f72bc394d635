/** The parts of a package URL, and the rules of types that packageurl-js 2.0 does not implement (`types/*-definition.json`). */
import type { PackageURL } from "packageurl-js";
import { getOwn } from "../../text/values.ts";

/** The parts of a purl that the purl map and the version rules need. */
export interface PurlKey {
  readonly kind: "purl";
  /** `type/namespace/name`, normalized; images of registries other than Docker Hub end in `?repository_url=…`. */
  readonly key: string;
  readonly type: string;
  /** In lower case if names of the type are compared without case; empty if absent. */
  readonly namespace: string;
  readonly name: string;
  /** Percent-decoded. */
  readonly version: string | undefined;
  /** Percent-decoded value of a qualifier, by lower-case name; empty ones are absent. */
  qualifier(name: string): string | undefined;
}

/** Text that is not a purl. */
export interface InvalidPurl {
  readonly kind: "invalid";
  /** What is wrong, as a phrase for messages. */
  readonly why: string;
}

interface TypeRule {
  readonly lower?: true;
  readonly namespace?: "required" | "none";
  readonly name?: RegExp;
  readonly version?: RegExp;
  /** A required qualifier. */
  readonly qualifier?: string;
}

const TYPE_RULES: Readonly<Record<string, TypeRule>> = {
  brew: { lower: true },
  "chrome-extension": { name: /^[a-p]{32}$/, version: /^\d+(?:\.\d+){0,3}$/ },
  // The name of a distribution, not of a module: LWP::UserAgent is in libwww-perl.
  cpan: { name: /^(?!.*::)/ },
  julia: { qualifier: "uuid" },
  otp: { namespace: "none" },
  vcpkg: { namespace: "none" },
  "vscode-extension": { namespace: "required" },
};

/** Checks and normalizes a purl by the rules of its type; returns a text that states what is wrong if it is invalid. */
export function checkType(purl: PackageURL): PackageURL | string {
  if (purl.type === "git") return splitGit(purl);
  // Only npm scopes start with an at sign; elsewhere the name is missing.
  if (purl.type !== "npm" && !purl.namespace && purl.name.startsWith("@")) return "the name is empty";
  const rule = getOwn(TYPE_RULES, purl.type);
  if (rule === undefined) return purl;
  const violation = violationOf(purl, rule);
  if (violation !== undefined) return violation;
  if (rule.lower) {
    purl.name = purl.name.toLowerCase();
    purl.namespace = purl.namespace?.toLowerCase();
  }
  return purl;
}

function violationOf({ type, namespace, name, version, qualifiers }: PackageURL, rule: TypeRule): string | undefined {
  const violations: readonly (readonly [fails: boolean, why: string])[] = [
    [rule.namespace === "required" && !namespace, `${type} needs a namespace`],
    [rule.namespace === "none" && Boolean(namespace), `${type} has no namespaces`],
    [rule.name?.test(name) === false, `${type} does not allow this name`],
    [Boolean(version) && rule.version?.test(version ?? "") === false, `${type} does not allow this version`],
    [rule.qualifier !== undefined && !qualifiers?.[rule.qualifier], `${type} needs ${rule.qualifier}`],
  ];
  return violations.find(([fails]) => fails)?.[1];
}

/** A Git address: the host is the namespace, the complete path the name. */
function splitGit(purl: PackageURL): PackageURL {
  const [host = "", ...path] = purl.namespace?.split("/") ?? [];
  purl.namespace = host.toLowerCase();
  purl.name = [...path, purl.name].join("/").toLowerCase();
  return purl;
}
