/** Opens and closes the ports of the server. No other file opens a port. */
import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import type { Telemetry } from "./telemetry.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Listen on a port and return the URL of the server. @throws EolgateError `no-port` if the port cannot be opened */
export async function listen(app: FastifyInstance, address: ListenAddress): Promise<string> {
  try {
    return await app.listen(address);
  } catch (cause) {
    throw portError(address, cause);
  }
}

/** Waits for the requests in progress, at most the given time, so that a stalled client does not delay a restart. */
export async function closeWithin(app: FastifyInstance, milliseconds: number): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), milliseconds);
  await app.close();
  clearTimeout(late);
}

/** Serves `/metrics` on a port of its own, which is not for clients. @throws EolgateError `no-port` */
export async function listenTelemetry(
  telemetry: Telemetry,
  address: ListenAddress,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    telemetry.text().then(
      (text) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await opened(server, address);
  return { close: () => closed(server) };
}

/** A port that is free now. Used when links must contain the port before the server listens. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  await opened(server, { host, port: 0 });
  const address = server.address();
  await closed(server);
  if (typeof address !== "object" || address === null) throw new TypeError("the server does not listen on a port");
  return address.port;
}

const opened = (server: Server, address: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(portError(address, cause)));
    server.listen(address, resolve);
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });

function portError({ host, port }: ListenAddress, cause: unknown): EolgateError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = {
    EADDRINUSE: "it is in use",
    EACCES: "permission denied",
    EADDRNOTAVAIL: "this machine does not have this address",
  };
  const reason = Object.entries(why).find(([name]) => name === code)?.[1] ?? String(cause);
  return EolgateError.of("no-port", { reason }, { where: `${host}:${port}`, cause });
}
