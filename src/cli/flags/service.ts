/** The flags of the service and of the commands for its operators, see docs/operating.md. */
import { AS_OF_FLAG, CATALOGUE_FLAG, TEXT_OR_JSON_FLAGS } from "./check.ts";
import { type Flag, setting } from "../../shell/flag.ts";

const HTTP = "HTTP:";
const MAIL = "Mail:";
const STORE = "Store:";

const PUBLIC_URL_FLAG = setting(HTTP, "--public-url <url>", "public address of the service, for links");

/** The flags of the store, the secret and the tiers. */
export const STORE_FLAGS: readonly Flag[] = [
  setting(STORE, "--data <folder>", "folder of the embedded store (default: the platform's data folder)"),
  setting(STORE, "--database <url>", "store everything in PostgreSQL instead: postgres://…"),
  setting(
    STORE,
    "--database-file <file>",
    "file with the address for --database, so that its password is in no environment",
  ),
  setting(STORE, "--secret-file <file>", "file with the server's secret (or EOLGATE_SECRET); required with --database"),
  setting(STORE, "--tiers <file>", "limits of each tier, merged over the defaults"),
];

export const SERVE_FLAGS: readonly Flag[] = [
  setting(
    STORE,
    "--database-connections <count>",
    "most connections to PostgreSQL that this process opens (default: 10)",
  ),
  setting(HTTP, "--host <address>", "address to listen on (default: 127.0.0.1)"),
  setting(HTTP, "--port <port>", "port to listen on, 0 for any (default: 8080)"),
  PUBLIC_URL_FLAG,
  setting(HTTP, "--open", "serve without keys and limits; on a loopback address only"),
  setting(HTTP, "--trust-proxy <hops>", "number of proxies in front of the service that are trusted (default: 0)"),
  setting(
    HTTP,
    "--keyless-until <instant>",
    "serve requests without a key until this time (default: 2026-11-16T00:00:00Z)",
  ),
  setting(HTTP, "--batch-envelope", "answer batches of callers without a key with an object instead of an array"),
  setting(HTTP, "--max-body <bytes>", "maximum size of an SBOM (default: 67108864)"),
  setting(HTTP, "--metrics-port <port>", "serve metrics of the process on this port, at /metrics"),
  setting(
    "Catalogue:",
    "--refresh <interval>",
    "how often to read the catalogue channel or, without one, the sources: 12h (default), 30m, …, or off",
  ),
  setting(
    "Catalogue:",
    "--sign-key <file>",
    "Ed25519 private key (PEM) that signs /catalogue.json, for updates of other installations from this server",
  ),
  setting(MAIL, "--smtp <url>", "mail server, smtp:// or smtps:// (default: write .eml files to the data folder)"),
  setting(MAIL, "--mail-from <address>", "sender of mails"),
  setting(
    MAIL,
    "--webhook-hosts <hosts>",
    "hosts in private networks that webhooks may address, also without TLS, separated by commas",
  ),
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
