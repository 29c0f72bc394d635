/** Pages lead on to the next ones, and what the first gate states is what its commands print in a copy of examples/. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "../cli/fake-io.ts";
import { root, sourceFiles } from "../repository/sources.ts";
import { page } from "./pages.ts";

test.each(["policy", "library", "self-hosting", "coming-from", "install", "pages"])(
  "docs/%s.md ends with the pages to go on with",
  (name) => {
    const [, last = ""] = page(`docs/${name}.md`).split(/^## Next$/m);
    expect(last).toMatch(/^\n\n(?:- \[[^\]]+\]\([\w-]+\.md\)[^\n]*\n){2,}$/);
  },
);

describe("docs/first-gate.md in a copy of examples/", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-first-gate-"));
  cpSync(join(root, "examples"), folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...argv: string[]) => runCommand(argv, { cwd: folder, today: "2026-11-30" });
  const text = page("docs/first-gate.md");

  test("the report has the parts that the page names", async () => {
    const { out, exit } = await run("check", "web-shop.cdx.json");
    expect(exit).toBe(1);
    expect(out).toMatch(/^ {2}RISK {2}WHAT +SUPPORT ENDED +UPGRADE TO$/m);
    for (const part of ["WAIVED", "OK", "?"]) {
      expect(text).toContain(`\`${part}\``);
      expect(out).toMatch(new RegExp(`^ {2}${part.replace("?", "\\?")} `, "m"));
    }
    expect(out).toContain("eolgate explain ");
  });

  test("the waiver is renewed, and written where there was none", async () => {
    const waive = async (target: string): Promise<string> => {
      const { out, err } = await run("waive", target, "--reason", "the rewrite lands in March", "--expires", "90d");
      return /^\w+/m.exec(out + err)?.[0] ?? "";
    };
    const words = [await waive("nodejs:18"), await waive("angular:14")];
    expect(words).toEqual(["renewed", "written"]);
    for (const word of words) expect(text).toContain(`\`${word}\``);
    expect((await run("check", "web-shop.cdx.json")).exit).toBe(1);
  });
});

test("messages name pages by their address, because installed users have no folder docs", () => {
  const hints = sourceFiles("src").flatMap(({ path, text }) =>
    text
      .replaceAll(/\/\*[^]*?\*\/|\/\/ .*/g, "")
      .split("\n")
      .filter((line) => /(?<!blob\/main\/)\bdocs\/[\w-]+\.md/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(hints).toEqual([]);
});
