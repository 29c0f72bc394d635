/** Real server processes from the bundle, which starts faster than the sources. `npm run build` writes it. */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { createServer } from "node:net";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The command line as it is published. */
export const COMMAND = fileURLToPath(new URL("../../bin/eolgate.js", import.meta.url));
export const CATALOGUE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));

type ServerChild = ChildProcessByStdio<null, Readable, Readable>;

export interface ServerProcess {
  readonly address: string;
  readonly log: () => string;
  /** Closes the read ends of its standard output and error, as if a log collector exited. */
  closeLog(): void;
  /** Resolves to the exit code, null after a signal. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ProcessOptions {
  readonly port: number;
  /** Address of the database. If absent, the embedded store in `data`. */
  readonly database?: string;
  readonly secret: string;
  readonly data: string;
  readonly flags?: readonly string[];
  /** File of the catalogue. If absent, the shared test catalogue. */
  readonly catalogue?: string;
}

export async function startProcess({
  port,
  database,
  secret,
  data,
  flags = [],
  catalogue = CATALOGUE,
}: ProcessOptions): Promise<ServerProcess> {
  const location = ["--port", String(port), "--data", data, "--catalogue", catalogue];
  const store = database === undefined ? [] : ["--database", database];
  const child = spawn(process.execPath, [COMMAND, "serve", ...location, ...store, "--refresh", "off", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: data, EOLGATE_SECRET: secret },
  });
  let log = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const address = `http://127.0.0.1:${port}`;
  await ready(child, () => log);
  return {
    address,
    log: () => log,
    closeLog() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      child.kill(signal);
      return ended;
    },
  };
}

/** A server on a busy machine has this many milliseconds to start. */
const START = 60_000;

/** Resolves when the server prints its address, which it does when it accepts requests. */
function ready(child: ServerChild, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (problem?: string): void => {
      clearTimeout(late);
      child.stderr.off("data", onData);
      child.off("exit", onExit);
      if (problem === undefined) resolve();
      else reject(new Error(`the server ${problem}: ${log()}`));
    };
    const onData = (): void => void (log().includes("eolgate serves ") && settle());
    const onExit = (code: number | null): void => settle(`exited with code ${code}`);
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      settle("is not ready");
    }, START);
    child.stderr.on("data", onData);
    child.once("exit", onExit);
  });
}

/** Runs another command of the command line and resolves to its standard output. */
export async function runProcess(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...env },
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
  return out;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
