/** Real server processes from the sources, for tests of several on one database. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const LAUNCH = fileURLToPath(new URL("launch.ts", import.meta.url));
const CATALOGUE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));

export interface ServerProcess {
  readonly address: string;
  readonly log: () => string;
  /** Resolves to the exit code, null after a signal. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ProcessOptions {
  readonly port: number;
  readonly database: string;
  readonly secret: string;
  readonly data: string;
  readonly flags?: readonly string[];
}

export async function startProcess({
  port,
  database,
  secret,
  data,
  flags = [],
}: ProcessOptions): Promise<ServerProcess> {
  const place = ["--port", String(port), "--data", data, "--database", database, "--catalogue", CATALOGUE];
  const child = spawn(process.execPath, [LAUNCH, "serve", ...place, "--refresh", "off", ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], HOME: data, EOLGATE_SECRET: secret },
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const address = `http://127.0.0.1:${port}`;
  await ready(child, address, () => log);
  return {
    address,
    log: () => log,
    end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      child.kill(signal);
      return ended;
    },
  };
}

async function ready(child: ChildProcess, address: string, log: () => string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server left with ${child.exitCode}: ${log()}`);
    const answer = await fetch(`${address}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  child.kill("SIGKILL");
  throw new Error(`the server is not ready: ${log()}`);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (place === null || typeof place === "string") throw new Error("no port");
  return place.port;
}
