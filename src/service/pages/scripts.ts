/**
 * The inline scripts of the pages. The content security policy allows only these, by their digests. All pages work
 * without scripts.
 */
import { createHash } from "node:crypto";
import { trusted, type Markup } from "./markup.ts";
import { SCRIPT as REPORT_SCRIPT } from "../../report/html/script.ts";
import { COPY_SCRIPT } from "./scripts/copy.ts";
import { SUGGEST_SCRIPT } from "./scripts/suggest.ts";

const SCRIPTS = [SUGGEST_SCRIPT, REPORT_SCRIPT, COPY_SCRIPT] as const;

/** Value for `script-src`: `'sha256-…' 'sha256-…'`. */
export const SCRIPT_SOURCES = SCRIPTS.map(
  (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
).join(" ");

/** A script element with one of the known scripts. */
export function scriptElement(script: (typeof SCRIPTS)[number]): Markup {
  return trusted(`<script>${script}</script>`);
}
