/** Why a document is refused, in words that name what it is instead. */
import { EolgateError } from "../errors.ts";
import type { SbomFormat } from "../model.ts";
import { CLOSE_OBJECT, OPEN_OBJECT, Scanner } from "../../bytes/scanner.ts";
import type { Opened } from "./unwrap.ts";

interface PrivateFormat {
  readonly name: string;
  /** Members that only this format has together. */
  readonly keys: readonly string[];
  readonly hint: string;
}

const ASK_GENERATOR = "Hand over an SBOM in CycloneDX or SPDX JSON instead.";
const PRIVATE_FORMATS: readonly PrivateFormat[] = [
  { name: "syft-json", keys: ["artifacts", "descriptor"], hint: "Convert it: syft convert FILE -o cyclonedx-json" },
  {
    name: "syft-json",
    keys: ["artifacts", "artifactRelationships"],
    hint: "Convert it: syft convert FILE -o cyclonedx-json",
  },
  { name: "syft-json", keys: ["artifacts", "source", "distro"], hint: "Make it again with: syft … -o cyclonedx-json" },
  {
    name: "a Trivy report",
    keys: ["SchemaVersion", "ArtifactName"],
    hint: "Make it again with: trivy … --format cyclonedx",
  },
  { name: "a Grype report", keys: ["matches", "descriptor"], hint: ASK_GENERATOR },
  { name: "an npm lock file", keys: ["lockfileVersion"], hint: "Make an SBOM of it: npm sbom --sbom-format cyclonedx" },
  { name: "a composer lock file", keys: ["content-hash", "packages"], hint: ASK_GENERATOR },
  { name: "a GitHub dependency snapshot", keys: ["manifests", "detector"], hint: ASK_GENERATOR },
  { name: "a Snyk dependency graph", keys: ["pkgManager", "pkgs"], hint: ASK_GENERATOR },
  { name: "a SARIF log", keys: ["runs", "version"], hint: ASK_GENERATOR },
  { name: "an OpenVEX document", keys: ["@context", "statements"], hint: ASK_GENERATOR },
  { name: "a CSAF document", keys: ["document", "vulnerabilities"], hint: ASK_GENERATOR },
];

/** JSON, but no SBOM: named where it is known. */
export function noSbom({ bytes, at }: Pick<Opened, "bytes" | "at">): EolgateError {
  const keys = topLevelKeys(bytes, at);
  const known = PRIVATE_FORMATS.find((format) => format.keys.every((key) => keys?.has(key)));
  if (known !== undefined) {
    return EolgateError.raw("input", {
      code: "private-format",
      message: `the document is ${known.name}, a format of its own and no SBOM in CycloneDX or SPDX`,
      hint: known.hint,
      facts: { format: known.name },
    });
  }
  return EolgateError.raw("input", {
    code: "not-sbom",
    message: `the document is JSON but no SBOM: ${lacking(keys)}`,
    hint: "CycloneDX JSON has bomFormat, SPDX 2 JSON has spdxVersion, SPDX 3 JSON has an spdx.org @context.",
  });
}

function lacking(keys: ReadonlySet<string> | undefined): string {
  if (keys === undefined) return "it is not an object";
  if (keys.has("bomFormat")) return 'its bomFormat is not "CycloneDX"';
  if (keys.has("@context") || keys.has("@graph")) return "its @context is not that of SPDX 3";
  return "it has neither bomFormat nor spdxVersion nor an SPDX 3 @context";
}

function topLevelKeys(bytes: Uint8Array, at: number): ReadonlySet<string> | undefined {
  const scanner = new Scanner(bytes, at);
  if (!scanner.take(OPEN_OBJECT)) return undefined;
  const keys = new Set<string>();
  for (let more = !scanner.take(CLOSE_OBJECT); more && keys.size < 1000; more = scanner.more(CLOSE_OBJECT)) {
    scanner.key();
    keys.add(scanner.text());
    scanner.skip();
  }
  return keys;
}

/** The version that the document names, if it is one of those that are read. */
export function requireVersion(
  format: SbomFormat,
  version: string | undefined,
  supported: readonly string[],
  { pointer }: Pick<Opened, "pointer">,
): string {
  if (version !== undefined && supported.includes(version)) return version;
  const member = `${pointer}/${format === "CycloneDX" ? "specVersion" : "spdxVersion"}`;
  throw unsupportedVersion(format, version, supported, member);
}

export function unsupportedVersion(
  format: SbomFormat,
  version: string | undefined,
  supported: readonly string[],
  where: string,
  encoding: "JSON" | "XML" | "tag-value" = "JSON",
): EolgateError {
  const range = supported.length === 1 ? supported.join("") : `${supported[0]} to ${supported.at(-1)}`;
  return EolgateError.raw("input", {
    code: "unsupported-version",
    message:
      version === undefined
        ? `the ${format} document does not name its version`
        : `${format} version ${JSON.stringify(version.slice(0, 40))} is not supported`,
    where,
    hint: `${format} ${encoding} ${range} can be read.`,
    facts: { format, ...(version === undefined ? {} : { version }) },
  });
}

/** Known, but no form that is read. */
export function unsupportedFormat(name: string, hint: string): EolgateError {
  return EolgateError.raw("input", {
    code: "unsupported-format",
    message: `the document is ${name}, which is not supported`,
    hint,
    facts: { format: name },
  });
}
