/**
 * A configuration file is data of the checked repository: no setting of it reads or writes outside of its folder,
 * replaces anything but an earlier report, or opens the network. The tests go through every field of its schema.
 */
import { execFileSync } from "node:child_process";
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FieldName, type FieldTraits, POLICY_FIELDS, SETTING_FIELDS } from "../../src/policy/fields.ts";
import { configSchema } from "../../src/policy/policy.ts";
import { REPORTERS, type ReporterName } from "../../src/report/reporters.ts";
import { runCommand } from "../cli/fake-io.ts";

const EOLGATE_CATALOGUE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
const temporary = realpathSync(mkdtempSync(join(tmpdir(), "eolgate-config-data-")));
const outside = join(temporary, "outside");
const SECRET = "canary-of-a-secret";
const BOM = JSON.stringify({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "platform", name: "nodejs", version: "16.1.0", purl: "pkg:generic/node@16.1.0" }],
});

/** The paths that were opened while the function ran, without links. */
const opened = new Set<string>();
const original = { openSync: fs.openSync, readFileSync: fs.readFileSync, open: fs.promises.open };
const record = (path: unknown): void => {
  if (typeof path !== "string" && !(path instanceof URL)) return;
  const text = typeof path === "string" ? resolve(path) : fileURLToPath(path);
  opened.add(existsSync(text) ? realpathSync(text) : text);
};
beforeAll(() => {
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.json"), `${SECRET}: [`);
  const recording =
    <Rest extends readonly unknown[], Result>(act: (path: never, ...rest: Rest) => Result) =>
    (path: never, ...rest: Rest): Result => {
      record(path);
      return act(path, ...rest);
    };
  Object.assign(fs, { openSync: recording(original.openSync), readFileSync: recording(original.readFileSync) });
  Object.assign(fs.promises, { open: recording(original.open) });
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(fs, { openSync: original.openSync, readFileSync: original.readFileSync });
  Object.assign(fs.promises, { open: original.open });
  syncBuiltinESMExports();
  rmSync(temporary, { recursive: true });
});

/** A new repository with a document, links that leave it, and a configuration file. */
function project(config: unknown): string {
  const cwd = mkdtempSync(join(temporary, "project-"));
  mkdirSync(join(cwd, ".git"));
  writeFileSync(join(cwd, ".git", "config"), `${SECRET}: [`);
  writeFileSync(join(cwd, "bom.json"), BOM);
  writeFileSync(join(cwd, "mine.txt"), SECRET);
  symlinkSync(join(outside, "secret.json"), join(cwd, "link.json"));
  symlinkSync(join(outside, "new.json"), join(cwd, "dangling.json"));
  symlinkSync(outside, join(cwd, "linked"));
  writeFileSync(join(cwd, "eolgate.config.json"), JSON.stringify(config));
  return cwd;
}

const checkWith = (cwd: string, env: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
  runCommand(["check", "bom.json", ...argv], { cwd, today: "2026-12-01", env: { HOME: cwd, ...env } });
const check = (cwd: string, ...argv: readonly string[]) => checkWith(cwd, { EOLGATE_CATALOGUE }, ...argv);

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A valid value of each kind of text that is not free. */
function sample(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.format === "date") return "2027-01-01";
  return schema.pattern?.startsWith("^pkg:") === true ? "pkg:npm/a" : schema.pattern === undefined ? "text" : "nodejs";
}

/** The values of the schema in which one free text is hostile. */
function hostileValues(schema: Schema, hostile: string): readonly unknown[] {
  if (schema.items) return hostileValues(schema.items, hostile).map((value) => [value]);
  const { properties = {}, required = [] } = schema;
  const base = Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
  const nested = Object.entries(properties).flatMap(([name, each]) =>
    hostileValues(each, hostile).map((value) => ({ ...base, [name]: value })),
  );
  const isFree = schema.type === "string" && schema.pattern === undefined && schema.format === undefined;
  return isFree ? [hostile, `json=${hostile}`] : nested;
}

