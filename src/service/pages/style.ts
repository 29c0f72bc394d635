/**
 * The stylesheet and the icon of all pages. Their paths contain a digest, so browsers can cache them for a year. The
 * stylesheet extends that of the HTML report.
 */
import { createHash } from "node:crypto";
import { STYLE as REPORT_STYLE } from "../../report/html/style.ts";
import { FRAME_STYLE } from "./style/frame.ts";
import { FORMS_STYLE } from "./style/forms.ts";
import { PARTS_STYLE } from "./style/parts.ts";
import { PRINT_STYLE } from "./style/print.ts";

export const STYLE = [REPORT_STYLE, FRAME_STYLE, PARTS_STYLE, FORMS_STYLE, PRINT_STYLE].join("\n");

/** Two lines that end before a barrier. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b3b5c"/><path d="M5 12h13" stroke="#7ee0a1" stroke-width="4" stroke-linecap="round"/><path d="M5 21h8" stroke="#f5c451" stroke-width="4" stroke-linecap="round"/><path d="M24 6v20" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`;

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

export const STYLE_PATH = `/assets/style-${digest(STYLE)}.css`;
export const ICON_PATH = `/assets/icon-${digest(ICON)}.svg`;

/** Files whose content never changes for a path. */
export const ASSETS: readonly { readonly path: string; readonly type: string; readonly text: string }[] = [
  { path: STYLE_PATH, type: "text/css; charset=utf-8", text: STYLE },
  { path: ICON_PATH, type: "image/svg+xml", text: ICON },
];
