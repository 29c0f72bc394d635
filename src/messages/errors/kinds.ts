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
