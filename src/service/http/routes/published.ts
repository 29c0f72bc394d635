/** Routes that need no key: index, OpenAPI description, static feeds, catalogue, probes, and those that send or sell keys. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Links } from "../../../wire/links.ts";
import type { CheckoutRequest, EmailRequest, Index, KeyResponse, Limits, Readiness } from "../../../wire/schemas.ts";
import { OPERATIONS } from "../../../api/operations/operations.ts";
import { type Admission, addressBlock } from "../admission.ts";
import type { Edition } from "../editions.ts";
import { INTERFACE_VERSION, openApi } from "../openapi.ts";
import { type AppContext, MAX_SMALL_BODY } from "../app-context.ts";
import { publishedFile } from "../cached-answers.ts";
import { FEEDS } from "../feeds.ts";
import { JSON_TYPE } from "../replies.ts";
import { SERVICE_OPERATIONS } from "../service-operations.ts";
import type { Checks, PaymentService, Tier } from "../../services.ts";
import { EolgateError } from "../../../messages/error.ts";
import { bodyOf } from "./lookups.ts";
import { keyMail } from "../../pages/site.ts";

export function publishedRoutes(app: FastifyInstance, parts: AppContext, admission: Admission, links: Links): void {
  const { editions, services, version, settings, clock } = parts;
  app.get(SERVICE_OPERATIONS.index.path, async (request, reply) => {
    const { tier } = await admission.identify(request);
    return json(
      reply.header("cache-control", "no-store"),
      index(editions.current(), { tier, version, links, keyless: clock() < settings.keylessUntil }),
    );
  });

  const description = JSON.stringify(openApi(version, settings));
  const files = {
    [SERVICE_OPERATIONS.openapi.path]: publishedFile(() => [description], settings),
    ...Object.fromEntries(
      Object.entries(FEEDS).map(([path, { type, make }]) => [
        path,
        publishedFile((edition) => make(edition, links), settings, type),
      ]),
    ),
    [SERVICE_OPERATIONS.catalogue.path]: publishedFile(({ served }) => [served.bytes()], settings),
  };
  for (const [path, file] of Object.entries(files)) {
    app.get(path, (request, reply) => file.send(request, reply, editions.current()));
  }

  const { health, readiness } = SERVICE_OPERATIONS;
  const probe = { config: { always: true } } as const;
  app.get(health.path, probe, async (_, reply) => json(reply, { status: "ok" }));
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(readiness.path, probe, async ({ query }, reply) => {
    const checks = await runChecks(services.checks);
    const ready = Object.values(checks).every((checked) => checked === "ok");
    const remarks = await runChecks({ ...services.remarks, ...("store" in query && services.storeRemarks) });
    const wanted = Object.entries(remarks).filter(([, checked]) => checked !== "ok");
    const answer: Readiness = {
      status: ready ? "ready" : "not-ready",
      checks,
      ...(wanted.length > 0 && { remarks: Object.fromEntries(wanted) }),
    };
    return json(reply.code(ready ? 200 : 503).header("cache-control", "no-store"), answer);
  });
}

const json = (reply: FastifyReply, answer: unknown): FastifyReply => reply.type(JSON_TYPE).send(JSON.stringify(answer));

interface IndexContext {
  readonly tier: Tier;
  readonly version: string;
  readonly links: Links;
  /** Whether keyless access has not ended. */
  readonly keyless: boolean;
}

function index({ served: { catalogue } }: Edition, { tier, version, links, keyless }: IndexContext): Index {
  const slugs = catalogue.slugs();
  const cycles = slugs.reduce((sum, slug) => sum + (catalogue.product(slug)?.cycles.length ?? 0), 0);
  return {
    name: "eolgate",
    version: INTERFACE_VERSION,
    software_version: version,
    description: "End-of-life dates and EOL Risk Scores of software products and of the components of an SBOM",
    endpoints: {
      products: at(OPERATIONS.products),
      product: at(OPERATIONS.product),
      score: at(OPERATIONS.highestScore),
      scoreVersion: at(OPERATIONS.score),
      status: at(OPERATIONS.status),
      batch: at(OPERATIONS.batch),
      metrics: at(OPERATIONS.metrics),
      badge: at(OPERATIONS.badge),
      freeKey: at(SERVICE_OPERATIONS.freeKey),
      sbom: at(OPERATIONS.sbom),
      watch: at(SERVICE_OPERATIONS.watch),
      openapi: at(SERVICE_OPERATIONS.openapi),
    },
    docs: links.docs,
    methodology: links.methodology,
    tier: tier.name,
    rate_limit: rateLimit(tier, keyless),
    ...((tier.name !== "anonymous" || keyless) && { limits: limitsOf(tier) }),
    catalogue: { date: catalogue.metadata.date, products: slugs.length, cycles },
  };
}

const at = (row: { readonly method: string; readonly path: string }): string => `${row.method} ${row.path}`;

/** The quota of a tier. After the end of keyless access, anonymous callers need a key. */
function rateLimit({ name, requestsPerDay }: Tier, keyless: boolean): string {
  if (name === "anonymous" && !keyless) return "API key required";
  return requestsPerDay === null ? "unlimited" : `${requestsPerDay} requests/day`;
}

export const limitsOf = (tier: Tier): Limits => ({
  requests_per_day: tier.requestsPerDay,
  batch_items: tier.batchItems,
  sbom_components: tier.sbomComponents,
});

async function runChecks(checks: Checks): Promise<Record<string, string>> {
  const checked = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const problem = await check().catch(() => "failed");
      return [name, problem ?? "ok"] as const;
    }),
  );
  return Object.fromEntries(checked);
}

const MAX_EMAIL_BODY = 16 * 1024;

export function keyRoutes(app: FastifyInstance, { services, settings }: AppContext): void {
  const { freeKey, recoverKeys, checkout, webhook } = SERVICE_OPERATIONS;

  for (const [{ path, body }, request] of [[freeKey, "mailFree"] as const, [recoverKeys, "recover"] as const])
    app.post<{ Body: EmailRequest }>(
      path,
      { bodyLimit: MAX_EMAIL_BODY, schema: { body } },
      async ({ body: { email: asked }, ip }): Promise<KeyResponse> => {
        const { email } = await services.keys[request](asked, addressBlock(ip));
        const message = keyMail(settings, email, request);
        return { message, email, tier: services.free.name, limits: limitsOf(services.free) };
      },
    );

  app.post<{ Body: CheckoutRequest }>(
    checkout.path,
    { bodyLimit: MAX_EMAIL_BODY, schema: { body: checkout.body }, config: { cors: false } },
    (request) => paymentsOf(services).checkout(request.body.tier, request.body.email),
  );

  app.post<{ Body: Buffer | undefined }>(
    webhook.path,
    { bodyLimit: MAX_SMALL_BODY, config: { cors: false, raw: true } },
    async (request: FastifyRequest<{ Body: Buffer | undefined }>) => {
      const signature = request.headers["stripe-signature"];
      await paymentsOf(services).webhook(bodyOf(request.body), typeof signature === "string" ? signature : undefined);
      return { received: true };
    },
  );
}

/** @throws EolgateError `payments-not-configured` */
export function paymentsOf({ payments }: AppContext["services"]): PaymentService {
  if (payments) return payments;
  throw EolgateError.of("payments-not-configured", {});
}
