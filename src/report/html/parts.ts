/** Building blocks of the HTML report. Links lead only to web addresses and send no referrer. */
import { escapeHtml, safeUrl } from "../escape.ts";

export function link(words: string, target: string | null): string {
  const safe = target === null ? null : safeUrl(target);
  return safe === null
    ? escapeHtml(words)
    : `<a href="${escapeHtml(safe)}" rel="noreferrer noopener">${escapeHtml(words)}</a>`;
}

/** A region that scrolls horizontally. It can be focused by keyboard, so it has a label. */
export function scrolling(label: string, inner: string): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}">${inner}</div>`;
}
