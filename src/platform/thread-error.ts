/** Converts errors to messages between threads and back, because classes are lost in messages. */
import { EolgateError, type ErrorKind } from "../messages/error.ts";

/** The fields of an error. */
export interface ErrorMessage {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly where: string | undefined;
  readonly hint: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly stack?: string | undefined;
}

export function toMessage(error: unknown): ErrorMessage {
  if (error instanceof EolgateError) {
    const { kind, code, message, where, hint, facts } = error;
    return { kind, code, message, where, hint, facts };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    kind: "internal",
    code: "internal",
    message: String(error),
    where: undefined,
    hint: undefined,
    facts: {},
    stack,
  };
}

export function fromMessage({ kind, code, message, where, hint, facts, stack }: ErrorMessage): EolgateError {
  return EolgateError.raw(kind, {
    code,
    message,
    facts,
    ...(where === undefined ? {} : { where }),
    ...(hint === undefined ? {} : { hint }),
    ...(stack === undefined ? {} : { cause: Object.assign(new Error(message), { stack }) }),
  });
}
