/** `check --update` and the command line of the channel: publish, update, and the fall back to the catalogue in use. */
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actionFlags } from "../../src/cli/action/inputs.ts";
import { openCatalogueService } from "../../src/service/serve/catalogue.ts";
import { fakeIo, invocation, runCommand } from "./fake-io.ts";
import { answers, type Mirror, startMirror } from "../pipeline/update/mirror.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const document = fileURLToPath(new URL("../../examples/clean.cdx.json", import.meta.url));

let folder = "";
let cache = "";
let mirror: Mirror;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-check-update-"));
  cache = join(folder, "cache");
  writeFileSync(join(folder, "public.pem"), publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(join(folder, "private.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  mirror = await startMirror();
});
afterEach(async () => {
  await mirror.close();
  rmSync(folder, { recursive: true });
});

const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(argv, { cwd: folder, env: { EOLGATE_CACHE: cache, ...env }, today: "2026-11-22" });
const channel = () => ({ EOLGATE_CHANNEL: mirror.base, EOLGATE_PUBLISHER_KEY: "public.pem" });

interface Publication {
  readonly answer: { readonly version: number; readonly catalogue: { readonly size: number } };
  readonly files: ReadonlyMap<string, Buffer>;
}
let publication: Publication;

/** One publication of the bundled catalogue for all tests: its compression takes most of their time. */
beforeAll(async () => {
  const at = mkdtempSync(join(tmpdir(), "eolgate-publication-"));
  writeFileSync(join(at, "private.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  const argv = ["catalogue", "publish", "served", "--sign-key", "private.pem", "--format", "json"];
  const outcome = await runCommand(argv, { cwd: at, env: { EOLGATE_CACHE: join(at, "cache") }, today: "2026-11-22" });
  expect(outcome).toMatchObject({ exit: 0, err: "" });
  const served = join(at, "served/v1");
  const files = new Map(readdirSync(served).map((name) => [name, readFileSync(join(served, name))]));
  publication = { answer: JSON.parse(outcome.out), files };
  rmSync(at, { recursive: true });
}, 300_000);

function publish(): Publication["answer"] {
  for (const [name, bytes] of publication.files)
    mirror.pages.set(`/v1/${name}`, (_, response) => void response.end(bytes));
  return publication.answer;
}

describe("catalogue publish and catalogue update", () => {
  test("publish the bundled catalogue in less than a megabyte", { timeout: 120_000 }, async () => {
    const { catalogue, version } = publish();
    expect(catalogue.size).toBeLessThan(1_000_000);
    const first = await run(["catalogue", "update"], channel());
    expect(first).toMatchObject({ exit: 0, err: "" });
    const second = await run(["catalogue", "update"], channel());
    expect(second.out).toContain(`up to date: version ${version}`);
    expect((await run(["catalogue", "verify", "--publisher-key", "public.pem"])).out).toContain("signature ok");
  });
  test("serve updates from the channel and loads the new catalogue", async () => {
    publish();
    const { io } = fakeIo({ cwd: folder, env: { EOLGATE_CACHE: cache, ...channel() }, today: "2026-11-22" });
    const service = await openCatalogueService(invocation("serve", io, {}));
    expect(await service.refresh?.()).toEqual({ channel: mirror.base, status: "installed" });
    expect((await service.changed())?.catalogue.metadata.origin).toBe(join(cache, "catalogue.json"));
    expect(await service.refresh?.()).toEqual({ channel: mirror.base, status: "up-to-date" });
    expect(mirror.asked.every(({ path }) => path.startsWith("/v1/"))).toBe(true);
  });
  test("refuse to publish without a key, and refuse options that are not hours or key identifiers", async () => {
    expect(await run(["catalogue", "publish", "served"])).toMatchObject({ exit: 2 });
    const sign = ["catalogue", "publish", "served", "--sign-key", "private.pem"];
    expect(await run([...sign, "--expires-in", "0"])).toMatchObject({ exit: 2 });
    expect(await run([...sign, "--revoke-key", "x"])).toMatchObject({ exit: 2 });
    expect(existsSync(join(folder, "served"))).toBe(false);
  });
  test("repair a damaged catalogue in the cache", async () => {
    publish();
    await run(["catalogue", "update"], channel());
    writeFileSync(join(cache, "catalogue.json"), "damaged");
    const outcome = await run(["catalogue", "update"], channel());
    expect(outcome).toMatchObject({ exit: 0 });
    expect(outcome.err).toContain("comparing with the bundled catalogue instead");
    expect(await run(["catalogue", "verify"])).toMatchObject({ exit: 0 });
  });
});

describe("check --update", () => {
  const check = (...more: readonly string[]) => ["check", document, "--as-of", "2026-09-01", ...more];

  test("reads the channel once a day", async () => {
    publish();
    expect(await run(check("--update"), channel())).toMatchObject({ exit: 0, err: "" });
    expect(existsSync(join(cache, "catalogue.json"))).toBe(true);
    expect(mirror.asked).toHaveLength(2);
    expect(await run(check("--update"), channel())).toMatchObject({ exit: 0, err: "" });
    expect(mirror.asked).toHaveLength(2);
  });

  test("opens no connection without the flag", async () => {
    publish();
    await run(check(), channel());
    expect(mirror.asked).toEqual([]);
  });

  test("uses the local catalogue when the channel does not respond, with a note and the same verdict", async () => {
    mirror.pages.set("/v1/metadata.json", answers(503));
    const [without, outcome] = [await run(check()), await run(check("--update"), channel())];
    expect(outcome).toMatchObject({ exit: without.exit, out: without.out });
    expect(outcome.err).toContain("the catalogue was not updated: a source cannot be read: it answers 503");
  });

  test("needs a channel, unless it is only tried", async () => {
    const plain = await run(check());
    expect(await run(check("--update"))).toMatchObject({
      exit: 2,
      out: "",
      err: expect.stringContaining("EOLGATE_CHANNEL"),
    });
    expect(await run(check(), { EOLGATE_UPDATE: "true" })).toMatchObject({ exit: 2, out: "" });
    const tried = await run(check("--update=try"));
    expect(tried).toMatchObject({ exit: plain.exit, out: plain.out });
    expect(tried.err).toContain("the catalogue was not updated");
    expect(await run(check(), { EOLGATE_UPDATE: "try" })).toMatchObject({ exit: plain.exit, out: plain.out });
  });

  test("does not take the document for its mode", async () => {
    publish();
    expect(await run(["check", "--update", document, "--as-of", "2026-09-01"], channel())).toMatchObject({ exit: 0 });
    expect(await run(["check", "--update=maybe", document])).toMatchObject({ exit: 2 });
  });

  test("does not trust a channel without its key", async () => {
    publish();
    const outcome = await run(check("--update"), { EOLGATE_CHANNEL: mirror.base });
    expect(outcome.exit).toBe(0);
    expect(outcome.err).toContain("no public key is configured");
    expect(existsSync(cache)).toBe(false);
  });

  test("is enabled by default in the Action when a channel is configured", () => {
    expect(actionFlags({ EOLGATE_CHANNEL: "https://c.test" })).toMatchObject({ EOLGATE_UPDATE: "true" });
    const off = { EOLGATE_CHANNEL: "https://c.test", INPUT_UPDATE: "false" };
    expect(actionFlags(off)["EOLGATE_UPDATE"]).toBe("false");
    expect(actionFlags({})["EOLGATE_UPDATE"]).toBeUndefined();
  });
});
