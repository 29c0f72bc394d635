/**
 * A client for the REST API of GitHub: one request at a time for each caller, retries with back-off, and pauses when
 * the rate limit is used up. The token is sent only to the host of the API. See
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { EolgateError } from "../../messages/error.ts";
import { createPool, isLoopback } from "../../platform/http-client.ts";
import { VERSION } from "../../platform/version.ts";

export interface GithubOptions {
  /** Read for GITHUB_API_URL, GITHUB_TOKEN, GH_TOKEN and the proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Reports a pause for the rate limit. */
  readonly onNote: (note: string) => void;
  /** Waits for a number of milliseconds; tests do not wait. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export interface GithubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface GithubClient {
  readonly hasToken: boolean;
  /**
   * Requests a path below the API's address, which must be encoded. Returns answers with status 200, 403 without a rate
   * limit, 404, 409 and similar ones unchanged.
   * @throws EolgateError `github-refused` for a bad token, `github-rate-limit`, `github-unanswered`
   */
  get(path: string): Promise<GithubResponse>;
  /** The whole body as JSON. @throws EolgateError also `github-unanswered` for other text */
  json(response: GithubResponse): Promise<unknown>;
  close(): Promise<void>;
}

export const GITHUB_API = "https://api.github.com";
const TRIES = 4;
const FIRST_PAUSE = 1000;
const ANSWER_TIMEOUT = 60_000;
/** A rate limit that is renewed later ends the run. The hourly limit is renewed within an hour. */
const MAX_PAUSE = 65 * 60_000;
const JSON_LIMIT = 128 * 1024 * 1024;
const REDIRECTS = 5;

export function createGithubClient(options: GithubOptions): GithubClient {
  const { env } = options;
  const base = apiAddress(env["GITHUB_API_URL"]);
  const token = env["GITHUB_TOKEN"]?.trim() || env["GH_TOKEN"]?.trim();
  const pool = createPool(env);
  const limiter = createLimiter(options);
  const send = async (path: string): Promise<GithubResponse> => {
    for (let tries = 1; ; tries += 1) {
      const response = await follow(pool, new URL(`${base.href.replace(/\/+$/, "")}${path}`), token).catch(
        (cause: unknown) => cause,
      );
      const wait = limiter.pauseAfter(response, tries);
      if (wait === undefined) return asAnswer(response, base);
      if (isResponse(response)) await drain(response.body);
      await limiter.wait(wait);
    }
  };
  return {
    hasToken: token !== undefined,
    get: async (path) => {
      const response = await send(path);
      if (response.status !== 401) return response;
      throw EolgateError.of("github-api-refused", { status: 401, reason: "" }, { where: base.origin });
    },
    json: (response) => readJson(response, base),
    close: () => pool.close(),
  };
}

/** The address comes from the environment of the operator, never from a file of a repository. */
function apiAddress(written: string | undefined): URL {
  const text = written?.trim() || GITHUB_API;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && isProtected(url) && `${url.username}${url.password}` === "") return url;
  throw EolgateError.of("bad-github-url", {}, { where: "GITHUB_API_URL" });
}

/** Whether the connection is encrypted or stays on this machine. */
const isProtected = (url: URL): boolean => url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));

/** Follows redirects: archives are on another host, to which the token is not sent. */
async function follow(pool: Dispatcher, start: URL, token: string | undefined): Promise<GithubResponse> {
  let url = start;
  for (let hops = 0; hops <= REDIRECTS; hops += 1) {
    const { statusCode, headers, body } = await pool.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: "GET",
      headers: {
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        "user-agent": `eolgate/${VERSION}`,
        ...(token !== undefined && url.origin === start.origin && { authorization: `Bearer ${token}` }),
      },
      headersTimeout: ANSWER_TIMEOUT,
      bodyTimeout: ANSWER_TIMEOUT,
    });
    const { location } = headers;
    if (statusCode < 300 || statusCode >= 400 || typeof location !== "string")
      return { status: statusCode, headers, body };
    await body.dump();
    url = redirected(url, location);
  }
  throw EolgateError.of("github-unanswered", { reason: `: more than ${String(REDIRECTS)} redirects` });
}

function redirected(from: URL, location: string): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (url !== undefined && isProtected(url)) return url;
  throw EolgateError.of("github-unanswered", { reason: ": it redirects to an address that is not https" });
}

const isResponse = (value: unknown): value is GithubResponse =>
  typeof value === "object" && value !== null && "status" in value && "body" in value;

function asAnswer(response: unknown, base: URL): GithubResponse {
  if (isResponse(response)) {
    if (response.status < 500) return response;
    throw EolgateError.of(
      "github-unanswered",
      { reason: ` (HTTP ${String(response.status)})` },
      { where: base.origin },
    );
  }
  if (response instanceof EolgateError) throw response;
  const code = response instanceof Error && "code" in response ? ` (${String(response.code)})` : "";
  throw EolgateError.of("github-unanswered", { reason: code }, { where: base.origin, cause: response });
}

interface Limiter {
  /** Milliseconds before the next try; undefined when there is none. @throws EolgateError `github-rate-limit` */
  pauseAfter(response: unknown, tries: number): number | undefined;
  wait(milliseconds: number): Promise<void>;
}

function createLimiter({ now, onNote, pause = sleep }: GithubOptions): Limiter {
  const limitedUntil = (response: GithubResponse): number | undefined => {
    if (response.status !== 403 && response.status !== 429) return undefined;
    const retryAfter = Number(response.headers["retry-after"]);
    if (Number.isFinite(retryAfter) && retryAfter > 0) return now() + retryAfter * 1000;
    if (response.headers["x-ratelimit-remaining"] === "0") return Number(response.headers["x-ratelimit-reset"]) * 1000;
    return response.status === 429 ? now() + 60_000 : undefined;
  };
  return {
    pauseAfter(response, tries) {
      const until = isResponse(response) ? limitedUntil(response) : undefined;
      if (until !== undefined) {
        const wait = Math.max(1000, until - now());
        if (Number.isFinite(wait) && wait <= MAX_PAUSE && tries < TRIES) return wait;
        throw EolgateError.of("github-rate-limit", { until: Number.isFinite(until) ? timeText(until) : undefined });
      }
      const isWorthIt = isResponse(response) ? response.status >= 500 : !(response instanceof EolgateError);
      return isWorthIt && tries < TRIES ? FIRST_PAUSE * 2 ** (tries - 1) : undefined;
    },
    async wait(milliseconds) {
      if (milliseconds > 10_000)
        onNote(`GitHub's rate limit is used up; waiting until ${timeText(now() + milliseconds)}`);
      await pause(milliseconds);
    },
  };
}

const timeText = (instant: number): string => `${new Date(instant).toISOString().slice(11, 16)} UTC`;

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
}

async function readJson(response: GithubResponse, base: URL): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > JSON_LIMIT) throw new RangeError(`more than ${String(JSON_LIMIT)} bytes`);
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    throw EolgateError.of("github-unanswered", { reason }, { where: base.origin, cause });
  }
}
