import { escapeJson } from "../escape.ts";

/** What `JSON.stringify` returns, with unseen characters escaped. */
export const jsonOf = (value: unknown): string => escapeJson(JSON.stringify(value));
