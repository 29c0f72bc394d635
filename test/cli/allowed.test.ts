/** What a policy lets pass although another condition would fail on it is one line in each format, and no verdict about it is green. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { REPORTERS } from "../../src/report/reporters.ts";
import { runCommand } from "./fake-io.ts";

const TEXT = (components: readonly (readonly [name: string, version: string, purl: string])[]): string =>
  JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: components.map(([name, version, purl]) => ({ type: "library", name, version, purl })),
  });

const REACT = ["react", "19.2.0", "pkg:npm/react@19.2.0"] as const;
const DJANGO = ["django", "5.2.1", "pkg:pypi/django@5.2.1"] as const;
const NODE = ["node", "16.20.2", "pkg:generic/node@16.20.2"] as const;
const SPRING = ["spring-core", "6.1.21", "pkg:maven/org.springframework/spring-core@6.1.21"] as const;

/** Documents and flags that leave something open, and the words that each format must have. */
const CASES: readonly (readonly [
  name: string,
  components: Parameters<typeof TEXT>[0],
  flags: readonly string[],
  kind: string,
  words: readonly string[],
])[] = [
  [
    "a known exploited version",
    [REACT, DJANGO],
    [],
    "exploited",
    ["react 19.2.0", "CVE-2025-55182", "known to be exploited"],
  ],
  [
    "a known exploited version beside a warning",
    [REACT, DJANGO],
    ["--warn-days", "730"],
    "exploited",
    ["react 19.2.0", "CVE-2025-55182"],
  ],
  [
    "paid support",
    [SPRING],
    ["--support", "extended"],
    "paid-support",
    ["spring-core 6.1.21", "paid for", "2032-06-30"],
  ],
];

/** Formats whose reader is a program, or whose escapes break words. */
const AS_DATA: ReadonlySet<string> = new Set(["json", "ndjson", "in-toto"]);
const plain = (text: string): string =>
  text
    .replaceAll(/\r\n[ \t]/g, "")
    .replaceAll(/\\([-\\;,.()>+_#!|`*[\]{}"])/g, "$1")
    .replaceAll("%2C", ",")
    .replaceAll(/\s+/g, " ");

const check = (components: Parameters<typeof TEXT>[0], ...flags: readonly string[]) =>
  runCommand(["check", "-", "--as-of", "2026-08-22", ...flags], { cwd: process.cwd(), stdin: TEXT(components) });

test.each(Object.keys(REPORTERS).flatMap((format) => CASES.map((each) => [format, ...each] as const)))(
  "%s names %s",
  async (format, _, components, flags, kind, words) => {
    const { out } = await check(components, ...flags, "--format", format);
    if (AS_DATA.has(format)) expect(out).toMatch(new RegExp(`"kind": ?"${kind}",\\s*"components": ?1`));
    else for (const word of words) expect(plain(out)).toContain(word);
  },
);

test.each(Object.keys(REPORTERS))("%s names nothing where everything would pass", async (format) => {
  const { out } = await check([DJANGO], "--format", format);
  expect(out).not.toMatch(/allowed|paid for|known to be exploited/i);
});

test("a failure is no longer open", async () => {
  const { exit, out } = await check([REACT], "--fail-on", "kev", "--format", "json");
  expect([exit, out.includes('"allowed"')]).toEqual([1, false]);
});

test("support that has not ended without payment is not named", async () => {
  const { out } = await check(
    [["spring-core", "7.0.1", "pkg:maven/org.springframework/spring-core@7.0.1"]],
    "--support",
    "extended",
    "--format",
    "json",
  );
  expect(out).not.toContain('"paid-support"');
});

test("equal names are one entry with their number", async () => {
  const versions = ["19.0.0", "19.1.0", "19.1.1", "19.2.0"].map(
    (each) => ["react", each, `pkg:npm/react@${each}`] as const,
  );
  const many = [
    ...versions,
    ...versions,
    ["react-server-dom-webpack", "19.2.0", "pkg:npm/react-server-dom-webpack@19.2.0"] as const,
  ];
  const { out } = await check([...many, NODE], "--format", "table");
  expect(plain(out)).toMatch(
    /allowed \d+ components known to be exploited do not fail without --fail-on kev: 2 × react 19\.0\.0/,
  );
});

test.each([
  ["github", /^::warning title=eolgate PASS/],
  ["markdown", /^## ⚠️ PASS/],
  ["html", /class="badge warn">PASS/],
  ["table", /\[43m[^\n]*PASS/],
])("%s does not show a pass of a known exploited version as green", async (format, expected) => {
  const { out } = await runCommand(["check", "-", "--as-of", "2026-08-22", "--format", format], {
    cwd: process.cwd(),
    tty: true,
    stdin: TEXT([REACT, DJANGO]),
  });
  expect(out).toMatch(expected);
});

test("several documents are counted together, and names beyond the first five as a number", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "eolgate-allowed-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const parts = ["react-server-dom-webpack", "react-server-dom-parcel", "react-server-dom-turbopack"];
  const releases = ["19.0.0", "19.1.0", "19.2.0"].flatMap((version) =>
    ["react", ...parts].map((name) => [name, version, `pkg:npm/${name}@${version}`] as const),
  );
  writeFileSync(join(cwd, "one.cdx.json"), TEXT(releases));
  writeFileSync(join(cwd, "two.cdx.json"), TEXT([REACT]));
  const { out } = await runCommand(["check", "one.cdx.json", "two.cdx.json", "--format", "json"], { cwd });
  const [allowed] = (JSON.parse(out) as { readonly allowed: readonly { components: number; releases: unknown[] }[] })
    .allowed;
  expect([allowed?.components, allowed?.releases.length]).toEqual([13, 5]);
});
