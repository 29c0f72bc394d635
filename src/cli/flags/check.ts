/** The flags of `check`, and those that other commands share with it. Fields of the policy are in `policy/fields.ts`. */
import { POLICY_FIELDS, policyFieldNames } from "../../policy/fields.ts";
import { CONFIG_FLAGS, fieldFlag, fieldFlags, type Flag, POLICY, setting } from "../../shell/flag.ts";

export const INPUT = "Input:";
const OUTPUT = "Output:";
const CATALOGUE = "Catalogue:";
const COMPARE = "Over time:";
const MANY = "Many documents:";
const HOSTED = "Hosted service:";
const SUPPORT_LEVELS = "Support levels:";

/** What `check` reads besides the targets that are named. */
export const INPUT_FLAGS: readonly Flag[] = [
  fieldFlag("exclude", INPUT),
  setting(
    INPUT,
    "--github <target>",
    "check OWNER/REPO, OWNER/REPO@REF or all repositories of OWNER through GitHub's API (token: GITHUB_TOKEN)",
  ),
  setting(INPUT, "--stack <pairs>", "check a list of products: nodejs:18,python:3.11"),
  setting(
    INPUT,
    "--image <image>",
    "check a container image: NAME:TAG in a registry, oci:FOLDER, oci-archive:FILE, docker-archive:FILE or docker-daemon:NAME",
    { repeat: true },
  ),
  setting(
    INPUT,
    "--rootfs <folder>",
    "check the root file system in a folder: a chroot, an unpacked image, or / of this machine",
    { repeat: true },
  ),
];

/** How an image is read. Without an image they have no effect. */
export const IMAGE_OPTION_FLAGS: readonly Flag[] = [
  setting(
    INPUT,
    "--platform <platform>",
    "platform to check if the image has several, such as linux/arm64 (default: Linux on this machine's processor)",
  ),
  setting(
    INPUT,
    "--image-key <file>",
    "read only attached SBOMs that are signed with this public key (PEM, Ed25519 or ECDSA P-256); repeat for more",
    { repeat: true },
  ),
  setting(INPUT, "--insecure-registry <host>", "accept this registry without TLS; loopback addresses need no flag", {
    repeat: true,
  }),
];

/** Flags of commands about a single subject: without a document there is no scope, licence or coverage. */
export const OUTCOME_FLAGS: readonly Flag[] = [
  ...fieldFlags(["failOn", "warnDays", "support"], POLICY),
  ...CONFIG_FLAGS,
];

const SIGNALS_FLAG = fieldFlag("signals", SUPPORT_LEVELS);
const POLICY_KEYS = policyFieldNames().filter((key) => !("fileOnly" in POLICY_FIELDS[key]) && key !== "signals");

/** The policy as flags, without the fields that only the configuration file has. */
export const POLICY_FLAGS: readonly Flag[] = [...fieldFlags(POLICY_KEYS, POLICY), ...CONFIG_FLAGS, SIGNALS_FLAG];

export const AS_OF_FLAG: Flag = fieldFlag("asOf", POLICY);

export const CATALOGUE_FLAG: Flag = fieldFlag("catalogue", CATALOGUE);
export const CATALOGUE_FLAGS: readonly Flag[] = [
  CATALOGUE_FLAG,
  setting(
    CATALOGUE,
    "--own-catalogue <file>",
    "your own products, release cycles, dates, package URLs and contracts, merged over the catalogue (default: eolgate.catalogue.yaml)",
  ),
];

const UPDATE_FLAG = setting(
  CATALOGUE,
  "--update [mode]",
  "read the catalogue channel first, at most once a day; if it does not answer, use the current catalogue; try: also without a channel",
  { choices: ["true", "false", "try"] },
);

const KNOWN_AT_FLAG = setting(
  CATALOGUE,
  "--known-at <day-or-digest>",
  "use the catalogue that was valid on this day, or has this digest (sha256:…); --update reads it from the channel",
);

export const OUTPUT_FLAG: Flag = {
  flags: "-o, --output <file>",
  summary: "write to this file instead of standard output",
  group: OUTPUT,
};

/** A choice of formats, the first of which is the default. */
export function formatFlag(choices: readonly [string, ...string[]], short = ""): Flag {
  const [standard, ...others] = choices;
  const further = others.join(", ").replace(/, ([^,]*)$/, " or $1");
  return {
    flags: `${short}--format <format>`,
    summary: `${standard} (default)${others.length > 1 ? ", " : " or "}${further}`,
    env: true,
    choices,
    group: OUTPUT,
  };
}

export const TEXT_OR_JSON_FLAGS: readonly Flag[] = [formatFlag(["text", "json"]), OUTPUT_FLAG];

