/**
 * An `EolgateError` is thrown only if there is no answer; a verdict is a return value. Every error has a stable
 * code with a row in `messages/errors/`, which determines its exit code and HTTP status. See docs/errors.md.
 */
import { ERRORS, type ErrorArgs, type ErrorCode } from "./errors/index.ts";
import { ERROR_KINDS, type ErrorKind } from "./errors/row.ts";

export type { ErrorArgs, ErrorCode } from "./errors/index.ts";
export { ERROR_KINDS, type ErrorKind } from "./errors/row.ts";

/** What a throw site adds to the code and its arguments. */
export interface ErrorContext {
  /** Where: a file, a JSON pointer, a line and column, a flag, the path of a policy field. */
  readonly where?: string | undefined;
  /** Further fields for HTTP answers and MCP results: candidates, suggestions, limits. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/** An error whose text was made elsewhere: by a remote service, in a worker, or by a parser. */
export interface ErrorDetails extends ErrorContext {
  /** Stable and machine-readable. */
  readonly code: string;
  /** What is wrong: lower-case start, no full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/** No answer could be given. States what is wrong, where, and what to do. */
export class EolgateError extends Error {
  /** Decides the exit code and the HTTP status. */
  readonly kind: ErrorKind;
  /** Stable and machine-readable; docs/errors.md lists all codes. */
  readonly code: string;
  /** A file, a JSON pointer, a line and column, a flag, or the path of a policy field. */
  readonly where: string | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** Further fields for HTTP answers and MCP results: candidates, suggestions, limits. */
  readonly details: Readonly<Record<string, unknown>>;

  private constructor(kind: ErrorKind, { code, message, where, hint, details, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EolgateError";
    this.kind = kind;
    this.code = code;
    this.where = where;
    this.hint = hint;
    this.details = details ?? {};
  }

  /** The error with the code's own message and hint, made from typed arguments. */
  static of<Code extends ErrorCode>(code: Code, args: ErrorArgs<Code>, context: ErrorContext = {}): EolgateError {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the call was checked with the row of this very code
    const { kind, message, hint } = ERRORS[code] as ErrorRowOf;
    return new EolgateError(kind, { ...context, code, message: message(args), hint: hint?.(args) });
  }

  /** An error whose message comes from elsewhere; see `ErrorDetails`. */
  static raw(kind: ErrorKind, details: ErrorDetails): EolgateError {
    return new EolgateError(kind, details);
  }

  /** The same error with another location. */
  at(where: string): EolgateError {
    const { kind, code, message, hint, details, cause } = this;
    return new EolgateError(kind, { code, message, where, details, cause, hint });
  }

  /** The exit code of a command that ends with this error. */
  get exit(): number {
    return ERROR_KINDS[this.kind].exit;
  }

  /** The HTTP status of an answer that contains this error. */
  get http(): number {
    return ERROR_KINDS[this.kind].http;
  }
}

/** A row of the table for arguments that the caller has checked by the code. */
interface ErrorRowOf {
  readonly kind: ErrorKind;
  readonly message: (args: unknown) => string;
  readonly hint?: (args: unknown) => string | undefined;
}
