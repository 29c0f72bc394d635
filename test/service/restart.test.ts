/** Two processes on one PostgreSQL behind the nginx of examples/operations: restarts under load lose no request. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, describe, expect, test } from "vitest";
import { findProgram } from "../programs.ts";
import { freePort, runProcess, startProcess, type ServerProcess } from "./processes.ts";
import { postgresInstalled } from "./store/postgres-server.ts";
import { createDatabase } from "./store/shared-postgres.ts";

const NGINX = findProgram("nginx");
const SECRET = "restarts-".repeat(6);
/** `npm run soak:restarts` sends 20,000. */
const REQUESTS = Number(process.env["EOLGATE_RESTART_REQUESTS"] ?? 2_000);
const CLIENTS = 16;

const JSON_TYPE = { "content-type": "application/json" };
const post = (path: string, body: object) => ({ method: "POST", path, body: JSON.stringify(body) }) as const;
/** The last one changes the store. */
const KINDS = [
  { method: "GET", path: "/v1/score/nodejs/18", body: null },
  post("/v1/batch", { products: [{ slug: "nodejs", version: "18" }] }),
  post("/v1/sbom", {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [{ type: "library", name: "nodejs", version: "18" }],
  }),
  { method: "GET", path: "/v1/status/python/3.9", body: null },
  post("/v1/keys/free", { email: "someone@example.org" }),
] as const;

describe.skipIf(NGINX === undefined || !postgresInstalled)("behind nginx (skipped without nginx or PostgreSQL)", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-restart-"));
  const running: ServerProcess[] = [];
  let proxy: ChildProcess | undefined;
  afterAll(async () => {
    for (const each of running) await each.end("SIGKILL");
    const ended = new Promise((resolve) => proxy?.once("exit", resolve) ?? resolve(0));
    proxy?.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  /** The example with the ports and folders of this test; everything else is as published. */
  async function startNginx(ports: readonly number[]): Promise<string> {
    const port = await freePort();
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (each) => `${each}_temp_path ${folder}/${each};`,
    );
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const config = readFileSync(new URL("../../examples/operations/nginx.conf", import.meta.url), "utf8")
      .replace("worker_processes auto;", `${user} daemon off; pid ${folder}/nginx.pid; worker_processes 1;`)
      .replace("http {", `http { access_log off; ${temporary.join(" ")}`)
      .replace("/var/cache/nginx", `${folder}/cache`)
      .replace("listen 80;", `listen 127.0.0.1:${port};`)
      .replaceAll("eolgate-1:8080", `127.0.0.1:${ports[0]}`)
      .replaceAll("eolgate-2:8080", `127.0.0.1:${ports[1]}`);
    writeFileSync(join(folder, "nginx.conf"), config);
    proxy = spawn(NGINX ?? "", ["-c", join(folder, "nginx.conf"), "-p", folder, "-e", join(folder, "error.log")], {
      stdio: "ignore",
    });
    const address = `http://127.0.0.1:${port}`;
    const isUp = () =>
      fetch(`${address}/healthz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(isUp, { timeout: 10_000 }).toBe(200);
    return address;
  }

  test(`four restarts lose none of ${REQUESTS} requests`, { timeout: 300_000 }, async () => {
    const database = await createDatabase("restart");
    const ports = [await freePort(), await freePort()];
    const start = async (index: number): Promise<ServerProcess> => {
      const flags = ["--public-url", "https://eol.example.org", "--trust-proxy", "1"];
      const server = await startProcess({ port: ports[index] ?? 0, database, secret: SECRET, data: folder, flags });
      running.push(server);
      return server;
    };
    const pair = [await start(0), await start(1)];
    const env = { HOME: folder, EOLGATE_SECRET: SECRET, EOLGATE_DATABASE: database };
    const key = (await runProcess(["keys", "create", "--email", "a@example.org", "--tier", "enterprise"], env)).trim();
    const address = await startNginx(ports);

    const agent = new Agent({ connections: CLIENTS, pipelining: 1 });
    const answers = new Map<string, number>();
    let sent = 0;
    const done = new AbortController();
    const client = async (): Promise<void> => {
      while (sent < REQUESTS || !done.signal.aborted) {
        const { method, path, body } = KINDS[(sent += 1) % KINDS.length] ?? KINDS[0];
        const headers = { "x-api-key": key, ...(body !== null && JSON_TYPE) };
        const outcome = await request(address + path, { method, body, headers, dispatcher: agent }).then(
          async (answer) => {
            await answer.body.dump();
            return String(answer.statusCode);
          },
          (error: unknown) => String(error),
        );
        answers.set(`${path} ${outcome}`, (answers.get(`${path} ${outcome}`) ?? 0) + 1);
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    for (const index of [0, 1, 0, 1]) {
      expect(await pair[index]?.end("SIGTERM")).toBe(0);
      pair[index] = await start(index);
    }
    done.abort();
    await clients;
    await agent.close();
    const lost = [...answers].filter(([name]) => !/ (?:200|429)$/.test(name));
    expect(lost).toEqual([]);
    expect([...answers.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(REQUESTS);
  });
});
