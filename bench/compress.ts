/**
 * Compression of answers: the hook of `src/server/compress.ts` against the plugin @fastify/compress, by default and with
 * more bytes compressed at once, all with Brotli at the quality that the service uses, on answers of three sizes. The floor
 * is the same application without compression. Least of five rounds, in milliseconds of CPU time for 1,000 requests, on
 * two shared cores: 2 kB: hook 91, plugin 124, plugin at once 97; 40 kB: 503, 871, 395; 600 kB: 6,395 and 6,609.
 */
import { constants } from "node:zlib";
import plugin from "@fastify/compress";
import { fastify, type FastifyInstance } from "fastify";
import { request } from "undici";
import { compress } from "../src/server/compress.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const QUALITY = 4;
const ROUNDS = 5;
/** Name of the route → bytes: a score, a product, a large product. */
const SIZES = { score: 2_000, product: 40_000, "large-product": 600_000 };
/** Bytes that a round answers in all. */
const PER_ROUND = 6_000_000;

/** Looks like the JSON of answers: repeated keys, different values. */
function body(size: number): string {
  const rows: string[] = [];
  for (let length = 0, index = 0; length < size; index += 1) {
    const row = `{"product":"p${index}","version":"${index % 90}.${index % 7}","score":${(index * 37) % 101},"eol_date":"20${10 + (index % 20)}-04-30"}`;
    rows.push(row);
    length += row.length + 1;
  }
  return `[${rows.join(",")}]`;
}

type Kind = "none" | "hook" | "plugin" | "plugin-sync";

async function application(kind: Kind): Promise<FastifyInstance> {
  const app = fastify();
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  if (kind === "plugin")
    await app.register(plugin, { threshold: 1024, encodings: ["br", "gzip"], brotliOptions: { params } });
  if (kind === "plugin-sync")
    await app.register(plugin, {
      threshold: 1024,
      syncThreshold: 65536,
      encodings: ["br", "gzip"],
      brotliOptions: { params },
    });
  if (kind === "hook") app.addHook("onSend", compress);
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

const kinds: readonly Kind[] = ["none", "hook", "plugin", "plugin-sync"];
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
