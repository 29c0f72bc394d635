/** A loopback server in the place of the sources: answers by path, misbehaves on request, remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface Mirror {
  readonly base: string;
  /** Path → what is done there. */
  readonly pages: Map<string, Behaviour>;
  readonly asked: { readonly path: string; readonly headers: IncomingMessage["headers"] }[];
  close(): Promise<void>;
}

export async function startMirror(): Promise<Mirror> {
  const pages = new Map<string, Behaviour>();
  const asked: Mirror["asked"] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    asked.push({ path, headers: request.headers });
    const act = pages.get(path);
    if (act) act(request, response);
    else response.writeHead(404).end("no such page");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    pages,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A sound answer with an entity tag; asked again with it, "not modified". */
export function serves(body: string | Buffer, type = "application/json"): Behaviour {
  const etag = `"${Buffer.from(body).length}-${String(body).slice(-40).replaceAll(/[^\w]/g, "")}"`;
  return (request, response) => {
    if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.writeHead(200, { "content-type": type, etag }).end(body);
  };
}

export const answers =
  (status: number, headers: Record<string, string> = {}, body = ""): Behaviour =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** Promises all of it, sends half, and hangs up. */
export const cuts =
  (body: string): Behaviour =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.write(body.slice(0, body.length / 2), () => response.destroy());
  };

/** Accepts the connection and never answers. */
export const hangs: Behaviour = () => undefined;
