/** An HTTP server on loopback with replies that a test defines. It records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<IncomingMessage["headers"]>;
  readonly body: string;
}
/** An object is sent as JSON. A function returns the object to send, or writes the response itself. */
export type ReplyFunction = (received: RecordedRequest, response: ServerResponse) => unknown;
export type Reply = ReplyFunction | object;

export interface Loopback {
  readonly url: URL;
  /** All requests so far, in order. */
  readonly received: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** @param replies by the start of the path; the first match is used. Other paths get 404. */
export async function loopback(replies: Readonly<Record<string, Reply>>): Promise<Loopback> {
  const received: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const recorded = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(recorded);
      const reply = Object.entries(replies).find(([start]) => recorded.path.startsWith(start))?.[1];
      if (reply === undefined) response.writeHead(404).end("not here");
      else answer(isFunction(reply) ? reply(recorded, response) : reply, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const isFunction = (reply: Reply | undefined): reply is ReplyFunction => typeof reply === "function";

function answer(value: unknown, response: ServerResponse): void {
  if (value === undefined || response.writableEnded || response.headersSent) return;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (_asked, response) => {
    response.writeHead(code, headers).end();
  };
export const page: Reply = (_asked, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Sign in</body></html>");
};
export const text =
  (body: string, type = "text/plain"): Reply =>
  (_asked, response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  };
/** Sends a part of the announced bytes, then closes the connection. */
export const truncated: Reply = (_asked, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
  response.write('{"responses":[');
  setImmediate(() => response.destroy());
};
/** Never answers. */
export const noReply: Reply = () => undefined;
/** Each request gets the next reply; after the last one, it is repeated. */
export function inSequence(...replies: readonly Reply[]): Reply {
  let next = 0;
  return (request, response) => {
    const reply = replies[Math.min(next, replies.length - 1)];
    next += 1;
    return isFunction(reply) ? reply(request, response) : reply;
  };
}
