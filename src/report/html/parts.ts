/** Parts that the HTML report is built from. Links lead only to web addresses and are never opened with a referrer. */
import { escapeHtml, safeUrl } from "../escape.ts";

export function link(words: string, target: string | null): string {
  const safe = target === null ? null : safeUrl(target);
  return safe === null
    ? escapeHtml(words)
    : `<a href="${escapeHtml(safe)}" rel="noreferrer noopener">${escapeHtml(words)}</a>`;
}

/** What scrolls sideways when it is too wide; reachable by keyboard, which needs a name. */
export function scrolling(label: string, inner: string): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}">${inner}</div>`;
}
