/**
 * The stylesheet, the icon, the link preview and the inline scripts of all pages, and the content security policy, which
 * allows only these scripts, by their digests. Paths contain a digest, so browsers can cache the files for a year. All
 * pages work without scripts. Stylesheet and scripts are files of `src/data`.
 */
import { createHash } from "node:crypto";
import { dataFile, readPackageFile } from "../../../platform/package-files.ts";
import { SCRIPT as REPORT_SCRIPT } from "../../../report/html/script.ts";
import { STYLE as REPORT_STYLE } from "../../../report/html/style.ts";
import { trusted, type Markup } from "../markup.ts";

const textOf = (name: string): string => readPackageFile(dataFile(name)).toString("utf8");

/** It extends the stylesheet of the HTML report. */
const STYLE = `${REPORT_STYLE}\n${textOf("site.css")}`;

/** Two lines that end before a barrier. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b3b5c"/><path d="M5 12h13" stroke="#7ee0a1" stroke-width="4" stroke-linecap="round"/><path d="M5 21h8" stroke="#f5c451" stroke-width="4" stroke-linecap="round"/><path d="M24 6v20" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`;

/** Shown by other sites that link to a page, which do not accept SVG; 1200 by 630 pixels. */
const PREVIEW = readPackageFile(dataFile("preview.png"));

const digest = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex").slice(0, 12);

export const STYLE_PATH = `/assets/style-${digest(STYLE)}.css`;
export const ICON_PATH = `/assets/icon-${digest(ICON)}.svg`;
export const PREVIEW_PATH = `/assets/preview-${digest(PREVIEW)}.png`;

/** Files whose content never changes for a path. */
export const ASSETS: readonly { readonly path: string; readonly type: string; readonly content: string | Buffer }[] = [
  { path: STYLE_PATH, type: "text/css; charset=utf-8", content: STYLE },
  { path: ICON_PATH, type: "image/svg+xml", content: ICON },
  { path: PREVIEW_PATH, type: "image/png", content: PREVIEW },
];

/** The scripts of all pages and of reports in pages. */
const SCRIPTS = { suggest: textOf("suggest.js"), report: REPORT_SCRIPT, copy: textOf("copy.js") } as const;

/** Value for `script-src`: `'sha256-…' 'sha256-…'`. */
const SCRIPT_SOURCES = Object.values(SCRIPTS)
  .map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`)
  .join(" ");

export const scriptElement = (name: keyof typeof SCRIPTS): Markup => trusted(`<script>${SCRIPTS[name]}</script>`);

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
