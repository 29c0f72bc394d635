/** Answers the other methods of each path: CORS preflight requests, and 405 with an Allow header. */
import type { FastifyInstance } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { PREFLIGHT } from "./replies.ts";
import "./request.ts";

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
