/** Converts packages as osv-scanner names them (OSV schema, "Defined Ecosystems") to package URLs. */
import { getOwn, percentEncode } from "../text/values.ts";

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
