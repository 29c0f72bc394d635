/** Error codes: support levels and their sources. */
import { row } from "./row.ts";

export const SIGNALS_ERRORS = {
  "bad-signals-url": row<{ name: string; example: string }>({
    kind: "usage",
    message: () => "the address of a signal source is not an http or https URL",
    hint: ({ name, example }) => `For example ${name}=${example}`,
  }),
  "signals-cache-unreadable": row<{ why: string }>({
    kind: "unavailable",
    message: ({ why }) => `the signal cache cannot be used: ${why}`,
    hint: () => "Delete the file, or name another folder with EOLGATE_CACHE.",
  }),
  "signals-import-unreadable": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => what,
    hint: () => "Make the file with `eolgate signals export -o FILE`; nothing was imported.",
  }),
  "signals-not-offered": row({
    kind: "runtime",
    message: () => "this server states no support levels",
    hint: () => "Start it with eolgate serve --signals deps.dev, or send the request without signals=1 and follow.",
  }),
  "signals-need-key": row({
    kind: "unauthorised",
    message: () => "support levels need an API key",
    hint: () => "Send the key in the header X-API-Key, or the request without signals=1.",
  }),
} as const;
