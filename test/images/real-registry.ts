/** Starts the registry from Debian's package docker-registry. Images are pushed with skopeo. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isInstalled } from "../programs.ts";

export const hasRegistry = isInstalled("docker-registry") && isInstalled("skopeo");

export interface RealRegistry {
  readonly host: string;
  /** @param source in skopeo's notation: `oci:FOLDER:1.0` */
  push(source: string, name: string, ...flags: readonly string[]): void;
  close(): Promise<void>;
}

const config = (folder: string): string =>
  [
    "version: 0.1",
    "log: { level: info, formatter: json }",
    `storage: { filesystem: { rootdirectory: ${JSON.stringify(folder)} } }`,
    "http: { addr: '127.0.0.1:0' }",
  ].join("\n");

export async function startRealRegistry(): Promise<RealRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-registry-"));
  writeFileSync(join(folder, "config.yml"), config(join(folder, "data")));
  const server = spawn("docker-registry", ["serve", join(folder, "config.yml")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const host = await addressOf(server.stderr);
  server.stderr.resume();
  return {
    host,
    push: (source, name, ...flags) =>
      void execFileSync(
        "skopeo",
        ["copy", "--quiet", "--dest-tls-verify=false", ...flags, source, `docker://${host}/${name}`],
        { stdio: "pipe", env: { ...process.env, REGISTRY_AUTH_FILE: join(folder, "no-auth.json") } },
      ),
    close: async () => {
      server.kill();
      await exited;
    },
  };
}

/** Reads the assigned port from the server's log. */
async function addressOf(log: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: log })) {
    const host = /listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (host !== undefined) return host;
  }
  throw new Error("the registry exited before it listened on a port");
}
