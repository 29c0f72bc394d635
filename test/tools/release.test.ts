/** The rehearsal of a release: what it refuses, up to the first build, and in the files that it has signed. */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sbomOfProgram } from "../../tools/executable/sbom.ts";
import { provenance, signatures, verifySignatures } from "../../tools/release/published.ts";
import { prepare, type Rehearsal } from "../../tools/release/rehearsal.ts";
import { rehearse } from "../../tools/release/rehearse.ts";
import { withBundled } from "../../tools/release/sbom.ts";
import { STEPS } from "../../tools/release/steps.ts";
import { workflowSteps } from "../../tools/release/workflow.ts";

const root = join(import.meta.dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "eolgate-release-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const WORKFLOW = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
const CHANGELOG = "# Changelog\n\n## 1.2.0 (Unreleased)\n\n- New.\n";

function git(cwd: string, ...parameters: readonly string[]): void {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", [...identity, ...parameters], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

let rehearsal: Rehearsal;
const clone = join(scratch, "clone");

/** A committed clone with what the first steps read. */
function startClone(): void {
  rmSync(clone, { recursive: true, force: true });
  mkdirSync(join(clone, ".github/workflows"), { recursive: true });
  writeFileSync(join(clone, ".github/workflows/release.yml"), WORKFLOW);
  writeFileSync(join(clone, "CHANGELOG.md"), CHANGELOG);
  const repository = { url: "git+https://github.com/example/program.git" };
  writeFileSync(
    join(clone, "package.json"),
    JSON.stringify({ name: "program", version: "1.2.0", repository, engines: { node: ">=22.19" } }),
  );
  commit();
}

beforeAll(startClone);
beforeEach(() => {
  rehearsal = prepare(clone, mkdtempSync(join(scratch, "run-")));
});

function commit(): void {
  git(clone, "init", "--quiet");
  git(clone, "add", "--all");
  git(clone, "commit", "--quiet", "--message", "one");
}

/** The lines up to the first build. */
function linesOf(): readonly string[] {
  const lines: string[] = [];
  const early = STEPS.slice(
    0,
    STEPS.findIndex(({ name }) => name === "two builds"),
  );
  rehearse(early, rehearsal, (line) => lines.push(line));
  return lines;
}

describe("before a build, a rehearsal", () => {
  afterEach(startClone);

  test("accepts a clean commit with a section of the changelog", () => {
    expect(linesOf().map((line) => line.split(" (", 1)[0])).toEqual([
      "ok    1/4 version",
      "ok    2/4 changelog",
      "ok    3/4 workflow",
      "ok    4/4 npm metadata",
    ]);
  });

  test.each([
    ["a file without a commit", "version", () => writeFileSync(join(clone, "new.ts"), ""), "new.ts"],
    [
      "a change without a commit",
      "version",
      () => appendFileSync(join(clone, "CHANGELOG.md"), "- More.\n"),
      "CHANGELOG.md",
    ],
    ["the tag of an earlier release", "version", () => git(clone, "tag", "v1.2.0"), "set the next version"],
    [
      "no section of the changelog",
      "changelog",
      () => committed("CHANGELOG.md", "# Changelog\n\n## 1.1.0 (2026-01-01)\n\n- Old.\n"),
      "no section for 1.2.0",
    ],
    [
      "a section without changes",
      "changelog",
      () => committed("CHANGELOG.md", "# Changelog\n\n## 1.2.0 (Unreleased)\n"),
      "no section for 1.2.0",
    ],
    [
      "a step of the workflow without a row",
      "workflow",
      () => committed(".github/workflows/release.yml", `${WORKFLOW}      - run: npm run unknown\n`),
      '"github: npm run unknown" has no row',
    ],
    [
      "a workflow without provenance",
      "npm metadata",
      () => committed(".github/workflows/release.yml", WORKFLOW.replace(" --provenance --access", " --access")),
      "without --provenance",
    ],
  ])("refuses %s in the step %s", (_, step, change, problem) => {
    change();
    const last = linesOf().at(-1) ?? "";
    expect(last).toContain("FAILS");
    expect(last).toContain(` ${step} (`);
    expect(last).toContain(problem);
  });

  function committed(path: string, text: string): void {
    writeFileSync(join(clone, path), text);
    commit();
  }
});

test("a failed step ends the rehearsal", () => {
  const done: string[] = [];
  const step = (name: string, problem?: string) => ({
    name,
    run: () => {
      done.push(name);
      if (problem !== undefined) throw new Error(problem);
      return "";
    },
  });
  expect(rehearse([step("a"), step("b", "wrong"), step("c")], rehearsal, () => undefined)).toBe(false);
  expect(done).toEqual(["a", "b"]);
  expect(rehearse([step("a")], rehearsal, () => undefined)).toBe(true);
});

describe("the steps of the workflow", () => {
  const names = new Set(STEPS.map(({ name }) => name));
  test("all have a row, in their order", () => {
    const steps = workflowSteps(WORKFLOW, names);
    expect(steps[0]?.title).toBe("build: actions/checkout");
    expect(steps.at(-1)?.title).toBe("github: Create the GitHub release");
  });
  test("refuse a row for a step that does not exist", () =>
    expect(() => workflowSteps(WORKFLOW.replace("- run: npm test\n", "- run: npm ci\n"), names)).toThrow(
      'no step "build: npm test"',
    ));
  test("refuse a row that names an unknown step of the rehearsal", () =>
    expect(() => workflowSteps(WORKFLOW, new Set())).toThrow('no step "changelog"'));
});

describe("the verification of signed files", () => {
  const at = (name: string): string => join(rehearsal.release, name);
  beforeEach(() => {
    writeFileSync(at("program-1.2.0.tgz"), "program");
    writeFileSync(at("program-1.2.0.cdx.json"), "{}");
    signatures(rehearsal);
    provenance(rehearsal);
  });
  /** Replaces a file by that of a rehearsal of the same files with another key. */
  function fromOtherKey(name: string): void {
    const own = readFileSync(at("test-key.pem"));
    const other = { ...rehearsal, testKey: prepare(clone, mkdtempSync(join(scratch, "other-"))).testKey };
    const before = new Map(["SHA256SUMS.sig", "provenance.dsse.json"].map((each) => [each, readFileSync(at(each))]));
    signatures(other);
    provenance(other);
    for (const [each, bytes] of before) if (each !== name) writeFileSync(at(each), bytes);
    writeFileSync(at("test-key.pem"), own);
  }
  const envelope = (): { payload: string } => JSON.parse(readFileSync(at("provenance.dsse.json"), "utf8"));

  test("accepts them", () => expect(() => verifySignatures(rehearsal)).not.toThrow());

  test.each([
    ["a changed file", () => appendFileSync(at("program-1.2.0.tgz"), "!"), "does not have its checksum"],
    ["an absent file", () => rmSync(at("program-1.2.0.tgz")), "is listed and absent"],
    ["a file that nothing signs", () => writeFileSync(at("other.tgz"), ""), "other.tgz has no checksum"],
    ["changed checksums", () => appendFileSync(at("SHA256SUMS"), "\n"), "no signature of the key"],
    ["checksums that another key signed", () => fromOtherKey("SHA256SUMS.sig"), "SHA256SUMS has no signature"],
    [
      "a provenance that another key signed",
      () => fromOtherKey("provenance.dsse.json"),
      "the provenance has no signature",
    ],
    [
      "a changed provenance",
      () => {
        const payload = Buffer.from(Buffer.from(envelope().payload, "base64").toString().replace("1.2.0", "1.3.0"));
        writeFileSync(
          at("provenance.dsse.json"),
          JSON.stringify({ ...envelope(), payload: payload.toString("base64") }),
        );
      },
      "the provenance has no signature",
    ],
    [
      "another type of payload",
      () => writeFileSync(at("provenance.dsse.json"), JSON.stringify({ ...envelope(), payloadType: "text/plain" })),
      "contains text/plain",
    ],
  ])("refuses %s", (_, change, problem) => {
    change();
    expect(() => verifySignatures(rehearsal)).toThrow(problem);
  });

  test("refuses a provenance of another commit", () => {
    const source = { ...rehearsal.source, commit: "0".repeat(40) };
    expect(() => verifySignatures({ ...rehearsal, source })).toThrow("the predicate of the provenance");
  });
});

describe("SBOMs of a release", () => {
  const component = (name: string) => ({ "bom-ref": name, purl: `pkg:npm/${name}@1.0.0` });
  test("list what npm installs, and each bundled package once below the root", () => {
    const installed = {
      metadata: { component: component("root") },
      components: [component("a")],
      dependencies: [{ ref: "root", dependsOn: ["a"] }, { ref: "a" }],
    };
    const bundle = { components: [component("a"), component("b")] };
    const { components, dependencies } = withBundled(installed, [bundle, bundle]);
    expect(components?.map(({ purl }) => purl)).toEqual(["pkg:npm/a@1.0.0", "pkg:npm/b@1.0.0"]);
    expect(dependencies).toEqual([{ ref: "root", dependsOn: ["a", "b"] }, { ref: "a" }, { ref: "b", dependsOn: [] }]);
  });
  test("list the Node in the executable", () => {
    const text = sbomOfProgram(JSON.stringify({ bomFormat: "CycloneDX", components: [component("a")] }));
    const { bomFormat, components, dependencies } = JSON.parse(text);
    const node = `pkg:generic/node@${process.versions.node}`;
    expect(bomFormat).toBe("CycloneDX");
    expect(components?.map(({ purl }: { purl: string }) => purl)).toEqual(["pkg:npm/a@1.0.0", node]);
    expect(dependencies[0].dependsOn).toEqual(["a", node]);
  });
});
