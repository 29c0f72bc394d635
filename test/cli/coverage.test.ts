/** The coverage of version pins and of packages in the reports on a folder. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeFiles } from "../images/build.ts";
import { runCommand } from "./fake-io.ts";

const PINS = { Dockerfile: "FROM node:24\nCOPY --from=of-ours/tool:1 /a /b\n", ".nvmrc": "24\n" };
const PACKAGES = { "requirements.txt": "django==5.2.1\nleft-of-us==1.0\n" };
const SHARES = "2 of 3 version pins (66.6 %), 1 of 2 packages (50.0 %)";

async function check(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const cwd = writeFiles(mkdtempSync(join(tmpdir(), "eolgate-coverage-")), files);
  return runCommand(["check", ".", "--as-of", "2026-11-23", ...args], { cwd });
}

describe("a folder with version pins and packages", () => {
  test.each([
    ["table", `coverage ${SHARES}`],
    ["markdown", `**Coverage** 3 of 5 components assessed, 60.0 %: ${SHARES}`],
    ["html", `<li>${SHARES}</li>`],
    [
      "json",
      '"pins":{"assessed":2,"not_assessed":1,"percent":66.6},"packages":{"assessed":1,"not_assessed":1,"percent":50}',
    ],
  ])("has both shares in the format %s", async (format, expected) => {
    const { out } = await check({ ...PINS, ...PACKAGES }, "--format", format);
    expect(out).toContain(expected);
  });

  test.each([
    ["version pins", PINS],
    ["packages", PACKAGES],
  ])("has one share if there are only %s", async (_, files) => {
    const { out } = await check(files, "--format", "json");
    expect(out).toMatch(/"coverage": \{"assessed":\d+,"not_assessed":1,"percent":[\d.]+\}/);
  });

  test.each([
    [50, 0, ""],
    [51, 6, ".: 1 of 2 packages could be assessed (50 %), below the 51 % that the policy requires"],
    [67, 6, ".: 2 of 3 version pins could be assessed (66.6 %), below the 67 % that the policy requires"],
  ])("exits with the code of the smaller share for --min-coverage %i", async (required, code, why) => {
    const { exit, out } = await check({ ...PINS, ...PACKAGES }, "--min-coverage", String(required));
    expect([exit, out.replaceAll(/\s+/g, " ")]).toEqual([code, expect.stringContaining(why)]);
  });
});
