#!/usr/bin/env node
// Checks the Node version before anything else is imported, because newer syntax would fail with a stack trace.
// Too old: run again with the Node 24 that the development install brings; else one clear line and exit 2.
const FLOOR = [22, 19];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
/** Exit code of a bug or a broken installation. Node would exit with 1, which means that the gate failed. */
const INTERNAL = 70;

/** A message that cannot be written must not change the exit code. */
function say(message) {
  process.stderr.on("error", () => undefined);
  process.stderr.write(`eolgate: ${message}\n`);
}

/** `--version` alone needs no command line parser, which takes a third of a start. False where it could not be written. */
function printVersion() {
  if (process.argv.length !== 3 || !["--version", "-V"].includes(process.argv[2])) return false;
  try {
    const { readFileSync, writeSync } = process.getBuiltinModule("node:fs");
    /** @type {unknown} */
    const manifest = JSON.parse(readFileSync(`${import.meta.dirname}/../package.json`, "utf8"));
    if (typeof manifest !== "object" || manifest === null || !("version" in manifest)) return false;
    writeSync(1, `${String(manifest.version)}\n`);
    return true;
  } catch {
    // The commands report what is wrong with standard output or with the installation.
    return false;
  }
}

if ((major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) && printVersion()) {
  process.exitCode = 0;
} else if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) {
  process.exitCode = INTERNAL;
  try {
    // Standard error is for eolgate: what is experimental in Node does not concern its users.
    const warn = process.emitWarning.bind(process);
    process.emitWarning = (warning, ...more) => {
      if (![warning?.name, more[0], more[0]?.type].includes("ExperimentalWarning")) warn(warning, ...more);
    };
    const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
    /** @type {{ readonly launch: (process: NodeJS.Process, root: string) => Promise<number> }} */
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- the bundle has no type declarations
    const command = require("../dist/command/launch.cjs");
    // Ends at once: before an idle process ends, V8 may collect garbage, which takes up to 15 ms of CPU time.
    process.exit(await command.launch(process, `${import.meta.dirname}/..`));
  } catch (error) {
    process.exitCode = INTERNAL;
    say(`this installation does not work: ${error?.message ?? error}`);
  }
} else {
  // Only here: loading these costs 5 ms of each start.
  const { spawn } = await import("node:child_process");
  const { existsSync } = await import("node:fs");
  const { constants } = await import("node:os");
  const { fileURLToPath } = await import("node:url");
  const platform = process.platform === "win32" ? "win" : process.platform;
  const binary = process.platform === "win32" ? "node.exe" : "node";
  const local = fileURLToPath(
    new URL(`../node_modules/node-${platform}-${process.arch}/bin/${binary}`, import.meta.url),
  );
  if (existsSync(local)) {
    // Before the child starts: a signal would end this process alone.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    const child = spawn(local, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" });
    child.on("error", (error) => {
      say(`${local} cannot be started: ${error.message}`);
      process.exitCode = 2;
    });
    child.on("exit", (code, signal) => {
      // As a shell states it: an interrupted run is no bug.
      process.exitCode = signal === null ? (code ?? INTERNAL) : 128 + (constants.signals[signal] ?? 0);
    });
  } else {
    say(
      `Node ${process.versions.node} is too old, ${FLOOR.join(".")} or newer is needed ` +
        "(Node 20 is itself past its end of life). Install Node 24 and run again.",
    );
    process.exitCode = 2;
  }
}
