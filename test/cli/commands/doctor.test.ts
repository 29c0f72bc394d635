/** `eolgate doctor` prints the settings in use, and exits with the code of the problem that it finds. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeCatalogue, readContent } from "../../../src/catalogue/file.ts";
import { keyId, signDigest } from "../../../src/catalogue/signature.ts";
import { runCommand } from "../fake-io.ts";

const CATALOGUE = new URL("../../fixtures/catalogue.json", import.meta.url);
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-doctor-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const doctor = (flags: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder) =>
  runCommand(["doctor", ...flags], { cwd, env: { XDG_CACHE_HOME: join(folder, "cache"), ...env } });

test("prints versions, settings and the catalogue, but no values of environment variables", async () => {
  const { out, exit } = await doctor([], { EOLGATE_API_KEY: "key-secret", EOLGATE_WARN_DAYS: "30" });
  expect(exit).toBe(0);
  expect(out).toContain(process.versions.node);
  expect(out).toContain("no configuration file");
  expect(out).toContain("set: EOLGATE_API_KEY, EOLGATE_WARN_DAYS");
  expect(out).toMatch(/▲ catalogue +bundled, 2026-\d\d-\d\d \(\d+ days old\)/);
  expect(out).not.toContain("key-secret");
});

test("prints the same data as JSON", async () => {
  const { out } = await doctor(["--format", "json"]);
  const { checks } = JSON.parse(out);
  expect(checks.map(({ name }: { name: string }) => name)).toEqual([
    "eolgate",
    "node",
    "system",
    "working directory",
    "configuration",
    "variables",
    "catalogue",
    "catalogue signature",
    "catalogue folder",
  ]);
});

describe("signature of the catalogue", () => {
  const key = generateKeyPairSync("ed25519");
  const other = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
  const id = keyId(key.publicKey);
  const pem = key.publicKey.export({ type: "spki", format: "pem" }).toString();
  const content = readContent(readFileSync(CATALOGUE), "test");
  beforeAll(() => {
    writeFileSync(
      join(folder, "signed.json"),
      encodeCatalogue(content, (digest) => signDigest(digest, key.privateKey)),
    );
    writeFileSync(join(folder, "unsigned.json"), encodeCatalogue(content));
  });

  test.each([
    ["bundled", [], undefined, 0, "✔ catalogue signature +part of the program"],
    ["unsigned", ["--catalogue", "unsigned.json"], pem, 0, "▲ catalogue signature +not signed"],
    ["of a trusted key", ["--catalogue", "signed.json"], pem, 0, `✔ catalogue signature +valid, by the key ${id}`],
    [
      "without a known key",
      ["--catalogue", "signed.json"],
      undefined,
      0,
      `▲ catalogue signature +by the key ${id}, not`,
    ],
    ["of another key", ["--catalogue", "signed.json"], other, 4, "✖ catalogue signature +.*not"],
  ] as const)("%s", async (_, flags, trusted, exit, line) => {
    const env = trusted === undefined ? {} : { EOLGATE_PUBLISHER_KEY: trusted };
    const outcome = await doctor(flags, env);
    expect(outcome.out).toMatch(new RegExp(line));
    expect(outcome.exit).toBe(exit);
  });
});

test("reports a catalogue that is dated after today", async () => {
  const io = { cwd: folder, env: { XDG_CACHE_HOME: join(folder, "cache") }, today: "2020-01-01" };
  const { out, exit } = await runCommand(["doctor"], io);
  expect(exit).toBe(4);
  expect(out).toMatch(/✖ catalogue .*2020-01-01/);
});

test.each([
  ["an invalid configuration", "eolgate.config.yaml", "failOn: [eol, nonsense]\n", [], 2],
  ["a damaged catalogue", "damaged.json", "{", ["--catalogue", "damaged.json"], 4],
])("reports %s and still prints the other lines", async (_, file, content, flags, exit) => {
  writeFileSync(join(folder, file), content);
  const outcome = await doctor(flags);
  rmSync(join(folder, file));
  expect(outcome.exit).toBe(exit);
  expect(outcome.out).toMatch(/✖ (?:configuration|catalogue) .*\S/);
  expect(outcome.out).toContain("catalogue folder");
});

test.each([
  [{}, "no channel is configured", 0],
  [{ EOLGATE_CHANNEL: "http://127.0.0.1:9/channel" }, "✖ channel", 5],
])("--network queries the update channel: %j", async (env, text, exit) => {
  const outcome = await doctor(["--network"], env);
  expect(outcome.out).toContain(text);
  expect(outcome.exit).toBe(exit);
});

test("makes no network requests by default", async () => {
  const { out } = await doctor([], { EOLGATE_CHANNEL: "http://127.0.0.1:9/channel" });
  expect(out).not.toContain("channel ");
});

test.each([
  ["does not answer", "http://127.0.0.1:9", 5, "✖ service"],
  ["has no address", "nowhere", 2, "✖ service"],
])("--service reports a service that %s", async (_, address, exit, text) => {
  const outcome = await doctor(["--service", address]);
  expect(outcome.out).toContain(text);
  expect(outcome.exit).toBe(exit);
});
