/** The committed bundle of the Action is the one that the sources give, and it runs on its own. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { bundleAction } from "../../tools/bundle-action.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const committed = join(root, "action/dist");
const folder = mkdtempSync(join(tmpdir(), "eolgate-bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

const filesOf = (place: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(place)
      .toSorted()
      .map((name) => [name, readFileSync(join(place, name), "utf8")]),
  );

describe("the Action's bundle", () => {
  test("is current (npm run action:bundle makes it)", async () => {
    const fresh = join(folder, "fresh");
    await bundleAction(fresh);
    const [made, kept] = [filesOf(fresh), filesOf(committed)];
    expect(Object.keys(kept)).toEqual(Object.keys(made));
    // Names first: a difference of megabytes is nothing to read.
    expect(Object.keys(made).filter((name) => made[name] !== kept[name])).toEqual([]);
  });

  test("needs nothing but itself, the catalogue and the manifest", () => {
    const alone = join(folder, "alone");
    mkdirSync(join(alone, "action"), { recursive: true });
    for (const part of ["action/dist", "src/data", "package.json", "examples/web-shop.cdx.json"])
      cpSync(join(root, part), join(alone, part), { recursive: true });
    const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
    for (const file of Object.values(files)) writeFileSync(file, "");
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(alone, "action/dist/index.js")], {
      cwd: alone,
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
    expect(existsSync(join(alone, "eol.sarif"))).toBe(true);
  });
});
