/** `--config-from`: what files of the repository contribute is read from a commit, and nothing of the working tree counts. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isInstalled } from "../programs.ts";
import { runCommand } from "./fake-io.ts";

const roots = mkdtempSync(join(tmpdir(), "eolgate-config-from-"));
afterAll(() => rmSync(roots, { recursive: true }));

type Files = Readonly<Record<string, string>>;

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

function write(root: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

const DOCKERFILES = { Dockerfile: "FROM node:16\n", "part/Dockerfile": "FROM python:3.7\n" };

/** A repository with a commit of these files, tagged `base`, and then `later` in the working tree. */
function repository(committed: Files, later: Files = {}): string {
  const root = mkdtempSync(join(roots, "repository-"));
  git(root, "init", "--quiet");
  write(root, { ...DOCKERFILES, ...committed });
  git(root, "add", "--all", "--force");
  git(root, "commit", "--quiet", "--message", "base");
  git(root, "tag", "base");
  write(root, later);
  return root;
}

const check = (cwd: string, ...flags: readonly string[]) => runCommand(["check", ".", ...flags], { cwd });
const fromBase = (cwd: string, ...flags: readonly string[]) => check(cwd, "--config-from", "base", ...flags);

const json = JSON.stringify;
const config = (settings: object): Files => ({ "eolgate.config.yaml": json(settings) });
const own = (...cycles: readonly (readonly [slug: string, cycle: string, eol: string])[]): Files => ({
  "eolgate.catalogue.yaml": json({
    products: cycles.map(([slug, cycle, eol]) => ({ slug, cycles: [{ cycle, eol, reason: "ours" }] })),
  }),
});
const waivers = {
  waivers: ["nodejs:16", "python:3.7"].map((target) => ({ target, reason: "later", expires: "2027-01-01" })),
};
const current = own(["nodejs", "16", "2033-03-03"], ["python", "3.7", "2033-03-03"]);

