/** Statements about verdicts on the command line. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { gitState } from "../../src/api/git-state.ts";
import { sourceFiles } from "../repository/sources.ts";
import { runCommand } from "./fake-io.ts";

const cwd = mkdtempSync(join(tmpdir(), "eolgate-statement-"));
afterAll(() => rmSync(cwd, { recursive: true }));

const sbom = (version: string) =>
  JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [{ type: "platform", name: "nodejs", version, purl: `pkg:generic/node@${version}` }],
  });
mkdirSync(join(cwd, "app"));
mkdirSync(join(cwd, "out"));
const FILES = {
  "old.json": sbom("18.20.4"),
  "new.json": sbom("24.1.0"),
  "app/.nvmrc": "24\n",
  "app/.python-version": "3.13\n",
};
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);

const DAY = "2026-11-21";
const run = (...argv: readonly string[]) => runCommand(["check", "--as-of", DAY, ...argv], { cwd, today: DAY });
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const read = (name: string): string => readFileSync(join(cwd, name), "utf8");

test("writes the same bytes to standard output and to a file, in each run", async () => {
  const { out, exit } = await run("new.json", "--format", "in-toto");
  await run("new.json", "--report", "in-toto=out/a.json", "--report", "json=out/report.json", "--quiet");
  expect(exit).toBe(0);
  expect(read("out/a.json")).toBe(out);
  expect(JSON.parse(out)).toMatchObject({
    subject: [{ name: "new.json", digest: { sha256: sha256(FILES["new.json"]) } }],
    predicate: { asOf: DAY, verdict: "pass", validUntil: expect.stringMatching(/^202[78]-/) },
  });
  const kept = read("out/report.json")
    .split(/(?<=\n)/)
    .filter((line) => !/^"(?:settings|catalogue)": /.test(line));
  expect(JSON.parse(out).predicate.report.digest.sha256).toBe(sha256(kept.join("")));
});

test("the check has the same verdict on the last day, and another one on the day after", async () => {
  const verdictOn = async (day: string) =>
    JSON.parse((await runCommand(["check", "new.json", "--as-of", day, "--format", "json"], { cwd, today: DAY })).out)
      .gate.verdict;
  const { predicate } = JSON.parse((await run("new.json", "--format", "in-toto")).out);
  const after = new Date(Date.parse(predicate.validUntil) + 86_400_000).toISOString().slice(0, 10);
  expect(await verdictOn(predicate.validUntil)).toBe(predicate.verdict);
  if (predicate.next !== undefined) expect(await verdictOn(after)).toBe(predicate.next.verdict);
});

test("writes a statement for each document, with the verdict and the last day of its own", async () => {
  await run("old.json", "new.json", "--report", "in-toto=out/{document}.intoto.json", "--quiet");
  const [old, current] = ["old.json", "new.json"].map((name) => JSON.parse(read(`out/${name}.intoto.json`)));
  expect([old.predicate.verdict, current.predicate.verdict]).toEqual(["fail", "pass"]);
  expect([old.subject.length, current.subject[0].name]).toEqual([1, "new.json"]);
  expect(current.predicate.next ?? current.predicate.limit).not.toBe("not-computed");
});

test("the subject of a folder is the list of the files that were read", async () => {
  const { subject, predicate } = JSON.parse((await run("app", "--format", "in-toto")).out);
  expect(predicate.inputs).toHaveLength(2);
  const list = [".nvmrc", ".python-version"].map((name) => `${sha256(read(`app/${name}`))}  app/${name}\n`);
  expect(subject).toEqual([{ name: "app", digest: { sha256: sha256(list.join("")) } }]);
});

describe("the subject of a folder in a Git repository", () => {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: join(cwd, "repository"),
      encoding: "utf8",
    });
  const subjects = async () => {
    const { subject } = JSON.parse((await run("repository", "--format", "in-toto")).out);
    return subject.map(({ digest }: { digest: object }) => Object.keys(digest).join());
  };
  const write = (name: string, text: string) => writeFileSync(join(cwd, "repository", name), text);

  test("contains the commit while the files that were read are those of the commit", async () => {
    mkdirSync(join(cwd, "repository"));
    git("init", "--quiet");
    write(".nvmrc", "24\n");
    expect(await subjects()).toEqual(["sha256"]);
    git("add", ".");
    git("commit", "--quiet", "-m", "first");
    write("verdict.intoto.json", "{}");
    expect(await subjects()).toEqual(["gitCommit", "sha256"]);
    const { subject } = JSON.parse((await run("repository", "--format", "in-toto")).out);
    expect(subject[0]).toEqual({ name: "repository", digest: { gitCommit: git("rev-parse", "HEAD").trim() } });
    write(".python-version", "3.13\n");
    expect(await subjects()).toEqual(["sha256"]);
    git("add", ".");
    git("commit", "--quiet", "-m", "second");
    expect(await subjects()).toEqual(["gitCommit", "sha256"]);
    write(".nvmrc", "22\n");
    expect(await subjects()).toEqual(["sha256"]);
  });
});

describe("the state of a Git repository whose content is not trusted", () => {
  const folder = join(cwd, "untrusted");
  const git = (at: string, ...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: at });
  const commit = (at: string) => {
    git(at, "init", "--quiet");
    writeFileSync(join(at, ".nvmrc"), "24\n");
    git(at, "add", ".");
    git(at, "commit", "--quiet", "-m", "first");
  };

  test.each([
    ["filter.x.clean", "* filter=x\n"],
    ["filter.x.process", "* filter=x\n"],
    ["filter.a=b.clean", "* filter=a=b\n"],
    ["core.fsmonitor", ""],
    ["diff.external", ""],
  ])("starts no program of the setting %s", async (key, attributes) => {
    mkdirSync(folder);
    commit(folder);
    writeFileSync(join(folder, ".gitattributes"), attributes);
    const started = join(cwd, "started");
    git(folder, "config", key, `touch '${started}'; cat`);
    writeFileSync(join(folder, ".nvmrc"), "22\n");
    expect(await gitState(folder, [".nvmrc"])).toMatchObject({ clean: false });
    expect(existsSync(started)).toBe(false);
    // The setting does start it where nothing turns it off.
    spawnSync("git", ["diff", "HEAD"], { cwd: folder });
    expect(existsSync(started)).toBe(true);
    rmSync(started);
    rmSync(folder, { recursive: true });
  });

  test("is not clean for a file of a submodule, and starts no program of it", async () => {
    mkdirSync(join(folder, "part"), { recursive: true });
    commit(join(folder, "part"));
    commit(folder);
    const started = join(cwd, "started");
    git(join(folder, "part"), "config", "core.fsmonitor", `touch '${started}'; cat`);
    expect(await gitState(folder, [".nvmrc"])).toMatchObject({ clean: true });
    expect(await gitState(folder, [".nvmrc", "part/.nvmrc"])).toMatchObject({ clean: false });
    expect(existsSync(started)).toBe(false);
  });
});

test.each([
  ["a version", { version: `sha256:${"a".repeat(64)}` }, "a".repeat(64)],
  [
    "a package URL",
    { purl: `pkg:oci/app@sha256%3A${"B".repeat(64)}?repository_url=example.com/sha256:${"c".repeat(64)}` },
    "b".repeat(64),
  ],
  ["no digest", { version: "1.2.3" }, undefined],
  ["a shorter number", { version: `sha256:${"a".repeat(63)}` }, undefined],
  ["a longer number", { version: `sha512:${"a".repeat(128)}` }, undefined],
])("an SBOM that names its artefact by %s", async (_, fields, digest) => {
  const component = { type: "container", name: "app", ...fields };
  writeFileSync(join(cwd, "image.json"), JSON.stringify({ ...JSON.parse(FILES["new.json"]), metadata: { component } }));
  const { subject } = JSON.parse((await run("image.json", "--format", "in-toto")).out);
  const stated = { name: "app", digest: { sha256: digest }, annotations: { statedBy: "image.json" } };
  expect(subject.slice(1)).toEqual(digest === undefined ? [] : [stated]);
});

test("of documents that cannot be read, nothing is stated", async () => {
  const { out, exit } = await run("new.json", "missing.json", "--format", "in-toto");
  expect(exit).toBe(3);
  expect(JSON.parse(out).predicate).toMatchObject({ verdict: "none", validUntil: DAY, limit: "no-verdict" });
});

describe("a check without a statement", () => {
  const files = new Map(sourceFiles("src").map((file) => [file.path, file] as const));

  /** Everything that is loaded together with a module. */
  const loadedWith = (path: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(path)) return seen;
    seen.add(path);
    for (const { kind, target } of files.get(path)?.imports ?? [])
      if (kind === "value" && target !== undefined) loadedWith(target, seen);
    return seen;
  };

  test("loads no module of statements, of past catalogues and of admission", () => {
    const loaded = loadedWith("src/cli/commands/check.ts");
    expect(loaded.size).toBeGreaterThan(100);
    const own =
      /^src\/(?:attest\/|api\/(?:validity|statement|git-state|admission)|report\/in-toto|cli\/known-at|catalogue\/channel\/)/;
    expect([...files.keys()].filter((path) => own.test(path)).length).toBeGreaterThan(3);
    expect([...loaded].filter((path) => own.test(path))).toEqual([]);
  });
});
