/**
 * Requests to one registry: TLS or not, tokens, and the addresses to which it refers.
 * https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
import { followedAddress, isLoopback } from "../../http/address.ts";
import { createHttpClient, type HttpClient, type HttpClientOptions, type HttpStream } from "../../http/client.ts";
import { HttpFailure, isCertificateFailure } from "../../http/failure.ts";
import { EolgateError } from "../../messages/error.ts";
import type { Credentials } from "./credentials.ts";
import { parseChallenge, requestToken } from "./token.ts";

export interface RegistryOptions extends Pick<HttpClientOptions, "env" | "pause"> {
  readonly host: string;
  readonly repository: string;
  /** Hosts that the user accepts without TLS. */
  readonly insecure?: readonly string[];
  /** Called if the registry requires authentication. */
  readonly credentials: () => Promise<Credentials | undefined>;
}

/** Milliseconds without data after which a response counts as lost. */
const TIMEOUT = 60_000;
/** A layer of several gigabytes over a slow connection. */
const LAYER_DEADLINE = 60 * 60_000;
const DEADLINE = 5 * 60_000;
const REDIRECTS = 5;
const TRIES = 4;

export class RegistryClient {
  readonly host: string;
  private readonly options: RegistryOptions;
  /** Without TLS, a registry on loopback, or one that the user accepts. */
  private readonly secure: URL;
  private readonly rule: { readonly to: "any-host"; readonly insecure: readonly string[] };
  private readonly client: HttpClient;
  private base: Promise<URL> | undefined;
  private authorization: string | undefined;

  constructor(options: RegistryOptions) {
    const { host, insecure = [] } = options;
    this.options = options;
    this.host = host;
    this.secure = new URL(`https://${host}`);
    this.rule = { to: "any-host", insecure };
    // The limits of the image apply to what is read; see `ImageBudget`.
    this.client = createHttpClient({
      ...options,
      deadline: DEADLINE,
      timeout: TIMEOUT,
      limit: Number.POSITIVE_INFINITY,
      redirects: { max: REDIRECTS, ...this.rule },
      retry: { tries: TRIES },
    });
  }

  /**
   * GET with authentication, redirects and retries. The caller reads the body and checks the status.
   * @param path relative to the repository: `manifests/1.0`
   * @throws EolgateError of kind `network` or `unauthorised`
   */
  async get(path: string, accept: string): Promise<HttpStream> {
    this.base ??= this.findBase();
    const url = new URL(`/v2/${this.options.repository}/${path}`, await this.base);
    const answer = await this.open(url, accept);
    if (answer.status !== 401) return answer;
    const challenge = parseChallenge(answer.headers["www-authenticate"]);
    await answer.discard();
    const credentials = await this.options.credentials();
    this.authorization = await requestToken(challenge, credentials, {
      host: this.host,
      repository: this.options.repository,
      resolve: (realm) => this.answered(() => followedAddress(realm, this.secure, this.rule)),
      send: (request) => this.answered(() => this.client.send({ ...request, limit: TOKEN_BYTES })),
    });
    return this.open(url, accept);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Uses TLS, unless the registry does not support it and is on loopback or accepted by the user. */
  private async findBase(): Promise<URL> {
    if (!isLoopback(this.secure) && !this.rule.insecure.includes(this.host)) return this.secure;
    try {
      const answer = await this.client.open({ url: new URL("/v2/", this.secure), retry: { tries: 1 } });
      await answer.discard();
      return this.secure;
    } catch (cause) {
      if (isCertificateFailure(cause)) throw this.errorOf(cause);
      return new URL(`http://${this.host}`);
    }
  }

  private open(url: URL, accept: string): Promise<HttpStream> {
    return this.answered(() =>
      this.client.open({
        url,
        // `identity`: the digest is computed over the bytes as stored.
        headers: { accept, "accept-encoding": "identity" },
        ...(this.authorization !== undefined && { credentials: { authorization: this.authorization } }),
        ...(url.pathname.includes("/blobs/") && { deadline: LAYER_DEADLINE }),
      }),
    );
  }

  private async answered<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (cause) {
      throw this.errorOf(cause);
    }
  }

  /** The EolgateError for a request without an answer; other errors stay as they are. */
  errorOf(cause: unknown): unknown {
    if (!(cause instanceof HttpFailure)) return cause;
    if (cause.kind === "redirect")
      return EolgateError.of(
        "registry-untrusted",
        {
          problem: `the registry refers to an address that is refused: ${cause.message}`,
          advice: "On a network that you trust, accept a registry without TLS with --insecure-registry HOST.",
        },
        { where: this.host, cause },
      );
    return EolgateError.of(
      "no-answer",
      {
        problem: `the registry did not answer${cause.detail}`,
        advice: "Check the host name, the network and HTTPS_PROXY. For a private CA, set NODE_EXTRA_CA_CERTS.",
      },
      { where: this.host, cause },
    );
  }
}

const TOKEN_BYTES = 1024 * 1024;
