/** The three rules on support that became doubtful, on the last day before each applies and on its first day, in `check`. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { cycle, inputs, NOTHING_CURATED, ours, recorded } from "../catalogue/builders.ts";
import { runCommand } from "./fake-io.ts";

const page = "https://vendor.test/models";
/** Releases every 30 days, the last on 2025-02-15; one later release ends a line, so 2025-03-17 is the last day. */
const RELEASES = ["2024-09-18", "2024-10-18", "2024-11-17", "2024-12-17", "2025-01-16", "2025-02-15"];
const { content } = compile(
  inputs(
    [
      recorded(
        "fast",
        RELEASES.map((released, index) =>
          cycle(String(index + 1), released, index === 5 ? "open" : "ended"),
        ).toReversed(),
        { identifiers: [{ type: "purl", id: "pkg:npm/fast" }] },
      ),
    ],
    {
      products: [
        ours("bounded", [{ cycle: "1", eol: false, notBefore: "2025-03-17" }], { purls: ["pkg:npm/bounded"] }),
      ],
      platforms: [
        {
          slug: "hosted",
          name: "Hosted",
          vendor: "Vendor",
          reads: [{ page, on: "2025-02-15" }],
          cycles: [{ cycle: "ask-1" }],
        },
      ],
      facts: { ...NOTHING_CURATED.facts, modelPlatforms: { names: { hosted: ["hosted"] }, sharedIds: {} } },
      milestones: { ...NOTHING_CURATED.milestones, endsAfter: { fast: 1 } },
    },
  ),
);
const folder = mkdtempSync(join(tmpdir(), "eolgate-doubts-"));
const catalogue = join(folder, "catalogue.json");
writeFileSync(catalogue, encodeCatalogue(content));

const library = (name: string, version: string) => ({
  type: "library",
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
});
const model = { type: "machine-learning-model", name: "ask-1", publisher: "Vendor" };
const COMPONENTS = { bounded: library("bounded", "1.0.0"), fast: library("fast", "6.0.0"), "ask-1": model };

const check = (name: keyof typeof COMPONENTS, today: string, ...more: readonly string[]) => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [COMPONENTS[name]] }));
  return runCommand(["check", file, "--catalogue", catalogue, ...more], { cwd: folder, today });
};

test.each([
  ["bounded", "end-may-have-come", "may have ended"],
  ["fast", "probably-superseded", "is probably superseded"],
  ["ask-1", "not-checked", "was not checked recently"],
] as const)(
  "%s: the day before %s passes, its first day warns, and fails where the policy says so",
  async (name, kind, words) => {
    const [last, first] = ["2025-03-17", "2025-03-18"];
    const before = await check(name, last);
    expect([before.exit, before.out]).toEqual([0, expect.stringContaining("PASS")]);
    expect(before.out).not.toContain(words);
    // With --strict, a name alone does not match a model.
    const strict = name === "ask-1" ? ["--fail-on", kind] : ["--strict"];
    expect((await check(name, last, ...strict)).exit).toBe(0);
    const warned = await check(name, first);
    expect([warned.exit, warned.out]).toEqual([0, expect.stringContaining("WARN")]);
    expect(warned.out).toContain(words);
    expect((await check(name, first, ...strict)).exit).toBe(1);
    expect((await check(name, first, "--fail-on", kind)).exit).toBe(1);
    expect((await check(name, last, "--fail-on", kind)).exit).toBe(0);
    for (const [day, conditions] of [
      [last, []],
      [first, [kind]],
    ] as const) {
      const report = JSON.parse((await check(name, day, "--format", "json")).out);
      const reasons: readonly { condition: string }[] = report.gate.reasons;
      expect([day, reasons.map(({ condition }) => condition)]).toEqual([day, conditions]);
    }
  },
);
