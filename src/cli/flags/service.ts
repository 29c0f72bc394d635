/** The flags of the service and of the commands for its operators, see docs/operating.md. */
import { AS_OF_FLAG, CATALOGUE_FLAG, TEXT_OR_JSON_FLAGS } from "./check.ts";
import type { Flag } from "../../shell/flag.ts";

const HTTP = "HTTP:";
const MAIL = "Mail:";
const STORE = "Store:";

const PUBLIC_URL_FLAG: Flag = {
  flags: "--public-url <url>",
  summary: "public address of the service, for links",
  env: true,
  group: HTTP,
};

/** The flags of the store, the secret and the tiers. */
export const STORE_FLAGS: readonly Flag[] = [
  {
    flags: "--data <folder>",
    summary: "folder of the embedded store (default: the platform's data folder)",
    env: true,
    group: STORE,
  },
  {
    flags: "--database <url>",
    summary: "store everything in PostgreSQL instead: postgres://…",
    env: true,
    group: STORE,
  },
  {
    flags: "--database-file <file>",
    summary: "file with the address for --database, so that its password is in no environment",
    env: true,
    group: STORE,
  },
  {
    flags: "--secret-file <file>",
    summary: "file with the server's secret (or EOLGATE_SECRET); required with --database",
    env: true,
    group: STORE,
  },
  {
    flags: "--tiers <file>",
    summary: "limits of each tier, merged over the defaults",
    env: true,
    group: STORE,
  },
];

export const SERVE_FLAGS: readonly Flag[] = [
  {
    flags: "--database-connections <count>",
    summary: "most connections to PostgreSQL that this process opens (default: 10)",
    env: true,
    group: STORE,
  },
  { flags: "--host <address>", summary: "address to listen on (default: 127.0.0.1)", env: true, group: HTTP },
  { flags: "--port <port>", summary: "port to listen on, 0 for any (default: 8080)", env: true, group: HTTP },
  PUBLIC_URL_FLAG,
  { flags: "--open", summary: "serve without keys and limits; on a loopback address only", env: true, group: HTTP },
  {
    flags: "--trust-proxy <hops>",
    summary: "number of proxies in front of the service that are trusted (default: 0)",
    env: true,
    group: HTTP,
  },
  {
    flags: "--keyless-until <instant>",
    summary: "serve requests without a key until this time (default: 2026-11-16T00:00:00Z)",
    env: true,
    group: HTTP,
  },
  {
    flags: "--batch-envelope",
    summary: "answer batches of callers without a key with an object instead of an array",
    env: true,
    group: HTTP,
  },
  { flags: "--max-body <bytes>", summary: "maximum size of an SBOM (default: 67108864)", env: true, group: HTTP },
  {
    flags: "--metrics-port <port>",
    summary: "serve metrics of the process on this port, at /metrics",
    env: true,
    group: HTTP,
  },
  {
    flags: "--refresh <interval>",
    summary: "how often to read the catalogue channel or, without one, the sources: 12h (default), 30m, …, or off",
    env: true,
    group: "Catalogue:",
  },
  {
    flags: "--sign-key <file>",
    summary:
      "Ed25519 private key (PEM) that signs /catalogue.json, for updates of other installations from this server",
    env: true,
    group: "Catalogue:",
  },
  {
    flags: "--smtp <url>",
    summary: "mail server, smtp:// or smtps:// (default: write .eml files to the data folder)",
    env: true,
    group: MAIL,
  },
  { flags: "--mail-from <address>", summary: "sender of mails", env: true, group: MAIL },
  {
    flags: "--webhook-hosts <hosts>",
    summary: "hosts in private networks that webhooks may address, also without TLS, separated by commas",
    env: true,
    group: MAIL,
  },
];

export const SITE_FLAGS: readonly Flag[] = [
  PUBLIC_URL_FLAG,
  {
    flags: "--part <part>",
    summary: "write only this part: api, pages, files, endoflife or tea; repeat for more (default: all)",
    repeat: true,
  },
  { flags: "--with-server", summary: "offer search and forms on the pages, for use with a server that answers them" },
  AS_OF_FLAG,
  CATALOGUE_FLAG,
  ...TEXT_OR_JSON_FLAGS,
];

export const KEY_OWNER_FLAGS: readonly Flag[] = [
  { flags: "--email <address>", summary: "address of the owner (required)" },
  { flags: "--tier <name>", summary: "free (default), starter, pro, enterprise, or one of --tiers" },
  {
    flags: "--batch-envelope",
    summary: "answer batches with this key by an object {count, results, …} instead of an array",
  },
];
