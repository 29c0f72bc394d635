/**
 * Exit code 1 means that the gate failed, and nothing else. Each test runs a real process, because Node itself exits
 * with 1 on an unhandled error.
 */
import { spawn, spawnSync, type SpawnSyncOptions, type StdioOptions } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const launcher = join(root, "bin/eolgate.js");
const catalogue = join(root, "test/fixtures/catalogue.json");
const folder = mkdtempSync(join(tmpdir(), "eolgate-exit-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
const hasFullDevice = existsSync("/dev/full");

function put(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const sbom = (name: string, version: string, purl: string) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "library", name, version, purl }],
});
const passing = put("pass.json", sbom("nodejs", "24.1.0", "pkg:generic/node@24.1.0"));
const failing = put("fail.json", sbom("nodejs", "16.1.0", "pkg:generic/node@16.1.0"));

const env = { ...process.env, EOLGATE_CATALOGUE: catalogue, EOLGATE_AS_OF: "2026-09-01" };
function eolgate(argv: readonly string[], options: SpawnSyncOptions = {}, flags: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, launcher, ...argv], {
    cwd: folder,
    env,
    ...options,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const OUTCOMES = [
  ["a passing gate", ["check", passing], 0],
  ["a failing gate", ["check", failing], 1],
  ["a flag that does not exist", ["check", passing, "--no-such-flag"], 2],
  ["a file that does not exist", ["check", "nowhere.json"], 3],
  ["a catalogue that does not exist", ["check", passing, "--catalogue", "nowhere.json"], 4],
] as const;

describe.skipIf(!hasFullDevice)("an unwritable standard error does not change the exit code", () => {
  test.each(OUTCOMES)("%s", (_, argv, status) => {
    // On a later date, so that the note on the catalogue's age is printed too.
    const aged = { ...env, EOLGATE_AS_OF: "2026-12-31" };
    const stdio: SpawnSyncOptions["stdio"] = ["ignore", "ignore", openSync("/dev/full", "w")];
    expect(eolgate(argv, { stdio, env: aged }).status).toBe(status);
  });
});

test.each(OUTCOMES)(
  "a reader that closes standard error does not change the exit code: %s",
  async (_, argv, status) => {
    const child = spawn(process.execPath, [launcher, ...argv], {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.destroy();
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(status);
  },
);

describe.skipIf(process.platform === "win32")("a reader that is slow and left a pipe full receives all output", () => {
  test.each([
    ["standard output", ["check", failing, "--format", "json"], 1, "stdout"],
    ["standard error", ["check", "nowhere.json"], 3, "stderr"],
  ] as const)("%s", async (_, argv, status, stream) => {
    const pipe = join(folder, stream);
    spawnSync("mkfifo", [pipe]);
    const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const filled = fill(end);
    const stdio: StdioOptions = ["ignore", stream === "stdout" ? end : "ignore", stream === "stderr" ? end : "ignore"];
    const child = spawn(process.execPath, [launcher, ...argv], { cwd: folder, env, stdio });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const expected = eolgate(argv)[stream] ?? "";
    let received = "";
    // Read only now: the process waits until something is read.
    for await (const part of createReadStream(pipe, { encoding: "utf8", highWaterMark: 4096 })) {
      received += String(part);
      if (received.length >= filled + expected.length) break;
    }
    closeSync(end);
    expect([await ended, received.slice(filled)]).toEqual([status, expected]);
  });

  /** Writes until the pipe accepts nothing more. @returns the number of bytes. */
  function fill(pipe: number): number {
    for (let length = 0; ; length += 4096) {
      try {
        writeSync(pipe, "x".repeat(4096));
      } catch {
        return length;
      }
    }
  }
});

describe.skipIf(process.platform === "win32")("a working directory that was deleted", () => {
  const inDeleted = (...argv: string[]) => {
    const deleted = mkdtempSync(join(folder, "deleted-"));
    const words = [process.execPath, launcher, ...argv].map((word) => `'${word}'`).join(" ");
    const { status, stdout, stderr } = spawnSync("sh", ["-c", `cd '${deleted}' && rmdir '${deleted}' && ${words}`], {
      env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  test("is reported as a usage error", () => {
    const { status, stderr } = inDeleted("check", failing);
    expect(status).toBe(2);
    expect(stderr).toContain("working directory");
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("does not prevent the output of help and version", () => {
    expect(inDeleted("--version").status).toBe(0);
    expect(inDeleted("check", "--help").status).toBe(0);
  });
});

describe("an unhandled error exits with code 70", () => {
  const preload = (code: string): readonly string[] => ["--import", `data:text/javascript,${encodeURIComponent(code)}`];

  test.each([
    ["an exception", "throw new Error('planted')"],
    ["a rejected promise", "Promise.reject(new Error('planted'))"],
  ])("%s", (_, code) => {
    const { status, stderr } = eolgate(["check", "-"], { stdio: ["pipe", "pipe", "pipe"], timeout: 20_000 }, [
      // The error is thrown when the command listens for such errors.
      ...preload(
        `process.on("newListener", (name) => name === "uncaughtException" && process.nextTick(() => { ${code} }))`,
      ),
    ]);
    expect(status).toBe(70);
    expect(stderr).toContain("planted");
    expect(stderr).toContain("internal error in eolgate");
  });

  test("incomplete installation", () => {
    mkdirSync(join(folder, "broken/bin"), { recursive: true });
    const bin = join(folder, "broken/bin/eolgate.js");
    copyFileSync(join(root, "bin/eolgate.js"), bin);
    writeFileSync(join(folder, "broken/package.json"), JSON.stringify({ type: "module" }));
    const { status, stderr } = spawnSync(process.execPath, [bin, "--version"], { encoding: "utf8" });
    expect(status).toBe(70);
    expect(stderr).toContain("eolgate: ");
  });
});

describe("unwritable files of the GitHub runner", () => {
  const entry = join(root, "action/entry.ts");
  const runAction = (more: Readonly<Record<string, string>>) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [entry], {
      cwd: folder,
      env: { ...env, INPUT_SBOM: passing, RUNNER_TEMP: folder, ...more },
      encoding: "utf8",
    });
    return { status, printed: `${stdout}${stderr}` };
  };
  const unwritable = join(folder, "no-such-folder", "file");

  test.each(["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"])("%s", (name) => {
    const { status, printed } = runAction({ [name]: unwritable });
    expect(status).toBe(2);
    expect(printed).toContain(`::error`);
    expect(printed).toContain(name);
  });

  test("missing RUNNER_TEMP folder", () => {
    expect(runAction({ RUNNER_TEMP: unwritable }).status).toBe(2);
  });

  test("event file that is not JSON", () => {
    const event = put("event.json", "{");
    const { status } = runAction({ GITHUB_EVENT_PATH: event, INPUT_COMMENT: "true", "INPUT_GITHUB-TOKEN": "t" });
    expect(status).toBe(2);
  });
});

describe("YAML with too many aliases", () => {
  const levels = Array.from(
    { length: 9 },
    (_, index) => `l${index + 1}: &l${index + 1} [${"*l".concat(String(index), ",").repeat(9)}]`,
  );
  const bomb = ["l0: &l0 [x]", ...levels].join("\n");

  test.each([
    ["a configuration file", "eolgate.config.yaml", (path: string) => ["check", passing, "--config", path]],
    ["an own catalogue", "own.yaml", (path: string) => ["check", passing, "--own-catalogue", path]],
  ])("%s", (_, name, argv) => {
    const place = mkdtempSync(join(folder, "bomb-"));
    const path = join(place, name);
    writeFileSync(path, bomb);
    const { status, stderr } = eolgate(argv(path));
    expect([status, stderr]).toEqual([2, expect.stringContaining(name)]);
    expect(stderr).toMatch(/alias/i);
  });

  test("configuration file that waive would edit", () => {
    const place = mkdtempSync(join(folder, "bomb-"));
    writeFileSync(join(place, "eolgate.config.yaml"), bomb);
    const { status } = eolgate(["waive", "nodejs:16", "--reason", "r", "--expires", "2027-01-01"], { cwd: place });
    expect(status).toBe(2);
  });
});

describe.skipIf(process.platform === "win32")("files and folders without read permission", () => {
  /** Root may read everything: as root, the command runs as an unprivileged user. */
  const asNobody: SpawnSyncOptions = isRoot ? { uid: 65534, gid: 65534 } : {};
  const scanFolder = join(folder, "scan");
  mkdirSync(join(scanFolder, "locked"), { recursive: true });
  mkdirSync(join(scanFolder, "open"));
  copyFileSync(passing, join(scanFolder, "open", "a.cdx.json"));
  copyFileSync(failing, join(scanFolder, "locked", "b.cdx.json"));
  chmodSync(join(scanFolder, "locked"), 0);
  afterAll(() => chmodSync(join(scanFolder, "locked"), 0o755));
  const place = join(folder, "pins");
  mkdirSync(place);
  writeFileSync(join(place, "Dockerfile"), "FROM node:16\n");
  writeFileSync(join(place, ".nvmrc"), "24\n");
  chmodSync(join(place, "Dockerfile"), 0);

  test("Dockerfile in a scanned folder", () => {
    const { status, stderr } = eolgate(["check", place], asNobody);
    expect([status, stderr]).toEqual([3, expect.stringContaining("Dockerfile")]);
  });

  test.each(["scan/**/*.cdx.json", "scan/*/*.cdx.json", "scan/{locked,open}/*.json"])(
    "folder that %s enters",
    (glob) => {
      const { status, stderr } = eolgate(["check", glob], asNobody);
      expect([status, stderr]).toEqual([3, expect.stringContaining("scan/locked")]);
    },
  );

  test("ignores a folder that the pattern does not enter", () => {
    expect(eolgate(["check", "scan/open/*.json"], asNobody).status).toBe(0);
  });
});
