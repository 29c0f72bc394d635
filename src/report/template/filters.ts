/** How a value is written: every way out is an escape, there is no raw one. */
import { csv, html, json, label, markdown, markdownCode, plain, terminal, url, xml } from "../escape.ts";

export const FILTERS = {
  plain,
  terminal,
  html,
  markdown,
  code: markdownCode,
  csv,
  xml,
  label,
  /** A JSON string, with its quotes. */
  json: (text: string) => json(JSON.stringify(text)),
  /** The address when it is a web address, else nothing. */
  url: (text: string) => url(text) ?? "",
} as const satisfies Record<string, (text: string) => string>;

export type FilterName = keyof typeof FILTERS;
