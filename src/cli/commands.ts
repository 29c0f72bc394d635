/** The table of commands. `program.ts` builds the parser from it, `completion` its scripts, `docs/reference.md` is generated from it. */
import {
  CHECK_UPDATE_FLAG,
  DIFF_FLAGS,
  EXPORT_FLAGS,
  IMPORT_FLAGS,
  KEY_FLAG,
  PUBLISH_FLAGS,
  UPDATE_FLAGS,
} from "./catalogue-flags.ts";
import type { CommandSpec } from "./command.ts";
import { COMPARE_COMMANDS } from "./compare-commands.ts";
import { COMPARE_FLAGS } from "./compare-flags.ts";
import {
  AS_OF_FLAG,
  CATALOGUE_FLAGS,
  ENRICH_FLAGS,
  HOSTED_FLAGS,
  OUTPUT_FLAG,
  POLICY_FLAGS,
  REPORT_FLAGS,
  OUTCOME_FLAGS,
  SEND_SBOM_FLAG,
  TEXT_OR_JSON_FLAGS,
} from "./flags.ts";
import { PIN_FLAGS } from "./input-flags.ts";
import { FLEET_FLAGS } from "./fleet-flags.ts";
import { IMAGE_FLAG, IMAGE_OPTION_FLAGS } from "./image-flags.ts";
import { SERVE_COMMANDS } from "./serve-commands.ts";
import { SITE_COMMANDS } from "./site-commands.ts";
import { SIGNALS_FLAGS } from "./signals-flags.ts";
import { SIGNALS_COMMANDS } from "./signals-commands.ts";
import { STORE_COMMANDS } from "./store-commands.ts";

/** Summaries of the commands that only group others. */
export const GROUPS: Readonly<Record<string, string>> = {
  catalogue: "manage the lifecycle catalogue",
  signals: "manage the cache of support signals",
  keys: "manage the API keys of a service",
  db: "manage the store of a service: schema, export, import",
  watch: "preview watch lists",
  mail: "manage dead letters of a service",
  site: "write the service as a static site",
};

