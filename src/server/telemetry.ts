/** What the process tells of itself, for Prometheus on a port of its own that is not public. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { OutboxCounts } from "../store/store.ts";
import { SECOND } from "./clock.ts";

export interface Telemetry {
  /** One request that was answered. `route` is the pattern, so that the series are few. */
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Milliseconds by which the event loop was late lately. */
  lateness(): number;
  /** Prometheus text. */
  text(): Promise<string>;
  close(): void;
}

export interface TelemetrySources {
  readonly version: string;
  readonly catalogueDate: () => string;
  /** Mails that wait, died, were sent. */
  readonly outbox: () => Promise<OutboxCounts>;
}

const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10] as const;
const RESOLUTION = 20;
const WINDOW = SECOND / 2;

interface Series {
  readonly labels: string;
  count: number;
  sum: number;
  readonly buckets: number[];
}

export function createTelemetry(sources: TelemetrySources): Telemetry {
  const series = new Map<string, Series>();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  let late = 0;
  const sample = setInterval(() => (late = takeLateness(delay)), WINDOW);
  sample.unref();

  return {
    observe(method, route, status, seconds) {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      let one = series.get(labels);
      if (!one) series.set(labels, (one = { labels, count: 0, sum: 0, buckets: BUCKETS.map(() => 0) }));
      one.count += 1;
      one.sum += seconds;
      for (const [index, limit] of BUCKETS.entries())
        if (seconds <= limit) one.buckets[index] = (one.buckets[index] ?? 0) + 1;
    },
    lateness: () => late,
    text: async () =>
      [...requestLines([...series.values()]), ...processLines(late), ...(await serviceLines(sources)), ""].join("\n"),
    close() {
      clearInterval(sample);
      delay.disable();
    },
  };
}

/** The mean over the last window: one long turn is no reason to turn requests away, a loop that is always late is. */
function takeLateness(delay: ReturnType<typeof monitorEventLoopDelay>): number {
  const mean = delay.count === 0 ? 0 : delay.mean / 1e6 - RESOLUTION;
  delay.reset();
  return Math.max(0, mean);
}

function requestLines(all: readonly Series[]): readonly string[] {
  const name = "eolgate_http_request_duration_seconds";
  return [
    `# HELP ${name} Answered requests by route and status`,
    `# TYPE ${name} histogram`,
    ...all.flatMap(({ labels, count, sum, buckets }) => [
      ...BUCKETS.map((limit, index) => `${name}_bucket{${labels},le="${limit}"} ${buckets[index] ?? 0}`),
      `${name}_bucket{${labels},le="+Inf"} ${count}`,
      `${name}_sum{${labels}} ${sum}`,
      `${name}_count{${labels}} ${count}`,
    ]),
  ];
}

const gauge = (name: string, help: string, value: number, labels = ""): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  `${name}${labels} ${value}`,
];

function processLines(late: number): readonly string[] {
  const memory = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    ...gauge("eolgate_event_loop_late_seconds", "Mean lateness of the event loop", late / SECOND),
    ...gauge("process_resident_memory_bytes", "Resident memory", memory.rss),
    ...gauge("nodejs_heap_size_used_bytes", "Used heap", memory.heapUsed),
    "# HELP process_cpu_seconds_total CPU time",
    "# TYPE process_cpu_seconds_total counter",
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
  ];
}

async function serviceLines({ version, catalogueDate, outbox }: TelemetrySources): Promise<readonly string[]> {
  const read = Date.parse(`${catalogueDate()}T00:00:00Z`) / SECOND;
  const lines = [
    ...gauge("eolgate_info", "Version", 1, `{version="${version}"}`),
    ...gauge("eolgate_catalogue_timestamp_seconds", "Day on which the catalogue's record was read", read),
  ];
  // A store that is down must not take the other figures with it.
  const counts = await outbox().catch(() => undefined);
  if (!counts) return lines;
  const { queued, dead, oldestQueuedAt } = counts;
  return [
    ...lines,
    ...gauge("eolgate_mails_queued", "Mails that wait", queued),
    ...gauge("eolgate_mails_dead", "Mails that could not be delivered", dead),
    ...gauge(
      "eolgate_mails_oldest_timestamp_seconds",
      "When the oldest waiting mail was written, 0 when none waits",
      (oldestQueuedAt ?? 0) / SECOND,
    ),
  ];
}
