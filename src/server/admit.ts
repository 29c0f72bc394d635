/**
 * Who asks, and whether they may: key, keyless period, quota (specification 5 and 8; decisions, "Keys", "Quota"). Runs
 * before a body is read, so that nobody without a key makes us read 64 MiB.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../core/errors.ts";
import { addressBlock } from "./address.ts";
import { HOUR, nextUtcDay, SECOND } from "./clock.ts";
import type { AppParts } from "./parts.ts";
import type { Caller, Tier } from "./services.ts";
import "./request.ts";

export interface Admission {
  /** The caller of a route that needs no key: a wrong key is refused all the same, never served as anonymous. */
  identify(request: FastifyRequest): Promise<Caller>;
  /** The caller of a counted route, counted. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Counts one use and tells the reply what remains. A Fault when the day's quota is used up. */
  count(caller: Caller, reply?: FastifyReply): Promise<void>;
}

export function createAdmission({ settings, services, clock }: AppParts, docs: string): Admission {
  const { keys, quotas, anonymous } = services;
  const deprecation = {
    deprecation: `@${Math.floor(settings.keylessUntil / SECOND)}`,
    sunset: new Date(settings.keylessUntil).toUTCString(),
    link: `<${docs}>; rel="deprecation"; type="text/html"`,
  };

  async function holder(key: string, { ip }: FastifyRequest): Promise<Caller> {
    const known = await keys.authenticate(key);
    if (known) return { kind: "key", subject: known.id, tier: known.tier };
    const counted = quotas.failedKey(addressBlock(ip));
    if (!(counted instanceof Promise ? await counted : counted)) throw tooManyFailures(clock() + HOUR);
    throw new Fault("unauthorised", {
      code: "invalid-key",
      message: "The API key is not valid or was revoked",
      hint: "Check X-API-Key; POST /v1/keys/recover sends the keys of an address again",
    });
  }

  async function identify(request: FastifyRequest): Promise<Caller> {
    if (settings.open) return OPEN;
    const key = presentedKey(request);
    if (key !== undefined) return holder(key, request);
    return { kind: "anonymous", subject: `ip:${addressBlock(request.ip)}`, tier: anonymous };
  }

  async function count({ subject, tier }: Caller, reply?: FastifyReply): Promise<void> {
    if (tier.requestsPerDay === null) return;
    const taken = quotas.take(subject, tier.requestsPerDay);
    const { allowed, remaining } = taken instanceof Promise ? await taken : taken;
    const now = clock();
    const resetAt = nextUtcDay(now);
    reply?.header("ratelimit-limit", tier.requestsPerDay);
    reply?.header("ratelimit-remaining", remaining);
    reply?.header("ratelimit-reset", Math.ceil((resetAt - now) / SECOND));
    if (!allowed) throw quotaExceeded(tier, resetAt);
  }

  return {
    identify,
    count,
    async admit(request, reply) {
      const caller = await identify(request);
      request.caller = caller;
      if (caller.kind === "anonymous") {
        if (clock() >= settings.keylessUntil) throw keyRequired();
        request.noticed = true;
        reply.headers(deprecation);
      }
      await count(caller, reply);
    },
  };
}

/** `--open`: everyone on this machine, without a key and without limits. */
const OPEN: Caller = {
  kind: "open",
  subject: "open",
  tier: { name: "open", requestsPerDay: null, batchItems: null, sbomComponents: null },
};

/** X-API-Key, or `Authorization: Bearer` for clients that cannot. An empty key is a wrong one: a secret that was not set. */
export function presentedKey({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  const key = headers["x-api-key"];
  if (key !== undefined) return Array.isArray(key) ? key.join(",") : key.trim();
  const bearer = /^Bearer(?:\s+(.*))?$/i.exec(headers.authorization ?? "");
  return bearer ? (bearer[1] ?? "").trim() : undefined;
}

function quotaExceeded({ name, requestsPerDay }: Tier, resetAt: number): Fault {
  return new Fault("quota", {
    code: "quota-exceeded",
    message: `The daily quota of ${requestsPerDay ?? 0} requests of tier ${name} is used up`,
    facts: { limit: requestsPerDay ?? 0, reset_at: new Date(resetAt).toISOString() },
  });
}

function tooManyFailures(until: number): Fault {
  return new Fault("quota", {
    code: "too-many-invalid-keys",
    message: "Too many requests with an invalid key from this address",
    facts: { reset_at: new Date(until).toISOString() },
  });
}

function keyRequired(): Fault {
  return new Fault("unauthorised", {
    code: "key-required",
    message: "An API key is required: send it as X-API-Key",
    hint: "POST /v1/keys/free with your e-mail address sends a free one",
  });
}
