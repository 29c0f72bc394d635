/**
 * HTTP client for registries: pooled connections, proxies, retries, tokens and redirects. Credentials are not sent to
 * another host. https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import { EolgateError } from "../../messages/error.ts";
import { VERSION } from "../../platform/version.ts";
import { errorCode } from "../../platform/write-error.ts";
import { AddressRules } from "./addresses.ts";
import { parseChallenge } from "./challenge.ts";
import type { Credentials } from "./credentials.ts";
import { requestToken } from "./token.ts";

export interface RegistryOptions {
  readonly host: string;
  readonly repository: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hosts that the user accepts without TLS. */
  readonly insecure?: readonly string[];
  /** Called if the registry requires authentication. */
  readonly credentials: () => Promise<Credentials | undefined>;
  /** Waits before a retry. Replaced in tests. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export type RegistryAnswer = Dispatcher.ResponseData;

/** Milliseconds, like the other times. */
const CONNECT_TIMEOUT = 10_000;
/** Time without data after which a response counts as lost. */
const ANSWER_TIMEOUT = 60_000;
const REDIRECTS = 5;
const TRIES = 4;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export class RegistryClient {
  readonly host: string;
  private readonly options: RegistryOptions;
  private readonly rules: AddressRules;
  private readonly pool: Dispatcher;
  private base: Promise<URL> | undefined;
  private authorization: string | undefined;

  constructor(options: RegistryOptions) {
    this.options = options;
    this.host = options.host;
    this.rules = new AddressRules(options.host, options.insecure ?? []);
    this.pool = createPool(options.env);
  }

  /**
   * GET with authentication, redirects and retries. The caller reads the body and checks the status.
   * @param path relative to the repository: `manifests/1.0`
   * @throws EolgateError of kind `network` or `unauthorised`
   */
  async get(path: string, accept: string): Promise<RegistryAnswer> {
    this.base ??= this.findBase();
    const url = new URL(`/v2/${this.options.repository}/${path}`, await this.base);
    const answer = await this.sendWithRetries(url, accept);
    if (answer.statusCode !== 401) return answer;
    const challenge = parseChallenge(answer.headers["www-authenticate"]);
    await answer.body.dump();
    const credentials = await this.options.credentials();
    this.authorization = await requestToken(challenge, credentials, {
      rules: this.rules,
      host: this.host,
      repository: this.options.repository,
      send: (address, request) => this.send(address, request),
    });
    return this.sendWithRetries(url, accept);
  }

  close(): Promise<void> {
    // Does not wait for bodies that were not read completely.
    return this.pool.destroy();
  }

  /** Uses TLS, unless the registry does not support it and is on loopback or accepted by the user. */
  private async findBase(): Promise<URL> {
    const secure = new URL(`https://${this.host}`);
    if (!this.rules.allowsPlainHttp) return secure;
    try {
      const answer = await this.send(new URL("/v2/", secure), { headers: {} });
      await answer.body.dump();
      return secure;
    } catch (cause) {
      if (isCertificateError(cause)) throw this.noAnswerError(cause);
      return new URL(`http://${this.host}`);
    }
  }

  private async sendWithRetries(url: URL, accept: string): Promise<RegistryAnswer> {
    const pause = this.options.pause ?? sleep;
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === TRIES;
      const answer = await this.sendFollowingRedirects(url, accept).catch((cause: unknown) => {
        if (cause instanceof EolgateError) throw cause;
        if (isLast || isFinal(cause)) throw this.noAnswerError(cause);
        return undefined;
      });
      const wait = pauseAfter(answer) ?? FIRST_PAUSE * 2 ** (tries - 1);
      if (answer !== undefined && (isLast || !isRetried(answer, wait))) return answer;
      await answer?.body.dump();
      await pause(wait);
    }
  }

  private async sendFollowingRedirects(start: URL, accept: string): Promise<RegistryAnswer> {
    let url = start;
    for (let hops = 0; hops <= REDIRECTS; hops += 1) {
      const isOwn = url.origin === start.origin;
      const authorization = isOwn && this.authorization !== undefined ? { authorization: this.authorization } : {};
      const answer = await this.send(url, { headers: { accept, ...authorization } });
      const { location } = answer.headers;
      if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== "string") return answer;
      await answer.body.dump();
      url = this.rules.resolve(location, url);
    }
    throw EolgateError.of(
      "registry-address",
      { address: url.origin, why: "there are too many redirects" },
      { where: this.host },
    );
  }

  private send(
    url: URL,
    { headers, method = "GET", body }: { headers: Record<string, string>; method?: "GET" | "POST"; body?: string },
  ): Promise<RegistryAnswer> {
    return this.pool.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      // `identity`: the digest is computed over the bytes as stored.
      headers: { "user-agent": `eolgate/${VERSION}`, "accept-encoding": "identity", ...headers },
      ...(body !== undefined && { body }),
      headersTimeout: ANSWER_TIMEOUT,
      bodyTimeout: ANSWER_TIMEOUT,
    });
  }

  noAnswerError(cause: unknown): EolgateError {
    const code = reasonOf(cause);
    return EolgateError.of(
      "registry-no-answer",
      { reason: code === "" ? "" : ` (${code})` },
      { where: this.host, cause },
    );
  }
}

/** Milliseconds from a Retry-After header in seconds. */
function pauseAfter(answer: RegistryAnswer | undefined): number | undefined {
  const pause = Number(answer?.headers["retry-after"]) * 1000;
  return Number.isFinite(pause) ? pause : undefined;
}

const isRetried = ({ statusCode }: RegistryAnswer, wait: number): boolean =>
  RETRIED_STATUSES.has(statusCode) && wait <= LONGEST_PAUSE;

/** The code of the underlying error, which undici may wrap. */
const reasonOf = (cause: unknown): string =>
  errorCode(cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause);

const isCertificateError = (cause: unknown): boolean => /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(reasonOf(cause));

/** Errors that a retry cannot solve. */
const isFinal = (cause: unknown): boolean =>
  isCertificateError(cause) || ["ENOTFOUND", "ECONNREFUSED"].includes(reasonOf(cause));

function createPool(env: RegistryOptions["env"]): Dispatcher {
  const proxy = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? "";
  return new EnvHttpProxyAgent({
    httpProxy: proxy("HTTP_PROXY"),
    httpsProxy: proxy("HTTPS_PROXY"),
    noProxy: proxy("NO_PROXY"),
    connections: 4,
    connect: { timeout: CONNECT_TIMEOUT },
  });
}
