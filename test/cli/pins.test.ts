/** `check --stack`, and version pins in folders: the components, their locations, and the exit code. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const catalogue = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "eolgate-scan-"));
  await mkdir(join(folder, "app"));
  await writeFile(join(folder, "app", ".nvmrc"), "18\n");
  await writeFile(join(folder, "app", "Dockerfile"), "# ours\nFROM python:3.9-slim\n");
  await mkdir(join(folder, "bare"));
});
afterAll(async () => rm(folder, { recursive: true }));

const check = (...args: readonly string[]) =>
  runCommand(["check", ...args, "--catalogue", catalogue, "--as-of", "2026-08-22", "--format", "json"], {
    cwd: folder,
  });

interface Findings {
  readonly documents: readonly {
    readonly document: { readonly file: string; readonly format: string };
    readonly findings: readonly { readonly product?: string; readonly cycle?: string }[];
  }[];
}
const linesOf = (out: string): readonly string[] =>
  (JSON.parse(out) as Findings).documents.flatMap(({ document, findings }) =>
    findings.map(({ product = "", cycle = "" }) => `${document.file} ${document.format} ${product} ${cycle}`),
  );

test("reports each version pin of a folder with its file, and fails the gate", async () => {
  const { exit, out } = await check("app");
  expect([exit, linesOf(out)]).toEqual([1, ["app/.nvmrc pins nodejs 18", "app/Dockerfile pins python 3.9"]]);
});

test("assesses a folder with a version and a range, but not one with only a range", async () => {
  await mkdir(join(folder, "mixed"), { recursive: true });
  await writeFile(join(folder, "mixed", "package.json"), `{"engines":{"node":">=22"}}`);
  expect((await check("mixed")).exit).toBe(6);
  await writeFile(join(folder, "mixed", ".nvmrc"), "22\n");
  expect((await check("mixed")).exit).toBe(0);
});

test("--stack needs no file", async () => {
  const { exit, out } = await check("--stack", "nodejs:18");
  expect([exit, out.includes('"nodejs"')]).toEqual([1, true]);
});

test.each([
  [["bare"], 3, "the folder has no SBOM, no lockfile and no version pin"],
  [["absent"], 3, "no such file"],
  [["--stack", "nodejs"], 2, "is not a product:version pair"],
] as const)("%j exits with code %i", async (args, exit, message) => {
  const result = await check(...args);
  expect([result.exit, result.err.includes(message)]).toEqual([exit, true]);
});
