/** Reads the body of a request up to a limit. */
import type { Readable } from "node:stream";
import { EolgateError } from "../../messages/error.ts";
import { releaseBytes } from "../../platform/release-bytes.ts";

export interface BodyLimits {
  /** The Content-Length header. */
  readonly announced: string | undefined;
  /** The most bytes that are accepted. */
  readonly limit: number;
}

export type BodyCallback = (error: Error | null, body?: Buffer) => void;

/**
 * Reads all bytes and releases the chunks in which they arrived: the framework's own reader leaves them to the garbage
 * collector (docs/performance.md). What exceeds the limit is discarded.
 *
 * @throws EolgateError to the callback: `body-too-large`, `content-length`; and the error of a connection that broke
 */
export function readBody(payload: Readable, { announced, limit }: BodyLimits, done: BodyCallback): void {
  const expected = Number(announced);
  if (expected > limit) {
    done(EolgateError.of("body-too-large", {}));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;

  const finish = (error: Error | null): void => {
    payload.off("data", onData).off("end", onEnd).off("error", finish);
    const body = error ? undefined : Buffer.concat(chunks, length);
    for (const chunk of chunks) releaseBytes(chunk);
    done(error, body);
  };
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) finish(EolgateError.of("body-too-large", {}));
  };
  const onEnd = (): void => {
    const isWhole = Number.isNaN(expected) || length === expected;
    finish(isWhole ? null : EolgateError.of("content-length", {}));
  };
  payload.on("data", onData).on("end", onEnd).on("error", finish);
}
