/** Texts of docs/errors.md for codes whose message or hint consists of values only, or which have no hint. */
import type { ErrorCode } from "../../src/messages/error.ts";

export interface ErrorNote {
  /** In place of a message that consists of values. */
  readonly meaning?: string;
  /** In place of a hint that is missing or consists of values. */
  readonly advice?: string;
}

const RETRY = "Wait as long as the header `Retry-After` states, and send the request again.";
const SEARCH = "Search for it with `eolgate products TEXT` or on the start page of the service.";
const CYCLES = "List the release cycles with `eolgate product SLUG` or `GET /v1/product/{slug}`.";
const READABLE = "Check the path and the permissions of the file.";
const TIERS = "Send fewer at once, or use a key of a higher tier.";
const REPORT = "This is a bug. Report it with the log of the server.";
const HEADERS = "Check the client, and the proxies between it and the server.";
const REGENERATE = "Generate the document again.";

export const ERROR_NOTES: Readonly<Partial<Record<ErrorCode, ErrorNote>>> = {
  "ambiguous-version": { advice: "Use one of the candidates as the version." },
  "bad-envelope": {
    meaning: "the envelope (DSSE, in-toto, GitHub export) is damaged or contains no SBOM",
    advice: "Extract the SBOM from its envelope, or create the envelope again.",
  },
  "bad-flag": { meaning: "the value of a flag is not valid", advice: "Correct the value. `--help` describes it." },
  "bad-hours": { advice: "Use a whole number of hours within the range." },
  "bad-http": { advice: HEADERS },
  "bad-ignore-file": { advice: "Correct the file at the position in the message." },
  "bad-input": { advice: "Set the input of the Action to `true` or `false`." },
  "bad-license": {
    meaning: "a licence in `denyLicense` is not a valid SPDX expression",
    advice: "Use identifiers of the SPDX licence list, such as `AGPL-3.0-only`.",
  },
  "bad-policy": {
    meaning: "a field of the policy is misspelt or has an invalid value",
    advice: "Correct the field that the message names. [Policy](policy.md#fields) lists all fields.",
  },
  "bad-span": { advice: "Write a number of days, months or years: `90d`, `12m`, `2y`." },
  "bad-url": { advice: "Percent-encode special characters in the path." },
  "bad-variable": {
    meaning: "an environment variable has an invalid value",
    advice: "Change or unset the variable, or use the flag, which takes precedence.",
  },
  "bad-waiver": {
    meaning: "the waiver is not valid: its target, reason or expiry date",
    advice: "Correct what the message names. [Waivers](policy.md#waivers) describes the fields.",
  },
  "batch-limit": { advice: TIERS },
  "body-not-json": { advice: "Correct the body at the position in the message." },
  "body-too-large": { advice: "Send a smaller body. For documents, remove components that are not needed." },
  "category-not-found": { advice: "`GET /v1/products` lists the categories." },
  "cle-unreadable": {
    meaning: "the CLE document (ECMA-428) is not valid",
    advice: "Correct the field that the message names, or ask its publisher.",
  },
  "config-shape": { advice: "Write `NAME: VALUE` on each line. [Policy](policy.md) has an example." },
  "config-syntax": { advice: "Correct the file at the position in the message." },
  "content-encoding": { advice: "Send the body without `Content-Encoding`." },
  "content-length": { advice: HEADERS },
  contradiction: { meaning: "the curated files contradict each other or the sources" },
  "curated-shape": {
    meaning: "a curated file does not conform to its schema",
    advice: "Correct the field that the message names.",
  },
  "cycle-not-in-catalogue": { advice: CYCLES },
  "document-memory": { advice: "Split the document, or check it with the command line." },
  "document-timeout": { advice: "Split the document, or check it with the command line." },
  "documents-busy": { advice: RETRY },
  "empty-body": { advice: "Send the document or the JSON object as the body." },
  "export-bad": { advice: "Create the export again with `eolgate db export`." },
  "github-unreachable": { advice: "Check the network of the runner, and run the job again." },
  "headers-too-large": { advice: HEADERS },
  "host-header": { advice: HEADERS },
  internal: { meaning: "a bug in eolgate; the message contains the details" },
  "invalid-arguments": {
    meaning: "the arguments of an MCP tool are not valid",
    advice: "Correct the argument that the message names. The schema of the tool describes it.",
  },
  "invalid-email": { advice: "Send an address such as `ops@example.org`." },
  "invalid-request": {
    meaning: "a parameter or a field of the body is not valid",
    advice: "Correct the field that `where` names. `/docs` describes all parameters.",
  },
  "invalid-usage": {
    meaning: "an unknown command or flag, or a missing or unexpected argument",
    advice: "`--help` after a command lists its flags and arguments.",
  },
  "key-unreadable": { advice: READABLE },
  "lockfile-broken": { meaning: "the lockfile is damaged, or not in the format of its name" },
  "lockfile-incomplete": { meaning: "the lockfile is truncated, or refers to packages that it does not contain" },
  "lockfile-version": { meaning: "the lockfile has a format version that is not supported" },
  "no-caller": { advice: REPORT },
  "no-cycles": { advice: SEARCH },
  "no-product": { advice: "Add `slug` or `purl` to the item." },
  "no-schema": { advice: "Omit `--validate`." },
  "not-json": { advice: "Check that the file is complete and in a [supported format](inputs.md#sboms)." },
  "not-sbom": { advice: "Pass a CycloneDX or SPDX document. [Inputs](inputs.md#sboms) lists the formats." },
  "not-valid": { advice: "Correct the document at the position in the message, or omit `--validate`." },
  "not-written": { advice: "Check the path, its permissions and the free space." },
  "not-xml": { advice: REGENERATE },
  "nothing-enriched": { advice: "Check a document in JSON. The report shows what else is missing." },
  "nothing-to-watch": { advice: "Send a document with components that the catalogue tracks." },
  "openeox-unreadable": {
    meaning: "the OpenEoX document is not valid",
    advice: "Correct the field that the message names, or ask its publisher.",
  },
  overloaded: { advice: RETRY },
  "own-catalogue-shape": { meaning: "a field of the file is unknown or has an invalid value" },
  "path-too-long": { advice: "Shorten the path." },
  "pin-file-broken": { meaning: "the file with a version pin cannot be parsed" },
  "private-format": { advice: "Convert the document to CycloneDX or SPDX, or let its tool write one of them." },
  "product-not-found": { advice: SEARCH },
  "purl-not-tracked": { advice: "Add the package to [your own catalogue](own-catalogue.md), or propose it." },
  "quota-exceeded": { advice: "Wait until the next day (UTC), or use a key of a higher tier." },
  "secret-bad": { advice: "Use lines of the form `VERSION:SECRET`. `openssl rand -hex 32` creates a secret." },
  "secret-unreadable": { advice: READABLE },
  "signals-import-unreadable": { meaning: "the file is not an export of support signals" },
  "slug-purl-mismatch": { advice: "Send only one of the two, or correct one of them." },
  "template-unreadable": { advice: READABLE },
  "text-too-long": { advice: "Shorten the value, or generate the document again." },
  "tiers-bad": { advice: "Correct the field that the message names." },
  "tiers-syntax": { advice: "Correct the syntax of the file." },
  "tiers-unreadable": { advice: READABLE },
  timeout: { advice: "Send the request again, or split it." },
  "token-not-valid": { advice: "Request a new mail." },
  "too-deep": { advice: REGENERATE },
  "too-many-invalid-keys": { advice: `Correct the key. ${RETRY}` },
  "too-many-pairs": { advice: "Split the stack into several requests." },
  "unexpected-answer": { meaning: "the answer of the service is not valid" },
  "unexpected-status": { advice: "Check the address of the service, and its log." },
  "unknown-path": { advice: "`/docs` and `GET /openapi.json` list the routes." },
  "unknown-product": { advice: SEARCH },
  "unknown-tool": { advice: "The MCP method `tools/list` lists the tools." },
  unreadable: {
    meaning: "a file or the standard input cannot be read",
    advice: "Check the path and the permissions. The message names the cause.",
  },
  "unsupported-format": { advice: "Convert the document. [Inputs](inputs.md#sboms) lists the formats." },
  "unsupported-version": { meaning: "the version of the document's format is missing or not supported" },
  unwritable: { advice: "Check the path, its permissions and the free space." },
  "update-stopped": { advice: "Run the update again. The current catalogue stays in use." },
  "version-not-tracked": { advice: CYCLES },
  "webhook-body": { advice: "Check that Stripe sends the event, and its API version." },
  "webhook-signature": { advice: "Check `EOLGATE_STRIPE_WEBHOOK_SECRET`, and that no proxy changes the body." },
  "worker-crashed": { advice: `Send the request again. ${REPORT}` },
};