const FIELDS: Readonly<Record<string, FieldTraits>> = { ...POLICY_FIELDS, ...SETTING_FIELDS };
const SCHEMAS = Object.entries((configSchema() as Schema).properties ?? {});
const hasFreeText = (schema: Schema): boolean => hostileValues(schema, "x").length > 0;

test("every setting with free text is known to be a path or not", () => {
  const kinds = SCHEMAS.filter(([, schema]) => hasFreeText(schema)).map(([key]) => [key, FIELDS[key]?.path ?? "text"]);
  expect(Object.fromEntries(kinds)).toEqual({
    $schema: "text",
    baseline: "input",
    catalogue: "input",
    contracts: "text",
    denyLicense: "text",
    exclude: "text",
    forecast: "text",
    format: "text",
    imageMirrors: "text",
    report: "report",
    waivers: "text",
  });
});

const PATHS = [
  join(outside, "secret.json"),
  join(outside, "new.json"),
  "../outside/secret.json",
  "../outside/new/report.json",
  "link.json",
  "dangling.json",
  "linked/secret.json",
  "linked/new.json",
  "linked/{document}.json",
  ".git/config",
  ".git/hooks.json",
  ".GIT/config",
  "/dev/null",
  "/proc/self/environ",
  ".",
];

describe("a setting never reaches outside of the folder", () => {
  const cases = SCHEMAS.filter(([, schema]) => hasFreeText(schema));
  test.each(cases)("%s", async (key, schema) => {
    for (const path of PATHS)
      for (const value of hostileValues(schema, path)) {
        const cwd = project({ [key]: value });
        opened.clear();
        const { exit, out, err } = await checkWith(cwd, key === "catalogue" ? {} : { EOLGATE_CATALOGUE });
        const isGitFile = (file: string): boolean => file.toLowerCase().includes(`${cwd.toLowerCase()}/.git/`);
        const reached = [...opened].filter(
          (file) => file.startsWith(outside) || /^\/(?:dev|proc)\//.test(file) || isGitFile(file),
        );
        expect({ value, reached, left: readdirSync(outside) }).toEqual({ value, reached: [], left: ["secret.json"] });
        expect(out + err).not.toContain(SECRET);
        expect(readFileSync(join(outside, "secret.json"), "utf8")).toBe(`${SECRET}: [`);
        expect(readdirSync(join(cwd, ".git"))).toEqual(["config"]);
        if (FIELDS[key]?.path === "input" && value === path)
          expect([value, exit, err]).toEqual([value, 2, expect.stringContaining(key)]);
      }
  });

  test.each(PATHS)("a report at %s ends with exit code 2 and names the field", async (path) => {
    const { exit, err } = await check(project({ report: [`json=${path}`] }));
    expect([exit, err]).toEqual([2, expect.stringMatching(/eolgate\.config\.json: report|--report/)]);
  });

  test("a pipe is refused before it is opened", async () => {
    const cwd = project({ baseline: "pipe" });
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(cwd, "pipe")]);
    expect(await check(cwd)).toMatchObject({ exit: 2, err: expect.stringContaining("not a regular file") });
  });

  test("a file with the name - is a file, and not standard input", async () => {
    const cwd = project({ baseline: "-" });
    writeFileSync(join(cwd, "-"), BOM);
    expect((await check(cwd)).exit).toBe(0);
  });

  test("a flag replaces the path of the file, which then has no effect", async () => {
    const cwd = project({ baseline: "../outside/secret.json" });
    expect((await check(cwd, "--baseline", "bom.json")).exit).toBe(0);
  });
});

describe("no setting opens a connection", () => {
  test("without a flag or a variable that asks for it", async () => {
    let connections = 0;
    const server = createServer()
      .on("connection", () => (connections += 1))
      .listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const [key, schema] of SCHEMAS)
      for (const value of [...hostileValues(schema, address), ...(schema.enum ?? [])]) {
        const cwd = project({ [key]: value });
        writeFileSync(join(cwd, ".npmrc"), `registry=${address}\n@a:registry=${address}\n`);
        await check(cwd);
      }
    server.close();
    expect(connections).toBe(0);
  });

  test.each(["deps.dev", "registry", "all"])("signals: %s ends with exit code 2", async (signals) => {
    const { exit, err } = await check(project({ signals }));
    expect([exit, err]).toEqual([2, expect.stringContaining("--signals or EOLGATE_SIGNALS")]);
  });
});

