/** Caches the answers to look-ups for each edition: the same query on the same day has the same bytes. */
import type { Edition } from "./editions.ts";

/** Limit in bytes; the oldest answers are dropped. Queries come from outside, so the cache needs a limit. */
const MAX_KEPT = 32 * 1024 * 1024;
/** A longer answer is not kept: few ask for it, and it would push out a thousand others. */
const MAX_EACH = 512 * 1024;

export interface ResponseCache {
  /** The kept answer as bytes, or what `make` renders. Errors are not cached. */
  get(edition: Edition, question: string, make: () => Promise<string>): Buffer | Promise<Buffer>;
}

export function createResponseCache(): ResponseCache {
  const kept = new Map<string, Buffer>();
  let tag = "";
  let size = 0;

  function keep(question: string, answer: Buffer): void {
    if (answer.length > MAX_EACH || kept.has(question)) return;
    for (const [oldest, bytes] of kept) {
      if (size + answer.length <= MAX_KEPT) break;
      kept.delete(oldest);
      size -= bytes.length;
    }
    kept.set(question, answer);
    size += answer.length;
  }

  return {
    get(edition, question, make) {
      if (edition.tag !== tag) {
        kept.clear();
        size = 0;
        tag = edition.tag;
      }
      return kept.get(question) ?? render(edition, question, make);
    },
  };

  async function render(edition: Edition, question: string, make: () => Promise<string>): Promise<Buffer> {
    const answer = Buffer.from(await make());
    if (edition.tag === tag) keep(question, answer);
    return answer;
  }
}
