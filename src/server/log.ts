/**
 * The logger that the service's modules write to; compatible with fastify's. Must not receive secrets or full
 * addresses.
 */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
