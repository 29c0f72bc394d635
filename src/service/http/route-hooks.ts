/**
 * Hooks of every route: headers, overload protection and the media type before the handler, metrics and the log after it.
 * They are created once for each route, because reading the configuration on each request costs more than the hooks. Other
 * methods of a path are answered too: CORS preflight requests, and 405 with an Allow header.
 */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { maskedAddress } from "./admission.ts";
import { checkMediaType } from "./body.ts";
import { SECOND } from "../clock.ts";
import type { AppContext } from "./app-context.ts";
import { CORS, securityHeaders, PREFLIGHT, withCallerLinks } from "./replies.ts";

/** Milliseconds of delay of the event loop above which requests are refused, because they would be answered too late. */
const MAX_LATENESS = SECOND;

export interface RouteHooks {
  /** Headers of all responses of the route, unless the route sets another value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called before the body is read. */
  opening(request: FastifyRequest): void;
  /** Called before the headers are sent. */
  setHeaders(reply: FastifyReply): void;
  /** Called when the response is ready. */
  onReply(request: FastifyRequest, reply: FastifyReply): void;
}

/** @param route the pattern of the route: it is logged instead of the URL, which may contain a token */
export function createRouteHooks(
  route: string,
  config: FastifyContextConfig,
  { settings, telemetry, log }: AppContext,
): RouteHooks {
  const security = securityHeaders(settings.publicUrl);
  const headers = config.cors === false ? security : { ...security, ...CORS };
  const entries = Object.entries(headers);
  return {
    headers,
    opening(request) {
      request.startedAt = performance.now();
      if (telemetry.lateness() > MAX_LATENESS && config.always !== true) throw overloaded();
      if (hostHeaders(request.raw.rawHeaders) > 1)
        throw EolgateError.of("invalid-request", { problem: "the request has more than one Host header" });
      if (request.method === "POST" && config.anyMedia !== true) checkMediaType(request);
    },
    setHeaders(reply) {
      for (const [name, value] of entries) if (!reply.hasHeader(name)) reply.header(name, value);
    },
    onReply({ method, caller, ip, startedAt }, { statusCode: status }) {
      const elapsed = performance.now() - startedAt;
      telemetry.observe(method, route, status, elapsed / SECOND);
      const ms = Math.round(elapsed * 10) / 10;
      const facts = { method, route, status, ms, client: maskedAddress(ip), tier: caller?.tier.name };
      log.info(facts, "request");
    },
  };
}

export function registerRouteHooks(app: FastifyInstance, parts: AppContext): void {
  app.addHook("onRoute", (route) => {
    const { opening, setHeaders, onReply } = createRouteHooks(route.url, route.config ?? {}, parts);
    route.onRequest = [
      (request, _reply, done) => {
        opening(request);
        done();
      },
      ...[route.onRequest ?? []].flat(),
    ];
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      // Called when the response is ready, not when the client has received it: that would need a listener on each one.
      (request, reply, payload, done) => {
        setHeaders(reply);
        onReply(request, reply);
        done(null, withCallerLinks(payload, request, parts.settings));
      },
    ];
  });
}

/** The number of Host headers. Node.js uses the first one, but a proxy may use another one (RFC 9112, 3.2). */
function hostHeaders(raw: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < raw.length; index += 2) if (raw[index]?.toLowerCase() === "host") count += 1;
  return count;
}

const overloaded = (): EolgateError => EolgateError.of("overloaded", { problem: "the server is overloaded" });

interface PathMethods {
  readonly methods: Set<string>;
  readonly cors: boolean;
}
export type KnownPaths = ReadonlyMap<string, PathMethods>;

/** Records the methods of all paths that are registered later. */
export function recordMethods(app: FastifyInstance): KnownPaths {
  const known = new Map<string, PathMethods>();
  app.addHook("onRoute", ({ url, method, config }) => {
    const path = known.get(url) ?? { methods: new Set<string>(), cors: config?.cors !== false };
    for (const each of [method].flat()) path.methods.add(each);
    known.set(url, path);
  });
  return known;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Registers the methods that a path does not have. */
export function refuseOtherMethods(app: FastifyInstance, known: KnownPaths): void {
  for (const [url, { methods, cors }] of known) {
    const allow = [...methods, ...(cors ? ["OPTIONS"] : [])].join(", ");
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      config: { anyMedia: true, ...(cors ? {} : { cors: false }) },
      handler: (request, reply) => {
        reply.header("allow", allow);
        if (cors && request.method === "OPTIONS") return reply.code(204).headers(PREFLIGHT).send();
        throw EolgateError.of("method-not-allowed", { method: request.method, allow });
      },
    });
  }
}