const LOOK_UP = [AS_OF_FLAG, ...CATALOGUE_FLAGS, ...HOSTED_FLAGS, ...TEXT_OR_JSON_FLAGS];

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "check",
    arguments: "[targets...]",
    summary: "check folders, SBOMs, lockfiles, version pins and container images against the policy",
    flags: [
      ...PIN_FLAGS,
      IMAGE_FLAG,
      ...IMAGE_OPTION_FLAGS,
      ...POLICY_FLAGS,
      ...SIGNALS_FLAGS,
      AS_OF_FLAG,
      ...CATALOGUE_FLAGS,
      CHECK_UPDATE_FLAG,
      ...REPORT_FLAGS,
      ...COMPARE_FLAGS,
      ...FLEET_FLAGS,
      ...HOSTED_FLAGS,
      SEND_SBOM_FLAG,
    ],
    examples: [
      "eolgate check",
      "eolgate check bom.json services/api Dockerfile",
      "eolgate check --image debian:12 --image oci-archive:image.tar",
      "syft alpine:3.18 -o cyclonedx-json | eolgate check -",
      "eolgate check . --exclude test/fixtures --stack nodejs:18,python:3.11",
      "eolgate check --github OWNER/REPO",
      "eolgate check '**/*.cdx.json' --fail-on eol --fail-on kev --report json=report.json",
    ],
    load: () => import("./commands/check.ts"),
  },
  {
    name: "enrich",
    arguments: "[files...]",
    summary: "add lifecycle properties to SBOMs without changing anything else, or remove them",
    flags: [
      ...ENRICH_FLAGS,
      ...POLICY_FLAGS,
      ...SIGNALS_FLAGS,
      AS_OF_FLAG,
      ...CATALOGUE_FLAGS,
      OUTPUT_FLAG,
      ...HOSTED_FLAGS,
    ],
    examples: [
      "eolgate enrich bom.json -o bom.enriched.json",
      "eolgate enrich '**/*.cdx.json' --in-place",
      "eolgate enrich bom.json --diff --dry-run",
      "eolgate enrich bom.json --in-place --remove",
    ],
    load: () => import("./commands/enrich.ts"),
  },
  {
    name: "explain",
    arguments: "<subject>",
    summary: "explain the result for a purl, name@version or slug:version, with its sources",
    flags: [...OUTCOME_FLAGS, AS_OF_FLAG, ...CATALOGUE_FLAGS, ...TEXT_OR_JSON_FLAGS],
    examples: ["eolgate explain pkg:npm/%40angular/core@14.2.0", "eolgate explain debian:11"],
    load: () => import("./commands/explain.ts"),
  },
  ...COMPARE_COMMANDS,
  {
    name: "score",
    arguments: "<slug> [version]",
    summary: "print the risk score of a release cycle, or of the riskiest cycle of a product",
    flags: LOOK_UP,
    examples: ["eolgate score nodejs 18.20.4"],
    load: () => import("./commands/score.ts"),
  },
  {
    name: "status",
    arguments: "<slug> <version>",
    summary: "print whether a release cycle is supported",
    flags: LOOK_UP,
    examples: ["eolgate status python 3.9"],
    load: () => import("./commands/status.ts"),
  },
  {
    name: "product",
    arguments: "<slug>",
    summary: "list the release cycles of a product",
    flags: LOOK_UP,
    load: () => import("./commands/product.ts"),
  },
  {
    name: "products",
    arguments: "[search]",
    summary: "list the tracked products, or those whose name or slug contains the text",
    flags: LOOK_UP,
    load: () => import("./commands/products.ts"),
  },
  {
    name: "batch",
    arguments: "[lines...]",
    summary: "print the scores of many slug:version pairs or purls, from arguments or a file (- for standard input)",
    flags: [{ flags: "--from <file>", summary: "read the list from this file, one per line", file: true }, ...LOOK_UP],
    examples: ["eolgate batch nodejs:18 python:3.9", "eolgate batch --from stack.txt --format json"],
    load: () => import("./commands/batch.ts"),
  },
  {
    name: "catalogue info",
    summary: "print which catalogue is in use, its age and its counts",
    flags: [...CATALOGUE_FLAGS.slice(0, 1), ...TEXT_OR_JSON_FLAGS],
    load: () => import("./commands/catalogue/info.ts"),
  },
  {
    name: "catalogue update",
    summary: "replace the catalogue from its channel, another server, a file, or the vendors' sources",
    flags: [...UPDATE_FLAGS, ...CATALOGUE_FLAGS.slice(0, 1), ...TEXT_OR_JSON_FLAGS],
    examples: [
      "eolgate catalogue update",
      "eolgate catalogue update --from-sources",
      "eolgate catalogue update --from https://eol.example.com --key publisher.pem",
    ],
    load: () => import("./commands/catalogue/update.ts"),
  },
  {
    name: "catalogue publish",
    arguments: "<dir>",
    summary: "write the catalogue as a signed channel for a static host",
    flags: [...PUBLISH_FLAGS, ...CATALOGUE_FLAGS.slice(0, 1), ...TEXT_OR_JSON_FLAGS],
    examples: ["eolgate catalogue publish public --sign-key key.pem"],
    load: async () => (await import("../pipeline/index.ts")).loadPublish(),
  },
  {
    name: "catalogue verify",
    arguments: "[file-or-product]",
    summary: "verify the digest and signature of a catalogue, or show what it states about a product",
    flags: [KEY_FLAG, ...CATALOGUE_FLAGS.slice(0, 1), ...TEXT_OR_JSON_FLAGS],
    examples: ["eolgate catalogue verify nodejs"],
    load: () => import("./commands/catalogue/verify.ts"),
  },
  {
    name: "catalogue diff",
    arguments: "<old> <new>",
    summary: "compare two catalogues: added cycles, moved dates and changed statuses",
    flags: DIFF_FLAGS,
    examples: ["eolgate catalogue diff old.json new.json --format markdown"],
    load: () => import("./commands/catalogue/diff.ts"),
  },
  {
    name: "catalogue export",
    summary: "write the catalogue, optionally signed or in the CLE or OpenEoX format",
    flags: [...EXPORT_FLAGS, ...CATALOGUE_FLAGS.slice(0, 1)],
    examples: ["eolgate catalogue export -o catalogue.json", "eolgate catalogue export --format cle --product nodejs"],
    load: () => import("./commands/catalogue/export.ts"),
  },
  {
    name: "catalogue import",
    arguments: "<file>",
    summary: "install an exported catalogue",
    flags: [...IMPORT_FLAGS, ...CATALOGUE_FLAGS.slice(0, 1), ...TEXT_OR_JSON_FLAGS],
    load: () => import("./commands/catalogue/import.ts"),
  },
  ...SIGNALS_COMMANDS,
  ...SERVE_COMMANDS,
  ...SITE_COMMANDS,
  {
    name: "doctor",
    summary: "print versions, the effective configuration and the state of the catalogue, for support questions",
    flags: [
      { flags: "--network", summary: "also check whether the catalogue channel answers" },
      { flags: "--service <url>", summary: "also check whether the service at this address is ready (health checks)" },
      ...POLICY_FLAGS.filter(({ flags }) => flags.startsWith("--config")),
      ...CATALOGUE_FLAGS.slice(0, 1),
      KEY_FLAG,
      ...TEXT_OR_JSON_FLAGS,
    ],
    examples: ["eolgate doctor", "eolgate doctor --network --format json"],
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "completion",
    arguments: "<shell>",
    summary: "print the completion script for bash, zsh or fish",
    flags: [],
    examples: ["eolgate completion bash > /etc/bash_completion.d/eolgate"],
    // The script is generated from this table, which is passed in because the command must not import it.
    load: async () => (await import("./commands/completion.ts")).completion(COMMANDS, GROUPS),
  },
  ...STORE_COMMANDS,
];
