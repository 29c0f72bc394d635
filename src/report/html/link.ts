/** Links of the HTML report: only to web addresses, never opened with a referrer. */
import { html, url } from "../escape.ts";

export function link(words: string, target: string | null): string {
  const safe = target === null ? null : url(target);
  return safe === null ? html(words) : `<a href="${html(safe)}" rel="noreferrer noopener">${html(words)}</a>`;
}
