/** Errors with exit code 2: of flags, arguments, settings, look-ups and output files. */
import { problems, row } from "./row.ts";

const SEARCH = "Search for it with `eolgate products TEXT` or on the start page of the service.";
const CYCLES = "List the release cycles with `eolgate product SLUG` or `GET /v1/product/{slug}`.";

export const USAGE_ERRORS = {
  "invalid-usage": problems("usage", {
    meaning: "a command, flag or argument is unknown or missing, or cannot be used with the others",
    advice: "`--help` after a command lists its flags and arguments.",
  }),
  "invalid-value": problems("usage", {
    meaning: "the value of a flag, an argument, an environment variable or an input of the Action is not valid",
    advice: "Correct the value. `--help` describes it. A flag takes precedence over its variable.",
  }),
  "send-sbom-needed": row("usage", {
    message: () => "this command would send the document to the service",
    hint: () => "Allow that with --send-sbom.",
  }),
  "channel-not-configured": row("usage", {
    message: () => "no catalogue channel is configured",
    hint: () =>
      "This release has no channel of its own yet. Name one with --channel or EOLGATE_CHANNEL, or read the sources with --from-sources.",
  }),
  "bad-waiver": problems("usage", {
    meaning: "the waiver is not valid: its target, reason or expiry date",
    advice: "Correct what the message names. [Waivers](policy.md#waivers) describes the fields.",
  }),
  "image-choice": row<{ name: string | undefined; names: string }>("usage", {
    message: ({ name }) =>
      name === undefined
        ? "the layout or archive contains several images"
        : `the layout or archive contains no image named ${JSON.stringify(name)}`,
    hint: ({ name, names }) =>
      name === undefined ? `Append the name of one: ${names}.` : names === "" ? undefined : `Available: ${names}.`,
    docs: {
      meaning: "the layout or archive contains several images, or none of this name",
      advice: "Append the name of one of the images that the hint lists.",
    },
  }),
  "image-platform-missing": row<{ platform: string; available: string }>("usage", {
    message: ({ platform }) => `the image does not exist for ${platform}`,
    hint: ({ available }) => `Choose another platform with --platform. Available: ${available}.`,
  }),
  "ambiguous-version": row<{ product: string; version: string; candidates: string }>("ambiguous", {
    message: ({ product, version, candidates }) =>
      `version "${version}" of "${product}" is ambiguous: ask for ${candidates}`,
    docs: { advice: "Use one of the candidates as the version." },
  }),
  "product-not-found": row<{ name: string; suggestions: string }>("not-found", {
    message: ({ name, suggestions }) =>
      `product "${name}" not found${suggestions === "" ? "" : `; did you mean ${suggestions}?`}`,
    docs: { advice: SEARCH },
  }),
  "version-not-tracked": row<{ product: string; version: string; reason: string; cycles: string }>("not-found", {
    message: ({ product, version, reason, cycles }) =>
      `version "${version}" of "${product}" not found: ${reason}${cycles === "" ? "" : `; release cycles: ${cycles}`}`,
    docs: { advice: CYCLES },
  }),
  "cycle-not-found": problems("not-found", {
    meaning: "the product has no such release cycle, or none that is tracked",
    advice: CYCLES,
    httpHint: "List the release cycles with GET /v1/product/{slug}.",
  }),
  "purl-not-tracked": row<{ purl: string; distribution: string }>("not-found", {
    message: ({ purl, distribution }) => `${purl}: package not in the catalogue${distribution}`,
    docs: { advice: "Add the package to [your own catalogue](own-catalogue.md), or propose it." },
  }),
  "invalid-config": problems("config", {
    meaning: "the configuration file is not valid, or there are two",
    advice: "Correct the file at the position in the message. [Policy](policy.md) has an example.",
  }),
  "config-unreadable": problems("config", {
    meaning: "a file with settings, keys or credentials cannot be read, or is too large",
    advice: "Check the path and the permissions of the file.",
  }),
  "config-not-editable": row<{ reason: string }>("config", {
    message: ({ reason }) => `no waiver can be added to the file: ${reason}`,
    hint: () => "Fix the file and run the command again. The file was not changed.",
  }),
  "bad-policy": problems("config", {
    meaning: "a field of the policy is misspelt or has an invalid value",
    advice: "Correct the field that the message names. [Policy](policy.md#fields) lists all fields.",
  }),
  "bad-key": row<{ kind: string }>("config", {
    message: ({ kind }) => `the file is not an ${kind} key`,
    hint: ({ kind }) =>
      kind.endsWith("public")
        ? "Write the public half of a key with: openssl pkey -in key.pem -pubout -out public.pem"
        : "Create one with: openssl genpkey -algorithm ed25519 -out key.pem",
    docs: { meaning: "the file is not a key of an accepted algorithm: Ed25519, or also ECDSA P-256 for verdicts" },
  }),
  "own-catalogue-invalid": problems("config", {
    meaning: "the file with products of your own, or a CLE or OpenEoX document in it, is not valid",
    advice: "Correct the field that the message names. The schema is `schemas/catalogue-own.schema.json`.",
  }),
  "server-config": problems("config", {
    meaning: "a setting of the server is missing or not valid: tiers, database, secret, mail or payments",
    advice: "Correct the setting that the message names. [Operating](operating.md) describes all of them.",
  }),
  "secret-mismatch": row<{ version: number }>("config", {
    message: ({ version }) => `version ${version} of the secret differs from the one that created this store`,
    hint: () => "Restore the secret, or add the new one with a higher version, as a line 2:SECRET above the old one.",
  }),
  "store-not-empty": row<{ table: string }>("config", {
    message: ({ table }) => `the store already contains ${table}`,
    hint: () => "Import into a new database or data folder that no server has used.",
  }),
  "store-newer": row<{ found: number; schemaVersion: number }>("runtime", {
    message: ({ found, schemaVersion }) =>
      `the store has schema version ${found}, but this eolgate supports ${schemaVersion}`,
    hint: () => "Upgrade eolgate. Stores cannot be migrated to an older version.",
  }),
  "no-port": row<{ reason: string }>("config", {
    message: ({ reason }) => `the port cannot be opened: ${reason}`,
    hint: () => "Choose another port or address with --port or --host.",
  }),
  "not-installed": problems("runtime", {
    meaning: "an optional package that the command needs is not installed",
    advice: "Install the package that the message names.",
  }),
  "not-written": problems("output", {
    meaning: "an output file cannot be written",
    advice: "Check the path, its permissions and the free space.",
  }),
} as const;