/** A valid value of each field. */
const VALID: Readonly<Record<FieldName, unknown>> = {
  $schema: "schema.json",
  allowEmpty: true,
  allowUnassessed: true,
  asOf: "2026-11-01",
  baseline: "bom.json",
  catalogue: "catalogue.json",
  contracts: [{ product: "centos", vendor: "TuxCare", until: "2027-06-30" }],
  denyLicense: ["AGPL-3.0-only"],
  distroPackages: "both",
  exclude: ["old"],
  exitZero: true,
  failOn: ["kev"],
  forecast: "2y",
  format: "json",
  groupBy: "cycle",
  imageMirrors: [{ mirror: "registry.example.com/hub", of: "docker.io" }],
  inactiveMonths: 12,
  maxCatalogueAge: 400,
  minCoverage: 1,
  privatePackages: ["pkg:npm/@acme/*"],
  report: ["html=out.html"],
  scope: "runtime",
  signals: "off",
  signalsMaxAge: 3,
  signalsTimeout: 10,
  strict: false,
  support: "standard",
  verbose: true,
  waivers: [{ target: "nodejs:16", reason: "moves", expires: "2027-01-01" }],
  supersededAfterDays: 30,
  warnDays: 10,
};

test("every setting of the file is in the report", async () => {
  expect(Object.keys(VALID).toSorted()).toEqual(SCHEMAS.map(([key]) => key).toSorted());
  for (const [key, value] of Object.entries(VALID)) {
    const cwd = project({ [key]: value });
    writeFileSync(join(cwd, "catalogue.json"), readFileSync(EOLGATE_CATALOGUE));
    const env = key === "catalogue" ? {} : { EOLGATE_CATALOGUE };
    const { out, err } = await checkWith(cwd, env, ...(key === "format" ? [] : ["--format", "json"]));
    expect([key, out === "" ? err : ""]).toEqual([key, ""]);
    const { given } = (JSON.parse(out) as { settings: { given: readonly { origin: string }[] } }).settings;
    expect(given.map(({ origin }) => origin)).toContain(`eolgate.config.json: ${key}`);
  }
});

describe("a report that the file names", () => {
  const formats = Object.keys(REPORTERS) as readonly ReporterName[];

  test.each(formats)("replaces an earlier report, and no other file: %s", async (format) => {
    for (const version of ["16.1.0", "24.1.0"]) {
      const cwd = project({ report: [`${format}=out`], forecast: "12m" });
      writeFileSync(join(cwd, "bom.json"), BOM.replaceAll("16.1.0", version));
      expect((await check(cwd)).exit).not.toBe(2);
      const first = readFileSync(join(cwd, "out"), "utf8");
      expect((await check(cwd)).exit).not.toBe(2);
      for (const foreign of ["", "x", `x${first}`, "{}", "[]", "#!/bin/sh\n", `# ${first}`]) {
        writeFileSync(join(cwd, "out"), foreign);
        expect([foreign, (await check(cwd)).exit]).toEqual([foreign, 2]);
        expect(readFileSync(join(cwd, "out"), "utf8")).toBe(foreign);
      }
    }
  });

  test("replaces a foreign file if a flag names it", async () => {
    const cwd = project({});
    expect((await check(cwd, "--report", "json=mine.txt")).exit).toBe(1);
  });

  test("is relative to the file's folder", async () => {
    const cwd = project({ report: ["json=out.json", "html=reports/{document}.html"] });
    mkdirSync(join(cwd, "inner"));
    writeFileSync(join(cwd, "inner/bom.json"), BOM);
    expect((await check(join(cwd, "inner"))).exit).toBe(1);
    expect(existsSync(join(cwd, "out.json"))).toBe(true);
    expect(existsSync(join(cwd, "reports/bom.json.html"))).toBe(true);
  });

  test("of a document replaces no foreign file", async () => {
    const cwd = project({ report: ["html=reports/{document}.html"] });
    mkdirSync(join(cwd, "reports"));
    writeFileSync(join(cwd, "reports/bom.json.html"), SECRET);
    expect((await check(cwd)).exit).toBe(2);
    expect(readFileSync(join(cwd, "reports/bom.json.html"), "utf8")).toBe(SECRET);
  });
});

