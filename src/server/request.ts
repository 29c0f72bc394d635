/** Properties that hooks add to a request, and the configuration of each route. */
import type { Caller } from "./services.ts";

/** `counted`: needs a key after the cut-off and counts in the quota. `keyless`: neither. */
export type Access = "counted" | "keyless";

declare module "fastify" {
  interface FastifyRequest {
    /** Known after `admit`; null on keyless routes that did not ask. */
    caller: Caller | null;
    /** Answers contain the notice that keyless access ends. */
    noticed: boolean;
    /** When the request arrived, by the process's monotonic clock in milliseconds. */
    startedAt: number;
  }
  interface FastifyContextConfig {
    readonly access?: Access;
    /** False on routes that no page of another origin may call: checkout, webhook, watch links, MCP. */
    readonly cors?: false;
    /** The body is no JSON and not ours to assess: a mail program's one click, a method that is refused anyway. */
    readonly anyMedia?: true;
    /** Answered however busy we are: probes. */
    readonly always?: true;
    /** The handler gets the bytes: documents, and bodies that are signed. */
    readonly raw?: true;
  }
}
