/** What lockfiles and charts themselves state of a package: deprecated or abandoned by its maintainers. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const base = mkdtempSync(join(tmpdir(), "eolgate-retirement-"));
afterAll(() => rmSync(base, { recursive: true }));

async function check(name: string, text: string, ...flags: readonly string[]) {
  const cwd = mkdtempSync(join(base, "p-"));
  writeFileSync(join(cwd, name), text);
  const { exit, out } = await runCommand(
    ["check", name, "--format", "json", "--allow-unassessed", "--as-of", "2026-11-22", ...flags],
    { cwd, env: {} },
  );
  const [{ findings, unmatched }] = JSON.parse(out).documents;
  const stated: string[] = [...findings, ...unmatched]
    .filter(({ outcome }) => outcome?.condition === "unmaintained")
    .map(({ outcome }) => `${outcome.severity} ${outcome.message}`);
  return { exit, stated };
}

const lines = (...parts: readonly string[]): string => `${parts.join("\n")}\n`;

const NPM = (version: number) =>
  lines(
    `{ "lockfileVersion": ${String(version)}, "packages": {`,
    '"": {},',
    '"node_modules/@acme/a": { "version": "1.0.0",',
    '  "deprecated": "use @acme/b" },',
    '"node_modules/@acme/c": { "version": "1.0.0", "deprecated": true },',
    '"node_modules/@acme/d": { "version": "1.0.0", "deprecated": "" },',
    '"node_modules/@acme/e": { "version": "1.0.0", "deprecated": false },',
    '"node_modules/@acme/f": { "version": "1.0.0" } } }',
  );
const A = 'warn @acme/a 1.0.0: version deprecated by its maintainers, as line 4 states: "use @acme/b"';
const C = "warn @acme/c 1.0.0: version deprecated by its maintainers, as line 5 states";

describe("a statement of the maintainers in a file", () => {
  test.each<readonly [title: string, file: string, text: string, expected: readonly string[]]>([
    ["npm 2", "package-lock.json", NPM(2), [A, C]],
    ["npm 3", "package-lock.json", NPM(3), [A, C]],
    [
      "npm 1",
      "package-lock.json",
      lines(
        '{ "lockfileVersion": 1, "dependencies": {',
        '"@acme/a": { "version": "1.0.0",',
        '"deprecated": "gone" } } }',
      ),
      ['warn @acme/a 1.0.0: version deprecated by its maintainers, as line 3 states: "gone"'],
    ],
    [
      "pnpm 9",
      "pnpm-lock.yaml",
      lines(
        "lockfileVersion: '9.0'",
        "packages:",
        "  '@acme/a@1.0.0':",
        "    resolution: {integrity: sha512-a}",
        "    deprecated: use b",
        "  '@acme/c@1.0.0':",
        "    resolution: {integrity: sha512-c}",
      ),
      ['warn @acme/a 1.0.0: version deprecated by its maintainers, as line 5 states: "use b"'],
    ],
    [
      "Composer",
      "composer.lock",
      lines(
        '{ "packages": [',
        '{ "name": "acme/a", "version": "v1.0.0", "abandoned": "acme/b" },',
        '{ "name": "acme/c", "version": "1.0.0", "abandoned": true },',
        '{ "name": "acme/d", "version": "1.0.0", "abandoned": false } ], "packages-dev": [] }',
      ),
      [
        "warn acme/a 1.0.0: package abandoned by its maintainers, as line 2 states; replaced by acme/b",
        "warn acme/c 1.0.0: package abandoned by its maintainers, as line 3 states",
      ],
    ],
    [
      "Helm",
      "Chart.yaml",
      lines("apiVersion: v2", "name: acme", "version: 1.0.0", "deprecated: true"),
      ["warn acme 1.0.0: version deprecated by its maintainers, as line 4 states"],
    ],
    [
      "a chart in use",
      "Chart.yaml",
      lines("name: acme", "version: 1.0.0", "deprecated: false", "kubeVersion: '>=1.20'"),
      [],
    ],
  ])("of %s warns with the line", async (_, file, text, expected) => {
    const { exit, stated } = await check(file, text);
    expect(stated).toEqual(expected);
    expect(exit).toBe(0);
  });

  test("counts for a version whose release cycle is supported, too", async () => {
    const entry = { version: "19.2.0", deprecated: "published by mistake" };
    const { stated } = await check(
      "package-lock.json",
      JSON.stringify({ lockfileVersion: 3, packages: { "": {}, "node_modules/react": entry } }),
    );
    expect(stated).toEqual([
      'warn react 19.2.0: version deprecated by its maintainers, as line 1 states: "published by mistake"',
    ]);
  });

  test("fails with --fail-on unmaintained, without signals", async () => {
    expect((await check("package-lock.json", NPM(3), "--fail-on", "unmaintained")).exit).toBe(1);
  });
});
