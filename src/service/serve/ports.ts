/** The ports of the server, which no other file opens, and the metrics of the process for Prometheus. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { OutboxCounts } from "../store/store.ts";
import { SECOND } from "../clock.ts";

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

/** Milliseconds for which a server that stops still accepts requests, so that proxies notice that connections end. */
const DRAIN = 3 * SECOND;
const DRAIN_STEP = 50;

/**
 * Answers with `Connection: close` until no connection is open, at most for `DRAIN`: a connection that the server closed
 * while it was idle would lose the request that a proxy sends at that moment. Then listens no longer, and waits for the
 * requests in progress, at most the given time, so that a stalled client does not delay a restart.
 */
export async function closeWithin(app: FastifyInstance, milliseconds: number): Promise<void> {
  const { server } = app;
  server.prependListener("request", (_, response: ServerResponse) => (response.shouldKeepAlive = false));
  for (let left = DRAIN; left > 0 && (await isConnected(server)); left -= DRAIN_STEP) await sleep(DRAIN_STEP);
  // The method of http would close connections whose request has not arrived.
  const ended = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const idle = setTimeout(() => server.closeIdleConnections(), DRAIN_STEP * 5);
  const late = setTimeout(() => server.closeAllConnections(), milliseconds);
  await ended;
  clearTimeout(idle);
  clearTimeout(late);
  await app.close();
}

const isConnected = (server: Server): Promise<boolean> =>
  new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null && count > 0));
  });

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

const opened = (server: Server, address: ListenAddress): Promise<unknown> =>
  once(server.listen(address), "listening").catch((cause: unknown) => {
    throw portError(address, cause);
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

export interface Telemetry {
  /** Records a response. @param route the pattern of the route, which limits the number of time series */
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Mean delay of the event loop in the last half second, in milliseconds. */
  lateness(): number;
  /** The metrics in Prometheus's text format. */
  text(): Promise<string>;
  close(): void;
}

export interface TelemetrySources {
  readonly version: string;
  readonly catalogueDate: () => string;
  /** Counts of queued, dead and sent mails. */
  readonly outbox: () => Promise<OutboxCounts>;
}

/** Seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];
/** Resolution of the measurement of the event loop's delay, in milliseconds. */
const RESOLUTION = 20;
const WINDOW = SECOND / 2;

export function createTelemetry(sources: TelemetrySources): Telemetry {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  let late = 0;
  const sample = setInterval(() => (late = takeLateness(delay)), WINDOW);
  sample.unref();

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: "eolgate_http_request_duration_seconds",
    help: "Time to answer requests, by route and status",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  serviceMetrics(registry, sources, () => late / SECOND);
  const registers = [registry];
  const store = new Gauge({ name: "eolgate_store_up", help: "Whether the store answers", registers });
  const mails = mailMetrics();

  return {
    observe: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
    lateness: () => late,
    async text() {
      // If the store is unavailable, the metrics of mails are omitted: zero would mean that no mail is queued.
      const counts = await sources.outbox().catch(() => undefined);
      store.set(counts ? 1 : 0);
      const texts = [await registry.metrics(), ...(counts ? [await mails(counts)] : [])];
      return texts.join("\n");
    },
    close() {
      clearInterval(sample);
      delay.disable();
    },
  };
}

/** The mean of the last window: requests are refused because of a persistent delay, not because of one long task. */
function takeLateness(delay: ReturnType<typeof monitorEventLoopDelay>): number {
  const mean = delay.count === 0 ? 0 : delay.mean / 1e6 - RESOLUTION;
  delay.reset();
  return Math.max(0, mean);
}

function serviceMetrics(registry: Registry, { version, catalogueDate }: TelemetrySources, late: () => number): void {
  const registers = [registry];
  new Gauge({ name: "eolgate_info", help: "Version of eolgate", labelNames: ["version"], registers }).set(
    { version },
    1,
  );
  gauge(registers, "eolgate_event_loop_late_seconds", "Mean delay of the event loop", late);
  gauge(registers, "eolgate_catalogue_timestamp_seconds", "Date of the catalogue", () => {
    return Date.parse(`${catalogueDate()}T00:00:00Z`) / SECOND;
  });
}

const gauge = (registers: Registry[], name: string, help: string, value: () => number): Gauge =>
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(value());
    },
  });

/** Uses its own registry, so that these metrics can be omitted. */
function mailMetrics(): (counts: OutboxCounts) => Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const queued = new Gauge({ name: "eolgate_mails_queued", help: "Mails in the queue", registers });
  const dead = new Gauge({ name: "eolgate_mails_dead", help: "Dead letters", registers });
  const oldest = new Gauge({
    name: "eolgate_mails_oldest_timestamp_seconds",
    help: "Time at which the oldest queued mail was written, 0 if there is none",
    registers,
  });
  return (counts) => {
    queued.set(counts.queued);
    dead.set(counts.dead);
    oldest.set((counts.oldestQueuedAt ?? 0) / SECOND);
    return registry.metrics();
  };
}
