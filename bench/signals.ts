/**
 * Measures the time for support levels: a document with this many components against a fake deps.dev on loopback with
 * 300 ms per request, compared with the same requests alone.
 * Run: node bench/signals.ts [components]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asIsoDate } from "../src/text/ids.ts";
import type { PackageSubject } from "../src/support/subject.ts";
import { openCache } from "../src/signals/cache.ts";
import { collectSignals } from "../src/signals/collect.ts";
import { createSignalsClient } from "../src/signals/http.ts";
import { createSources } from "../src/signals/sources.ts";
import { row } from "./measure.ts";

const total = Number(process.argv[2] ?? 5000);
const DELAY = 300;
const today = asIsoDate("2026-11-22");
let requests = 0;

interface Batch {
  readonly requests: readonly { readonly purl?: string; readonly projectKey?: { readonly id: string } }[];
}
const answers = ({ requests: packages }: Batch): unknown[] =>
  packages.map(({ purl, projectKey }, index) =>
    purl === undefined
      ? {
          request: { projectKey },
          project: {
            scorecard: { date: "2026-11-16", checks: [{ name: "Maintained", score: 10, reason: "30 commit(s)" }] },
          },
        }
      : {
          request: { purl },
          result: {
            version: {
              publishedAt: "2026-01-01T00:00:00Z",
              isDefault: true,
              relatedProjects: [{ projectKey: { id: `github.com/a/r${index}` }, relationType: "SOURCE_REPO" }],
            },
          },
        },
  );

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    requests += 1;
    const batch = JSON.parse(Buffer.concat(chunks).toString()) as Batch;
    setTimeout(() => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ responses: answers(batch) }));
    }, DELAY);
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-signals-"));
const client = createSignalsClient({ env: {} });
const cache = openCache(join(folder, "signals.db"));
const packages: readonly PackageSubject[] = Array.from({ length: total }, (_, index) => ({
  purl: `pkg:npm/package-${index}@1.0.0`,
  type: "npm",
  path: `package-${index}`,
  version: "1.0.0",
}));

try {
  const sources = await createSources("deps.dev", {
    env: { EOLGATE_DEPSDEV_URL: `http://127.0.0.1:${port}` },
    npm: () => ({ base: new URL("http://127.0.0.1:9/") }),
  });
  const pause = async (): Promise<void> => undefined;
  const options = { client, sources, cache, today, maxAgeDays: 7, pause, isOpen: () => false };
  const measure = async (name: string): Promise<void> => {
    requests = 0;
    const begin = performance.now();
    const signals = await collectSignals(packages, options);
    const time = performance.now() - begin;
    const memory = Math.round(process.memoryUsage().rss / 1024 / 1024);
    console.log(
      `${row(name, time, Math.max(requests, 1) * DELAY)}  ${signals.size} levels, ${requests} requests, ${memory} MB`,
    );
  };
  await measure(`${total} components`);
  await measure(`${total} components, cached`);
} finally {
  cache.close();
  await client.close();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
}