const REPORT_FLAGS: readonly Flag[] = [
  fieldFlag("format", OUTPUT),
  OUTPUT_FLAG,
  ...fieldFlags(["report", "groupBy"], OUTPUT),
  setting(OUTPUT, "--only <outcome>", "list only rows with this outcome: fail or warn", {
    choices: ["fail", "warn"],
    repeat: true,
  }),
  setting(OUTPUT, "--top <rows>", "list at most this many rows in a table (default: 25; 0 for all)"),
  setting(OUTPUT, "--sort <order>", "order of the rows: risk (default), end, name or count", {
    choices: ["risk", "end", "name", "count"],
  }),
  setting(OUTPUT, "-q, --quiet", "print only the verdict"),
  fieldFlag("verbose", OUTPUT),
];

const LABEL_FLAG = setting(
  MANY,
  "--label <name=value>",
  "state this of each document in json, ndjson and csv reports: team=payments; {1} is the first folder of its path, {-1} the last one",
  { repeat: true },
);

const ATTEST_KEY_FLAG = setting(
  OUTPUT,
  "--attest-key <file>",
  "sign the in-toto statements that are written with this private key (PEM, Ed25519 or ECDSA P-256)",
  { env: "EOLGATE_ATTEST_KEY_FILE" },
);

/** Flags of a run over many documents, see docs/fleet.md. */
const FLEET_FLAGS: readonly Flag[] = [
  LABEL_FLAG,
  setting(MANY, "--jobs <number>", "documents to check at the same time (default: the number of cores)"),
  setting(MANY, "--shard <part>", "check only this part of the documents: 2/8 is the second of eight"),
];

export const API_FLAG = setting(
  HOSTED,
  "--api <url>",
  "ask this service instead of the local catalogue (key: EOLGATE_API_KEY)",
);
export const SEND_SBOM_FLAG = setting(
  HOSTED,
  "--send-sbom",
  "with --api: send the whole document, not only slugs and versions",
);

export const CHECK_FLAGS: readonly Flag[] = [
  ...INPUT_FLAGS,
  ...IMAGE_OPTION_FLAGS,
  ...POLICY_FLAGS,
  AS_OF_FLAG,
  ...CATALOGUE_FLAGS,
  UPDATE_FLAG,
  KNOWN_AT_FLAG,
  ...REPORT_FLAGS,
  ATTEST_KEY_FLAG,
  ...fieldFlags(["baseline", "forecast"], COMPARE),
  ...FLEET_FLAGS,
  API_FLAG,
  SEND_SBOM_FLAG,
];

export const LOOK_UP_FLAGS: readonly Flag[] = [AS_OF_FLAG, ...CATALOGUE_FLAGS, API_FLAG, ...TEXT_OR_JSON_FLAGS];

export const VERIFY_STATEMENT_FLAGS: readonly Flag[] = [
  {
    flags: "--key <file>",
    summary: "public key of whoever signed it (PEM, Ed25519 or ECDSA P-256); repeat for more",
    repeat: true,
  },
  { flags: "--subject <file-or-digest>", summary: "the artefact that the verdict must be about: a file, or sha256:…" },
  AS_OF_FLAG,
  ...TEXT_OR_JSON_FLAGS,
];

export const DRY_RUN_FLAG: Flag = { flags: "--dry-run", summary: "write nothing" };
const ENRICHMENT = "Enrichment:";

export const ENRICH_FLAGS: readonly Flag[] = [
  { flags: "--in-place", summary: "replace the document with the enriched one, atomically", group: ENRICHMENT },
  {
    flags: "--remove",
    summary: "remove the properties that eolgate added, and restore the document",
    group: ENRICHMENT,
  },
  { ...DRY_RUN_FLAG, group: ENRICHMENT },
  { flags: "--diff", summary: "print what changes instead of the document", group: ENRICHMENT },
  {
    flags: "--properties <names>",
    summary: "lifecycle (default), cdx (registered milestone names) or both",
    choices: ["lifecycle", "cdx", "both"],
    group: ENRICHMENT,
  },
  {
    flags: "--break-signature",
    summary: "edit a signed document, which invalidates its signature",
    group: ENRICHMENT,
  },
  { flags: "--validate", summary: "check the result against the official schema (CycloneDX)", group: ENRICHMENT },
  ...POLICY_FLAGS,
  AS_OF_FLAG,
  ...CATALOGUE_FLAGS,
  OUTPUT_FLAG,
  API_FLAG,
];

export const FIX_FLAGS: readonly Flag[] = [
  { flags: "--write", summary: "change the files; without it, the changes are printed as a diff" },
  fieldFlag("exclude", INPUT),
  ...OUTCOME_FLAGS,
  AS_OF_FLAG,
  ...CATALOGUE_FLAGS,
];

const CONFIG_TO_WRITE: Flag = {
  flags: "--config <file>",
  summary:
    "the file to write (default: the configuration file here or in a parent directory, otherwise eolgate.config.yaml)",
  env: true,
};

export const WAIVE_FLAGS: readonly Flag[] = [
  { flags: "--reason <text>", summary: "reason for accepting it (required)" },
  { flags: "--expires <when>", summary: "expiry date, YYYY-MM-DD, or a period from today: 90d, 6m (required)" },
  { flags: "--approved-by <name>", summary: "person who accepted it" },
  CONFIG_TO_WRITE,
  AS_OF_FLAG,
  ...CATALOGUE_FLAGS,
];
