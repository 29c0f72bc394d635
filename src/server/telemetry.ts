/** Metrics of the process by prom-client, for Prometheus on a port of its own that is not public. In seconds and bytes. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { OutboxCounts } from "../store/store.ts";
import { SECOND } from "./clock.ts";

export interface Telemetry {
  /** One request that was answered. `route` is the pattern, so that the series are few. */
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Milliseconds by which the event loop was late in the last half second. */
  lateness(): number;
  /** Prometheus text. */
  text(): Promise<string>;
  close(): void;
}

export interface TelemetrySources {
  readonly version: string;
  readonly catalogueDate: () => string;
  /** Mails in the queue, that were given up, that were sent. */
  readonly outbox: () => Promise<OutboxCounts>;
}

const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];
/** Of the measurement of the event loop, in milliseconds. */
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
  const mails = mailMetrics();

  return {
    observe: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
    lateness: () => late,
    async text() {
      // Without the store its metrics are absent: zero would say that no mail waits.
      const counts = await sources.outbox().catch(() => undefined);
      const texts = [await registry.metrics(), ...(counts ? [await mails(counts)] : [])];
      return texts.join("\n");
    },
    close() {
      clearInterval(sample);
      delay.disable();
    },
  };
}

/** The mean over the last window: one long turn is no reason to refuse requests, a loop that is always late is. */
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

function gauge(registers: Registry[], name: string, help: string, value: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(value());
    },
  });
}

/** A registry of its own, so that these metrics can be left out. */
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