describe.runIf(isInstalled("git"))("--config-from", () => {
  const known = async (): Promise<string> => (await check(repository({}), "--format", "json")).out;

  /** Files that make the check pass. */
  const PASSING: readonly (readonly [name: string, files: () => Files | Promise<Files>])[] = [
    ["a configuration", () => config({ failOn: ["score>=100"] })],
    ["waivers", () => config(waivers)],
    ["an own catalogue", () => current],
    [
      "a purl map",
      () => ({
        "eolgate.catalogue.yaml": json({
          products: [
            { slug: "acme", purls: ["pkg:docker/library/node"], cycles: [{ cycle: "16", eol: false }] },
            { slug: "acme-too", purls: ["pkg:docker/library/python"], cycles: [{ cycle: "3.7", eol: false }] },
          ],
        }),
      }),
    ],
    ["a baseline", async () => ({ ...config({ baseline: "known.json" }), "known.json": await known() })],
    ["excludes", () => config({ exclude: ["part", "/Dockerfile"], allowEmpty: true })],
    ["exitZero", () => config({ exitZero: true })],
  ];

  test.each(PASSING)("reads %s from the commit, not from the working tree", async (_, filesOf) => {
    const files = await filesOf();
    const lost = Object.fromEntries(Object.keys(files).map((file) => [file, "{}"]));
    const kept = repository(files, lost);
    const expected = (await check(repository(files))).exit;
    expect(expected).not.toBe(1);
    expect((await fromBase(kept)).exit).toBe(expected);
    expect((await check(kept)).exit).not.toBe(expected);
  });

  test.each(PASSING)("applies nothing of the working tree: %s", async (_, filesOf) => {
    const root = repository({}, await filesOf());
    expect((await check(root)).exit).not.toBe(1);
    expect((await fromBase(root)).exit).toBe(1);
    // Neither does a later commit count.
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--message", "later");
    expect((await fromBase(root)).exit).toBe(1);
  });

  test.each([
    ["--config", "ci/eolgate.json", json({ exitZero: true })],
    ["--own-catalogue", "ci/own.yaml", current["eolgate.catalogue.yaml"] ?? ""],
  ])("reads the file that %s names from the commit", async (flag, file, text) => {
    const root = repository({ [file]: text }, { [file]: "[" });
    expect((await check(root, flag, file)).exit).toBe(2);
    expect((await fromBase(root, flag, file)).exit).toBe(0);
    expect((await fromBase(root, flag, join(root, file))).exit).toBe(0);
  });

  test("reads a baseline that a flag names from the commit", async () => {
    const root = repository({ "known.json": await known() }, { "known.json": "[" });
    expect((await fromBase(root, "--baseline", "known.json")).exit).toBe(0);
    const added = repository({}, { "known.json": await known() });
    const { exit, err } = await fromBase(added, "--baseline", "known.json");
    expect([exit, err]).toEqual([2, expect.stringContaining("the commit has no such file")]);
  });

  test("reads files outside of the repository from the disk", async () => {
    const root = repository({});
    const outside = join(mkdtempSync(join(roots, "outside-")), "eolgate.json");
    writeFileSync(outside, json({ exitZero: true }));
    expect((await fromBase(root, "--config", outside)).exit).toBe(0);
  });

  test("does not follow a link of the working tree out of the repository", async () => {
    const outside = mkdtempSync(join(roots, "outside-"));
    write(outside, { "eolgate.json": json({ exitZero: true }) });
    const root = repository({ "ci/eolgate.json": "{}" });
    rmSync(join(root, "ci"), { recursive: true });
    symlinkSync(outside, join(root, "ci"));
    expect((await check(root, "--config", "ci/eolgate.json")).exit).toBe(0);
    expect((await fromBase(root, "--config", "ci/eolgate.json")).exit).toBe(1);
    // Also where the repository itself is named through a link.
    const link = join(mkdtempSync(join(roots, "links-")), "repository");
    symlinkSync(root, link);
    expect((await fromBase(root, "--config", join(link, "ci/eolgate.json"))).exit).toBe(1);
  });

  test("reads the catalogue and the included documents from the commit", async () => {
    const catalogue = readFileSync(join(import.meta.dirname, "../fixtures/catalogue.json"), "utf8");
    const root = repository({ ...config({ catalogue: "c.json" }), "c.json": catalogue }, { "c.json": "[" });
    const { out } = await fromBase(root, "--format", "json");
    expect(out).toMatch(/"origin": ?"c\.json"/);
    expect((await check(root)).exit).not.toBe(1);
    const including = repository(
      { "eolgate.catalogue.yaml": json({ include: ["lacking.json"] }) },
      { "lacking.json": "{}" },
    );
    expect((await fromBase(including)).err).toContain("lacking.json");
  });

  test("finds the nearest file above the working directory, also where the folder is new", async () => {
    const root = repository({ ...config({ exitZero: true }), "part/eolgate.config.yaml": "{}" });
    expect((await fromBase(join(root, "part"))).exit).toBe(1);
    write(root, { "new/Dockerfile": "FROM node:16\n" });
    expect((await fromBase(join(root, "new"))).exit).toBe(0);
  });

  test("follows links within the commit, and none out of it", async () => {
    const root = repository({ "shared/config.json": json({ exitZero: true }) });
    symlinkSync("shared/config.json", join(root, "eolgate.config.json"));
    symlinkSync("/etc/hostname", join(root, "out.json"));
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--amend", "--message", "base");
    git(root, "tag", "--force", "base");
    rmSync(join(root, "shared"), { recursive: true });
    expect((await fromBase(root)).exit).toBe(0);
    expect((await fromBase(root, "--config", "out.json")).err).toContain("the commit has no such file");
  });

  test("names the commit in the report", async () => {
    const root = repository({ ...config(waivers), ...own(["python", "3.7", "2033-03-03"]) });
    const commit = git(root, "rev-parse", "HEAD");
    const report: unknown = JSON.parse((await fromBase(root, "--format", "json")).out);
    expect(report).toMatchObject({
      settings: { config_file: "eolgate.config.yaml", config_from: commit },
      contributions: [
        { kind: "catalogue", file: "eolgate.catalogue.yaml", commit },
        { kind: "waivers", file: "eolgate.config.yaml", commit },
      ],
    });
    for (const format of ["table", "markdown", "sarif", "github"])
      expect((await fromBase(root, "--format", format)).out).toContain(
        `eolgate.config.yaml of commit ${commit.slice(0, 12)}`,
      );
    expect(JSON.parse((await check(root, "--format", "json")).out)).toMatchObject({
      settings: { config_from: null },
      contributions: [{ commit: null }, {}],
    });
  });

  test("applies nothing that was found and makes an answer weaker with --strict", async () => {
    expect((await fromBase(repository(config(waivers)), "--strict")).exit).toBe(1);
  });

  test.each([
    ["no commit", "nowhere"],
    ["a commit that is not in the clone", "0123456789012345678901234567890123456789"],
    ["a file", "HEAD:Dockerfile"],
    ["an option", "--output=pwned"],
    ["nothing that git accepts", "a\nb"],
  ])("refuses a name of %s", async (_, ref) => {
    const root = repository(config({ exitZero: true }));
    const { exit, err } = await check(root, `--config-from=${ref}`);
    expect([exit, err]).toEqual([2, expect.stringContaining("names no commit of this clone")]);
    expect(existsSync(join(root, "pwned"))).toBe(false);
  });

  test("refuses a folder without a repository, and one that only looks like a repository", async () => {
    const plain = mkdtempSync(join(roots, "plain-"));
    write(plain, { ...DOCKERFILES, ...config({ exitZero: true }) });
    expect(await check(plain, "--config-from", "HEAD")).toMatchObject({ exit: 2, out: "" });
    const root = repository({});
    git(root, "clone", "--quiet", "--bare", root, join(root, "bare"));
    expect(await check(join(root, "bare"), "--config-from", "HEAD")).toMatchObject({ exit: 2, out: "" });
  });

  test("is read from the environment, by every command that has a policy", async () => {
    const root = repository({}, current);
    for (const args of [
      ["check", "--verbose"],
      ["status", "nodejs", "16"],
      ["explain", "nodejs:16"],
    ]) {
      expect((await runCommand(args, { cwd: root })).out).toContain("2033");
      const { out } = await runCommand(args, { cwd: root, env: { EOLGATE_CONFIG_FROM: "base" } });
      expect(out).toMatch(/^(?![^]*2033)[^]*2023/);
    }
  });

  describe("starts no program that the repository names", () => {
    /** A script that leaves a trace and passes its input on. */
    const planted = (root: string, path: string): string => {
      write(root, { [path]: `#!/bin/sh\ntouch ${join(root, "pwned")}\ncat\n` });
      execFileSync("chmod", ["+x", join(root, path)]);
      return join(root, path);
    };
    const passes = async (root: string): Promise<void> => {
      expect((await fromBase(root)).exit).toBe(0);
      expect(existsSync(join(root, "pwned"))).toBe(false);
    };

    test("in its configuration: filters, conversions, monitors, hooks, aliases", async () => {
      const root = repository({
        ...config({ exitZero: true }),
        ".gitattributes": "* filter=evil diff=evil working-tree-encoding=UTF-8\n",
      });
      const program = planted(root, "evil.sh");
      const settings =
        "filter.evil.smudge filter.evil.clean filter.evil.process diff.evil.textconv diff.external core.fsmonitor core.pager alias.rev-parse alias.cat-file core.sshCommand core.editor credential.helper gpg.program";
      for (const key of settings.split(" "))
        git(root, "config", key, key.startsWith("alias") ? `!${program}` : program);
      planted(root, ".git/hooks/post-index-change");
      planted(root, ".git/hooks/reference-transaction");
      await passes(root);
    });

    test("in a folder of the search path", async () => {
      const root = repository(config({ exitZero: true }));
      planted(root, "node_modules/.bin/git");
      planted(root, "git");
      const before = process.env["PATH"] ?? "";
      process.env["PATH"] = [join(root, "node_modules/.bin"), ".", "", before].join(":");
      try {
        await passes(root);
      } finally {
        process.env["PATH"] = before;
      }
    });

    test("and ignores objects that replace those of the commit", async () => {
      const root = repository({ "eolgate.config.yaml": json({ exitZero: false }) });
      const blob = git(root, "rev-parse", "HEAD:eolgate.config.yaml");
      write(root, { "other.json": json({ exitZero: true }) });
      git(root, "replace", blob, git(root, "hash-object", "-w", "other.json"));
      expect((await fromBase(root)).exit).toBe(1);
    });

    test("and fetches nothing in a partial clone", async () => {
      const origin = repository(config({ exitZero: true }));
      git(origin, "config", "uploadpack.allowFilter", "true");
      const clone = join(mkdtempSync(join(roots, "clone-")), "clone");
      git(origin, "clone", "--quiet", "--no-checkout", "--filter=blob:none", `file://${origin}`, clone);
      write(clone, DOCKERFILES);
      expect(await fromBase(clone)).toMatchObject({ exit: 2, err: expect.stringContaining("config-from") });
    });
  });
});
