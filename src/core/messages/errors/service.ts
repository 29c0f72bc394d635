/** Error codes: service. */
import { row } from "./row.ts";

export const SERVICE_ERRORS = {
  "bad-url": row({
    kind: "usage",
    message: () => "the path is not a valid URL path",
  }),
  "batch-limit": row<{ name: string; limit: number; length: number }>({
    kind: "forbidden",
    message: ({ name, limit, length }) => `tier ${name} takes ${limit} products in a batch, not ${length}`,
  }),
  "body-too-large": row({
    kind: "too-large",
    message: () => "the body is larger than this route takes",
  }),
  "category-not-found": row<{ category: string }>({
    kind: "not-found",
    message: ({ category }) => `there is no category "${category}"`,
  }),
  "content-encoding": row({
    kind: "media-type",
    message: () => "the body must not be compressed",
  }),
  "content-length": row({
    kind: "usage",
    message: () => "the body's length is not its Content-Length",
  }),
  "database-address": row({
    kind: "config",
    message: () => "the database address must begin with postgres:// or postgresql://",
    hint: () => "Leave --database out to use the embedded store in the data folder.",
  }),
  "document-memory": row({
    kind: "too-large",
    message: () => "the document needs more memory than it may have",
  }),
  "document-timeout": row({
    kind: "too-large",
    message: () => "the document took too long to read",
  }),
  "documents-busy": row({
    kind: "unavailable",
    message: () => "too many documents are waiting",
  }),
  "empty-body": row({
    kind: "usage",
    message: () => "the body is empty",
  }),
  "export-bad": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the export cannot be read: ${what}`,
  }),
  "host-not-allowed": row<{ header: string }>({
    kind: "forbidden",
    message: ({ header }) => `the ${header} header does not name this server`,
    hint: () => "Start the server with --public-url to say under which name it is reached.",
  }),
  "invalid-arguments": row<{ errorText: string; errorText2: string }>({
    kind: "usage",
    message: ({ errorText, errorText2 }) => `arguments${errorText} ${errorText2}`,
  }),
  "invalid-email": row({
    kind: "usage",
    message: () => "that is not an e-mail address",
  }),
  "invalid-key": row({
    kind: "unauthorised",
    message: () => "the API key is not valid or was revoked",
    hint: () => "Check X-API-Key; POST /v1/keys/recover sends the keys of an address again.",
  }),
  "key-not-found": row<{ id: string }>({
    kind: "not-found",
    message: ({ id }) => `no live key has the id ${id}`,
    hint: () => "eolgate keys list",
  }),
  "key-required": row({
    kind: "unauthorised",
    message: () => "an API key is required: send it as X-API-Key",
    hint: () => "POST /v1/keys/free with your e-mail address sends a free one.",
  }),
  "mail-limit": row({
    kind: "quota",
    message: () => "this address has been sent enough confirmation mails for today",
    hint: () => "Use the newest one, or try again tomorrow (UTC).",
  }),
  "media-type": row({
    kind: "media-type",
    message: () => "the body's Content-Type is not JSON",
    hint: () =>
      "Send application/json, application/vnd.cyclonedx+json, application/spdx+json, application/ld+json or none.",
  }),
  "method-not-allowed": row<{ method: string; allow: string }>({
    kind: "method",
    message: ({ method }) => `${method} is not allowed at this path`,
    hint: ({ allow }) => `Allowed: ${allow}.`,
  }),
  "no-caller": row({
    kind: "internal",
    message: () => "a counted route ran without admission",
  }),
  "no-port": row<{ known: string }>({
    kind: "config",
    message: ({ known }) => `the port cannot be opened: ${known}`,
    hint: () => "Choose another with --port or --host.",
  }),
  "no-public-url": row({
    kind: "unavailable",
    message: () => "this server sends no mail because it does not know its public address",
    hint: () => "Start it with --public-url https://eol.example.org",
  }),
  "not-json": row<{ why: string }>({
    kind: "usage",
    message: ({ why }) => `the body is not JSON: ${why}`,
  }),
  "nothing-to-watch": row({
    kind: "usage",
    message: () => "no component of the document belongs to a tracked release line",
  }),
  overloaded: row({
    kind: "unavailable",
    message: () => "the server is too busy to answer in time",
  }),
  "payment-service": row({
    kind: "network",
    message: () => "the payment service did not answer as expected",
    hint: () => "Try again in a moment.",
  }),
  "payments-incomplete": row<{ missing: string }>({
    kind: "config",
    message: ({ missing }) => `payments are set up in part: ${missing} is missing`,
    hint: () => "Set all of them, or none.",
  }),
  "payments-not-configured": row({
    kind: "runtime",
    message: () => "payments are not configured on this server",
    hint: () => "Set EOLGATE_STRIPE_KEY and EOLGATE_STRIPE_WEBHOOK_SECRET.",
  }),
  "pg-missing": row({
    kind: "runtime",
    message: () => "the optional package pg is not installed, and PostgreSQL needs it",
    hint: () => "npm install pg",
  }),
  "quota-exceeded": row<{ requestsPerDay: number; name: string }>({
    kind: "quota",
    message: ({ requestsPerDay, name }) => `the daily quota of ${requestsPerDay} requests of tier ${name} is used up`,
  }),
  "secret-bad": row<{ what: string }>({
    kind: "config",
    message: ({ what }) => `the secret cannot be used: ${what}`,
  }),
  "secret-mismatch": row<{ version: number }>({
    kind: "config",
    message: ({ version }) => `version ${version} of the secret is not the one that this store was made with`,
    hint: () => "Restore the secret, or give the new one a higher version: a line 2:SECRET above the old one.",
  }),
  "secret-missing": row({
    kind: "config",
    message: () => "a secret is needed with --database, the same in every process",
    hint: () => "openssl rand -hex 32 > secret, then --secret-file secret or EOLGATE_SECRET",
  }),
  "secret-unreadable": row({
    kind: "config",
    message: () => "the secret file cannot be read",
  }),
  "signup-limit": row({
    kind: "quota",
    message: () => "the sign-up limit is reached",
    hint: () => "Try again tomorrow (UTC).",
  }),
  "smtp-address": row({
    kind: "config",
    message: () => "the mail server's address must begin with smtp:// or smtps://",
    hint: () => "smtp://user:password@mail.example.org:587",
  }),
  "store-newer": row<{ found: number; schemaVersion: number }>({
    kind: "runtime",
    message: ({ found, schemaVersion }) => `the store has schema version ${found}, this program knows ${schemaVersion}`,
    hint: () => "Upgrade eolgate on this machine; migrations run forwards only.",
  }),
  "store-not-empty": row<{ table: string }>({
    kind: "config",
    message: ({ table }) => `the store already holds ${table}`,
    hint: () => "Import into a new database or data folder, before a server has been started on it.",
  }),
  "store-unavailable": row({
    kind: "unavailable",
    message: () => "the store does not answer",
    hint: () => "Try again in a moment.",
  }),
  "tiers-bad": row<{ path: string; what: string }>({
    kind: "config",
    message: ({ path, what }) => `the tiers file: ${path} ${what}`,
  }),
  timeout: row({
    kind: "unavailable",
    message: () => "the answer took too long",
  }),
  "token-not-valid": row({
    kind: "not-found",
    message: () => "this link is not valid: it was used, is too old, or never was",
  }),
  "too-deep": row({
    kind: "too-large",
    message: () => "the document is nested too deeply",
  }),
  "too-many-invalid-keys": row({
    kind: "quota",
    message: () => "too many requests with an invalid key from this address",
  }),
  "unknown-tier": row<{ tier: string; names: string }>({
    kind: "usage",
    message: ({ tier }) => `there is no tier ${tier}`,
    hint: ({ names }) => `One of ${names}.`,
  }),
  "unknown-tool": row<{ name: string }>({
    kind: "not-found",
    message: ({ name }) => `there is no tool ${name}`,
  }),
  "webhook-body": row<{ what: string }>({
    kind: "usage",
    message: ({ what }) => `the webhook cannot be read: ${what}`,
  }),
  "webhook-signature": row<{ why: string }>({
    kind: "usage",
    message: ({ why }) => `the webhook's signature is refused: ${why}`,
  }),
  "worker-crashed": row({
    kind: "internal",
    message: () => "the document worker ended",
  }),
} as const;
