/** Routes that send keys by mail and sell keys. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { EolgateError } from "../../../messages/error.ts";
import type { CheckoutRequest, EmailRequest, KeyResponse } from "../../../wire/schemas.ts";
import { addressBlock } from "../address.ts";
import { type AppContext, MAX_SMALL_BODY } from "../app-context.ts";
import { SERVICE_OPERATIONS } from "../service-operations.ts";
import type { PaymentService } from "../../services.ts";
import { bodyOf } from "./lookups.ts";
import { limitsOf } from "./published.ts";

const MAX_EMAIL_BODY = 16 * 1024;

export function keyRoutes(app: FastifyInstance, { services }: AppContext): void {
  const { freeKey, recoverKeys, checkout, webhook } = SERVICE_OPERATIONS;

  app.post<{ Body: EmailRequest }>(
    freeKey.path,
    { bodyLimit: MAX_EMAIL_BODY, schema: { body: freeKey.body } },
    async (request): Promise<KeyResponse> => {
      const { email, tier } = await services.keys.mailFree(request.body.email, addressBlock(request.ip));
      return { message: `The key was sent to ${email}`, email, tier: tier.name, limits: limitsOf(tier) };
    },
  );

  app.post<{ Body: EmailRequest }>(
    recoverKeys.path,
    { bodyLimit: MAX_EMAIL_BODY, schema: { body: recoverKeys.body } },
    async (request): Promise<KeyResponse> => {
      const { email } = await services.keys.recover(request.body.email, addressBlock(request.ip));
      const { free } = services;
      return { message: `The keys of ${email} were sent to it`, email, tier: free.name, limits: limitsOf(free) };
    },
  );

  app.post<{ Body: CheckoutRequest }>(
    checkout.path,
    { bodyLimit: MAX_EMAIL_BODY, schema: { body: checkout.body }, config: { cors: false } },
    (request) => paymentsOf(services.payments).checkout(request.body.tier, request.body.email),
  );

  app.post<{ Body: Buffer | undefined }>(
    webhook.path,
    { bodyLimit: MAX_SMALL_BODY, config: { cors: false, raw: true } },
    async (request: FastifyRequest<{ Body: Buffer | undefined }>) => {
      const signature = request.headers["stripe-signature"];
      await paymentsOf(services.payments).webhook(
        bodyOf(request.body),
        typeof signature === "string" ? signature : undefined,
      );
      return { received: true };
    },
  );
}

function paymentsOf(payments: PaymentService | undefined): PaymentService {
  if (payments) return payments;
  throw EolgateError.of("payments-not-configured", {});
}
