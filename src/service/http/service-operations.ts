/**
 * Rows for the routes that only the service has (keys, watch lists, payments, published files, probes), and the query
 * parameters and media types that exist only over HTTP.
 */
import { Type, type TObject } from "typebox";
import {
  checkoutResponseSchema,
  checkoutRequestSchema,
  emailRequestSchema,
  healthSchema,
  indexSchema,
  keyResponseSchema,
  purlMapSchema,
  readinessSchema,
  scoresSchema,
  watchResponseSchema,
  watchRequestSchema,
  webhookResponseSchema,
} from "../../wire/schemas.ts";
import { type Operation, OPERATIONS, type OperationName } from "../../api/operations/operations.ts";
import { isKeyOf } from "../../text/values.ts";

/** A row of the operations table with the status of a successful response. */
export interface ServiceOperation extends Operation {
  readonly status: 200 | 202;
  /** Schema of the body for the OpenAPI description, if the handler parses the bytes itself. */
  readonly described?: Operation["body"];
}

const none = Type.Object({});
const anyObject = Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true });
const published = { method: "GET", access: "keyless", params: none, query: none, cached: true, status: 200 } as const;
const posted = { method: "POST", params: none, query: none, cached: false } as const;

const keyMail = {
  ...posted,
  access: "keyless",
  body: emailRequestSchema,
  answer: keyResponseSchema,
  status: 200,
} as const;

export const SERVICE_OPERATIONS = {
  index: {
    ...published,
    path: "/v1",
    summary: "The capabilities of the service and the caller's tier",
    answer: indexSchema,
    cached: false,
  },
  freeKey: { ...keyMail, path: "/v1/keys/free", summary: "Request a free API key by e-mail" },
  recoverKeys: { ...keyMail, path: "/v1/keys/recover", summary: "Send the keys of an address again by e-mail" },
  checkout: {
    ...posted,
    path: "/v1/checkout",
    summary: "Create a Stripe Checkout session for a paid key",
    access: "keyless",
    body: checkoutRequestSchema,
    answer: checkoutResponseSchema,
    status: 200,
  },
  webhook: {
    ...posted,
    path: "/v1/checkout/webhook",
    summary: "Receive signed events from Stripe",
    access: "keyless",
    body: "document",
    described: anyObject,
    answer: webhookResponseSchema,
    status: 200,
  },
  watch: {
    ...posted,
    path: "/v1/sbom/watch",
    summary: "Request alerts by e-mail for the release cycles of an SBOM",
    access: "counted",
    body: "document",
    described: watchRequestSchema,
    answer: watchResponseSchema,
    status: 202,
  },
  openapi: { ...published, path: "/openapi.json", summary: "The OpenAPI description", answer: anyObject },
  purlMap: { ...published, path: "/purl-map.json", summary: "The published purl map", answer: purlMapSchema },
  scores: {
    ...published,
    path: "/scores.json",
    summary: "The score of every release cycle and the highest of each product",
    answer: scoresSchema,
  },
  scannerDb: { ...published, path: "/scanner-db.json", summary: "The end of every release cycle", answer: anyObject },
  checkerDb: {
    ...published,
    path: "/checker-db.json",
    summary: "The end, status and score of every release cycle",
    answer: anyObject,
  },
  kevProducts: {
    ...published,
    path: "/kev-products.json",
    summary: "Products in CISA's catalogue of known exploited vulnerabilities",
    answer: anyObject,
  },
  exploitedAndEnded: {
    ...published,
    path: "/exploited-and-unpatchable.json",
    summary: "Ended release cycles that a known exploited vulnerability affects",
    answer: anyObject,
  },
  verification: {
    ...published,
    path: "/verification.json",
    summary: "The provenance of every date",
    answer: anyObject,
  },
  llms: {
    ...published,
    path: "/llms.txt",
    summary: "A description of the service for language models",
    answer: "text",
  },
  catalogue: {
    ...published,
    path: "/catalogue.json",
    summary: "The catalogue with its digest and signature, for updates of other installations",
    answer: anyObject,
  },
  health: {
    ...published,
    path: "/healthz",
    summary: "Whether the process is running",
    answer: healthSchema,
    cached: false,
  },
  readiness: {
    ...published,
    path: "/readyz",
    summary: "Whether the process can answer requests",
    query: Type.Object({
      store: Type.Optional(
        Type.String({ description: "With this parameter, also without a value: the state of the store" }),
      ),
    }),
    answer: readinessSchema,
    cached: false,
  },
} as const satisfies Record<string, ServiceOperation>;

/** Clients that accept this type get the response of a batch as an object. */
export const BATCH_ENVELOPE_TYPE = "application/vnd.eolgate.batch+json";

const oneOrZero = (description: string) =>
  Type.Optional(Type.Unsafe<"0" | "1">({ type: "string", enum: ["0", "1"], description }));

export const HTTP_QUERIES = {
  batch: Type.Object({
    envelope: oneOrZero(
      "1: an object {count, results, tier, kev_catalog, docs} instead of the array; Accept: application/vnd.eolgate.batch+json has the same effect",
    ),
  }),
  sbom: Type.Object({
    ...OPERATIONS.sbom.query.properties,
    enrich: oneOrZero("1: return the submitted document with lifecycle properties"),
  }),
} as const satisfies Partial<Record<OperationName, TObject>>;

/** The schema of the query over HTTP, for a row of the operations table. */
export const queryOf = (name: string, row: Pick<Operation, "query">): TObject =>
  isKeyOf(HTTP_QUERIES, name) ? HTTP_QUERIES[name] : row.query;
