import type { ErrorKind } from "./kinds.ts";

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
}

/** A row whose text needs no arguments takes `{}`. */
// oxlint-disable-next-line typescript/ban-types -- an object without fields is what such a call site passes
export const row = <Args = {}>(of: ErrorRow<Args>): ErrorRow<Args> => of;
