/** Errors of the HTTP service and its store. Texts for clients do not name command-line flags. */
import { row } from "./row.ts";

export const SERVICE_ERRORS = {
  "bad-url": row({
    kind: "usage",
    message: () => "the path is not a valid URL path",
  }),
  "batch-limit": row<{ name: string; limit: number; count: number }>({
    kind: "forbidden",
    message: ({ name, limit, count }) => `tier ${name} accepts at most ${limit} products in a batch, got ${count}`,
  }),
  "body-too-large": row({
    kind: "too-large",
    message: () => "the request body is larger than the limit of this route",
  }),
  "category-not-found": row<{ category: string }>({
    kind: "not-found",
    message: ({ category }) => `unknown category "${category}"`,
  }),
  "content-encoding": row({
    kind: "media-type",
    message: () => "compressed request bodies are not supported",
  }),
  "content-length": row({
    kind: "usage",
    message: () => "the body length differs from Content-Length",
  }),
  "database-address": row({
    kind: "config",
    message: () => "the database address must begin with postgres:// or postgresql://",
    hint: () => "Omit --database to use the embedded store in the data folder.",
  }),
  "document-memory": row({
    kind: "too-large",
    message: () => "the document needs more memory than the limit",
  }),
  "document-timeout": row({
    kind: "too-large",
    message: () => "reading the document exceeded the time limit",
  }),
  "documents-busy": row({
    kind: "unavailable",
    message: () => "too many documents are waiting to be processed",
  }),
  "empty-body": row({
    kind: "usage",
    message: () => "the body is empty",
  }),
  "export-bad": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the export cannot be read: ${what}`,
  }),
  "host-header": row({
    kind: "usage",
    message: () => "the request has more than one Host header",
  }),
  "host-not-allowed": row<{ header: string }>({
    kind: "forbidden",
    message: ({ header }) => `the ${header} header does not contain the name of this server`,
    hint: () => "The operator of the server sets its public address with EOLGATE_PUBLIC_URL.",
  }),
  "invalid-arguments": row<{ path: string; problem: string }>({
    kind: "usage",
    message: ({ path, problem }) => `arguments${path} ${problem}`,
  }),
  "invalid-email": row({
    kind: "usage",
    message: () => "the value is not an e-mail address",
  }),
  "invalid-key": row({
    kind: "unauthorised",
    message: () => "the API key is not valid or was revoked",
    hint: () => "Check X-API-Key. POST /v1/keys/recover sends the keys of an e-mail address again.",
  }),
  "key-not-found": row<{ id: string }>({
    kind: "not-found",
    message: ({ id }) => `no active key has the id ${id}`,
    hint: () => "List the keys with: eolgate keys list",
    httpHint: "The key may have been revoked.",
  }),
  "key-required": row({
    kind: "unauthorised",
    message: () => "an API key is required: send it as X-API-Key",
    hint: () => "Request a free key with POST /v1/keys/free.",
  }),
  "mail-limit": row({
    kind: "quota",
    message: () => "the daily limit of confirmation mails for this address is reached",
    hint: () => "Use the link in the latest mail, or try again tomorrow (UTC).",
  }),
  "media-type": row({
    kind: "media-type",
    message: () => "the Content-Type of the body is not JSON",
    hint: () =>
      "Send application/json, application/vnd.cyclonedx+json, application/spdx+json, application/ld+json or no Content-Type.",
  }),
  "method-not-allowed": row<{ method: string; allow: string }>({
    kind: "method",
    message: ({ method }) => `${method} is not allowed at this path`,
    hint: ({ allow }) => `Allowed: ${allow}.`,
  }),
  "no-caller": row({
    kind: "internal",
    message: () => "a metered route ran without authentication",
  }),
  "no-port": row<{ reason: string }>({
    kind: "config",
    message: ({ reason }) => `the port cannot be opened: ${reason}`,
    hint: () => "Choose another port or address with --port or --host.",
  }),
  "no-public-url": row({
    kind: "unavailable",
    message: () => "this server cannot send mail: its public address is not configured",
    hint: () => "The operator of the server sets EOLGATE_PUBLIC_URL, for example to https://eol.example.org.",
  }),
  "nothing-to-watch": row({
    kind: "usage",
    message: () => "no component of the document belongs to a tracked release cycle",
  }),
  overloaded: row({
    kind: "unavailable",
    message: () => "the server is overloaded",
  }),
  "payment-service": row({
    kind: "network",
    message: () => "the payment service sent an unexpected answer",
    hint: () => "Try again in a moment.",
  }),
  "payments-incomplete": row<{ missing: string }>({
    kind: "config",
    message: ({ missing }) => `the payment configuration is incomplete: ${missing} is missing`,
    hint: () => "Set all payment variables or none.",
  }),
  "payments-not-configured": row({
    kind: "runtime",
    message: () => "payments are not configured on this server",
    hint: () => "Set EOLGATE_STRIPE_KEY and EOLGATE_STRIPE_WEBHOOK_SECRET.",
  }),
  "pg-missing": row({
    kind: "runtime",
    message: () => "PostgreSQL needs the optional package pg, which is not installed",
    hint: () => "Run: npm install pg",
  }),
  "quota-exceeded": row<{ requestsPerDay: number; name: string }>({
    kind: "quota",
    message: ({ requestsPerDay, name }) =>
      `the daily quota of ${requestsPerDay} requests for tier ${name} is exhausted`,
  }),
  "secret-bad": row<{ what: string }>({
    kind: "config",
    message: ({ what }) => `the secret cannot be used: ${what}`,
  }),
  "secret-mismatch": row<{ version: number }>({
    kind: "config",
    message: ({ version }) => `version ${version} of the secret differs from the one that created this store`,
    hint: () => "Restore the secret, or add the new one with a higher version, as a line 2:SECRET above the old one.",
  }),
  "secret-missing": row({
    kind: "config",
    message: () => "a database requires a secret that is the same in every process",
    hint: () => "Create one with openssl rand -hex 32 > secret, and set --secret-file secret or EOLGATE_SECRET.",
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
    hint: () => "Use an address such as smtp://user:password@mail.example.org:587",
  }),
  "store-newer": row<{ found: number; schemaVersion: number }>({
    kind: "runtime",
    message: ({ found, schemaVersion }) =>
      `the store has schema version ${found}, but this eolgate supports ${schemaVersion}`,
    hint: () => "Upgrade eolgate. Stores cannot be migrated to an older version.",
  }),
  "store-not-empty": row<{ table: string }>({
    kind: "config",
    message: ({ table }) => `the store already contains ${table}`,
    hint: () => "Import into a new database or data folder that no server has used.",
  }),
  "store-unavailable": row({
    kind: "unavailable",
    message: () => "the store is not available",
    hint: () => "Try again in a moment.",
  }),
  "tiers-bad": row<{ path: string; problem: string }>({
    kind: "config",
    message: ({ path, problem }) => `the tiers file is not valid: ${path} ${problem}`,
  }),
  timeout: row({
    kind: "unavailable",
    message: () => "the request exceeded the time limit",
  }),
  "token-not-valid": row({
    kind: "not-found",
    message: () => "the link is not valid: it was used, has expired or never existed",
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
    message: ({ tier }) => `unknown tier ${tier}`,
    hint: ({ names }) => `Use one of ${names}.`,
  }),
  "unknown-tool": row<{ name: string }>({
    kind: "not-found",
    message: ({ name }) => `unknown tool ${name}`,
  }),
  "webhook-body": row<{ problem: string }>({
    kind: "usage",
    message: ({ problem }) => `the webhook body is not valid: ${problem}`,
  }),
  "webhook-signature": row<{ why: string }>({
    kind: "usage",
    message: ({ why }) => `the webhook signature is not valid: ${why}`,
  }),
  "thread-failed": row<{ reason: string }>({
    kind: "internal",
    message: ({ reason }) => `the thread that checked this document failed: ${reason}`,
    hint: () =>
      "Run the command again with --jobs 1. If that fails too, the document needs more memory than is available.",
  }),
  "worker-crashed": row({
    kind: "internal",
    message: () => "the document worker ended unexpectedly",
  }),
  "invalid-request": row<{ problem: string; advice: string | undefined }>({
    kind: "usage",
    message: ({ problem }) => problem,
    hint: ({ advice }) => advice,
  }),
  "unknown-path": row<{ method: string }>({
    kind: "not-found",
    message: ({ method }) => `there is no ${method} route at this path`,
  }),
  "path-too-long": row({
    kind: "not-found",
    message: () => "the path has a segment that is too long",
  }),
  "bad-http": row({
    kind: "usage",
    message: () => "the request is not valid HTTP",
  }),
  "headers-too-large": row({
    kind: "usage",
    message: () => "the request headers are too large",
  }),
  "body-not-json": row<{ why: string }>({
    kind: "usage",
    message: ({ why }) => `the body is not JSON: ${why}`,
  }),
} as const;