describe("the search for the file", () => {
  const found = async (cwd: string): Promise<unknown> => {
    const { out } = await check(cwd, "--format", "json");
    return out === "" ? undefined : (JSON.parse(out) as { settings: { config_file: unknown } }).settings.config_file;
  };
  const nested = (names: Readonly<Record<string, string>>): string => {
    const cwd = mkdtempSync(join(temporary, "search-"));
    mkdirSync(join(cwd, "repository/inner"), { recursive: true });
    for (const [name, text] of Object.entries(names)) {
      mkdirSync(join(cwd, name, ".."), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    writeFileSync(join(cwd, "repository/inner/bom.json"), BOM);
    return join(cwd, "repository/inner");
  };

  test("goes up to the root of the repository", async () => {
    const cwd = nested({ "repository/.git/HEAD": "x", "repository/eolgate.config.json": "{}" });
    expect(await found(cwd)).toBe("../eolgate.config.json");
  });

  test.each(["repository/.git/HEAD", "repository/.git"])("does not go above it: %s", async (git) => {
    expect(await found(nested({ [git]: "x", "eolgate.config.json": "{}" }))).toBeNull();
  });

  test("does not leave a folder that is in no repository", async () => {
    const cwd = nested({ "eolgate.config.json": "{}", "eolgate.catalogue.yaml": "[" });
    expect(await found(cwd)).toBeNull();
    expect((await check(cwd)).exit).toBe(1);
  });

  test("finds nothing with --config none, and a file that a flag names is read", async () => {
    const cwd = nested({
      "repository/.git": "x",
      "repository/eolgate.config.json": '{"exitZero": true}',
      "repository/eolgate.catalogue.yaml": "[",
      "repository/inner/own.yaml": "[",
    });
    expect((await check(cwd)).exit).toBe(2);
    expect((await check(cwd, "--config", "none")).exit).toBe(1);
    expect((await check(cwd, "--config", "none", "--own-catalogue", "own.yaml")).exit).toBe(2);
  });

  test("is the same for the own catalogue", async () => {
    const cwd = nested({ "repository/.git": "x", "eolgate.catalogue.yaml": "[" });
    expect((await check(cwd)).exit).toBe(1);
    writeFileSync(join(cwd, "../eolgate.catalogue.yaml"), "[");
    expect((await check(cwd)).exit).toBe(2);
  });

  test.each(["eolgate.config.json", "eolgate.catalogue.yaml"])(
    "refuses a link out of the repository: %s",
    async (name) => {
      const cwd = nested({ "repository/.git": "x" });
      symlinkSync(join(outside, "secret.json"), join(cwd, name));
      const { exit, err } = await check(cwd);
      expect([exit, err]).toEqual([2, expect.stringContaining("outside of the repository")]);
      expect(err).not.toContain(SECRET);
    },
  );

  test("accepts a link within the repository", async () => {
    const cwd = nested({ "repository/.git": "x", "repository/shared/config.json": "{}" });
    symlinkSync(join(cwd, "../shared/config.json"), join(cwd, "eolgate.config.json"));
    expect(await found(cwd)).toBe("eolgate.config.json");
  });

  test.runIf(process.getuid?.() === 0)(
    "does not enter a folder of another owner, and refuses a foreign file",
    async () => {
      const cwd = nested({ "eolgate.config.json": "{}" });
      fs.chownSync(join(cwd, "../.."), 12_345, 12_345);
      expect(await found(cwd)).toBeNull();
      writeFileSync(join(cwd, "eolgate.config.json"), "{}");
      fs.chownSync(join(cwd, "eolgate.config.json"), 12_345, 12_345);
      expect(await check(cwd)).toMatchObject({ exit: 2, err: expect.stringContaining("another user") });
    },
  );
});
