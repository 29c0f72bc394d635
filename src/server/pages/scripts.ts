/**
 * The scripts of the pages. Each is inlined in the page, and the policy allows exactly these by their digests, so that
 * no other script runs. Every page works without them.
 */
import { createHash } from "node:crypto";
import { trusted, type Markup } from "./markup.ts";
import { SCRIPT as REPORT_SCRIPT } from "../../report/html/script.ts";
import { COPY_SCRIPT } from "./scripts/copy.ts";
import { SUGGEST_SCRIPT } from "./scripts/suggest.ts";

const SCRIPTS = [SUGGEST_SCRIPT, REPORT_SCRIPT, COPY_SCRIPT] as const;

/** For the Content-Security-Policy: `'sha256-…' 'sha256-…'`. */
export const SCRIPT_SOURCES = SCRIPTS.map(
  (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
).join(" ");

/** The element of a script of the table. */
export function scriptElement(script: (typeof SCRIPTS)[number]): Markup {
  return trusted(`<script>${script}</script>`);
}
