/** Each kind of file of a checked repository in each format: what it changed is named, or it is not applied. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CONTRIBUTION_KINDS } from "../../src/model/contributions.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { runCommand } from "./fake-io.ts";

const roots = mkdtempSync(join(tmpdir(), "eolgate-contributions-"));
afterAll(() => rmSync(roots, { recursive: true }));

const DOCKERFILE = "FROM node:16\nFROM python:3.7\nFROM debian:9\n";

/** The files of a repository that depends on ended software, and one more file that contributes. */
function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(roots, "repository-"));
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "legacy"));
  for (const [name, text] of Object.entries({
    Dockerfile: DOCKERFILE,
    "legacy/Dockerfile": "FROM php:7.0\n",
    ...files,
  }))
    writeFileSync(join(root, name), text);
  return root;
}

const check = (root: string, ...flags: readonly string[]) => runCommand(["check", ".", ...flags], { cwd: root });

/** The full report of the repository as it is, for a baseline. */
const baseline = (await check(repository({}), "--format", "json")).out;

const config = (settings: object): Readonly<Record<string, string>> => ({
  "eolgate.config.yaml": JSON.stringify(settings),
});
const own = (value: object): Readonly<Record<string, string>> => ({ "eolgate.catalogue.yaml": JSON.stringify(value) });

/** What files of a repository can do to make the gate pass, and what names it. */
const CASES: readonly (readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  expected: {
    readonly kind: (typeof CONTRIBUTION_KINDS)[number];
    readonly file: string;
    readonly words: readonly string[];
  },
])[] = [
  [
    "corrects dates",
    own({
      products: [
        { slug: "nodejs", cycles: [{ cycle: "16", eol: "2030-01-01", reason: "ours" }] },
        { slug: "debian", cycles: [{ cycle: "9", eol: false, reason: "ours" }] },
      ],
    }),
    { kind: "catalogue", file: "eolgate.catalogue.yaml", words: ["corrects 2 components", "2030-01-01", "2023-09-11"] },
  ],
  [
    "maps a package URL to another product",
    own({ products: [{ slug: "acme", purls: ["pkg:docker/library/node"], cycles: [{ cycle: "16", eol: false }] }] }),
    { kind: "purls", file: "eolgate.catalogue.yaml", words: ["identifies 1 component", "acme 16"] },
  ],
  [
    "waives",
    config({ waivers: [{ target: "nodejs:16", reason: "later", expires: "2027-01-01" }] }),
    { kind: "waivers", file: "eolgate.config.yaml", words: ["waives 1 component", "node", "fail by eol"] },
  ],
  [
    "accepts known failures",
    { ...config({ baseline: "known.json" }), "known.json": baseline },
    { kind: "baseline", file: "known.json", words: ["accepts 4 known failures", "fail by eol"] },
  ],
  [
    "fails on less",
    config({ failOn: ["score>=100"] }),
    { kind: "policy", file: "eolgate.config.yaml", words: ["failOn", "weakens 4 answers", "fail by eol"] },
  ],
  [
    "counts support that is paid for",
    config({ contracts: [{ product: "debian", cycle: "9", vendor: "Freexian", until: "2030-06-30" }] }),
    { kind: "policy", file: "eolgate.config.yaml", words: ["contracts", "weakens 1 answer", "2030-06-30"] },
  ],
  [
    "leaves out a folder",
    config({ exclude: ["legacy"] }),
    { kind: "exclude", file: "eolgate.config.yaml", words: ["exclude", "leaves out 1 file or folder"] },
  ],
  [
    "does not fail",
    config({ exitZero: true }),
    { kind: "exit", file: "eolgate.config.yaml", words: ["exitZero", "changes the exit code", "1 fail"] },
  ],
  [
    "accepts old statements",
    config({ maxCatalogueAge: 3650 }),
    { kind: "settings", file: "eolgate.config.yaml", words: ["maxCatalogueAge"] },
  ],
];

/** Escapes of the formats, removed: the words are compared as people read them. */
const plain = (text: string): string =>
  text
    .replaceAll(/\r\n[ \t]/g, "")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\\([-\\;,.()>+_#!|`*[\]{}"])/g, "$1")
    .replaceAll("&gt;", ">")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll(/\s+/g, " ");

/** Formats in which a contribution is data, and not a sentence. */
const AS_DATA: ReadonlySet<string> = new Set(["json", "ndjson", "in-toto"]);

const FORMATS = Object.keys(REPORTERS).flatMap((format) =>
  CASES.map(([name, files, expected]) => [format, name, files, expected] as const),
);

test("every kind of contribution has a case", () => {
  expect(new Set(CASES.map(([, , { kind }]) => kind))).toEqual(new Set(CONTRIBUTION_KINDS));
});

test.each(FORMATS)("%s names a file that %s", async (format, _, files, { kind, file, words }) => {
  const root = repository(files);
  const { out } = await check(root, "--format", format);
  if (AS_DATA.has(format)) expect(out).toMatch(new RegExp(`"kind": ?"${kind}",\\s*"file": ?"${file}"`));
  else for (const word of [file, ...words]) expect(plain(out)).toContain(word);
});

test.each(Object.keys(REPORTERS))("%s names nothing without such a file", async (format) => {
  const { out } = await check(repository({}), "--format", format);
  expect(out).not.toMatch(/contribution|changed {2}|files? of this repository/i);
});

describe("the verdict names corrections in", () => {
  test.each(["table", "markdown", "github", "html"])("%s", async (format) => {
    const [, files] = CASES[0] ?? [];
    const { out } = await check(repository(files ?? {}), "--format", format);
    expect(plain(out)).toContain("2 corrected by eolgate.catalogue.yaml");
  });
});

describe("with --strict, a file that was found makes no answer weaker when it", () => {
  test.each(CASES)("%s", async (_, files) => {
    const root = repository(files);
    const { exit, out } = await check(root, "--strict", "--format", "json");
    const plainRun = await check(repository({}), "--strict", "--format", "json");
    expect(exit).toBe(plainRun.exit);
    const failing = (text: string) =>
      /"gate": .*"verdict":"(\w+)".*"condition":"eol","count":(\d+)/.exec(text)?.slice(1);
    expect(failing(out)).toEqual(failing(plainRun.out));
    expect(out).toContain('"applied":false');
  });
});

test("a file that the operator names is applied with --strict", async () => {
  const root = repository(config({ exitZero: true }));
  expect((await check(root, "--strict", "--config", "eolgate.config.yaml")).exit).toBe(0);
});

test("outside of a repository no file of a parent folder is found", async () => {
  const root = mkdtempSync(join(roots, "folder-"));
  const inner = join(root, "a", "b");
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, "Dockerfile"), DOCKERFILE);
  writeFileSync(join(root, "eolgate.config.yaml"), "exitZero: true\n");
  writeFileSync(join(root, "eolgate.catalogue.yaml"), CASES[0]?.[1]["eolgate.catalogue.yaml"] ?? "");
  const { exit, out } = await check(inner, "--format", "json");
  expect([exit, out.includes('"contributions"'), out.includes('"config_file":null')]).toEqual([1, false, true]);
});
