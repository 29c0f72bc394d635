/**
 * The inline scripts of the pages, and the content security policy, which allows only these, by their digests. All pages
 * work without scripts.
 */
import { createHash } from "node:crypto";
import { trusted, type Markup } from "../markup.ts";
import { SCRIPT as REPORT_SCRIPT } from "../../../report/html/script.ts";

/** Adds a button to each snippet that copies its text, if the browser supports it. */
export const COPY_SCRIPT = `
if (navigator.clipboard) {
  for (const snippet of document.querySelectorAll("pre[aria-label]")) {
    const button = document.createElement("button");
    const label = "Copy: " + snippet.getAttribute("aria-label");
    button.type = "button";
    button.className = "copy plain";
    button.textContent = "Copy";
    button.setAttribute("aria-label", label);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(snippet.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    snippet.after(button);
  }
}
`;

/**
 * Shows suggestions of the service as links below the search field. Arrow keys move between the field and the links, and
 * Escape closes the list. All content is set as text, never as HTML.
 */
export const SUGGEST_SCRIPT = `
for (const form of document.querySelectorAll("form.search[data-suggest]")) {
  const input = form.querySelector("input");
  const list = document.createElement("ul");
  const status = document.createElement("span");
  list.className = "suggestions";
  list.hidden = true;
  list.setAttribute("aria-label", "Suggestions");
  status.className = "hidden";
  status.setAttribute("role", "status");
  form.append(list, status);
  let timer, latest = 0;
  const close = () => { list.hidden = true; status.textContent = ""; };
  const show = (items) => {
    list.replaceChildren(...items.map(({ href, name, note }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const small = document.createElement("span");
      link.href = href;
      link.textContent = name;
      small.textContent = note;
      link.append(" ", small);
      item.append(link);
      return item;
    }));
    list.hidden = items.length === 0;
    status.textContent = items.length === 0 ? "" : items.length + (items.length === 1 ? " suggestion" : " suggestions");
  };
  const ask = async () => {
    const turn = ++latest, text = input.value.trim();
    if (text.length < 2) return close();
    try {
      const answer = await fetch(form.dataset.suggest + "?q=" + encodeURIComponent(text));
      const items = answer.ok ? (await answer.json()).items : [];
      if (turn === latest && document.activeElement === input) show(items);
    } catch { close(); }
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  form.addEventListener("keydown", (event) => {
    const stops = [input, ...list.querySelectorAll("a")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && !list.hidden) { close(); input.focus(); event.preventDefault(); }
    if (!step || list.hidden) return;
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (next) { next.focus(); event.preventDefault(); }
  });
  form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) close(); });
}
`.trim();

const SCRIPTS = [SUGGEST_SCRIPT, REPORT_SCRIPT, COPY_SCRIPT] as const;

/** Value for `script-src`: `'sha256-…' 'sha256-…'`. */
const SCRIPT_SOURCES = SCRIPTS.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`).join(
  " ",
);

/** A script element with one of the known scripts. */
export const scriptElement = (script: (typeof SCRIPTS)[number]): Markup => trusted(`<script>${script}</script>`);

/** For the page itself, so that it also applies to a static export: only known scripts, no inline styles, no other origins. */
export const DOCUMENT_POLICY = [
  "default-src 'none'",
  `script-src ${SCRIPT_SOURCES}`,
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join("; ");

/** For the header, which can also forbid framing. */
export const PAGE_POLICY = `${DOCUMENT_POLICY}; frame-ancestors 'none'`;
