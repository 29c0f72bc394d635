/** POST /mcp: Streamable HTTP without sessions, so that any process can answer. Without a key, the anonymous limits apply. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SbomResponse } from "../../../wire/schemas.ts";
import { linksUnder } from "../../../wire/links.ts";
import { parseOwnJson } from "../../../platform/package-files.ts";
import { type Admission, isLoopback } from "../admission.ts";
import { type ToolContext, withoutLimits } from "../../mcp/tools.ts";
import type { AppContext } from "../app-context.ts";
import type { Caller } from "../../services.ts";
import { capOf, checkBatch } from "./lookups.ts";
import { isIP } from "node:net";
import { EolgateError } from "../../../messages/error.ts";

/** Bytes. A request can contain a document, and is parsed on the event loop. */
const MAX_BODY = 16 * 1024 * 1024;

export function mcpRoute(app: FastifyInstance, parts: AppContext, admission: Admission): void {
  app.post("/mcp", { bodyLimit: MAX_BODY }, async (request, reply) => {
    checkHost(request, parts.settings);
    const caller = await admission.identify(request);
    request.caller = caller;
    const response = await answer(request, caller, parts, admission);
    return send(reply, response);
  });
}

/** Imports the SDK on the first request, because loading it takes 30 ms. */
async function answer(
  request: FastifyRequest,
  caller: Caller,
  parts: AppContext,
  admission: Admission,
): Promise<Response> {
  const [{ createMcpServer, sourceOf }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import("../../mcp/server.ts"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
  ]);
  const server = createMcpServer({
    version: parts.version,
    source: sourceOf(linksUnder(parts.settings.publicUrl).methodology, parts.editions.served().catalogue.metadata.date),
    docs: linksUnder(parts.settings.publicUrl).docs,
    context: toolContext(caller, parts),
    admit: async () => admission.count(caller),
    onBug: (cause) =>
      parts.log.error(
        { route: "/mcp", stack: cause instanceof Error ? cause.stack : String(cause) },
        "a tool failed because of a bug",
      ),
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const webRequest = new Request(new URL("/mcp", parts.settings.publicUrl), {
      method: "POST",
      headers: headersOf(request),
    });
    return await transport.handleRequest(webRequest, { parsedBody: request.body });
  } finally {
    await server.close();
  }
}

function toolContext(caller: Caller, { editions, documents }: AppContext): ToolContext {
  const { local } = editions.current();
  const { catalogue, asOf } = local.context;
  return {
    ...withoutLimits(local, catalogue, asOf),
    checkBatch: (batch) => checkBatch(batch, caller),
    sbom: async (input) =>
      parseOwnJson<SbomResponse>(new TextDecoder().decode(await documents.sbom({ input, ...capOf(caller) }))),
  };
}

/** The headers that the transport reads. A missing Content-Type counts as JSON. */
function headersOf({ headers }: FastifyRequest): Headers {
  const made = new Headers({ "content-type": headers["content-type"] ?? "application/json" });
  made.set("accept", headers.accept ?? "");
  const version = headers["mcp-protocol-version"];
  if (typeof version === "string") made.set("mcp-protocol-version", version);
  return made;
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const text = await response.text();
  reply.code(response.status).header("cache-control", "no-store");
  for (const [name, value] of response.headers) reply.header(name, value);
  return text === "" ? reply.send() : reply.send(text);
}

// Checks the Host and Origin headers of MCP requests. A page of another site can resolve its host name to this machine
// (DNS rebinding), so only the names of this server are accepted. IP addresses cannot be rebound.

/** @throws EolgateError `host-not-allowed` */
function checkHost({ headers }: FastifyRequest, { publicUrl, open }: AppContext["settings"]): void {
  const { host, origin } = headers;
  const ours = new URL(publicUrl).hostname;
  const named = host === undefined ? undefined : hostname(`http://${host}`);
  if (!isOurHost(named, ours)) throw refused("Host");
  // Pages of any origin may use a service by its public name: they get what any client without their cookies gets.
  const isPublic = !open && named === ours && !isLocalName(ours);
  if (origin !== undefined && !isPublic && !isOurOrigin(hostname(origin), ours)) throw refused("Origin");
}

const isLocalName = (host: string): boolean => /(?:^|\.)localhost$/.test(host) || isIP(unbracketed(host)) !== 0;
const isOurOrigin = (from: string | undefined, ours: string): boolean =>
  from !== undefined && (from === ours || isLoopback(unbracketed(from)));
const isOurHost = (host: string | undefined, ours: string): boolean =>
  host !== undefined && (host === ours || isLocalName(host));

const hostname = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);
const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

const refused = (header: string): EolgateError =>
  EolgateError.of("host-not-allowed", {
    problem: `the ${header} header does not contain the name of this server`,
    advice: "The operator of the server sets its public address with EOLGATE_PUBLIC_URL.",
  });
