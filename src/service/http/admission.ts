/**
 * Authentication and quotas. Runs before the body of a request is read, so that a client without a key cannot make the
 * server read 64 MiB. Addresses of clients are reduced for limits and for logs.
 */
import { withCallerLinks } from "./replies.ts";
import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { SECOND, nextUtcDay } from "../clock.ts";
import type { AppContext } from "./app-context.ts";
import { after, type Caller, type KeyHolder, type MaybePromise, type Tier } from "../services.ts";

/** The unit of anonymous limits: an IPv4 address, or a /64 of IPv6, which one host or household usually has. */
export function addressBlock(address: string): string {
  const plain = unmapped(address);
  return isIP(plain) === 6 ? `${groups(plain).slice(0, 4).join(":")}::/64` : plain;
}

/** The network of an address (/24 or /48), for logs: it shows patterns but does not identify a person. */
export function maskedAddress(address: string): string {
  const cached = masked.get(address);
  if (cached !== undefined) return cached;
  if (masked.size >= MAX_REMEMBERED) masked.clear();
  const mask = maskOf(address);
  masked.set(address, mask);
  return mask;
}

/** Cache of masked addresses: each request is logged, and most requests come from few addresses. */
const masked = new Map<string, string>();
const MAX_REMEMBERED = 1000;

function maskOf(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) === 6) return `${groups(plain).slice(0, 3).join(":")}::/48`;
  return isIP(plain) === 4 ? `${plain.split(".").slice(0, 3).join(".")}.0/24` : "unknown";
}

export function isLoopback(address: string): boolean {
  const plain = unmapped(address);
  return (
    plain === "localhost" ||
    plain.startsWith("127.") ||
    (isIP(plain) === 6 && groups(plain).join(":") === "0:0:0:0:0:0:0:1")
  );
}

/** `::ffff:192.0.2.1` is an IPv4 client of a dual-stack socket. A zone (`%eth0`) is an interface of this machine. */
function unmapped(address: string): string {
  const bare = address.split("%", 1)[0] ?? address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groups(address: string): readonly string[] {
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
}

export interface Admission {
  /** The caller of a route that needs no key. @throws EolgateError `invalid-key` for a wrong key, also on these routes */
  identify(request: FastifyRequest): MaybePromise<Caller>;
  /** Identifies the caller of a counted route and counts the request. */
  admit(request: FastifyRequest, reply: FastifyReply): MaybePromise<void>;
  /** Counts one request and sets the RateLimit headers of the reply. @throws EolgateError `quota-exceeded` */
  count(caller: Caller, reply?: FastifyReply): MaybePromise<void>;
}

export function createAdmission({ settings, services, clock }: AppContext, docs: string): Admission {
  const { keys, quotas, anonymous } = services;
  const deprecation = deprecationHeaders(settings.keylessUntil, docs);

  function identify(request: FastifyRequest): MaybePromise<Caller> {
    if (settings.open) return OPEN;
    const key = presentedKey(request);
    if (key !== undefined)
      return after(keys.authenticate(key), (known) => {
        if (known) return callerOf(known);
        throw quotas.failedKey(addressBlock(request.ip)) ? invalidKey() : tooManyFailures(nextUtcDay(clock()));
      });
    return { kind: "anonymous", subject: `ip:${addressBlock(request.ip)}`, tier: anonymous };
  }

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
          reply.headers(deprecation).header("link", withCallerLinks(deprecation.link, request, settings));
        }
        return count(caller, reply);
      }),
  };
}

const deprecationHeaders = (keylessUntil: number, docs: string) => ({
  deprecation: `@${Math.floor(keylessUntil / SECOND)}`,
  sunset: new Date(keylessUntil).toUTCString(),
  link: `<${docs}>; rel="deprecation"; type="text/html"`,
});

const rateLimitHeaders = (limit: number, remaining: number, resetIn: number): Readonly<Record<string, number>> => ({
  "ratelimit-limit": limit,
  "ratelimit-remaining": remaining,
  "ratelimit-reset": Math.ceil(resetIn / SECOND),
});

/** `admit` as a hook. It calls back synchronously if the caller is known without a promise. */
export const admissionHook =
  (admission: Admission): onRequestHookHandler =>
  (request, reply, done) => {
    try {
      const admitted = admission.admit(request, reply);
      if (admitted instanceof Promise) admitted.then(() => done(), done);
      else done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };

const callerOf = ({ id, tier, batchEnvelope }: KeyHolder): Caller => ({
  kind: "key",
  subject: id,
  tier,
  ...(batchEnvelope !== undefined && { batchEnvelope }),
});

/** The caller with `--open`: every client on this machine, without a key and without limits. */
const OPEN: Caller = {
  kind: "open",
  subject: "open",
  tier: { name: "open", requestsPerDay: null, batchItems: null, sbomComponents: null },
};

/**
 * The key in X-API-Key or `Authorization: Bearer`; undefined if there is no such header. An empty key counts as a wrong
 * one, because it usually is a variable that was not set.
 */
function presentedKey({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  const key = headers["x-api-key"];
  if (key !== undefined) return Array.isArray(key) ? key.join(",") : key.trim();
  const bearer = /^Bearer(?:\s+(.*))?$/i.exec(headers.authorization ?? "");
  return bearer ? (bearer[1] ?? "").trim() : undefined;
}

const quotaExceeded = ({ name, requestsPerDay }: Tier, resetAt: number): EolgateError =>
  EolgateError.of(
    "quota-exceeded",
    { requestsPerDay: requestsPerDay ?? 0, name },
    { details: { limit: requestsPerDay ?? 0, reset_at: new Date(resetAt).toISOString() } },
  );

const tooManyFailures = (until: number): EolgateError =>
  EolgateError.of("too-many-invalid-keys", {}, { details: { reset_at: new Date(until).toISOString() } });

const invalidKey = (): EolgateError => EolgateError.of("invalid-key", {});

function keyRequired(): EolgateError {
  return EolgateError.of("key-required", { problem: "an API key is required: send it as X-API-Key" });
}
