/** Where the service's parts say what they did: fastify's logger fits. No secrets, no full addresses. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
