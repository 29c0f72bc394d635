/** The entry point of the library checks the version of Node before it loads anything that an older one does not have. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const read = (name: string): string => readFileSync(new URL(`../../dist/library/${name}`, import.meta.url), "utf8");

test("the check is the first import of the entry point, and imports nothing", () => {
  expect(manifest.main).toBe("./dist/library/index.js");
  expect(read("index.js")).toMatch(/^import "\.\/runtime\.js";\n/);
  expect(read("runtime.js")).not.toMatch(/import|require/);
});

test.each([
  ["12.22.12", false],
  ["20.20.2", false],
  ["22.18.0", false],
  ["22.19.0", true],
  ["23.0.0", true],
  ["24.21.0", true],
  ["100.0.0", true],
])("Node %s: %s", (node, isAccepted) => {
  const run = (): unknown => runInNewContext(read("runtime.js"), { process: { versions: { node } } });
  if (isAccepted) expect(run).not.toThrow();
  else expect(run).toThrow(`eolgate needs Node 22.19 or newer, and this is Node ${node}.`);
});

test("the library exports the same names as its source", async () => {
  const [built, source] = await Promise.all([
    import(new URL("../../dist/library/index.js", import.meta.url).href) as Promise<object>,
    import("../../src/index.ts"),
  ]);
  expect(Object.keys(built).toSorted()).toEqual(Object.keys(source).toSorted());
});
