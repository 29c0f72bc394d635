/**
 * Requests to the REST API of GitHub: the token, retries with back-off, and pauses when the rate limit is used up. See
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
import { setTimeout as sleep } from "node:timers/promises";
import { hasUserinfo, isProtected } from "../../http/address.ts";
import { createHttpClient, type HttpClient, type HttpHead, type HttpStream, retryAfter } from "../../http/client.ts";
import { HttpFailure } from "../../http/failure.ts";
import { EolgateError } from "../../messages/error.ts";

export interface GithubOptions {
  /** Read for GITHUB_API_URL, GITHUB_TOKEN, GH_TOKEN and the proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Reports a pause for the rate limit, and a dependency graph that is not used. */
  readonly onNote: (note: string) => void;
  /** Waits for a number of milliseconds; tests do not wait. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export interface GithubJson extends HttpHead {
  /** The body as JSON; undefined for an answer other than 2xx that is not JSON. */
  readonly value: unknown;
}

/**
 * Paths are below the API's address, and encoded. Every method returns answers with status 2xx, 403 without a rate
 * limit, 404, 409 and similar ones unchanged.
 * @throws EolgateError `github-api-refused` for a bad token, `github-rate-limit`, `no-answer`
 */
export interface GithubClient extends Required<Pick<GithubOptions, "onNote" | "pause">> {
  readonly hasToken: boolean;
  json(path: string): Promise<GithubJson>;
  /** Resolves when the headers arrive. The caller reads or discards the body. */
  open(path: string): Promise<HttpStream>;
  /** The path of an address below the API's address, with its query; undefined for any other address. */
  pathOf(address: string): string | undefined;
  close(): Promise<void>;
}

const GITHUB_API = "https://api.github.com";
const TRIES = 4;
const FIRST_PAUSE = 1000;
const TIMEOUT = 60_000;
const DEADLINE = 5 * 60_000;
/** For the archive of a repository. */
const ARCHIVE_DEADLINE = 30 * 60_000;
/** A rate limit that is renewed later ends the run. The hourly limit is renewed within an hour. */
const MAX_PAUSE = 65 * 60_000;
const JSON_LIMIT = 128 * 1024 * 1024;
/** What the archive may unpack to has a limit of its own. */
const ARCHIVE_LIMIT = 4 * 1024 * 1024 * 1024;
const REDIRECTS = 5;

export function createGithubClient({ env, now, onNote, pause = sleep }: GithubOptions): GithubClient {
  const base = apiAddress(env["GITHUB_API_URL"]);
  const prefix = base.href.replace(/\/+$/, "");
  const token = env["GITHUB_TOKEN"]?.trim() || env["GH_TOKEN"]?.trim();
  const client = createPausingClient({ env, now, onNote, pause });
  const requestOf = (path: string) => ({
    url: new URL(`${prefix}${path}`),
    headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
    ...(token !== undefined && { credentials: { authorization: `Bearer ${token}` } }),
  });
  const checked = <Answer extends HttpHead>(answer: Promise<Answer>): Promise<Answer> => checkAnswer(answer, base, now);
  return {
    hasToken: token !== undefined,
    onNote,
    pause,
    async json(path) {
      const { status, headers, body } = await checked(client.send(requestOf(path)));
      try {
        return { status, headers, value: JSON.parse(body.toString("utf8")) };
      } catch (cause) {
        if (status >= 300) return { status, headers, value: undefined };
        throw unanswered(": the answer is not JSON", base, cause);
      }
    },
    open: (path) => checked(client.open({ ...requestOf(path), deadline: ARCHIVE_DEADLINE, limit: ARCHIVE_LIMIT })),
    pathOf: (address) => (address.startsWith(`${prefix}/`) ? address.slice(prefix.length) : undefined),
    close: () => client.close(),
  };
}

/** A client that waits until the rate limit is renewed. */
function createPausingClient({ env, now, onNote, pause }: Required<GithubOptions>): HttpClient {
  return createHttpClient({
    env,
    deadline: DEADLINE,
    timeout: TIMEOUT,
    limit: JSON_LIMIT,
    // Archives and reports are on other hosts.
    redirects: { max: REDIRECTS, to: "any-host" },
    retry: {
      tries: TRIES,
      firstPause: FIRST_PAUSE,
      maxPause: MAX_PAUSE,
      statedPause: (answer) => {
        const until = limitedUntil(answer, now());
        return until === undefined ? undefined : Math.max(FIRST_PAUSE, until - now());
      },
    },
    pause: async (milliseconds) => {
      if (milliseconds > 10_000)
        onNote(`GitHub's rate limit is used up; waiting until ${timeText(now() + milliseconds)}`);
      await pause(milliseconds);
    },
  });
}

/** @throws EolgateError for an answer that no caller can use */
async function checkAnswer<Answer extends HttpHead>(
  request: Promise<Answer>,
  base: URL,
  now: () => number,
): Promise<Answer> {
  const answer = await request.catch((cause: unknown) => {
    throw cause instanceof HttpFailure ? unanswered(cause.detail, base, cause) : cause;
  });
  if (answer.status === 401) throw EolgateError.of("github-api-refused", { status: 401, reason: "" }).at(base.origin);
  if (answer.status >= 500) throw unanswered(` (HTTP ${String(answer.status)})`, base);
  const until = limitedUntil(answer, now());
  if (until === undefined) return answer;
  throw EolgateError.of("github-rate-limit", { until: Number.isFinite(until) ? timeText(until) : undefined });
}

/** The address comes from the environment of the operator, never from a file of a repository. */
function apiAddress(written: string | undefined): URL {
  const text = written?.trim() || GITHUB_API;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && isProtected(url) && !hasUserinfo(url)) return url;
  throw EolgateError.of("invalid-value", {
    problem: "the address of the GitHub API is not an https URL without a user name",
    advice: "For GitHub Enterprise Server, set GITHUB_API_URL to https://HOST/api/v3. For github.com, unset it.",
  }).at("GITHUB_API_URL");
}

/** Milliseconds since the epoch at which the rate limit is renewed; undefined if the answer is about something else. */
function limitedUntil(answer: HttpHead, now: number): number | undefined {
  const { status, headers } = answer;
  if (status !== 403 && status !== 429) return undefined;
  const pause = retryAfter(answer) ?? 0;
  if (pause > 0) return now + pause;
  if (headers["x-ratelimit-remaining"] === "0") return Number(headers["x-ratelimit-reset"]) * 1000;
  return status === 429 ? now + 60_000 : undefined;
}

const timeText = (instant: number): string => `${new Date(instant).toISOString().slice(11, 16)} UTC`;

/** `reason` follows "did not answer": ` (HTTP 502)`, `: the list does not end`. */
export const unanswered = (reason: string, address?: URL, cause?: unknown): EolgateError =>
  EolgateError.of(
    "no-answer",
    {
      problem: `GitHub did not answer${reason}`,
      advice: "Check the network, the proxy variables and https://www.githubstatus.com, and run the command again.",
    },
    { where: address?.origin, cause },
  );
