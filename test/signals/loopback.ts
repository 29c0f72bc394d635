/** A server on loopback that answers as a test defines and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<IncomingMessage["headers"]>;
  readonly body: string;
}
/** A value is sent as JSON; a function writes the answer itself. */
export type ReplyFunction = (asked: Asked, response: ServerResponse) => unknown;
export type Reply = ReplyFunction | object;

export interface Loopback {
  readonly url: URL;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** The first row whose key starts the path answers; without one, 404. */
export async function loopback(replies: Readonly<Record<string, Reply>>): Promise<Loopback> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      asked.push(one);
      const reply = Object.entries(replies).find(([start]) => one.path.startsWith(start))?.[1];
      if (reply === undefined) response.writeHead(404).end("not here");
      else answer(isFunction(reply) ? reply(one, response) : reply, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    asked,
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
/** Sends a part of what it announced, then breaks the connection. */
export const cut: Reply = (_asked, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
  response.write('{"responses":[');
  setImmediate(() => response.destroy());
};
/** Never answers. */
export const silent: Reply = () => undefined;
/** Each request gets the next reply; the last one continues. */
export function inTurn(...replies: readonly Reply[]): Reply {
  let turn = 0;
  return (asked, response) => {
    const reply = replies[Math.min(turn, replies.length - 1)];
    turn += 1;
    return isFunction(reply) ? reply(asked, response) : reply;
  };
}
