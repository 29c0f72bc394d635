/**
 * The dependencies and settings of the application, and the properties that hooks add to a request. The application reads
 * no clock, opens no port and uses no database by itself: `serve/serve.ts` creates the real ones, tests create their own.
 */
import type { Clock } from "../clock.ts";
import type { Caller, Documents, Services } from "../services.ts";
import type { Editions } from "./editions.ts";
import type { Log } from "../serve/log.ts";
import type { Telemetry } from "../serve/ports.ts";

export interface AppContext {
  readonly version: string;
  readonly settings: ServerSettings;
  readonly services: Services;
  readonly editions: Editions;
  /** Reads, resolves and assesses documents, large ones in worker threads. */
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  /** Records each response, and measures the delay of the event loop: above a limit, requests are refused. */
  readonly telemetry: Pick<Telemetry, "observe" | "lateness">;
}

export interface ServerSettings {
  /** Base URL of links: `--public-url`, or the address that the server listens on. */
  readonly publicUrl: string;
  /** End of keyless access, UTC milliseconds. */
  readonly keylessUntil: number;
  /** Whether no key is needed. Allowed on loopback only. */
  readonly open: boolean;
  /** Number of reverse proxies in front of the server whose X-Forwarded-For is trusted. */
  readonly trustProxy: number;
  /** Whether the response of a batch is an object instead of an array by default. */
  readonly batchEnvelope: boolean;
  /** Whether pages contain search and forms, which need a server. False for a static export without one. */
  readonly interactive: boolean;
  /** Whether mails go to a mail server. Without one, only the operator can read them. */
  readonly sendsMail: boolean;
  /** Maximum bytes of an SBOM document. */
  readonly maxBody: number;
}

/** The default end of keyless access, see --keyless-until. */
export const KEYLESS_CUT_OFF = Date.UTC(2026, 10, 16);
/** Maximum bytes of other bodies. */
export const MAX_SMALL_BODY = 1024 * 1024;

export const DEFAULT_SETTINGS: ServerSettings = {
  publicUrl: "http://127.0.0.1:8080",
  keylessUntil: KEYLESS_CUT_OFF,
  open: false,
  trustProxy: 0,
  batchEnvelope: false,
  interactive: true,
  sendsMail: true,
  maxBody: 64 * MAX_SMALL_BODY,
};

// Properties that hooks add to a request, and the configuration of each route.

/** `counted`: needs a key after the cut-off and counts in the quota. `keyless`: neither. */
export type Access = "counted" | "keyless";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by `admit`; null on keyless routes that do not identify the caller. */
    caller: Caller | null;
    /** Whether the response contains the notice that keyless access ends. */
    noticed: boolean;
    /** When the request arrived, by the process's monotonic clock in milliseconds. */
    startedAt: number;
  }
  interface FastifyContextConfig {
    readonly access?: Access;
    /** False on routes that pages of other origins must not call: checkout, webhook, watch links, MCP. */
    readonly cors?: false;
    /** The media type of the body is not checked: one-click unsubscription, methods that are refused. */
    readonly anyMedia?: true;
    /** Never refused because of overload: probes. */
    readonly always?: true;
    /** Numbers of the field `version` are read as text. */
    readonly textVersions?: true;
    /** The handler gets the bytes of the body: documents, signed bodies. */
    readonly raw?: true;
  }
}
