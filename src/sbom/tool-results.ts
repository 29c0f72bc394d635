/**
 * Results of other tools that list packages or findings in a form of their own. They are refused by name: the images
 * and versions that they mention are not what the project uses, and the packages that they list would not be read.
 */

export interface ToolResult {
  /** With its article, as messages name it. */
  readonly name: string;
  /** Members that only this form has together, at the top level of the whole document. */
  readonly keys: readonly string[];
  /** The beginning of such a document. Without it, the document is read under any name, as a lockfile is. */
  readonly beginning?: RegExp;
  readonly hint: string;
}

const ASK_GENERATOR = "Pass an SBOM in CycloneDX or SPDX JSON instead.";
const CONVERT_SYFT = "Convert it: syft convert FILE -o cyclonedx-json";
const SYFT = /^\s*\{\s*"artifacts"\s*:\s*\[[^]*"(?:foundBy|metadataType|layerID|artifactRelationships)"\s*:/;
const TRIVY = /^\s*(?:\{[^]*"SchemaVersion"\s*:\s*\d[^]*"Artifact(?:Name|Type)"|\[\s*\{\s*"Target"\s*:)/;

export const TOOL_RESULTS: readonly ToolResult[] = [
  { name: "syft-json", keys: ["artifacts", "descriptor"], beginning: SYFT, hint: CONVERT_SYFT },
  { name: "syft-json", keys: ["artifacts", "artifactRelationships"], beginning: SYFT, hint: CONVERT_SYFT },
  { name: "syft-json", keys: ["artifacts", "source", "distro"], beginning: SYFT, hint: CONVERT_SYFT },
  {
    name: "a Trivy report",
    keys: ["SchemaVersion", "ArtifactName"],
    beginning: TRIVY,
    hint: "Generate it again with: trivy … --format cyclonedx",
  },
  {
    name: "a Grype report",
    keys: ["matches", "descriptor"],
    beginning: /^\s*\{\s*"matches"\s*:\s*\[[^]*"(?:vulnerability|source|descriptor)"\s*:/,
    hint: ASK_GENERATOR,
  },
  {
    name: "an npm lock file",
    keys: ["lockfileVersion"],
    hint: "Generate an SBOM: npm sbom --sbom-format cyclonedx",
  },
  {
    name: "a composer lock file",
    keys: ["content-hash", "packages"],
    hint: ASK_GENERATOR,
  },
  {
    name: "a GitHub dependency snapshot",
    keys: ["manifests", "detector"],
    beginning: /^\s*\{(?=[^]*"detector"\s*:\s*\{)[^]*"(?:manifests|job)"\s*:/,
    hint: ASK_GENERATOR,
  },
  {
    name: "a Snyk dependency graph",
    keys: ["pkgManager", "pkgs"],
    beginning: /^\s*\{[^]*"pkgManager"\s*:\s*\{/,
    hint: ASK_GENERATOR,
  },
  {
    name: "a SARIF log",
    keys: ["runs", "version"],
    beginning: /^\s*\{[^]*(?:"\$schema"\s*:\s*"[^"]*sarif|"runs"\s*:\s*\[\s*\{\s*"(?:tool|results)")/i,
    hint: ASK_GENERATOR,
  },
  {
    name: "an OpenVEX document",
    keys: ["@context", "statements"],
    beginning: /^\s*\{[^]*"@context"\s*:\s*"https:\/\/openvex\.dev\//,
    hint: ASK_GENERATOR,
  },
  {
    name: "a CSAF document",
    keys: ["document", "vulnerabilities"],
    beginning: /^\s*\{[^]*"csaf_version"\s*:/,
    hint: ASK_GENERATOR,
  },
  {
    name: "a result of OSV-Scanner",
    keys: ["results", "experimental_config"],
    beginning: /^\s*\{\s*"results"\s*:\s*\[\s*\{\s*"source"\s*:\s*\{/,
    hint: ASK_GENERATOR,
  },
  {
    name: "a security report of GitLab",
    keys: ["vulnerabilities", "scan"],
    beginning: /^\s*\{(?=[^]*"vulnerabilities"\s*:\s*\[)[^]*"(?:scan|scanner|identifiers)"\s*:\s*[[{]/,
    hint: ASK_GENERATOR,
  },
  {
    name: "a report of eolgate",
    keys: ["schema_version", "tool", "as_of"],
    beginning: /^\s*\{[^]*"tool"\s*:\s*\{\s*"name"\s*:\s*"eolgate"/,
    hint: "Pass the document that was checked.",
  },
];

/** Characters that decide: the expressions are not linear in longer texts. */
const BEGINNING = 16_384;

/** The tool's result that a text begins like. */
export function toolResultOf(text: string): ToolResult | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const beginning = text.slice(0, BEGINNING);
  return TOOL_RESULTS.find((result) => result.beginning?.test(beginning) === true);
}
