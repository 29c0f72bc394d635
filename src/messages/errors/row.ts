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
  /** What docs/errors.md states where the message or the hint consists of values, or there is no hint. */
  readonly docs?: { readonly meaning?: string; readonly advice?: string };
}

/** A row whose text needs no arguments takes `{}`. */
// oxlint-disable-next-line typescript/ban-types -- an object without fields is what such a call site passes
export const row = <Args = {}>(of: ErrorRow<Args>): ErrorRow<Args> => of;

/** The specific problem of a code that several problems share. */
export interface ProblemArgs {
  /** A clause: lower-case start, no full stop. */
  readonly problem: string;
  /** In place of the advice of the row. */
  readonly advice?: string | undefined;
}

interface ProblemRow {
  readonly kind: ErrorKind;
  /** What the problems have in common, for docs/errors.md. */
  readonly meaning: string;
  /** The advice for docs/errors.md. */
  readonly advice: string;
  /** The hint of every problem for which the place that finds it has no other advice. */
  readonly hint?: string;
  readonly httpHint?: string;
}

/** The row of a code that several problems share, because a program treats them alike. */
export const problems = ({ kind, meaning, advice, hint, httpHint }: ProblemRow): ErrorRow<ProblemArgs> => ({
  kind,
  message: ({ problem }) => problem,
  hint: ({ advice: own }) => own ?? hint,
  ...(httpHint === undefined ? {} : { httpHint }),
  docs: { meaning, advice },
});
