/** Exit code and HTTP status of each kind of error. Exit code 1 belongs to a failing gate and is not in this table. */
export const ERROR_KINDS = {
  /** A flag, an argument or a query parameter is wrong. */
  usage: { exit: 2, http: 400 },
  /** The configuration, policy or waiver file is wrong. */
  config: { exit: 2, http: 400 },
  /** The runtime is too old, or a needed optional package is missing. */
  runtime: { exit: 2, http: 501 },
  /** The input cannot be read as an SBOM. */
  input: { exit: 3, http: 400 },
  /** The input is larger or deeper than the limit. */
  "too-large": { exit: 3, http: 413 },
  /** The document has no components. */
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
  /** A version belongs to several release cycles; candidates are listed. */
  ambiguous: { exit: 2, http: 404 },
  /** HTTP only: an unsupported content type, or a method that the path does not have. */
  "media-type": { exit: 2, http: 415 },
  method: { exit: 2, http: 405 },
  unavailable: { exit: 5, http: 503 },
  /** An output file cannot be written. */
  output: { exit: 2, http: 500 },
  /** A bug in eolgate. */
  internal: { exit: 70, http: 500 },
} as const satisfies Record<string, { readonly exit: number; readonly http: number }>;

/** The kind of an error; it decides the exit code and the HTTP status. */
export type ErrorKind = keyof typeof ERROR_KINDS;

/** The text of one error code. `Args` are the values in it; texts from documents are not escaped. */
export interface ErrorRow<Args> {
  /** Decides the exit code and the HTTP status. */
  readonly kind: ErrorKind;
  /** What is wrong: lower-case start, no full stop. */
  readonly message: (args: Args) => string;
  /** What to do about it. */
  readonly hint?: (args: Args) => string | undefined;
  /** The hint for clients of the HTTP service if `hint` names a flag or a command. Without it they get no hint. */
  readonly httpHint?: string;
  /** What docs/errors.md states where the message or the hint consists of values, or there is no hint. */
  readonly docs?: { readonly meaning?: string; readonly advice?: string };
}

/** A row whose text needs no arguments takes `{}`. */
// oxlint-disable-next-line typescript/ban-types -- an object without fields is what such a call site passes
export const row = <Args = {}>(kind: ErrorKind, of: Omit<ErrorRow<Args>, "kind">): ErrorRow<Args> => ({ kind, ...of });

/** The specific problem of a code that several problems share. */
export interface ProblemArgs {
  /** A clause: lower-case start, no full stop. */
  readonly problem: string;
  /** In place of the advice of the row. */
  readonly advice?: string | undefined;
}

interface ProblemRow {
  /** What the problems have in common, for docs/errors.md. */
  readonly meaning: string;
  /** The advice for docs/errors.md. */
  readonly advice: string;
  /** The hint of every problem for which the place that finds it has no other advice. */
  readonly hint?: string;
  readonly httpHint?: string;
}

/** The row of a code that several problems share, because a program treats them alike. */
export const problems = (kind: ErrorKind, { meaning, advice, hint, httpHint }: ProblemRow): ErrorRow<ProblemArgs> => ({
  kind,
  message: ({ problem }) => problem,
  hint: ({ advice: own }) => own ?? hint,
  ...(httpHint === undefined ? {} : { httpHint }),
  docs: { meaning, advice },
});
