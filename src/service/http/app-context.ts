/**
 * The dependencies of the application, which reads no clock, opens no port and uses no database by itself.
 * `cli/commands/serve.ts` creates the real ones, tests create their own.
 */
import type { Clock } from "./clock.ts";
import type { Documents } from "../documents/documents.ts";
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
  /** Reads, resolves and assesses documents, large ones in worker threads. */
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  /** Records each response, and measures the delay of the event loop: above a limit, requests are refused. */
  readonly telemetry: Pick<Telemetry, "observe" | "lateness">;
}
