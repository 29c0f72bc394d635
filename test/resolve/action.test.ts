/** Actions of GitHub are judged alike as a step of a workflow and as a component of an SBOM. */
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { inventoryKindOf, readInventory } from "../../src/files/read.ts";
import type { AssessedComponent, Finding } from "../../src/model/index.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../src/resolve/answer.ts";
import { asIsoDate } from "../../src/text/ids.ts";

const asOf = asIsoDate("2026-11-28");
const catalogue = loadCatalogue();
const answers = createAssessContext(catalogue, { strict: false, asOf });

const evaluated = (rows: readonly AssessedComponent[]): readonly Finding[] =>
  evaluatePolicy(rows, DEFAULT_POLICY, asOf).findings;
const stated = ({ resolution, outcome, assessment }: Finding): string =>
  JSON.stringify([
    resolution.kind === "resolved" ? resolution.releaseCycle : { ...resolution },
    assessment?.score,
    outcome.severity,
    outcome.condition,
  ]);

async function steps(uses: string): Promise<readonly Finding[]> {
  const kind = inventoryKindOf(".github/workflows/ci.yml");
  if (kind === undefined) throw new TypeError("a workflow has readers");
  const text = `on: push\njobs:\n  a:\n    steps:\n      - uses: ${uses}\n`;
  const { components } = await readInventory(kind, new TextEncoder().encode(text), catalogue.facts);
  return evaluated(Array.from(components, (component) => assessComponent(component, answers)));
}

/** The forms of an action's purl: its path in the name, or as a subpath. */
function purlsOf(action: string, ref: string): readonly string[] {
  const [owner = "", name = "", ...path] = action.split("/");
  const subpath = path.length === 0 ? [] : [`pkg:githubactions/${owner}/${name}@${ref}#${path.join("/")}`];
  return [`pkg:githubactions/${action}@${ref}`, ...subpath];
}

test("every recorded reference of every action has one answer", { timeout: 60_000 }, async () => {
  const differences: string[] = [];
  let compared = 0;
  for (const [action, runtimes] of Object.entries(catalogue.facts.tools.actions))
    for (const ref of [
      ...Object.keys(runtimes).map((each) => each.replace(".*", "")),
      "v1.0.0",
      "main",
      "0".repeat(40),
    ]) {
      const rows = await steps(`${action}@${ref}`);
      const worst = ["fail", "warn"].flatMap(
        (severity) => rows.find(({ outcome }) => outcome.severity === severity) ?? [],
      );
      const own = worst[0] ?? rows[0];
      for (const purl of purlsOf(action, ref)) {
        compared += 1;
        const [row] = evaluated([assessComponent(purlComponent(purl), answers)]);
        const [is, expected] = [row, own].map((each) => each && stated(each));
        if (is !== expected) differences.push(`${purl}: ${String(is)}, workflow ${String(expected)}`);
      }
    }
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(800);
});

test.each([
  ["pkg:githubactions/actions/checkout@v2", "warn", "superseded"],
  ["pkg:githubactions/actions/upload-artifact@v3", "fail", "eol"],
  ["pkg:githubactions/github/codeql-action/init@v2", "fail", "eol"],
  ["pkg:githubactions/nobody/nothing@v1", "pass", "none"],
])("%s is %s, %s", (purl, severity, condition) => {
  expect(evaluated([assessComponent(purlComponent(purl), answers)])).toMatchObject([
    { outcome: { severity, condition } },
  ]);
});
