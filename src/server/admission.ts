/**
 * Who asks, and whether they may: key, keyless period, quota. Runs
 * before a body is read, so that no client without a key makes us read 64 MiB.
 */
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { EolgateError } from "../core/errors.ts";
import { addressBlock } from "./address.ts";
import { HOUR, nextUtcDay, SECOND } from "./clock.ts";
import type { AppContext } from "./app-context.ts";
import type { Caller, MaybePromise, Tier } from "./services.ts";
import "./request.ts";

export interface Admission {
  /** The caller of a route that needs no key: a wrong key is refused all the same, never served as anonymous. */
  identify(request: FastifyRequest): MaybePromise<Caller>;
  /** The caller of a counted route, counted. */
  admit(request: FastifyRequest, reply: FastifyReply): MaybePromise<void>;
  /** Counts one use and sets what remains on the reply. Throws an EolgateError when the day's quota is used up. */
  count(caller: Caller, reply?: FastifyReply): MaybePromise<void>;
}

export function createAdmission({ settings, services, clock }: AppContext, docs: string): Admission {
  const { keys, quotas, anonymous } = services;
  const deprecation = deprecationHeaders(settings.keylessUntil, docs);

  function identify(request: FastifyRequest): MaybePromise<Caller> {
    if (settings.open) return OPEN;
    const key = presentedKey(request);
    if (key !== undefined)
      return after(keys.authenticate(key), (known) => (known ? callerOf(known) : wrongKey(request)));
    return { kind: "anonymous", subject: `ip:${addressBlock(request.ip)}`, tier: anonymous };
  }

  const wrongKey = ({ ip }: FastifyRequest): MaybePromise<never> =>
    after(quotas.failedKey(addressBlock(ip)), (allowed) => {
      throw allowed ? invalidKey() : tooManyFailures(clock() + HOUR);
    });

  function count({ subject, tier }: Caller, reply?: FastifyReply): MaybePromise<void> {
    const limit = tier.requestsPerDay;
    if (limit === null) return undefined;
    return after(quotas.take(subject, limit), ({ allowed, remaining }) => {
      const now = clock();
      const resetAt = nextUtcDay(now);
      reply?.headers(rateLimitHeaders(limit, remaining, resetAt - now));
      if (!allowed) throw quotaExceeded(tier, resetAt);
    });
  }

  return {
    identify,
    count,
    admit: (request, reply) =>
      after(identify(request), (caller) => {
        request.caller = caller;
        if (caller.kind === "anonymous") {
          if (clock() >= settings.keylessUntil) throw keyRequired();
          request.noticed = true;
          reply.headers(deprecation);
        }
        return count(caller, reply);
      }),
  };
}

const deprecationHeaders = (keylessUntil: number, docs: string): Readonly<Record<string, string>> => ({
  deprecation: `@${Math.floor(keylessUntil / SECOND)}`,
  sunset: new Date(keylessUntil).toUTCString(),
  link: `<${docs}>; rel="deprecation"; type="text/html"`,
});

const rateLimitHeaders = (limit: number, remaining: number, resetIn: number): Readonly<Record<string, number>> => ({
  "ratelimit-limit": limit,
  "ratelimit-remaining": remaining,
  "ratelimit-reset": Math.ceil(resetIn / SECOND),
});

/** Goes on at once where the value is there already: a promise costs the hot path a turn of the event loop. */
export function after<A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** `admit` as a hook: calls back in the same turn where it can. */
export function admissionHook(admission: Admission): onRequestHookHandler {
  return (request, reply, done) => {
    try {
      const admitted = admission.admit(request, reply);
      if (admitted instanceof Promise) admitted.then(() => done(), done);
      else done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

const callerOf = ({ id, tier }: { readonly id: string; readonly tier: Tier }): Caller => ({
  kind: "key",
  subject: id,
  tier,
});

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

function quotaExceeded({ name, requestsPerDay }: Tier, resetAt: number): EolgateError {
  return EolgateError.of(
    "quota-exceeded",
    { requestsPerDay: requestsPerDay ?? 0, name },
    { facts: { limit: requestsPerDay ?? 0, reset_at: new Date(resetAt).toISOString() } },
  );
}

function tooManyFailures(until: number): EolgateError {
  return EolgateError.of("too-many-invalid-keys", {}, { facts: { reset_at: new Date(until).toISOString() } });
}

function invalidKey(): EolgateError {
  return EolgateError.of("invalid-key", {});
}

function keyRequired(): EolgateError {
  return EolgateError.of("key-required", {});
}
