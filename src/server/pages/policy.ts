/** The content security policy of pages for people. */
import { SCRIPT_SOURCES } from "./scripts.ts";

/** In the page itself, for hosts of a static export: only the scripts of the table, no style in the page, nothing from elsewhere. */
export const DOCUMENT_POLICY = [
  "default-src 'none'",
  `script-src ${SCRIPT_SOURCES}`,
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join("; ");

/** As a header, which also forbids frames around the page. */
export const PAGE_POLICY = `${DOCUMENT_POLICY}; frame-ancestors 'none'`;
