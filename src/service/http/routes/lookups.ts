/** Routes of the operations table. Look-ups depend only on the catalogue and the day, so they are cached and have an ETag. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../../messages/error.ts";
import { asRecord } from "../../../text/values.ts";
import type { BatchRequest } from "../../../wire/schemas.ts";
import { METRICS_TYPES } from "../../../wire/metrics.ts";
import { OPERATIONS, type Operation, type OperationName } from "../../../api/operations/operations.ts";
import { admissionHook, type Admission } from "../admission.ts";
import {
  createResponseCache,
  type ResponseCache,
  prepareAnswer,
  sendPrepared,
  type PreparedAnswer,
} from "../cached-answers.ts";
import type { Edition } from "../editions.ts";
import type { RequestCheck } from "../forms.ts";
import { ENDOFLIFE_OPERATIONS } from "../endoflife.ts";
import { TEA_OPERATIONS } from "../tea.ts";
import { tooManyDocuments } from "../../documents/pool.ts";
import { JSON_TYPE, withNotice, callerRoot, withCallerLinks } from "../replies.ts";
import { createRouteHooks, type RouteHooks } from "../route-hooks.ts";
import { type AppContext, MAX_SMALL_BODY } from "../app-context.ts";
import { after, type Caller } from "../../services.ts";
import { BATCH_ENVELOPE_TYPE, HTTP_QUERIES } from "../service-operations.ts";

type Params = Readonly<Record<string, unknown>>;

/** Operations with their own handlers, or that share a path with another one. */
const OWN_HANDLER: ReadonlySet<string> = new Set(["batch", "sbom", "enrich"] satisfies OperationName[]);
/** Limit for tiers without one, because the response must fit in memory. */
const MAX_BATCH = 5000;

export function lookUpRoutes(app: FastifyInstance, parts: AppContext, admission: Admission, docs: string): void {
  const answers = createResponseCache<PreparedAnswer>();
  for (const [name, row] of Object.entries(OPERATIONS))
    if (!OWN_HANDLER.has(name)) lookUpRoute(app, row, operationNamed(name), { parts, answers, admission });
  for (const row of Object.values({ ...ENDOFLIFE_OPERATIONS, ...TEA_OPERATIONS }))
    lookUpRoute(app, row, ({ local }, params) => row.make(local, params), { parts, answers, admission });
  batchRoute(app, parts, admission, docs);
  sbomRoute(app, parts, admission);
}

type LookUpAnswer = (edition: Edition, params: Params) => unknown;

function lookUpRoute(
  app: FastifyInstance,
  row: Operation,
  ask: LookUpAnswer,
  { admission, ...rest }: Pick<LookupRoute, "parts" | "answers"> & { readonly admission: Admission },
): void {
  const keys = keysOf(row);
  const route = routeOf(row, admission);
  const lookup: LookupRoute = { ...rest, ask, row, keys, hooks: createRouteHooks(row.path, route.config, rest.parts) };
  app.route({
    ...route,
    // Prepared answers are compressed already.
    compress: false,
    schema: {
      ...(keys.params.length > 0 ? { params: row.params } : {}),
      ...(keys.query.length > 0 ? { querystring: row.query } : {}),
    },
    handler: (request, reply) => answerLookup(lookup, request, reply),
  });
}

function routeOf(row: Operation, admission: Admission) {
  const counted = row.access === "counted";
  return {
    method: row.method,
    url: row.path,
    config: { access: row.access },
    ...(counted ? { onRequest: admissionHook(admission) } : {}),
  };
}

/** A route of the operations table. */
interface LookupRoute {
  readonly ask: LookUpAnswer;
  readonly row: Operation;
  readonly keys: ParameterNames;
  readonly parts: AppContext;
  readonly answers: ResponseCache<PreparedAnswer>;
  readonly hooks: RouteHooks;
}

/** Sends a look-up, synchronously if it is cached. */
function answerLookup(lookup: LookupRoute, request: FastifyRequest, reply: FastifyReply): Promise<void> | void {
  const edition = lookup.parts.editions.current();
  const make = () => prepare(lookup, edition, request);
  const answer = lookup.answers.get(edition, cacheKeyOf(lookup, request), make);
  return after(answer, (made) => sendAnswer(made, lookup, request, reply));
}

