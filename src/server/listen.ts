/** The only file that opens a port. */
import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { EolgateError } from "../core/errors.ts";
import type { Telemetry } from "./telemetry.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Resolves to the address that is served. @throws EolgateError `config` when the port cannot be had. */
export async function listen(app: FastifyInstance, place: ListenAddress): Promise<string> {
  try {
    return await app.listen(place);
  } catch (cause) {
    throw noPort(place, cause);
  }
}

/** Finishes the requests in progress, then closes the other connections: a stalled client must not delay a restart. */
export async function closeWithin(app: FastifyInstance, milliseconds: number): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), milliseconds);
  await app.close();
  clearTimeout(late);
}

/** Figures of the process, on a port that is not for clients. */
export async function listenTelemetry(telemetry: Telemetry, place: ListenAddress): Promise<{ close(): Promise<void> }> {
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
  await opened(server, place);
  return { close: () => closed(server) };
}

/** A port that is free now, for when links need it before the server listens. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  await opened(server, { host, port: 0 });
  const address = server.address();
  await closed(server);
  if (typeof address !== "object" || address === null) throw new TypeError("the server does not listen on a port");
  return address.port;
}

const opened = (server: Server, place: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(noPort(place, cause)));
    server.listen(place, resolve);
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });

function noPort({ host, port }: ListenAddress, cause: unknown): EolgateError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = {
    EADDRINUSE: "it is in use",
    EACCES: "permission denied",
    EADDRNOTAVAIL: "this machine does not have this address",
  };
  const known = Object.entries(why).find(([name]) => name === code)?.[1] ?? String(cause);
  return EolgateError.of("no-port", { reason: known }, { where: `${host}:${port}`, cause });
}
