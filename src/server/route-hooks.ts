/**
 * What happens around every route: headers, back-pressure, media types before it; figures and the log after it. The hooks are created once for each route from its configuration, because reading that on each request
 * costs more than the hooks themselves.
 */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../core/errors.ts";
import { maskedAddress } from "./address.ts";
import { checkMediaType } from "./body.ts";
import { SECOND } from "./clock.ts";
import type { AppContext } from "./app-context.ts";
import { CORS, securityHeaders } from "./replies.ts";
import "./request.ts";

/** An event loop with this delay cannot answer in time, so requests are refused at once. */
const MAX_LATENESS = SECOND;

export interface RouteHooks {
  /** Of every answer of the route, unless it sets another value itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** Before the body is read. */
  opening(request: FastifyRequest): void;
  /** Before the headers are sent. */
  setHeaders(reply: FastifyReply): void;
  /** When the answer is made. */
  onReply(request: FastifyRequest, reply: FastifyReply): void;
}

/** `route` is the pattern, not the URL: that may contain a token. Of the address, the network. */
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
      if (hostHeaders(request.raw.rawHeaders) > 1) throw EolgateError.of("host-header", {});
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

/** Puts the hooks around every route that is registered from now on. */
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
      // Called when the answer is ready, not when the client has received it, which would need a listener on each
      // response.
      (request, reply, payload, done) => {
        setHeaders(reply);
        onReply(request, reply);
        done(null, payload);
      },
    ];
  });
}

/** Node keeps the first Host header and drops the others; a proxy may have read another one (RFC 9112, 3.2). */
function hostHeaders(raw: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < raw.length; index += 2) if (raw[index]?.toLowerCase() === "host") count += 1;
  return count;
}

const overloaded = (): EolgateError => EolgateError.of("overloaded", {});
