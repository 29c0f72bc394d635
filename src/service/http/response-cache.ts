/** Caches responses to look-ups. Within an edition, a query always has the same response. */
import type { Edition } from "./editions.ts";

/**
 * Bytes of all cached responses, without their compressed forms. Clients choose the queries, so the cache needs a limit;
 * the oldest entries are removed.
 */
const MAX_KEPT = 32 * 1024 * 1024;
/** Bytes of one response. Longer ones are not cached: they are rare, and each would displace many others. */
const MAX_EACH = 512 * 1024;

export interface ResponseCache<Answer> {
  /** The cached response, or the result of `make`. Errors are not cached. */
  get(edition: Edition, question: string, make: () => Promise<Answer>): Answer | Promise<Answer>;
}

/** `length` of an answer is its number of bytes. */
export function createResponseCache<Answer extends { readonly length: number }>(): ResponseCache<Answer> {
  const kept = new Map<string, Answer>();
  let tag = "";
  let size = 0;

  function keep(question: string, answer: Answer): void {
    const taken = sizeOf(question, answer);
    if (taken > MAX_EACH || kept.has(question)) return;
    for (const [oldest, dropped] of kept) {
      if (size + taken <= MAX_KEPT) break;
      kept.delete(oldest);
      size -= sizeOf(oldest, dropped);
    }
    kept.set(question, answer);
    size += taken;
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

  async function render(edition: Edition, question: string, make: () => Promise<Answer>): Promise<Answer> {
    const answer = await make();
    if (edition.tag === tag) keep(question, answer);
    return answer;
  }
}

/** Questions contain parts of URLs, which may be longer than their answers. */
const sizeOf = (question: string, { length }: { readonly length: number }): number => question.length + length;
