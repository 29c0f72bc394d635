/** The HTTP settings of `eolgate serve`, with every default filled in. */

export interface ServerSettings {
  /** Address in links: `--public-url`, or the address that is served. */
  readonly publicUrl: string;
  /** Instant until which requests without a key are served. */
  readonly keylessUntil: number;
  /** Everyone on this machine is served without a key. Loopback only. */
  readonly open: boolean;
  /** How many proxies stand before us and tell the client's address. */
  readonly trustProxy: number;
  /** Batches answer as an object for clients that read that. */
  readonly batchEnvelope: boolean;
  /** Whether pages offer what only a server answers: search and forms. False for a static export without a server. */
  readonly interactive: boolean;
  /** Bytes of an SBOM document. */
  readonly maxBody: number;
}

/** The end of keyless access, unless --keyless-until names another instant. */
export const KEYLESS_CUT_OFF = Date.UTC(2026, 10, 16);
/** Bytes of any other body. */
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
