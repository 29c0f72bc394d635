/**
 * Kills processes while they write to the cache, and checks the cache.
 * Run: node bench/signals-kills.ts [kills]
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const kills = Number(process.argv[2] ?? 100);
const folder = mkdtempSync(join(tmpdir(), "eolgate-kills-"));
const path = join(folder, "signals.db");
const writer = fileURLToPath(new URL("../test/signals/cache-writer.ts", import.meta.url));

async function killWhileWriting(name: string, delay: number): Promise<void> {
  const child = spawn(process.execPath, [writer, path, name], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  setTimeout(() => child.kill("SIGKILL"), delay);
  await ended;
}

try {
  for (let round = 0; round < kills; round += 2)
    await Promise.all([
      killWhileWriting(`a${round}`, (round * 7) % 40),
      killWhileWriting(`b${round}`, (round * 13) % 40),
    ]);
  const database = new DatabaseSync(path);
  const { integrity_check: state } = database.prepare("pragma integrity_check").get() ?? {};
  const { total } = database.prepare("select count(*) as total from answers").get() ?? {};
  database.close();
  console.log(
    `${kills} kills, two processes at a time: ${String(state)}, ${String(total)} answers, whole writes: ${Number(total) % 50 === 0}`,
  );
  if (state !== "ok" || Number(total) % 50 !== 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
