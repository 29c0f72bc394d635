/** Requests to a remote eolgate service: its address, the key, and the errors of a service that does not answer. */
import { hasUserinfo, isProtected } from "../../http/address.ts";
import { createHttpClient, type HttpClientOptions, type HttpResponse, type Pace } from "../../http/client.ts";
import { HttpFailure } from "../../http/failure.ts";
import { EolgateError } from "../../messages/error.ts";

export interface ServiceOptions extends Pick<HttpClientOptions, "env" | "pause" | "dispatcher"> {
  /** Address of the service, e.g. `https://eol.example.org`. */
  readonly base: string;
  /** API key, sent as X-API-Key to that address only. */
  readonly key?: string;
  /** Maximum size of an answer in bytes, 256 MiB by default. */
  readonly limit?: number;
  /** Milliseconds for one try, from the request to the last byte of the answer; 5 minutes by default. */
  readonly deadline?: number;
  /** How much of an answer has to arrive; 1 MB in 90 seconds by default. */
  readonly pace?: Pace;
  /** Milliseconds of waiting for the service, over all requests of the run; 2 hours by default. */
  readonly budget?: number;
}

export interface ServiceRequest {
  readonly method: "GET" | "POST";
  /** Path below the service's address, encoded. */
  readonly path: string;
  readonly body?: string | Uint8Array;
}

export interface ServiceClient {
  /** Sends a request, and resolves to the last answer. @throws EolgateError `no-answer`, `unexpected-answer` */
  send(request: ServiceRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** The service reads a large document for several seconds before it answers. */
const TIMEOUT = 60_000;
const DEADLINE = 300_000;
const PACE: Pace = { period: 90_000, bytes: 1_000_000 };
/** A fleet of 100,000 documents waits for less. */
const BUDGET = 7_200_000;
/** The answer for a document of a million components has 200 MB. */
const LIMIT = 256 * 1024 * 1024;
/** Every operation only reads, so each may be repeated. */
const TRIES = 4;

/** @throws EolgateError `invalid-value` */
export function createServiceClient(options: ServiceOptions): ServiceClient {
  const { base, key, limit = LIMIT, deadline = DEADLINE, pace = PACE } = options;
  const budget = startBudget(options.budget ?? BUDGET);
  const url = addressOf(base);
  const prefix = url.pathname.replace(/\/+$/, "");
  const client = createHttpClient({
    ...options,
    limit,
    deadline,
    pace,
    signal: budget.signal,
    timeout: Math.min(TIMEOUT, deadline),
    retry: { tries: TRIES },
  });
  return {
    send: ({ method, path, body }) => {
      const request = {
        url,
        path: `${prefix}${path}`,
        method,
        headers: {
          accept: "application/json, text/plain;q=0.9",
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(key !== undefined && { credentials: { "x-api-key": key } }),
        ...(body !== undefined && { body }),
      };
      return budget.during(client.send(request)).catch((cause: unknown) => {
        throw cause instanceof HttpFailure ? noAnswer(budget.exceeded() ?? cause, url, limit) : cause;
      });
    },
    close: () => client.close(),
  };
}

/** The longest time that a timer can wait. */
const MAX_TIMER = 2 ** 31 - 1;

/** Bounds the time in which at least one request is open. The time between requests does not count. */
function startBudget(milliseconds: number) {
  const controller = new AbortController();
  let [open, left, since] = [0, milliseconds, 0];
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    exceeded: (): HttpFailure | undefined =>
      controller.signal.aborted ? new HttpFailure("timeout", `all requests took ${milliseconds / 1000} s`) : undefined,
    async during<Result>(request: Promise<Result>): Promise<Result> {
      if ((open += 1) === 1) {
        since = performance.now();
        timer = setTimeout(() => controller.abort(), Math.min(left, MAX_TIMER)).unref();
      }
      try {
        return await request;
      } finally {
        if ((open -= 1) === 0) {
          clearTimeout(timer);
          left = Math.max(0, left - (performance.now() - since));
        }
      }
    },
  };
}

function addressOf(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || hasUserinfo(url))
    throw EolgateError.of("invalid-value", {
      problem: "the service address is not a valid http or https URL, or contains a user name",
      advice: "Use a URL such as https://eol.example.org, and set the key in EOLGATE_API_KEY.",
    }).at("--api");
  if (!isProtected(url))
    throw EolgateError.of("invalid-value", {
      problem: "the address of the service must use https, because the API key would be sent unencrypted",
      advice: "Use https. Only loopback addresses such as http://127.0.0.1:8080 may use http.",
    }).at("--api");
  return url;
}

function noAnswer(cause: HttpFailure, { origin: where }: URL, limit: number): EolgateError {
  if (cause.kind === "too-large")
    return EolgateError.of("unexpected-answer", {
      problem: `the answer of the service is larger than ${limit} bytes`,
      advice: "Check that the address belongs to an eolgate service.",
    }).at(where);
  return EolgateError.of(
    "no-answer",
    { problem: `the service did not answer${cause.detail}`, advice: "Check the address, the network and HTTPS_PROXY." },
    { where, cause },
  );
}
