/**
 * What the application is built from. It reads no clock, opens no port and names no database: `cli/commands/serve.ts`
 * puts the real ones together, tests their own.
 */
import type { Clock } from "./clock.ts";
import type { Documents } from "./documents/documents.ts";
import type { Editions } from "./editions.ts";
import type { Log } from "./log.ts";
import type { Services } from "./services.ts";
import type { ServerSettings } from "./settings.ts";
import type { Telemetry } from "./telemetry.ts";

export interface AppContext {
  readonly version: string;
  readonly settings: ServerSettings;
  readonly services: Services;
  readonly editions: Editions;
  /** Reads, resolves and assesses documents, the big ones outside the event loop. */
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  /** Observes each response, and knows by how much the event loop is late: above a limit, requests are turned away. */
  readonly telemetry: Pick<Telemetry, "observe" | "lateness">;
}