/** Cache key: the URL, and the headers that change the response. */
function cacheKeyOf({ row, parts: { settings } }: LookupRoute, request: FastifyRequest): string {
  const root = callerRoot(request, settings) ?? "";
  const asked = `${request.noticed ? "notice " : ""}${root}${request.url}`;
  return row.answer === "text" ? `${acceptedFormat(request.headers)} ${asked}` : asked;
}

function sendAnswer(
  answer: PreparedAnswer,
  { row, hooks }: LookupRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | void {
  const { "if-none-match": known, "accept-encoding": accepted, "x-no-compression": plain } = request.headers;
  return after(answer.encoded(plain === undefined ? accepted : undefined), (encoded) => {
    const { etag } = encoded.headers;
    if (row.cached && etag !== undefined && known?.includes(etag) === true) {
      void reply.code(304).headers(cachingHeaders(row, etag)).send();
    } else {
      sendPrepared(encoded, request, reply, hooks);
    }
  });
}

/** Names of the parameters in path and query, in the order of the table. */
interface ParameterNames {
  readonly params: readonly string[];
  readonly query: readonly string[];
}
const keysOf = ({ params, query }: Operation): ParameterNames => ({
  params: Object.keys(params.properties),
  query: Object.keys(query.properties),
});

/** The input of the operation. The format of metrics depends on the Accept header. */
function paramsOf(row: Operation, keys: ParameterNames, request: FastifyRequest): Params {
  const params: Record<string, unknown> = {};
  // fastify has validated both against the schemas of the row.
  const [given, optional] = [asRecord(request.params), asRecord(request.query)];
  for (const key of keys.params) params[key] = given[key];
  for (const key of keys.query) if (optional[key] !== undefined) params[key] = optional[key];
  if (row.answer === "text" && params["format"] === undefined) {
    params["format"] = acceptedFormat(request.headers);
  }
  return params;
}

const acceptedFormat = ({ accept }: FastifyRequest["headers"]): keyof typeof METRICS_TYPES =>
  /application\/openmetrics-text/.test(accept ?? "") ? "openmetrics" : "prometheus";

const formatOf = (params: Params): keyof typeof METRICS_TYPES =>
  params["format"] === "openmetrics" ? "openmetrics" : "prometheus";

async function prepare(
  { ask, row, keys, parts, hooks }: LookupRoute,
  edition: Edition,
  request: FastifyRequest,
): Promise<PreparedAnswer> {
  const { noticed } = request;
  const params = paramsOf(row, keys, request);
  const answer = await ask(edition, params);
  const json = typeof answer === "string" ? answer : JSON.stringify(answer);
  const text = noticed ? withNotice(json, parts.settings.keylessUntil) : json;
  // Weak, because the encoding differs. Each representation has a tag of its own: the format of metrics, the notice.
  const openMetrics = row.answer === "text" && formatOf(params) === "openmetrics";
  const etag = `W/"${edition.tag}${openMetrics ? "-o" : ""}${noticed ? "-n" : ""}"`;
  return prepareAnswer(Buffer.from(withCallerLinks(text, request, parts.settings)), {
    ...hooks.headers,
    "content-type": row.answer === "text" ? METRICS_TYPES[formatOf(params)] : JSON_TYPE,
    ...(row.cached && cachingHeaders(row, etag)),
  });
}

const operationNamed =
  (name: string): LookUpAnswer =>
  ({ local }, params) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row's schemas have checked the parameters before the handler ran
    const operation = local[name as OperationName] as (input: Params) => Promise<unknown>;
    return operation(params);
  };

const CACHE = { counted: "private, max-age=300", keyless: "public, max-age=3600" } as const;
const VARY = "accept, accept-encoding, x-api-key, authorization";

const cachingHeaders = ({ access }: Operation, etag: string) => ({ etag, "cache-control": CACHE[access], vary: VARY });

