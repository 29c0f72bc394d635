/** Creates an MCP server with the tools: one per process on standard streams (`eolgate mcp`), one per request over HTTP. */
import formats from "ajv-formats";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { asRecord, compact, isRecord } from "../../text/values.ts";
import { closedObject } from "../../text/schema.ts";
import { EolgateError } from "../../messages/error.ts";
import { errorObject } from "../../wire/error.ts";
import { parseOwnJson } from "../../platform/package-files.ts";
import { SCHEMA_OPTIONS } from "../http/body.ts";
import { LISTED_PROMPTS, LISTED_RESOURCES, promptOf, RESOURCE_TEMPLATES, resourceCall } from "./prompts.ts";
import { budgetInput, withinBudget } from "./budget.ts";
import { type McpTool, TOOLS, type ToolContext, withoutLimits } from "./tools.ts";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { VERSION } from "../../platform/version.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { Invocation } from "../../shell/command.ts";
import { openBackend } from "../../shell/backend.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { readSettings } from "../../shell/settings.ts";

/** Where the answers of the tools come from. */
export interface McpSource {
  readonly url: string;
  readonly note: string;
}

/** The source of answers from a catalogue of this day. */
export const sourceOf = (url: string, date: string): McpSource => ({
  url,
  note: `eolgate, catalogue of ${date}; each date names its own source`,
});

export interface McpContext {
  readonly version: string;
  readonly source: McpSource;
  readonly docs: string;
  readonly context: ToolContext;
  /** Called before each call of a tool, to count it in the quota. May throw an EolgateError. */
  readonly admit: () => Promise<void>;
  /** Called with an internal error. */
  readonly onBug: (cause: unknown) => void;
}

export function createMcpServer(setting: McpContext): Server {
  const server = new Server(
    { name: "eolgate", title: "eolgate: end-of-life risk of software", version: setting.version },
    {
      capabilities: { tools: {}, prompts: {}, resources: {} },
      instructions:
        "End-of-life dates and risk scores with their sources. The tools never guess: for an unknown product or version, the answer states that it is unknown. In that case, call list_products to find the slug.",
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: LISTED }));
  const answerOf = (tool: string, args: Readonly<Record<string, unknown>>) => call(tool, args, setting);
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      const answer = await answerOf(params.name, params.arguments ?? {});
      return { structuredContent: { ...answer }, content: [{ type: "text", text: JSON.stringify(answer) }] };
    } catch (error) {
      return errorResult(error, setting);
    }
  });
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({ prompts: LISTED_PROMPTS }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    refusing(async () => promptOf(params.name, params.arguments)),
  );
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: LISTED_RESOURCES }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    refusing(async () => {
      const { tool, args } = resourceCall(uri);
      return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(await answerOf(tool, args)) }] };
    }),
  );
  return server;
}

/** Prompts and resources have no result for errors: they are errors of the protocol. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EolgateError) throw new McpError(ErrorCode.InvalidParams, error.message);
    throw error;
  }
}

/** The tools in the format of the protocol, which requires object schemas. */
const LISTED = Object.entries<McpTool>(TOOLS).map(([name, { title, description, input, output }]) => ({
  name,
  title,
  description,
  inputSchema: { ...plain(closedObject({ ...input.properties, ...budgetInput })), type: "object" as const },
  outputSchema: { ...shallow(output), type: "object" as const },
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}));

/** A plain JSON Schema, without the symbols of TypeBox. */
function plain(schema: unknown): Readonly<Record<string, unknown>> {
  return parseOwnJson(JSON.stringify(schema));
}

/** The fields without the fields of their values: clients put the schemas of all tools into the context of a model. */
function shallow(schema: unknown): Readonly<Record<string, unknown>> {
  const { required, properties } = plain(schema);
  const fields = Object.entries(asRecord(properties)).map(([name, field]) => {
    const { type, description } = asRecord(field);
    return [name, compact({ type, description })] as const;
  });
  return compact({ required, properties: Object.fromEntries(fields) });
}

const ajv = formats.default(new Ajv({ ...SCHEMA_OPTIONS, verbose: true }));
const checks = new Map<string, ValidateFunction>();

async function call(
  name: string,
  input: Readonly<Record<string, unknown>>,
  { context, admit, source }: McpContext,
): Promise<object> {
  const tool = Object.entries<McpTool>(TOOLS).find(([each]) => each === name)?.[1];
  if (!tool) throw EolgateError.of("unknown-tool", { name });
  await admit();
  const check = checks.get(name) ?? ajv.compile(closedObject({ ...tool.input.properties, ...budgetInput }));
  checks.set(name, check);
  const given = withTextVersions(input);
  if (!check(given)) throw invalidArguments(check.errors?.[0]);
  const { max_characters: most, ...args } = asRecord(given);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated above against the schema of the tool
  const answer = await tool.run(args as never, context);
  return withinBudget({ ...answer, source }, typeof most === "number" ? most : undefined);
}

/** Whole numbers as versions are text. Others are refused, because 3.1 may have been written as 3.10. */
function withTextVersions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextVersions);
  if (!isRecord(value) || "bomFormat" in value) return value;
  const fields = Object.entries(value).map(([name, each]) => {
    if (name === "version") return [name, Number.isInteger(each) ? String(each) : each];
    return [name, name === "items" || name === "products" ? withTextVersions(each) : each];
  });
  return Object.fromEntries(fields);
}

function invalidArguments(error: ErrorObject | undefined): EolgateError {
  const unknown: unknown = error?.params["additionalProperty"];
  const where = `arguments${error?.instancePath ?? ""}`;
  if (unknown === undefined) return EolgateError.of("invalid-request", { problem: `${where} ${error?.message ?? ""}` });
  return EolgateError.of("invalid-request", {
    problem: `${where} has no field ${JSON.stringify(unknown)}`,
    advice: `Use ${Object.keys(asRecord(error?.parentSchema?.["properties"])).join(", ")}.`,
  });
}

function errorResult(error: unknown, { docs, onBug }: McpContext): CallToolResult {
  const eolgateError =
    error instanceof EolgateError
      ? error
      : EolgateError.of("internal", { problem: "internal error" }, { cause: error });
  if (eolgateError.kind === "internal") onBug(eolgateError.cause ?? eolgateError);
  return { isError: true, content: [{ type: "text", text: JSON.stringify(errorObject(eolgateError, docs)) }] };
}

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const settings = await readSettings(invocation);
  const catalogue = await openChosenCatalogue(invocation.io, settings);
  const { operations, links } = await openBackend(invocation, settings, catalogue, { isServer: true });
  const engine = await operations();
  const server = createMcpServer({
    version: VERSION,
    source: sourceOf(links.methodology, catalogue.metadata.date),
    docs: links.docs,
    context: withoutLimits(engine, catalogue, settings.asOf),
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
