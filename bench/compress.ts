/**
 * Compression of answers by @fastify/compress: with its default, which uses a stream for most sizes, and as the service
 * uses it, synchronously up to 64 kB (`src/service/http/cached-answers.ts`). The floor is the same application without compression.
 * Minimum of five rounds, in milliseconds of CPU time of server and client for 1,000 requests, on two idle cores: 2 kB:
 * 30 without, 56 by default, 57 synchronously; 40 kB: 51, 463, 228; 600 kB, which is a stream in both: 671, 8,332,
 * 7,706.
 */
import { constants } from "node:zlib";
import plugin from "@fastify/compress";
import { fastify, type FastifyInstance } from "fastify";
import { request } from "undici";
import { registerCompression } from "../src/service/http/cached-answers.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const QUALITY = 4;
const ROUNDS = 5;
/** Name of the route → bytes: a score, a product, a large product. */
const SIZES = { score: 2_000, product: 40_000, "large-product": 600_000 };
/** Total bytes of the answers in a round. */
const PER_ROUND = 6_000_000;

/** A body that is similar to the JSON of answers: repeated keys, different values. */
function body(size: number): string {
  const rows: string[] = [];
  for (let length = 0, index = 0; length < size; index += 1) {
    const row = `{"product":"p${index}","version":"${index % 90}.${index % 7}","score":${(index * 37) % 101},"eol_date":"20${10 + (index % 20)}-04-30"}`;
    rows.push(row);
    length += row.length + 1;
  }
  return `[${rows.join(",")}]`;
}

type Kind = "none" | "default" | "service";

async function application(kind: Kind): Promise<FastifyInstance> {
  const app = fastify();
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  if (kind === "default")
    await app.register(plugin, { threshold: 1024, encodings: ["br", "gzip"], brotliOptions: { params } });
  if (kind === "service") registerCompression(app);
  for (const [name, size] of Object.entries(SIZES)) {
    const text = body(size);
    app.get(`/${name}`, (_, reply) => reply.type(JSON_TYPE).send(text));
  }
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app;
}

/** Milliseconds of CPU time (user and system) for 1,000 requests, eight at a time. Of server and client, in all threads. */
async function cost(app: FastifyInstance, name: string, size: number): Promise<number> {
  const address = app.server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/${name}`;
  const count = Math.max(16, Math.floor(PER_ROUND / size));
  let next = 0;
  const client = async (): Promise<void> => {
    while ((next += 1) <= count) {
      const answer = await request(url, { headers: { "accept-encoding": "br" } });
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
      // The client does not decompress: only the server is measured.
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
    }
  };
  const start = process.cpuUsage();
  await Promise.all(Array.from({ length: 8 }, client));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

const kinds: readonly Kind[] = ["none", "default", "service"];
const apps = new Map<Kind, FastifyInstance>();
for (const kind of kinds) apps.set(kind, await application(kind));
for (const [name, size] of Object.entries(SIZES)) {
  const costs = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [kind, app] of apps) {
      const value = await cost(app, name, size);
      // The first round warms up.
      if (round > 0) costs.get(kind)?.push(value);
    }
  const least = (kind: Kind): number => Math.min(...(costs.get(kind) ?? []));
  const of = (kind: Kind): string =>
    `${kind} ${least(kind).toFixed(0)} ms (${(least(kind) / least("none")).toFixed(2)}x)`;
  console.log(`${name}, ${size} bytes: ${kinds.map(of).join(", ")}`);
}
for (const app of apps.values()) await app.close();
