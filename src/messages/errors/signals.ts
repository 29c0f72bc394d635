/** Errors of support levels and their sources. */
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
    hint: () => "Nothing was imported. Create the file with: eolgate signals export -o FILE",
  }),
  "signals-not-offered": row({
    kind: "runtime",
    message: () => "this server does not offer support levels",
    hint: () => "Start the server with eolgate serve --signals deps.dev, or omit signals=1 and follow.",
  }),
  "signals-need-key": row({
    kind: "unauthorised",
    message: () => "support levels require an API key",
    hint: () => "Send the key in the header X-API-Key, or omit signals=1 and follow.",
  }),
} as const;
