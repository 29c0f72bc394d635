/**
 * `eolgate mcp`: serves the MCP tools on standard input and output, for editors and assistants that start it as a
 * process.
 */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { VERSION } from "../../platform/version.ts";
import { escapeTerminal } from "../../report/escape.ts";
import { createMcpServer } from "../mcp/server.ts";
import type { Invocation } from "../../cli/command.ts";
import { openBackend } from "../../cli/backend.ts";
import { openCatalogue, readSettings } from "../../cli/settings/config.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const settings = await readSettings(invocation);
  const { operations, links } = await openBackend(invocation, settings, await openCatalogue(invocation, settings));
  const server = createMcpServer({
    version: VERSION,
    docs: links.docs,
    context: { engine: operations, checkBatch: () => undefined, sbom: (input) => operations.sbom(input) },
    admit: () => Promise.resolve(),
    onBug: (cause) =>
      io.err(`${escapeTerminal(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))}\n`),
  });
  const { input, output } = io.streams();
  const stop = io.stop();
  const ended = new Promise<void>((resolve) => {
    stop.addEventListener("abort", () => resolve(), { once: true });
    // The protocol ends with standard input; the SDK's transport does not watch for that.
    input.once("end", resolve).once("close", resolve);
  });
  await server.connect(new StdioServerTransport(input, output));
  await ended;
  await server.close();
  return 0;
}
