/** Properties that hooks add to a request, and the configuration of each route. */
import type { Caller } from "./services.ts";

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
    /** The handler gets the bytes of the body: documents, signed bodies. */
    readonly raw?: true;
  }
}
