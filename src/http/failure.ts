/** Why a request has no answer. Users of the client word it in their own errors. */

/**
 * `timeout`: no data for too long, or the deadline has passed. `redirect`: a redirect that is not followed. `answer`: an
 * answer that cannot be decoded. `cancelled`: the caller's signal was aborted. `unreachable`: a cause that repeating
 * does not remove, such as a wrong certificate. `connection`: everything else.
 */
export type HttpFailureKind =
  | "timeout"
  | "redirect"
  | "too-large"
  | "answer"
  | "cancelled"
  | "unreachable"
  | "connection";

/** The message is a clause without a subject's name: `no answer (ECONNRESET)`, `it redirects to another host`. */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;
  /** Code of the underlying error, e.g. `ECONNRESET`; empty if there is none. */
  readonly code: string;

  constructor(kind: HttpFailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.code = codeOf(cause);
  }

  /** An addition to a sentence such as "the service did not answer": ` (ECONNRESET)`, or `: ` and the message. */
  get detail(): string {
    return this.kind === "timeout" || this.code === "" ? `: ${this.message}` : ` (${this.code})`;
  }
}

const TIMEOUT = /^UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT$/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/;

/** @param timeout milliseconds without data after which a request ends */
export function failureOf(cause: unknown, timeout: number): HttpFailure {
  if (cause instanceof HttpFailure) return cause;
  const code = codeOf(cause);
  if (TIMEOUT.test(code)) return new HttpFailure("timeout", `no answer within ${timeout / 1000} s`, cause);
  const kind = code === "ENOTFOUND" || CERTIFICATE.test(code) ? "unreachable" : "connection";
  return new HttpFailure(kind, code === "" ? "the answer broke off" : `no answer (${code})`, cause);
}

export const isCertificateFailure = (cause: unknown): cause is HttpFailure =>
  cause instanceof HttpFailure && CERTIFICATE.test(cause.code);

/** The code of the innermost error, which undici may wrap. */
function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  return codeOf(cause instanceof AggregateError ? cause.errors[0] : cause.cause);
}
