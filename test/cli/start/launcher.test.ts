/** The launcher under a Node that is too old, which starts another one: it ends as its child ended. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const root = mkdtempSync(join(tmpdir(), "eolgate-launcher-"));
afterAll(() => rmSync(root, { recursive: true }));

const launcher = join(root, "bin", "eolgate.mjs");
const newer = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
for (const path of [launcher, newer]) mkdirSync(dirname(path), { recursive: true });
const source = readFileSync(fileURLToPath(new URL("../../../bin/eolgate.js", import.meta.url)), "utf8");
writeFileSync(launcher, source.replace("FLOOR = [22, 19]", "FLOOR = [999, 0]"));

/** Starts the launcher, whose newer Node is this script. */
function start(script: string): ChildProcess {
  writeFileSync(newer, `#!/bin/sh\n${script}\n`);
  chmodSync(newer, 0o755);
  return spawn(process.execPath, [launcher, "check"], { stdio: ["ignore", "pipe", "ignore"] });
}

describe.skipIf(process.platform === "win32")("the launcher ends as its child", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("that %s ended: 128 and its number", async (signal) => {
    const child = start("echo ready; exec sleep 60");
    if (child.stdout !== null) await once(child.stdout, "data");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([128 + constants.signals[signal], null]);
  });

  test("that was killed by another process", async () => {
    expect(await once(start("kill -KILL $$"), "exit")).toEqual([137, null]);
  });

  test.each([0, 1, 3])("with its code %i", async (code) => {
    expect(await once(start(`exit ${code}`), "exit")).toEqual([code, null]);
  });
});

test("warnings about what is experimental in Node do not reach standard error, and others do", () => {
  const file = join(root, "bin", "warnings.mjs");
  mkdirSync(join(root, "dist", "command"), { recursive: true });
  writeFileSync(
    join(root, "dist", "command", "launch.cjs"),
    `exports.launch = async () => {
      process.emitWarning("one", "ExperimentalWarning");
      process.emitWarning("two", { type: "ExperimentalWarning" });
      process.emitWarning(Object.assign(new Error("three"), { name: "ExperimentalWarning" }));
      process.emitWarning("four");
      await new Promise((done) => setTimeout(done, 20));
      return 0;
    };`,
  );
  writeFileSync(file, source);
  const { status, stderr } = spawnSync(process.execPath, [file, "check"], { encoding: "utf8" });
  expect([status, /one|two|three/.test(stderr), stderr.includes("four")]).toEqual([0, false, true]);
});
