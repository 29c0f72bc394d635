/** The flags of `eolgate serve`. */
import type { Flag } from "./flags.ts";
import { SIGNALS_FLAGS } from "./signals-flags.ts";

const HTTP = "HTTP:";
const MAIL = "Mail:";

export const SERVE_FLAGS: readonly Flag[] = [
  { flags: "--host <address>", summary: "address to listen on (default: 127.0.0.1)", env: "EOLGATE_HOST", group: HTTP },
  { flags: "--port <port>", summary: "port to listen on, 0 for any (default: 8080)", env: "EOLGATE_PORT", group: HTTP },
  {
    flags: "--public-url <url>",
    summary: "public address of the service, for links",
    env: "EOLGATE_PUBLIC_URL",
    group: HTTP,
  },
  {
    flags: "--open",
    summary: "serve without keys and limits; on a loopback address only",
    env: "EOLGATE_OPEN",
    group: HTTP,
  },
  {
    flags: "--trust-proxy <hops>",
    summary: "number of proxies in front of the service that are trusted (default: 0)",
    env: "EOLGATE_TRUST_PROXY",
    group: HTTP,
  },
  {
    flags: "--keyless-until <instant>",
    summary: "serve requests without a key until this time (default: 2026-11-16T00:00:00Z)",
    env: "EOLGATE_KEYLESS_UNTIL",
    group: HTTP,
  },
  {
    flags: "--batch-envelope",
    summary: "answer batches with an object instead of an array",
    env: "EOLGATE_BATCH_ENVELOPE",
    group: HTTP,
  },
  {
    flags: "--max-body <bytes>",
    summary: "maximum size of an SBOM (default: 67108864)",
    env: "EOLGATE_MAX_BODY",
    group: HTTP,
  },
  {
    flags: "--metrics-port <port>",
    summary: "serve metrics of the process on this port, at /metrics",
    env: "EOLGATE_METRICS_PORT",
    group: HTTP,
  },
  {
    flags: "--refresh <interval>",
    summary: "how often to read the catalogue channel or, without one, the sources: 12h (default), 30m, …, or off",
    env: "EOLGATE_REFRESH",
    group: "Catalogue:",
  },
  {
    flags: "--smtp <url>",
    summary: "mail server, smtp:// or smtps:// (default: write .eml files to the data folder)",
    env: "EOLGATE_SMTP",
    group: MAIL,
  },
  { flags: "--mail-from <address>", summary: "sender of mails", env: "EOLGATE_MAIL_FROM", group: MAIL },
  ...SIGNALS_FLAGS,
];
