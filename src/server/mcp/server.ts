/** One MCP server over the tools: on stdio for as long as the process lives, over HTTP for one request. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { EolgateError } from "../../core/errors.ts";
import { errorObject } from "../../core/wire/error.ts";
import { parseOwnJson } from "../../platform/own-json.ts";
import { TOOLS, type Tool, type ToolContext } from "./tools.ts";

export interface McpContext {
  readonly version: string;
  readonly docs: string;
  readonly context: ToolContext;
  /** Before each call of a tool: an EolgateError ends it. Quotas count here, because only a call asks for data. */
  readonly admit: () => Promise<void>;
  /** A failure that is a bug of ours. */
  readonly onBug: (cause: unknown) => void;
}

export function createMcpServer(setting: McpContext): Server {
  const server = new Server(
    { name: "eolgate", title: "eolgate: end-of-life risk of software", version: setting.version },
    {
      capabilities: { tools: {} },
      instructions:
        "End-of-life dates and risk scores with their sources. The tools never guess: for an unknown product or version, the answer states that it is unknown. In that case, call list_products to find the slug.",
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: LISTED }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      const answer = await call(params.name, params.arguments ?? {}, setting);
      return { structuredContent: { ...answer }, content: [{ type: "text", text: JSON.stringify(answer) }] };
    } catch (error) {
      return refusal(error, setting);
    }
  });
  return server;
}

/** An input schema of the protocol is an object schema, as all of ours are. */
const LISTED = Object.entries<Tool>(TOOLS).map(([name, { title, description, input, output }]) => ({
  name,
  title,
  description,
  inputSchema: { ...plain(input), type: "object" as const },
  outputSchema: { ...plain(output), type: "object" as const },
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}));

/** Without the marks that TypeBox keeps for itself. */
function plain(schema: unknown): Readonly<Record<string, unknown>> {
  return parseOwnJson(JSON.stringify(schema));
}

const ajv = new Ajv({ strict: false, allowUnionTypes: true, ownProperties: true });
formats.default(ajv);
const checks = new Map<string, ValidateFunction>();

async function call(
  name: string,
  words: Readonly<Record<string, unknown>>,
  { context, admit }: McpContext,
): Promise<object> {
  const tool = Object.entries<Tool>(TOOLS).find(([each]) => each === name)?.[1];
  if (!tool) throw EolgateError.of("unknown-tool", { name });
  await admit();
  const check = checks.get(name) ?? ajv.compile(tool.input);
  checks.set(name, check);
  if (!check(words)) {
    const [error] = check.errors ?? [];
    throw EolgateError.of("invalid-arguments", {
      path: error?.instancePath ?? "",
      problem: error?.message ?? "",
    });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tool's own schema has checked the words just above
  return tool.run(words as never, context);
}

function refusal(error: unknown, { docs, onBug }: McpContext): CallToolResult {
  const eolgateError =
    error instanceof EolgateError
      ? error
      : EolgateError.of("internal", { problem: "internal error" }, { cause: error });
  if (eolgateError.kind === "internal") onBug(eolgateError.cause ?? eolgateError);
  return { isError: true, content: [{ type: "text", text: JSON.stringify(errorObject(eolgateError, docs)) }] };
}
