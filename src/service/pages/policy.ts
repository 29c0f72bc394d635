/** The content security policy of the HTML pages. */
import { SCRIPT_SOURCES } from "./scripts.ts";

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
