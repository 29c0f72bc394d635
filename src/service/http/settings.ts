/** The HTTP settings of `eolgate serve`, including defaults. */

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
  maxBody: 64 * MAX_SMALL_BODY,
};
