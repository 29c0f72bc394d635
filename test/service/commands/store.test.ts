/** The commands for operators of a service, on an embedded store in a temporary folder. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dataFolder } from "../../../src/service/serve/store-services.ts";
import { EMBEDDED_FILE, openStore } from "../../../src/service/store/open.ts";
import { runCommand } from "../../cli/fake-io.ts";

let cwd = "";
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), "eolgate-cli-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));
const run = (argv: string, over: { stdin?: string; env?: Readonly<Record<string, string>> } = {}) =>
  runCommand(argv.split(" "), { cwd, ...over, env: { EOLGATE_DATA: "data", ...over.env } });

describe("keys", () => {
  test("are created once, printed alone on standard output, listed without their text, and revoked", async () => {
    const created = await run("keys create --email ops@example.org --tier pro");
    expect(created).toMatchObject({ exit: 0, out: expect.stringMatching(/^eolg_[a-z2-7]{48}\n$/) });
    expect(await run("keys create --email OPS@example.org --tier pro")).toMatchObject({
      out: created.out,
      err: expect.stringContaining("existing: "),
    });
    const listed = await run("keys list --format json");
    expect(listed.out).not.toContain(created.out.trim().slice(21));
    const [row] = JSON.parse(listed.out);
    expect(row).toMatchObject({ email: "ops@example.org", tier: "pro", revoked_at: null });
    expect(await run(`keys revoke ${row.id}`)).toMatchObject({ exit: 0 });
    expect((await run("keys list")).out).toMatch(/ops@example\.org {2}revoked 2026-11-21/);
    expect(await run(`keys revoke ${row.id}`)).toMatchObject({ exit: 2, out: "" });
  });

  test("are listed with the end of their payment, and with the limits that they have after it", async () => {
    for (const tier of ["pro", "starter"]) await run(`keys create --email ops@example.org --tier ${tier}`);
    const store = await openStore({ kind: "embedded", folder: join(cwd, "data") }, 0);
    const [starter, pro] = (await store.keys.ofEmail("ops@example.org")).toSorted((a, b) => (a.tier < b.tier ? 1 : -1));
    await store.keys.setPaidUntil(starter?.id ?? "", Date.UTC(2026, 10, 20));
    await store.keys.setPaidUntil(pro?.id ?? "", Date.UTC(2026, 11, 20));
    await store.close();
    const { out } = await run("keys list");
    expect(out).toMatch(/starter .*limits of the free tier since 2026-11-20\n/);
    expect(out).toMatch(/pro .*paid until 2026-12-20\n/);
    const rows = JSON.parse((await run("keys list --format json")).out);
    expect(new Map(rows.map((row: Record<string, string>) => [row["tier"], row["effective_tier"]]))).toEqual(
      new Map([
        ["starter", "free"],
        ["pro", "pro"],
      ]),
    );
  });

  test("are listed and revoked without the secret, which only a new key needs", async () => {
    await run("keys create --email ops@example.org --batch-envelope");
    rmSync(join(cwd, "data", "secret"));
    const [row] = JSON.parse((await run("keys list --format json")).out);
    expect(row).toMatchObject({ email: "ops@example.org", batch_envelope: true });
    expect(await run("mail dead")).toMatchObject({ exit: 0, out: "no dead letters\n" });
    expect(await run(`keys revoke ${row.id}`)).toMatchObject({ exit: 0 });
    expect(existsSync(join(cwd, "data", "secret"))).toBe(false);
  });

  test.each([
    ["without an address", "keys create", "--email is required"],
    ["with an invalid address", "keys create --email nobody", "not an e-mail address"],
    ["of an unknown tier", "keys create --email a@example.org --tier gold", "unknown tier gold"],
  ])("%s: exits with code 2", async (_, argv, message) => {
    expect(await run(argv)).toMatchObject({ exit: 2, out: "", err: expect.stringContaining(message) });
  });

  test("can have a custom tier from a file", async () => {
    writeFileSync(join(cwd, "tiers.yaml"), "tiers:\n  acme:\n    batch_items: 1000\n");
    expect(await run("keys create --email a@example.org --tier acme --tiers tiers.yaml")).toMatchObject({ exit: 0 });
    writeFileSync(join(cwd, "tiers.yaml"), "tiers: [");
    expect(await run("keys create --email a@example.org --tiers tiers.yaml")).toMatchObject({ exit: 2 });
    expect(await run("keys create --email a@example.org --tiers absent.yaml")).toMatchObject({ exit: 2 });
  });

  test("a database requires a secret and a PostgreSQL address", async () => {
    expect(await run("keys create --email ops@example.org --database postgres://127.0.0.1:1/x")).toMatchObject({
      exit: 2,
      err: expect.stringContaining("a database requires a secret"),
    });
    const secret = { EOLGATE_SECRET: "s".repeat(40) };
    expect(await run("keys list --database postgres://127.0.0.1:1/x")).toMatchObject({ exit: 5 });
    expect(await run("keys list --database postgres://127.0.0.1:1/x", { env: secret })).toMatchObject({ exit: 5 });
    expect(await run("keys list --database mysql://x/y")).toMatchObject({ exit: 2 });
    expect(await run("keys list --database-file absent")).toMatchObject({
      exit: 2,
      err: expect.stringContaining("the file with the address of the database cannot be read"),
    });
    writeFileSync(join(cwd, "address"), "postgres://127.0.0.1:1/x\n");
    expect(await run("keys list --database-file address", { env: secret })).toMatchObject({ exit: 5 });
  });
});

describe("db", () => {
  test("export and import move a store with its keys", async () => {
    const created = await run("keys create --email ops@example.org --tier pro");
    const secret = readFileSync(join(cwd, "data", "secret"), "utf8");
    expect(await run("db export -o backup.ndjson")).toMatchObject({ exit: 0, err: "2 rows\n" });
    expect(statSync(join(cwd, "backup.ndjson")).mode & 0o777).toBe(0o600);
    const piped = await run("db export");
    expect(piped.out).toBe(readFileSync(join(cwd, "backup.ndjson"), "utf8"));

    const other = { EOLGATE_DATA: "other", EOLGATE_SECRET: secret };
    expect(await run("db import -", { env: other, stdin: piped.out })).toMatchObject({ exit: 0, err: "2 rows\n" });
    expect(await run("db import backup.ndjson", { env: other })).toMatchObject({ exit: 2 });
    const again = await run("keys create --email ops@example.org --tier pro", { env: other });
    expect(again.out).toBe(created.out);
  });

  test("migrate reports what it did", async () => {
    // An empty file is an SQLite database without tables.
    mkdirSync(join(cwd, "data"));
    writeFileSync(join(cwd, "data", EMBEDDED_FILE), "");
    expect(await run("db migrate")).toMatchObject({ exit: 0, err: "schema version 0 → 3\n" });
    expect(await run("db migrate")).toMatchObject({ exit: 0, err: "the schema already has version 3\n" });
  });

  test.each([
    ["a truncated export", '{"eolgate_export":1,"schema":3}\n', 3],
    ["a file that is not an export", "hello", 3],
  ])("%s is an unreadable input", async (_, stdin, exit) => {
    expect(await run("db import -", { stdin })).toMatchObject({ exit });
  });

  test("a missing file", async () => {
    expect(await run("db import absent.ndjson")).toMatchObject({ exit: 3 });
    expect(await run("db export -o no/such/folder")).toMatchObject({ exit: 2 });
  });
});

describe("a folder without a store", () => {
  const COMMANDS = ["keys list", "keys revoke abc", "db migrate", "db export", "mail dead", "mail requeue"];
  const HOME = { EOLGATE_DATA: "", HOME: "home", XDG_DATA_HOME: "" };
  const refusal = (folder: string) => ({
    exit: 2,
    out: "",
    err: expect.stringMatching(new RegExp(`--data or EOLGATE_DATA must name the folder of a store.*${folder}`)),
  });

  test.each(COMMANDS)("is refused by %s, with the folder and the flag, and nothing is written", async (command) => {
    expect(await run(command)).toMatchObject(refusal("data"));
    expect(await run(`${command} --data other`)).toMatchObject(refusal("other"));
    expect(await run(command, { env: HOME })).toMatchObject(refusal(basename(dataFolder(HOME))));
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.each(["keys create --email a@example.org", "db import empty.ndjson"])(
    "becomes a store by %s where a flag or a variable names it, and is refused otherwise",
    async (command) => {
      writeFileSync(join(cwd, "empty.ndjson"), '{"eolgate_export":1,"schema":3}\n{"rows":0}\n');
      expect(await run(command, { env: HOME })).toMatchObject(refusal(basename(dataFolder(HOME))));
      expect(readdirSync(cwd)).toEqual(["empty.ndjson"]);
      expect(await run(command)).toMatchObject({ exit: 0 });
      expect(await run(`${command} --data other`)).toMatchObject({ exit: 0 });
      for (const folder of ["data", "other"]) expect(existsSync(join(cwd, folder, EMBEDDED_FILE))).toBe(true);
    },
  );

  test("is the default folder, and every command opens the store in it", async () => {
    const folder = dataFolder({ HOME: join(cwd, "home") });
    await (await openStore({ kind: "embedded", folder }, 0)).close();
    const env = { EOLGATE_DATA: "", HOME: join(cwd, "home"), XDG_DATA_HOME: "" };
    for (const command of ["keys list", "db migrate", "db export", "mail dead", "mail requeue"])
      expect(await run(command, { env })).toMatchObject({ exit: 0 });
    expect(await run("keys create --email a@example.org", { env })).toMatchObject({ exit: 0 });
  });
});

test("shows dead letters and puts them back into the queue", async () => {
  const store = await openStore({ kind: "embedded", folder: join(cwd, "data") }, 0);
  await store.outbox.add({ id: "m1", kind: "key", email: "a@example.org", facts: "{}", createdAt: 0 });
  await store.outbox.claim("x", 1, 2, 1);
  await store.outbox.dead("m1", "x", "550 no such \u001b[31muser");
  await store.close();
  const shown = await run("mail dead");
  expect(shown.out).toContain("m1  key  a@example.org  550 no such");
  expect(shown.out).not.toContain("\u001b");
  expect(await run("mail requeue")).toMatchObject({ err: "1 requeued\n" });
  expect((await run("mail dead")).out).toBe("no dead letters\n");
});

test.each([
  ["linux", { HOME: "/h" }, "/h/.local/share/eolgate"],
  ["linux", { HOME: "/h", XDG_DATA_HOME: "/x" }, "/x/eolgate"],
  ["darwin", { HOME: "/h" }, "/h/Library/Application Support/eolgate"],
] as const)("data folder on %s %j", (platform, env, folder) => {
  expect(dataFolder(env, platform)).toBe(folder);
});
