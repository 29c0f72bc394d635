/** A scope for the routes of pages: sets their content security policy, and sends errors as pages to clients that prefer HTML. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EolgateError } from "../../messages/error.ts";
import { findProduct } from "../../resolve/product.ts";
import { asRecord } from "../../text/values.ts";
import { linksUnder } from "../../wire/links.ts";
import type { AppContext } from "../http/app-context.ts";
import { sendError, type ErrorContext } from "../http/replies.ts";
import { prefersHtml } from "./accept.ts";
import { errorPage } from "./error.ts";
import { PAGE_POLICY } from "./policy.ts";
import { siteOf } from "./site.ts";

export function pageScope(app: FastifyInstance, parts: AppContext, register: (scope: FastifyInstance) => void): void {
  const { settings, clock, log } = parts;
  const errors: ErrorContext = {
    docs: linksUnder(settings.publicUrl).docs,
    keylessUntil: settings.keylessUntil,
    clock,
    log,
  };
  app.register(async (scope) => {
    // Runs after the hooks of every route, which set the policy of API responses.
    scope.addHook("onRoute", (route) => {
      route.onRequest = [...[route.onRequest ?? []].flat(), setPolicy];
    });
    scope.setErrorHandler((error, request, reply) => {
      reply.header("vary", "accept, accept-encoding");
      // Other clients get the JSON error of the application's handler.
      if (!prefersHtml(request.headers.accept)) throw error;
      reply.header("content-security-policy", PAGE_POLICY);
      const page = (problem: EolgateError): string => {
        const site = siteOf(parts);
        const query = slugIn(request.params);
        const product = query === undefined ? undefined : findProduct(site.catalogue, query);
        return errorPage(site, problem, {
          ...(query !== undefined && { query }),
          ...(product && { product: product.slug }),
        });
      };
      return sendError(error, request, reply, { ...errors, page });
    });
    register(scope);
  });
}

function setPolicy(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header("content-security-policy", PAGE_POLICY);
  done();
}

function slugIn(params: unknown): string | undefined {
  const { slug } = asRecord(params);
  return typeof slug === "string" ? slug : undefined;
}
