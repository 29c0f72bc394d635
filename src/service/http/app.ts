/**
 * The application: routes, hooks and the error handler. It opens no port (`serve/ports.ts` does), so tests can inject
 * requests directly.
 */
import { fastify, type FastifyInstance, type FastifyRequest } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { linksUnder } from "../../wire/links.ts";
import { createAdmission } from "./admission.ts";
import { createRouteHooks, registerRouteHooks, refuseOtherMethods, recordMethods } from "./route-hooks.ts";
import { registerBodyParsers, validateRequests } from "./body.ts";
import { SECOND } from "../clock.ts";
import { registerCompression } from "./cached-answers.ts";
import { type AppContext, MAX_SMALL_BODY } from "./app-context.ts";
import { CORS, rawError, securityHeaders, sendError } from "./replies.ts";
import { accountRoutes, checkRoutes } from "./routes/account.ts";
import { keyRoutes, publishedRoutes } from "./routes/published.ts";
import { lookUpRoutes } from "./routes/lookups.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { watchListRoutes, watchRoutes } from "./routes/watch.ts";

/** Registers the HTML pages, after the routes of the API. */
export type Pages = (app: FastifyInstance, parts: AppContext) => void;

const REQUEST_TIMEOUT = 120 * SECOND;
/** Longer than the idle timeout of load balancers (60 s), so that they never send a request to a closed connection. */
const KEEP_ALIVE = 72 * SECOND;

export function createApp(parts: AppContext, pages?: Pages): FastifyInstance {
  const links = linksUnder(parts.settings.publicUrl);
  const app = createFramework(parts, links.docs);
  registerErrors(app, parts);
  registerBodyParsers(app);
  validateRequests(app);

  const known = recordMethods(app);
  registerRouteHooks(app, parts);
  registerCompression(app);
  const admission = createAdmission(parts, links.docs);
  lookUpRoutes(app, parts, admission, links.docs);
  keyRoutes(app, parts);
  watchRoutes(app, parts, admission, links.docs);
  accountRoutes(app, parts, admission);
  watchListRoutes(app, parts);
  checkRoutes(app, parts, admission);
  publishedRoutes(app, parts, admission, links);
  mcpRoute(app, parts, admission);
  pages?.(app, parts);
  app.after(() => refuseOtherMethods(app, known));
  return app;
}

/** Addresses of endoflife.date end with a slash, and so do those of many clients. After a product it is an empty version. */
const TRAILING_SLASH = /^(?!\/v1\/(?:score|status|badge)\/[^/?]+\/(?:\?|$))([^?]+)\/(?=\?|$)/;

const createFramework = (parts: AppContext, docs: string): FastifyInstance =>
  fastify({
    logger: false,
    trustProxy: parts.settings.trustProxy === 0 ? false : (_address, hop) => hop < parts.settings.trustProxy,
    bodyLimit: MAX_SMALL_BODY,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE,
    // While the server stops, requests on open connections are still answered, so a rolling restart loses none.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000 },
    rewriteUrl: ({ url = "/" }) => url.replace(TRAILING_SLASH, "$1"),
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply.headers({ ...securityHeaders(parts.settings.publicUrl), ...CORS }), parts);
    },
    clientErrorHandler: (error, socket) => {
      const tooLarge = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
      if (socket.writable) socket.end(rawError(docs, tooLarge));
    },
  });

function registerErrors(app: FastifyInstance, parts: AppContext): void {
  app.decorateRequest("caller", null);
  app.decorateRequest("noticed", false);
  app.decorateRequest("startedAt", 0);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, parts));
  const unknown = createRouteHooks("unknown", {}, parts);
  app.setNotFoundHandler((request, reply) => {
    unknown.opening(request);
    unknown.setHeaders(reply);
    void sendError(unknownPath(request), request, reply, parts);
    unknown.onReply(request, reply);
  });
}

const unknownPath = ({ method }: FastifyRequest): EolgateError =>
  EolgateError.of("unknown-path", { problem: `there is no ${method} route at this path` });
