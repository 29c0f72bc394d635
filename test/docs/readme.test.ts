/** README.md and the index of the documentation: the commands run, and every page is linked. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { machine, root } from "../examples/machine.ts";
import { blocks, page, PAGES } from "./pages.ts";

/** Needs the network or another program. */
const EXTERNAL = /\bsyft\b|--image\b/;
const quickStart =
  blocks({ file: "README.md", text: page("README.md").split("## Quick start")[1] ?? "" })[0]?.text ?? "";
const commands = quickStart
  .trim()
  .split("\n")
  .map((line) => line.replace(/\s+#.*$/, ""));

describe("commands of the README", () => {
  const runner = machine("clean.cdx.json");
  copyFileSync(join(root, "examples/web-shop.cdx.json"), join(runner.folder, "bom.json"));
  afterAll(runner.close);

  test("exist", () => {
    expect(commands).toHaveLength(7);
    expect(commands.filter((command) => EXTERNAL.test(command))).toHaveLength(2);
  });

  test.each(commands.filter((command) => !EXTERNAL.test(command)))(
    "%s gives a verdict",
    { timeout: 20_000 },
    (command) => {
      const { exit, printed } = runner.sh(command);
      expect([0, 1], printed).toContain(exit);
    },
  );
});

test("docs/README.md links every page", () => {
  const index = page("docs/README.md");
  const pages = PAGES.map(({ file }) => file).filter((file) => file.startsWith("docs/") && file !== "docs/README.md");
  expect(pages.filter((file) => !index.includes(`](${file.slice("docs/".length)})`))).toEqual([]);
  expect(index).toContain("](reference.md)");
  expect(page("README.md")).toContain("](docs/README.md)");
});
