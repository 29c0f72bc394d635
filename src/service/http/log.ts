/**
 * The logger of the service, compatible with that of fastify. Callers must not pass secrets or complete addresses.
 */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
