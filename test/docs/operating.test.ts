/** Runs the commands of docs/operating.md for the store, the secret and the tiers, in their order, on an empty machine. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { catalogue, machine } from "../examples/machine.ts";
import { createDatabase } from "../service/store/shared-postgres.ts";
import { postgresInstalled } from "../service/store/postgres-server.ts";
import { blocks, page } from "./pages.ts";

const written = blocks({ file: "docs/operating.md", text: page("docs/operating.md") });
/** The block that has a text. @throws Error if no block or several have it */
const block = (text: string): string => {
  const found = written.filter((each) => each.text.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} blocks contain ${text}`);
  return found[0]?.text ?? "";
};

const here = machine("web-shop.cdx.json");
afterAll(() => here.close());
const data = join(here.folder, "data");

/** Runs a documented script in which the paths of the machine are below its folder. */
const run = (script: string, env: Readonly<Record<string, string>> = {}) => {
  const own = script
    .replaceAll("/var/lib/eolgate", data)
    .replaceAll("/somewhere/safe/", `${here.folder}/safe/`)
    .replaceAll("/new/folder", `${here.folder}/new`)
    .replace("systemctl stop eolgate\n", "");
  const { exit, printed } = here.sh(own, { EOLGATE_CATALOGUE: catalogue, ...env });
  expect(exit, printed).toBe(0);
  return printed;
};
const keys = (folder: string): readonly Readonly<Record<string, unknown>>[] =>
  JSON.parse(run(`eolgate keys list --data ${folder} --format json 2>/dev/null`));

describe("docs/operating.md", { timeout: 120_000 }, () => {
  test("Backup and restore: an export with the secret gives the same keys again", () => {
    run("mkdir -p safe");
    run(`eolgate keys create --data ${data} --email ann@example.org --tier pro`);
    run(block("eolgate db export --data /var/lib/eolgate -o"));
    const [file = ""] = run("ls eolgate-*.ndjson").trim().split("\n");
    expect(statSync(join(here.folder, file)).mode & 0o077).toBe(0);
    expect(existsSync(join(here.folder, "safe/secret"))).toBe(true);
    run(block("eolgate db import eolgate-").replace(/eolgate-[\d-]+\.ndjson/, file));
    expect(keys(join(here.folder, "new"))).toEqual(keys(data));
  });

  test("Tiers: the documented file gives a key the limits of its own tier", () => {
    const tiers = written.find(({ language, text }) => language === "yaml" && text.startsWith("tiers:"));
    writeFileSync(join(here.folder, "tiers.yaml"), tiers?.text ?? "");
    const [, command = ""] =
      /`(eolgate keys create --data DIR [^`]*--tier acme[^`]*)`/.exec(page("docs/operating.md")) ?? [];
    run(command.replace("DIR", data).replace("ADDRESS", "acme@example.org").replace("FILE", "tiers.yaml"));
    expect(keys(data)).toContainEqual(expect.objectContaining({ email: "acme@example.org", tier: "acme" }));
  });

  test("Rotate the secret: keys of the old version keep their text, new ones have the new version", () => {
    const create = (email: string): string => run(`eolgate keys create --data ${data} --email ${email} --tier pro`);
    const before = create("ann@example.org");
    run(`cd ${data}\n${block('sed -i "1i 2:')}`);
    expect(readFileSync(join(data, "secret"), "utf8")).toMatch(/^2:\w{64}\n1:\w{64}\n$/);
    const textOf = (printed: string): string | undefined => /eolg_\w+/.exec(printed)?.[0];
    expect(textOf(create("ann@example.org"))).toBe(textOf(before));
    create("bob@example.org");
    const versions = new Map(keys(data).map((row) => [row["email"], row["secret_version"]]));
    expect([versions.get("ann@example.org"), versions.get("bob@example.org")]).toEqual([1, 2]);
  });

  test.skipIf(!postgresInstalled)(
    "Move to PostgreSQL: the export arrives there, and the server starts with it",
    async () => {
      const address = await createDatabase("moved");
      const [moving = "", starting = ""] = block("eolgate db import -").trim().split("\n").slice(1);
      const there = (script: string): string => script.replaceAll("postgres://eolgate@db/eolgate", address);
      run(there(moving));
      const listed = run(`eolgate keys list --database ${address} --format json 2>/dev/null`);
      expect(JSON.parse(listed)).toEqual(keys(data));
      const served = there(`${starting} --port 0 --refresh off > served.log 2>&1 & pid=$!
for _ in $(seq 100); do grep -q "eolgate serves" served.log && break; sleep 0.1; done
kill $pid; wait $pid; cat served.log`);
      expect(run(served)).toContain("eolgate serves http://127.0.0.1:");
    },
  );
});
