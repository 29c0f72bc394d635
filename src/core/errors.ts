/**
 * Only "no answer" is thrown, and it is thrown as a Fault. A verdict is a value.
 * ONE table says what each kind means to a process and to an HTTP client.
 */

/** Exit codes and HTTP statuses of every kind of failure. Exit 1 belongs to the verdict and never stands here. */
export const ERROR_KINDS = {
  /** The caller's words are off: a flag, an argument, a query parameter. */
  usage: { exit: 2, http: 400 },
  /** The configuration, policy or waiver file is wrong. */
  config: { exit: 2, http: 400 },
  /** The runtime is too old, or a needed optional package is absent. */
  runtime: { exit: 2, http: 501 },
  /** The input cannot be read as an SBOM. */
  input: { exit: 3, http: 400 },
  /** The input is larger or deeper than the limit. */
  "too-large": { exit: 3, http: 413 },
  /** No component in the document. */
  empty: { exit: 3, http: 400 },
  /** The catalogue is missing, corrupt, or too old. */
  catalogue: { exit: 4, http: 503 },
  /** The network or a remote service did not answer. */
  network: { exit: 5, http: 502 },
  /** A key is missing, wrong or revoked. */
  unauthorised: { exit: 5, http: 401 },
  forbidden: { exit: 5, http: 403 },
  quota: { exit: 5, http: 429 },
  "not-found": { exit: 2, http: 404 },
  /** A version belongs to several lines; candidates are listed. */
  ambiguous: { exit: 2, http: 409 },
  /** Only at the server's door: a body of another type, a method that the path does not have. */
  "media-type": { exit: 2, http: 415 },
  method: { exit: 2, http: 405 },
  unavailable: { exit: 5, http: 503 },
  /** An output file cannot be written. */
  output: { exit: 2, http: 500 },
  /** A bug here. */
  internal: { exit: 70, http: 500 },
} as const satisfies Record<string, { readonly exit: number; readonly http: number }>;

export type ErrorKind = keyof typeof ERROR_KINDS;

export interface ErrorDetails {
  /** Stable, machine-readable: `not-json`, `unsupported-version`, `unknown-flag`, `ambiguous-version`, … */
  readonly code: string;
  /** What is wrong: one sentence, no trailing full stop needed by the printer. */
  readonly message: string;
  /** Where: a file, a JSON pointer, a line and column, the path of a policy field. */
  readonly where?: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Further facts for the wire (candidates, suggestions). */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** No answer could be given. Carries what is wrong, where, and what to do. */
export class EolgateError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly where: string | undefined;
  readonly hint: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(kind: ErrorKind, details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "Fault";
    this.kind = kind;
    this.code = details.code;
    this.where = details.where;
    this.hint = details.hint;
    this.facts = details.facts ?? {};
  }

  /** The same at another place. */
  at(where: string): EolgateError {
    const { kind, code, message, hint, facts, cause } = this;
    return new EolgateError(kind, { code, message, where, facts, cause, ...(hint !== undefined && { hint }) });
  }

  get exit(): number {
    return ERROR_KINDS[this.kind].exit;
  }

  get http(): number {
    return ERROR_KINDS[this.kind].http;
  }
}
