/**
 * The application: routes from the tables, the hooks around them, one form for every error. It opens no port
 * (`listen.ts` does), so tests put requests into it directly.
 */
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { Fault } from "../core/errors.ts";
import { linksUnder } from "../core/wire/links.ts";
import { maskedAddress } from "./address.ts";
import { createAdmission } from "./admit.ts";
import { checkMediaType, readBodies, validateRequests } from "./body.ts";
import { SECOND } from "./clock.ts";
import { compress } from "./compress.ts";
import type { AppParts } from "./parts.ts";
import { CORS, PREFLIGHT, rawError, securityHeaders, sendError, type ErrorSetting } from "./replies.ts";
import { keyRoutes } from "./routes/keys.ts";
import { lookUpRoutes } from "./routes/lookups.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { publishedRoutes } from "./routes/published.ts";
import { watchRoutes } from "./routes/watch.ts";
import { MAX_SMALL_BODY } from "./settings.ts";
import "./request.ts";

/** Pages for people register here, after the routes for machines. */
export type Pages = (app: FastifyInstance, parts: AppParts) => void;

const REQUEST_TIMEOUT = 120 * SECOND;
const ANSWER_TIMEOUT = 60 * SECOND;
/** Longer than a load balancer keeps idle connections (60 s), so that it never sends into one that we close. */
const KEEP_ALIVE = 72 * SECOND;
/** An event loop that is so late cannot answer in time: better to say so at once. */
const MAX_LATENESS = SECOND;

export function createApp(parts: AppParts, pages?: Pages): FastifyInstance {
  const { settings, clock, log } = parts;
  const links = linksUnder(settings.publicUrl);
  const errors: ErrorSetting = { docs: links.docs, keylessUntil: settings.keylessUntil, clock, log };
  const app = fastify({
    logger: false,
    trustProxy: (_address, hop) => hop < settings.trustProxy,
    bodyLimit: MAX_SMALL_BODY,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE,
    handlerTimeout: ANSWER_TIMEOUT,
    // While we stop, requests on open connections are still answered: a rolling restart loses none.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply.headers({ ...securityHeaders(settings.publicUrl), ...CORS }), errors);
    },
    clientErrorHandler: (error, socket) => {
      const tooLarge = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
      if (socket.writable) socket.end(rawError(links.docs, tooLarge));
    },
  });
  app.decorateRequest("caller", null);
  app.decorateRequest("noticed", false);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, errors));
  app.setNotFoundHandler((request, reply) => sendError(unknownPath(request), request, reply, errors));
  readBodies(app);
  validateRequests(app);
  addHooks(app, parts);

  const known = rememberMethods(app);
  const admission = createAdmission(parts, links.docs);
  lookUpRoutes(app, parts, admission, links.docs);
  keyRoutes(app, parts);
  watchRoutes(app, parts, admission, links.docs);
  publishedRoutes(app, parts, admission, links);
  mcpRoute(app, parts, admission);
  pages?.(app, parts);
  app.after(() => refuseOtherMethods(app, known));
  return app;
}

function addHooks(app: FastifyInstance, parts: AppParts): void {
  const security = securityHeaders(parts.settings.publicUrl);
  const open = { ...security, ...CORS };
  app.addHook("onRequest", (request, reply, done) => {
    const { config } = request.routeOptions;
    reply.headers(config.cors === false ? security : open);
    if (parts.telemetry.lateness() > MAX_LATENESS && config.always !== true) throw overloaded();
    if (request.method === "POST" && config.anyMedia !== true) checkMediaType(request);
    done();
  });
  app.addHook("onSend", compress);
  app.addHook("onResponse", (request, reply, done) => {
    const { method, routeOptions } = request;
    parts.telemetry.observe(method, routeOptions.url ?? "unknown", reply.statusCode, reply.elapsedTime / SECOND);
    parts.log.info(factsOf(request, reply), "request");
    done();
  });
}

/** The route, not the URL: that may hold a token. The network, not the address. */
const factsOf = (request: FastifyRequest, reply: FastifyReply): object => ({
  method: request.method,
  route: request.routeOptions.url ?? "unknown",
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime * 10) / 10,
  client: maskedAddress(request.ip),
  ...(request.caller && { tier: request.caller.tier.name }),
});

const overloaded = (): Fault =>
  new Fault("unavailable", { code: "overloaded", message: "The server is too busy to answer in time" });

const unknownPath = ({ method }: FastifyRequest): Fault =>
  new Fault("not-found", { code: "unknown-path", message: `There is no ${method} route at this path` });

interface Known {
  readonly methods: Set<string>;
  readonly cors: boolean;
}

/** Which methods each path has. HEAD comes with GET. */
function rememberMethods(app: FastifyInstance): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  app.addHook("onRoute", ({ url, method, config }) => {
    const path = known.get(url) ?? { methods: new Set<string>(), cors: config?.cors !== false };
    for (const each of [method].flat()) path.methods.add(each);
    known.set(url, path);
  });
  return known;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Every other method of a known path: the preflight of browsers, and 405 with Allow. */
function refuseOtherMethods(app: FastifyInstance, known: ReadonlyMap<string, Known>): void {
  for (const [url, { methods, cors }] of known) {
    const allow = [...methods, ...(cors ? ["OPTIONS"] : [])].join(", ");
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      config: { anyMedia: true, ...(cors ? {} : { cors: false }) },
      handler: (request, reply) => {
        reply.header("allow", allow);
        if (cors && request.method === "OPTIONS") return reply.code(204).headers(PREFLIGHT).send();
        throw new Fault("method", {
          code: "method-not-allowed",
          message: `${request.method} is not allowed at this path`,
          hint: `Allowed: ${allow}`,
        });
      },
    });
  }
}
