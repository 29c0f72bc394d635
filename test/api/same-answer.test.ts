/** Every surface that is given a version of a product gives the same assessment: check, explain, batch and score. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { explain } from "../../src/api/explain.ts";
import { createLocal, type LocalOperations } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { toFindings } from "../../src/policy/rows.ts";
import type { Assessment, Finding } from "../../src/model/index.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { scoreObject } from "../../src/wire/score.ts";
import { describeWithShared } from "../shared.ts";

const asOf = asIsoDate("2026-11-22");
const catalogue = loadCatalogue();
const links = linksUnder("https://example.org");
const local: LocalOperations = createLocal({ catalogue, asOf, links });

interface Answer {
  readonly product: string;
  readonly cycle: string;
  readonly score: number;
  readonly kev: string | null;
  readonly status: string;
  readonly end: string | null;
}

const answerOf = (score: ReturnType<typeof scoreObject>): Answer => ({
  product: score.product,
  cycle: score.version,
  score: score.score,
  kev: score.kev_basis,
  status: score.status,
  end: score.eol_date,
});
const answerOfAssessment = (assessment: Assessment): Answer => answerOf(scoreObject(assessment, links));

/** The answers of all surfaces for a purl, with the names of the surfaces that differ from the check. */
async function differing(purl: string, { resolution, assessment }: Finding): Promise<readonly string[]> {
  if (resolution.kind !== "resolved" || assessment === undefined) return [];
  const expected = answerOfAssessment(assessment);
  const answers: Record<string, Answer> = {};
  const explained = explain(purl, { catalogue, policy: DEFAULT_POLICY, asOf }).finding;
  // Without the document, the release of a distribution's package can be unknown.
  if (explained.resolution.kind === "resolved" && explained.assessment)
    answers["explain"] = answerOfAssessment(explained.assessment);
  const [batch] = await local.batch({ products: [{ purl }] });
  if (batch && "score" in batch) answers["batch"] = answerOf(batch);
  const { requestedVersion, releaseCycle, versionMatchedBy } = resolution;
  // The name of a cycle asks for the cycle, and the numbers of some packages are not those of their product.
  if (versionMatchedBy !== undefined) {
    const score = await local.score({ slug: releaseCycle.product, version: requestedVersion }).catch(() => undefined);
    if (score !== undefined && score.version === releaseCycle.cycle) answers["score"] = answerOf(score);
  }
  return Object.entries(answers).flatMap(([surface, answer]) =>
    JSON.stringify(answer) === JSON.stringify(expected)
      ? []
      : [`${purl}: check ${JSON.stringify(expected)}, ${surface} ${JSON.stringify(answer)}`],
  );
}

async function check(document: Uint8Array): Promise<readonly Finding[]> {
  return toFindings((await local.scan({ document })).rows);
}

describe("a version inside of a cycle whose versions differ by known exploitation", () => {
  const purls = [
    ["affected", "pkg:npm/react@19.2.0"],
    ["fixed in the same cycle", "pkg:npm/react@19.2.8"],
    ["in an ended cycle", "pkg:generic/node@18.20.4"],
    ["before a fix of four numbers", "pkg:gem/rails@5.2.2"],
    ["after it", "pkg:gem/rails@5.2.8.1"],
  ] as const;
  test.each(purls)("%s: %s", async (_, purl) => {
    const [, name = "", version = ""] = /\/([^/@]+)@(.+)$/.exec(purl) ?? [];
    const sbom = { bomFormat: "CycloneDX", specVersion: "1.6", components: [{ type: "library", name, version, purl }] };
    const [finding] = await check(Buffer.from(JSON.stringify(sbom)));
    expect(finding?.assessment).toBeDefined();
    expect(finding && (await differing(purl, finding))).toEqual([]);
  });
});

describeWithShared("over the purls of real documents", "sboms/documents/", (root) => {
  const findings = new Map<string, Finding>();
  beforeAll(async () => {
    const folder = fileURLToPath(root);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      const found = await check(readFileSync(join(parentPath, name))).catch(() => []);
      for (const finding of found) {
        const [purl] = finding.component.purls;
        if (finding.component.purls.length === 1 && purl !== undefined) findings.set(purl, finding);
      }
    }
  }, 120_000);

  test("all surfaces agree", async () => {
    const differences = [];
    for (const [purl, finding] of findings) differences.push(...(await differing(purl, finding)));
    expect(findings.size).toBeGreaterThan(5_000);
    expect(differences).toEqual([]);
  }, 120_000);
});
