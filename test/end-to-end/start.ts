/** Starts a command in a process of its own, with an environment that contains nothing of the machine's but the path. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Outcome } from "../cli/fake-io.ts";
import { root } from "./installations.ts";

export interface StartOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array | undefined;
  readonly cwd?: string;
}

export function start(
  [program = "", ...first]: readonly string[],
  parameters: readonly string[],
  { env, cwd = root }: StartOptions,
): ChildProcessWithoutNullStreams {
  // Windows needs SystemRoot to start any program.
  const { PATH = "", SystemRoot = "" } = process.env;
  return spawn(program, [...first, ...parameters], { cwd, env: { PATH, SystemRoot, ...env } });
}

export async function runProcess(
  command: readonly string[],
  parameters: readonly string[],
  options: StartOptions,
): Promise<Outcome> {
  const child = start(command, parameters, options);
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? -1));
  });
  // A command that does not read its input closes it.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.stdin ?? "");
  const [exit, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { exit, out, err };
}
