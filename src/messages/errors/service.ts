/** Errors of the HTTP service and its store, and bugs. Texts for clients do not name command-line flags. */
import { problems, row } from "./row.ts";

const RETRY = "Wait as long as the header `Retry-After` states, and send the request again.";

export const SERVICE_ERRORS = {
  "invalid-request": problems("usage", {
    meaning: "a parameter, a header or a field of the body is not valid",
    advice: "Correct the field that `where` names. `/docs` describes all parameters.",
  }),
  "invalid-body": problems("usage", {
    meaning: "the body is empty, incomplete or not in the format of the route",
    advice: "Correct the body at the position in the message.",
  }),
  "body-too-large": row("too-large", {
    message: () => "the request body is larger than the limit of this route",
    docs: { advice: "Send a smaller body. For documents, remove components that are not needed." },
  }),
  "media-type": problems("media-type", {
    meaning: "the body is compressed with another encoding than gzip, or its `Content-Type` is not JSON",
    advice: "Send JSON, plain or with gzip, with a JSON media type or no `Content-Type`.",
    hint: "Send application/json, application/vnd.cyclonedx+json, application/spdx+json, application/ld+json or no Content-Type.",
  }),
  "invalid-email": row("usage", {
    message: () => "the value is not an e-mail address",
    docs: { advice: "Send an address such as `ops@example.org`." },
  }),
  "nothing-to-watch": problems("usage", {
    meaning: "nothing in the request belongs to a tracked release cycle",
    advice: "Send components that the catalogue tracks.",
  }),
  "webhook-invalid": problems("usage", {
    meaning: "the signature or the body of the payment webhook is not valid",
    advice: "Check `EOLGATE_STRIPE_WEBHOOK_SECRET`, the API version of Stripe, and that no proxy changes the body.",
  }),
  "unknown-path": problems("not-found", {
    meaning: "the service has no such route or page",
    advice: "`/docs` and `GET /openapi.json` list the routes.",
  }),
  "unknown-tool": row<{ name: string }>("not-found", {
    message: ({ name }) => `unknown tool ${name}`,
    docs: { advice: "The MCP method `tools/list` lists the tools." },
  }),
  "method-not-allowed": row<{ method: string; allow: string }>("method", {
    message: ({ method }) => `${method} is not allowed at this path`,
    hint: ({ allow }) => `Allowed: ${allow}.`,
  }),
  "token-not-valid": row("not-found", {
    message: () => "the link is not valid: it was used, has expired or never existed",
    docs: { advice: "Request a new mail." },
  }),
  "key-required": problems("unauthorised", {
    meaning: "the request needs an API key in `X-API-Key`",
    advice: "Request a free key with `POST /v1/keys/free`.",
    hint: "Request a free key with POST /v1/keys/free.",
  }),
  "invalid-key": row("unauthorised", {
    message: () => "the API key is not valid or was revoked",
    hint: () => "Check X-API-Key. POST /v1/keys/recover sends the keys of an e-mail address again.",
  }),
  "key-not-found": row<{ id: string }>("not-found", {
    message: ({ id }) => `no active key has the id ${id}`,
    hint: () => "List the keys with: eolgate keys list",
    httpHint: "The key may have been revoked.",
  }),
  "batch-limit": row<{ name: string; limit: number; count: number }>("forbidden", {
    message: ({ name, limit, count }) => `tier ${name} accepts at most ${limit} products in a batch, got ${count}`,
    docs: { advice: "Send fewer at once, or use a key of a higher tier." },
  }),
  "host-not-allowed": problems("forbidden", {
    meaning: "the request names another server, or was sent by a page of another origin",
    advice: "Open the form on this service. The operator sets the public address with `EOLGATE_PUBLIC_URL`.",
  }),
  "quota-exceeded": row<{ requestsPerDay: number; name: string }>("quota", {
    message: ({ requestsPerDay, name }) =>
      `the daily quota of ${requestsPerDay} requests for tier ${name} is exhausted`,
    docs: { advice: "Wait until the next day (UTC), or use a key of a higher tier." },
  }),
  "signup-limit": row("quota", {
    message: () => "the sign-up limit is reached",
    hint: () => "Try again tomorrow (UTC).",
  }),
  "mail-limit": row("quota", {
    message: () => "the daily limit of confirmation mails for this address is reached",
    hint: () => "Use the link in the latest mail, or try again tomorrow (UTC).",
  }),
  "too-many-invalid-keys": row("quota", {
    message: () => "too many requests with an invalid key from this address",
    docs: { advice: `Correct the key. ${RETRY}` },
  }),
  overloaded: problems("unavailable", {
    meaning: "the server has too many requests or documents to process",
    advice: RETRY,
  }),
  timeout: row("unavailable", {
    message: () => "the request exceeded the time limit",
    docs: { advice: "Send the request again, or split it." },
  }),
  "store-unavailable": row<{ reason?: string }>("unavailable", {
    message: ({ reason }) => `the store is not available${reason === undefined ? "" : `: ${reason}`}`,
    hint: () => "Try again in a moment.",
  }),
  "no-public-url": row("unavailable", {
    message: () => "this server cannot send mail: its public address is not configured",
    hint: () => "The operator of the server sets EOLGATE_PUBLIC_URL, for example to https://eol.example.org.",
  }),
  "payments-not-configured": row("runtime", {
    message: () => "payments are not configured on this server",
    hint: () => "Set EOLGATE_STRIPE_KEY and EOLGATE_STRIPE_WEBHOOK_SECRET.",
  }),
  internal: problems("internal", {
    meaning: "a bug in eolgate; the message contains the details",
    advice: "Report it with the command and the lines below it, or with the log of the server.",
    hint: "Report it with the command and the lines below. The document is not needed.",
  }),
} as const;
