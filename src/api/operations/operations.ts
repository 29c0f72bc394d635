/**
 * The table of operations. HTTP routes, the OpenAPI description, MCP tools and the remote client are derived from it,
 * and the type of `local.ts` requires an implementation of every row. Keys, watch lists and payments do not query the
 * catalogue; they are in `service/`.
 */
import { type Static, type TObject, type TSchema, Type } from "typebox";
import type { Assessment, CycleRef } from "../../model/index.ts";
import {
  badgeSchema,
  batchRequestSchema,
  batchSchema,
  edgeDevicesSchema,
  kevSchema,
  productListSchema,
  productSchema,
  sbomSchema,
  scoreSchema,
  statusSchema,
  upcomingSchema,
  upgradeSchema,
  type Wire,
} from "../../wire/schemas.ts";
import { oneOf } from "../../wire/schemas/types.ts";

/** A row of the table. `path` contains its parameters as `:slug`; the three schemas describe the whole request. */
export interface Operation {
  readonly summary: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Whether a request needs a key (after the cut-off) and counts in the quota. */
  readonly access: "counted" | "keyless";
  readonly params: TObject;
  readonly query: TObject;
  /** A JSON body by schema, or `document`: the bytes of an SBOM. */
  readonly body?: TSchema | "document";
  /** A JSON answer by schema, plain text, or the document that was sent. */
  readonly answer: TSchema | "text" | "document";
  /** Depends only on the catalogue and the day, so it is answered with an ETag. */
  readonly cached: boolean;
  /** Name of the MCP tool for this operation. */
  readonly tool?: string;
}

const none = Type.Object({});
const slug = Type.String({ description: "Product slug, or an alias of it", maxLength: 200 });
const version = Type.String({ description: "Release cycle, or a patch or build version of it", maxLength: 200 });
const cycleQuery = Type.Object({ slug, version });
const sbomQuery = Type.Object({
  strict: Type.Optional(oneOf(["0", "1"], "1: resolve by purl only, never by name")),
  warn_days: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 36_500, description: "Warning window of the gate in days, default 90" }),
  ),
});

const lookUp = { method: "GET", access: "counted", params: none, query: none, cached: true } as const;
const posted = { method: "POST", access: "counted", params: none, cached: false } as const;

export const OPERATIONS = {
  products: {
    ...lookUp,
    summary: "The tracked products",
    path: "/v1/products",
    answer: productListSchema,
    tool: "list_products",
  },
  product: {
    ...lookUp,
    summary: "Every release cycle of one product",
    path: "/v1/product/:slug",
    params: Type.Object({ slug }),
    answer: productSchema,
    tool: "get_product_lifecycle",
  },
  highestScore: {
    ...lookUp,
    summary: "The score of a product's riskiest release cycle",
    path: "/v1/score/:slug",
    params: Type.Object({ slug }),
    answer: scoreSchema,
  },
  score: {
    ...lookUp,
    summary: "The EOL Risk Score of one version",
    path: "/v1/score/:slug/:version",
    params: cycleQuery,
    answer: scoreSchema,
    tool: "get_risk_score",
  },
  status: {
    ...lookUp,
    summary: "Whether one version is supported",
    path: "/v1/status/:slug/:version",
    params: cycleQuery,
    answer: statusSchema,
    tool: "check_eol",
  },
  batch: {
    ...posted,
    summary: "Scores of many versions, in the order of the request",
    path: "/v1/batch",
    query: none,
    body: batchRequestSchema,
    answer: batchSchema,
    tool: "scan_stack",
  },
  metrics: {
    ...lookUp,
    summary: "Prometheus metrics of a stack",
    path: "/v1/metrics",
    query: Type.Object({
      stack: Type.String({ description: "slug:version pairs, separated by commas; at most 100" }),
      format: Type.Optional(oneOf(["prometheus", "openmetrics"], "Default: what the Accept header asks for")),
    }),
    answer: "text",
  },
  badge: {
    ...lookUp,
    summary: "A badge for shields.io",
    path: "/v1/badge/:slug/:version",
    access: "keyless",
    params: cycleQuery,
    answer: badgeSchema,
  },
  sbom: {
    ...posted,
    summary: "The components of an SBOM, resolved and scored",
    path: "/v1/sbom",
    query: sbomQuery,
    body: "document",
    answer: sbomSchema,
    tool: "check_sbom",
  },
  enrich: {
    ...posted,
    summary: "The same SBOM with lifecycle facts in it",
    path: "/v1/sbom?enrich=1",
    query: sbomQuery,
    body: "document",
    answer: "document",
  },
  kev: {
    ...lookUp,
    summary: "Known exploited vulnerabilities of a product",
    path: "/v1/kev/:slug",
    params: Type.Object({ slug }),
    answer: kevSchema,
    tool: "get_kev_exposure",
  },
  upcoming: {
    ...lookUp,
    summary: "The release cycles that end within a period",
    path: "/v1/upcoming",
    query: Type.Object({
      days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650, description: "How far ahead, default 90" })),
      recent_past_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650, description: "How far back" })),
      products: Type.Optional(Type.String({ maxLength: 10_000, description: "Only these slugs, separated by commas" })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, description: "Maximum number of release cycles, default 100" }),
      ),
    }),
    answer: upcomingSchema,
    tool: "get_upcoming_eol",
  },
  edgeDevices: {
    ...lookUp,
    summary: "Devices at the edge of a network, with the end of support of each release cycle",
    path: "/eos-edge-devices.json",
    access: "keyless",
    answer: edgeDevicesSchema,
    tool: "get_edge_device_status",
  },
  upgrade: {
    ...lookUp,
    summary: "The supported release cycle to move to",
    path: "/v1/upgrade/:slug/:version",
    params: cycleQuery,
    answer: upgradeSchema,
    tool: "get_upgrade_path",
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
type OperationRow<N extends OperationName> = (typeof OPERATIONS)[N];

type BodyOf<R> = R extends { readonly body: infer B }
  ? B extends "document"
    ? { readonly document: Uint8Array }
    : B extends TSchema
      ? Wire<B>
      : unknown
  : unknown;

/** The request of a caller: path, query and body in one object. */
export type OperationInput<N extends OperationName> = Static<OperationRow<N>["params"]> &
  Static<OperationRow<N>["query"]> &
  BodyOf<OperationRow<N>>;

export type Answer<N extends OperationName> = OperationRow<N>["answer"] extends infer A
  ? A extends "text"
    ? string
    : A extends "document"
      ? Uint8Array
      : A extends TSchema
        ? Wire<A>
        : never
  : never;

/** Every operation as a function. "No answer" is an EolgateError. */
export type Operations = { readonly [N in OperationName]: (input: OperationInput<N>) => Promise<Answer<N>> };

/** An implementation of the operations: on the local catalogue, or by a service. */
export interface Engine extends Operations {
  /** Assesses each release cycle, in that order, for the main path. Throws an EolgateError for an unknown one. */
  assessCycles(releaseCycles: readonly CycleRef[]): Promise<readonly Assessment[]>;
  /** Closes its sockets. */
  close(): Promise<void>;
}
