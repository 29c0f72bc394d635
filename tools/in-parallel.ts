/**
 * Runs scripts of package.json, two at a time in the given order: each of them leaves a processor idle for a part of its
 * time. Prints what each printed when it has ended. Exits with code 1 if one of them failed.
 * Run: node tools/in-parallel.ts SCRIPT…
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const AT_ONCE = 2;
const waiting = process.argv.slice(2);
const failed: string[] = [];

async function runScripts(): Promise<void> {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    // One string, because npm is a shell script on Windows.
    const child = spawn(`npm run --silent ${script} 2>&1`, { shell: true, stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
    const [output, code] = await Promise.all([text(child.stdout), ended]);
    console.log(`── ${script}${code === 0 ? "" : `: exit code ${String(code)}`}\n${output}`.trimEnd());
    if (code !== 0) failed.push(script);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, runScripts));
if (failed.length > 0) console.error(`failed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
