/** docs/inputs.md lists the files of every table: kinds that are read, names of SBOMs, files that are not read. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MANIFESTS, UNREAD_KINDS, isSbomName } from "../../../src/api/inventory/names.ts";
import { LOCKFILE_KINDS } from "../../../src/files/lockfiles/kinds.ts";
import { PIN_KINDS } from "../../../src/files/pins/kinds.ts";
import { mayBeInput } from "../../../src/files/read.ts";

const PAGE = readFileSync(new URL("../../../docs/inputs.md", import.meta.url), "utf8");

/** The part of the page below a heading, up to the next one. */
const section = (heading: string): string => PAGE.split(`\n${heading}\n`)[1]?.split(/\n#+ /)[0] ?? "";
const quoted = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
/** Files that a pattern of the page names; two kinds of YAML have one ending only. */
const samplesOf = (pattern: string): readonly string[] => {
  const sample = pattern.replaceAll("**", "a/b").replaceAll("*", "some");
  return /(?<!pnpm-lock|stack)\.ya?ml$/.test(sample)
    ? [".yml", ".yaml"].map((end) => sample.replace(/\.ya?ml$/, end))
    : [sample];
};

interface Row {
  readonly names: string;
  readonly files: readonly string[];
}
const rowsOf = (text: string): readonly Row[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) => line.split(" | "))
    .map(([names = "", files = ""]) => ({
      names: names.replace(/^\| /, ""),
      files: quoted(files.replace(/ with .*? and images$/, "")),
    }));

describe.each([
  ["### Lockfiles", LOCKFILE_KINDS, rowsOf(section("## Lockfiles and build files"))],
  ["### Pins", PIN_KINDS, rowsOf(section("## Version pins"))],
])("%s", (_, kinds, rows) => {
  const table: readonly (readonly [string, RegExp])[] = Object.entries(kinds).map(([name, { path }]) => [name, path]);

  test("every kind has a row, and every row a kind", () => {
    expect(rows.flatMap(({ names }) => quoted(names)).toSorted()).toEqual(table.map(([name]) => name).toSorted());
  });

  test.each(rows)("$names: the files are of the kind, and each kind has one", ({ names, files }) => {
    const patterns = table.filter(([name]) => quoted(names).includes(name)).map(([, path]) => path);
    const samples = files.flatMap(samplesOf);
    expect(samples.filter((file) => !patterns.some((path) => path.test(file)))).toEqual([]);
    expect(patterns.filter((path) => !samples.some((file) => path.test(file)))).toEqual([]);
  });
});

test("a folder does not skip a file of any table", () => {
  const rows = ["## Lockfiles and build files", "## Version pins", "### Files that are named and not read"].map(
    section,
  );
  const samples = rows.flatMap(rowsOf).flatMap(({ files }) => files.flatMap(samplesOf));
  expect(samples.filter((file) => !mayBeInput(file))).toEqual([]);
  expect(samples.length).toBeGreaterThan(150);
});

describe("names of SBOMs", () => {
  const names = quoted(section("## SBOMs").split("are SBOMs, also with")[1]?.split("VEX")[0] ?? "").slice(1);
  test.each(names)("%s is one", (name) => {
    expect(samplesOf(name).every((file) => isSbomName(file) || isSbomName(`${file}.gz`))).toBe(true);
  });
  test("are all listed", () => {
    const ends = ["cdx", "bom", "sbom", "spdx", "spdx3", "intoto", "att"];
    expect(ends.filter((end) => !names.some((name) => name.startsWith(`*.${end}`)))).toEqual([]);
    expect(["bom.json", "sbom.xml", "*.spdx", "*.spdx.rdf"].filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe("files that are not read", () => {
  const text = section("### Files that are named and not read");
  const rows = rowsOf(text);

  test("are all listed by the name in the report", () => {
    const listed = rows.flatMap(({ names }) => names.split(", "));
    expect(listed.toSorted()).toEqual(UNREAD_KINDS.map(({ name }) => name).toSorted());
  });

  test.each(UNREAD_KINDS)("$name has its files", ({ name, path }) => {
    const samples = rows.find(({ names }) => names.split(", ").includes(name))?.files.flatMap(samplesOf) ?? [];
    expect(samples.some((file) => path.test(file))).toBe(true);
  });

  test("name no file of another table", () => {
    const samples = rows.flatMap(({ files }) => files.flatMap(samplesOf));
    expect(samples.filter((file) => !UNREAD_KINDS.some(({ path }) => path.test(file)))).toEqual([]);
  });

  test("are manifests without a lockfile, each of them listed", () => {
    const manifests = quoted(text.split("are not known")[0] ?? "");
    expect(manifests.filter((file) => !MANIFESTS.some(({ path }) => path.test(file)))).toEqual([]);
    expect(MANIFESTS.filter(({ path }) => !manifests.some((file) => path.test(file)))).toEqual([]);
  });
});