function batchRoute(app: FastifyInstance, parts: AppContext, admission: Admission, docs: string): void {
  const row = OPERATIONS.batch;
  app.route<{ Body: BatchRequest; Querystring: { readonly envelope?: "0" | "1" } }>({
    ...routeOf(row, admission),
    config: { access: row.access, textVersions: true },
    bodyLimit: MAX_SMALL_BODY,
    schema: { body: row.body, querystring: HTTP_QUERIES.batch },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      checkBatch(request.body, caller);
      const { local, served } = parts.editions.current();
      const results = await local.batch(request.body);
      reply.header("vary", VARY);
      const asked = request.headers.accept?.includes(BATCH_ENVELOPE_TYPE) === true;
      reply.type(asked ? BATCH_ENVELOPE_TYPE : JSON_TYPE);
      if (!asked && !wantsEnvelope(request.query.envelope, caller, parts)) return reply.send(JSON.stringify(results));
      const { kevVersion } = served.catalogue.metadata;
      const envelope = { count: results.length, results, tier: caller.tier.name, kev_catalog: kevVersion, docs };
      const json = JSON.stringify(envelope);
      return reply.send(request.noticed ? withNotice(json, parts.settings.keylessUntil) : json);
    },
  });
}

/** The query parameter takes precedence over the property of the key, and over the setting for callers without a key. */
const wantsEnvelope = (query: "0" | "1" | undefined, { batchEnvelope }: Caller, { settings }: AppContext): boolean =>
  query === undefined ? (batchEnvelope ?? settings.batchEnvelope) : query === "1";

export function checkBatch({ products }: BatchRequest, { tier }: Caller): void {
  const limit = tier.batchItems ?? MAX_BATCH;
  if (products.length <= limit) return;
  throw EolgateError.of("batch-limit", { name: tier.name, limit, count: products.length }, { details: { limit } });
}

function sbomRoute(app: FastifyInstance, parts: AppContext, admission: Admission): void {
  interface SbomQuery {
    readonly enrich?: "0" | "1";
    readonly strict?: "0" | "1";
    readonly warn_days?: number;
  }
  app.route<{ Body: Buffer | undefined; Querystring: SbomQuery }>({
    method: "POST",
    url: OPERATIONS.sbom.path,
    config: { access: "counted", raw: true },
    onRequest: (request, reply) => admitDocument(request, reply, parts, admission),
    bodyLimit: parts.settings.maxBody,
    schema: { querystring: HTTP_QUERIES.sbom },
    handler: async (request, reply) => {
      const { enrich, ...query } = request.query;
      const question = { input: { ...query, document: bodyOf(request.body) }, ...capOf(callerOf(request)) };
      if (enrich === "1") {
        const type = request.headers["content-type"] ?? JSON_TYPE;
        return reply.type(type).send(asBuffer(await parts.documents.enrich(question)));
      }
      const json = asBuffer(await parts.documents.sbom(question));
      const { keylessUntil } = parts.settings;
      return reply.type(JSON_TYPE).send(request.noticed ? withNotice(json.toString(), keylessUntil) : json);
    },
  });
}

/** The same memory as a Buffer, which fastify sends without a copy. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Refuses the request before it is counted and its body is read if the queue of documents is full. @throws EolgateError `overloaded` */
export const admitDocument: RequestCheck = async (request, reply, { documents }, admission) => {
  if (documents.busy()) throw tooManyDocuments();
  await admission.admit(request, reply);
};

export function bodyOf(body: Buffer | undefined): Uint8Array {
  if (body !== undefined && body.length > 0) return body;
  throw EolgateError.of("invalid-body", { problem: "the body is empty" }).at("body");
}

export function capOf({ tier }: Caller): { readonly cap?: { readonly components: number; readonly tier: string } } {
  return tier.sbomComponents === null ? {} : { cap: { components: tier.sbomComponents, tier: tier.name } };
}

/** The caller that `admit` has set. @throws EolgateError `internal` on a route that did not call it */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller) return caller;
  throw EolgateError.of("internal", { problem: "a metered route ran without authentication" });
}
