/** The bundle of the GitHub Action, which only release tags contain: two builds are identical, and it runs on its own. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { bundleAction } from "../../../tools/bundle-action.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "eolgate-bundle-"));
/** A checkout with nothing but what the Action needs. */
const checkout = join(folder, "checkout");
const bundle = join(checkout, "action/dist");

beforeAll(async () => {
  for (const part of ["src/data", "package.json", "action.yml", "examples/web-shop.cdx.json"])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  await bundleAction(bundle);
});
afterAll(() => rmSync(folder, { recursive: true }));

const filesOf = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(path)
      .toSorted()
      .map((name) => [name, readFileSync(join(path, name), "utf8")]),
  );

describe("the Action's bundle", () => {
  test("is reproducible", async () => {
    const second = join(folder, "second");
    await bundleAction(second);
    const [one, other] = [filesOf(bundle), filesOf(second)];
    expect(Object.keys(other)).toEqual(Object.keys(one));
    // Names instead of texts: a difference of megabytes is unreadable.
    expect(Object.keys(one).filter((name) => one[name] !== other[name])).toEqual([]);
  });

  test("contains the file that action.yml starts, and the notices of its packages", () => {
    const { main } = parse(readFileSync(join(checkout, "action.yml"), "utf8")).runs;
    expect(existsSync(join(checkout, main))).toBe(true);
    expect(filesOf(bundle)["THIRD-PARTY-NOTICES"]).toContain("MIT");
  });

  test("runs with only itself, the catalogue and the manifest", () => {
    const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
    for (const file of Object.values(files)) writeFileSync(file, "");
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(bundle, "index.js")], {
      cwd: checkout,
      encoding: "utf8",
      env: {
        RUNNER_TEMP: folder,
        INPUT_SBOM: "examples/web-shop.cdx.json",
        "INPUT_AS-OF": "2026-09-01",
        "INPUT_SARIF-FILE": "eol.sarif",
        ...files,
      },
    });
    expect(stderr).toBe("");
    expect(status).toBe(1);
    expect(stdout).toContain("::error");
    expect(readFileSync(files.GITHUB_OUTPUT, "utf8")).toContain("verdict");
    expect(existsSync(join(checkout, "eol.sarif"))).toBe(true);
  });
});
