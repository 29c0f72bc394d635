/**
 * The samples of the documentation compile against the emitted declarations, with the oldest and the newest
 * TypeScript version that docs/library.md names and with every check that a strict project uses, and they run.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../repository/sources.ts";
import { SAMPLES } from "./samples.ts";

/** API Extractor has its own TypeScript; package.json pins it to the oldest supported version. */
const extractor = createRequire(import.meta.resolve("@microsoft/api-extractor"));
const OLDEST = dirname(extractor.resolve("typescript/package.json"));
const NEWEST = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));

let folder = "";

/** An empty project with the declarations of the package and its dependencies. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-library-"));
  execFileSync(process.execPath, [join(root, "tools/bundle-types.ts"), join(folder, "types")], { cwd: root });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(folder, "bom.json"),
    JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      components: [{ type: "application", name: "node", version: "18.20.1", purl: "pkg:generic/node@18.20.1" }],
    }),
  );
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a compiler prints for all samples and for a file with a type error. Compiled together: most is the types of Node. */
function compile(typescript: string): string {
  const project = mkdtempSync(join(folder, "project-"));
  SAMPLES.forEach(({ code: sample }, index) => writeFileSync(join(project, `sample-${String(index)}.ts`), sample));
  writeFileSync(join(project, "wrong.ts"), 'import { check } from "eolgate";\nawait check("text", { asOf: 1 });\n');
  return run(typescript, project, ["node"]);
}

/** What a compiler prints for a file that only refers to public types, in a project without the types of Node. */
function compileAlone(typescript: string): string {
  const project = mkdtempSync(join(folder, "alone-"));
  writeFileSync(join(project, "alone.ts"), 'export type * from "eolgate";\n');
  return run(typescript, project, []);
}

function run(typescript: string, project: string, types: readonly string[]): string {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types,
    paths: { eolgate: ["../types/index.d.ts"] },
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const compiler = join(typescript, "lib/tsc.js");
  return spawnSync(process.execPath, [compiler, "-p", project], { cwd: project, encoding: "utf8" }).stdout;
}

test.each([
  ["5.4", OLDEST],
  ["7.0", NEWEST],
])(
  "the types and every sample compile with TypeScript %s in strict mode without skipLibCheck",
  { timeout: 300_000 },
  (wanted, typescript) => {
    const { version } = JSON.parse(readFileSync(join(typescript, "package.json"), "utf8"));
    expect(version.split(".").slice(0, 2).join(".")).toBe(wanted);
    expect(readFileSync(join(root, "docs/library.md"), "utf8")).toContain(wanted);
    expect(SAMPLES.length).toBeGreaterThanOrEqual(7);
    // An error starts with its file; what follows it is indented. Only the file with a type error has one.
    expect(
      compile(typescript)
        .trimEnd()
        .split(/\n(?! )/),
    ).toEqual([expect.stringMatching(/^wrong\.ts\(2,13\): error TS2345/)]);
    expect(compileAlone(typescript)).toBe("");
  },
);

test("the types refer to no package, and to no type of Node", () => {
  const declarations = readFileSync(join(folder, "types/index.d.ts"), "utf8");
  expect(declarations).not.toMatch(/^import|\bimport\(|\bNodeJS\.|\bBuffer\b|<reference /m);
});

describe("execution of the samples", () => {
  test.each(SAMPLES.filter(({ run }) => run).map((sample) => [sample.name, sample.code] as const))(
    "%s",
    { timeout: 60_000 },
    (name, code) => {
      const work = join(folder, `run ${name.replaceAll("/", "-")}`);
      cpSync(join(folder, "bom.json"), join(work, "bom.json"));
      const entry = pathToFileURL(join(root, "src/index.ts")).href;
      writeFileSync(join(work, "sample.ts"), code.replaceAll('"eolgate"', JSON.stringify(entry)));
      // The sources, which each process would compile again.
      const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };
      const { status, stderr } = spawnSync(process.execPath, ["sample.ts"], { cwd: work, encoding: "utf8", env });
      expect(stderr).not.toMatch(/ at .*\(/);
      expect([0, 1]).toContain(status);
    },
  );
});
