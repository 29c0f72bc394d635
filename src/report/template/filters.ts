/** The filters of values. Each one escapes; there is none for raw output. */
import {
  escapeCsv,
  escapeHtml,
  escapeJson,
  escapeLabel,
  escapeMarkdown,
  escapeMarkdownCode,
  singleLine,
  escapeTerminal,
  safeUrl,
  escapeXml,
} from "../escape.ts";

export const FILTERS = {
  plain: singleLine,
  terminal: escapeTerminal,
  html: escapeHtml,
  markdown: escapeMarkdown,
  code: escapeMarkdownCode,
  csv: escapeCsv,
  xml: escapeXml,
  label: escapeLabel,
  /** A JSON string, with its quotes. */
  json: (text: string) => escapeJson(JSON.stringify(text)),
  /** The address if it is a web address, else an empty text. */
  url: (text: string) => safeUrl(text) ?? "",
} as const satisfies Record<string, (text: string) => string>;

export type FilterName = keyof typeof FILTERS;
