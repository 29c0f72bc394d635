/** The log of the service. */
import { pino } from "pino";
import type { Clock } from "../clock.ts";

/**
 * The logger of the service, compatible with that of fastify. Callers must not pass secrets or complete addresses.
 */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

// A log of JSON lines, written by pino (https://getpino.io). Lines are buffered for a short time, because one system
// call per line would be slow at thousands of requests per second.

export interface LineLog extends Log {
  /** Writes the buffered lines. */
  flush(): void;
}

/** Milliseconds for which lines are buffered. */
const PAUSE = 100;
/** Characters. */
const MAX_COLLECTED = 64 * 1024;

/** @param write gets one or more complete lines. An error is written immediately, with the lines before it. */
export function createLineLog(write: (text: string) => void, clock: Clock): LineLog {
  let collected = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (collected !== "") write(collected);
    collected = "";
  }
  const logger = pino(
    {
      base: null,
      messageKey: "message",
      timestamp: timestamps(clock),
      formatters: { level: (level) => ({ level }) },
    },
    {
      write(line: string) {
        collected += line;
        if (collected.length > MAX_COLLECTED) flush();
        else timer ??= setTimeout(flush, PAUSE);
      },
    },
  );
  return {
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error(facts, message) {
      logger.error(facts, message);
      flush();
    },
    flush,
  };
}

/** Many lines are of the same millisecond, whose text is made once. */
function timestamps(clock: Clock): () => string {
  let last = Number.NaN;
  let text = "";
  return () => {
    const now = clock();
    if (now !== last) text = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return text;
  };
}
