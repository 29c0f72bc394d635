/**
 * Every surface that is given a version of a product gives the same verdict, score, known exploitation and end: check and
 * explain, the operations, the routes of the service, documents that are sent to it, its pages and its tools for models. Over the purls of the labelled
 * set and, where they are present, of real documents.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explain } from "../../src/api/explain.ts";
import { createLocal, type LocalOperations } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import type { Assessment, Finding } from "../../src/model/index.ts";
import { readPackageFile } from "../../src/platform/package-files.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { toFindings } from "../../src/policy/rows.ts";
import { endText } from "../../src/service/pages/layout.ts";
import { createSiteApp } from "../../src/service/commands/site.ts";
import { createMcpServer } from "../../src/service/mcp/server.ts";
import { EXPORT_HEADERS } from "../../src/service/site/export.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { percentEncode } from "../../src/text/values.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { badge } from "../../src/wire/product.ts";
import { scoreObject } from "../../src/wire/score.ts";
import { LABELLED } from "../resolution/labelled.ts";
import { describeWithShared } from "../shared.ts";
import { withoutLimits } from "../../src/service/mcp/tools.ts";

const asOf = asIsoDate("2026-11-22");
const catalogue = loadCatalogue();
const links = linksUnder("https://example.org");
const local: LocalOperations = createLocal({ catalogue, asOf, links });

let app: FastifyInstance;
const client = new Client({ name: "test", version: "1.0.0" });
beforeAll(async () => {
  app = createSiteApp({
    version: "1.0.0",
    served: { catalogue, bytes: () => readPackageFile(BUNDLED) },
    clock: () => Date.parse(asOf),
    publicUrl: "https://example.org",
    withServer: false,
  });
  const tools = createMcpServer({
    version: "1.0.0",
    source: { url: "https://example.org", note: "test" },
    docs: "https://example.org/docs",
    context: withoutLimits(local, local.context.catalogue, local.context.asOf),
    admit: () => Promise.resolve(),
    onBug: () => undefined,
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([tools.connect(far), client.connect(near)]);
});
afterAll(async () => {
  await client.close();
  await app.close();
});

type Fields = Readonly<Record<string, unknown>>;

/** What the objects of the interface state about a version. The status object has no score and no exploitation. */
const ofStatus = (status: Fields): Fields =>
  Object.fromEntries(
    ["product", "version", "status", "eol_date", "support_end_date", "support_track", "is_supported_by_track"].map(
      (field) => [field, status[field]],
    ),
  );
const ofScore = (score: Fields): Fields => ({
  ...ofStatus(score),
  score: score["score"],
  kev: score["kev_basis"],
  exploited: JSON.stringify(score["kev_entries"]),
});

async function body(url: string): Promise<string> {
  const { statusCode, body } = await app.inject({ url, headers: EXPORT_HEADERS });
  if (statusCode !== 200) throw new Error(`${url} → ${String(statusCode)}`);
  return body;
}

const json = (text: string): Fields => JSON.parse(text);

async function tool(name: string, args: Record<string, string>): Promise<Fields> {
  const { structuredContent, isError } = await client.callTool({ name, arguments: args });
  if (isError === true) throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
  return Object(structuredContent);
}

/** The texts of a score card: its title names the end, a circle the score, and the factors the points of exploitation. */
function ofPage(html: string): Fields {
  return {
    end: /<title>[^<]*: ([^<]*), risk \d+ of 100/.exec(html)?.[1],
    score: /aria-label="Score (\d+) of 100"/.exec(html)?.[1],
    kev: /Known exploitation<\/span><span class="points">(\d+) /.exec(html)?.[1],
  };
}
const pageOf = (assessment: Assessment): Fields => ({
  end: endText(assessment),
  score: String(assessment.score),
  kev: String(assessment.factors.cisaKevExposure),
});

/** A surface, its answer, and that of the check in the same form. */
type Answer = readonly [surface: string, answer: Fields, expected: Fields];

interface Asked {
  readonly slug: string;
  readonly version: string;
  readonly assessment: Assessment;
}

/** The surfaces that are given a product and a version. */
async function answersAbout({ slug, version, assessment }: Asked): Promise<readonly Answer[]> {
  const score: Fields = { ...scoreObject(assessment, links) };
  const path = `${percentEncode(slug)}/${percentEncode(version)}`;
  const scoreCard = await body(`/score/${path}`);
  return [
    ["operation score", ofScore({ ...(await local.score({ slug, version })) }), ofScore(score)],
    ["operation status", ofStatus({ ...(await local.status({ slug, version })) }), ofStatus(score)],
    ["operation badge", { ...(await local.badge({ slug, version })) }, { ...badge(assessment) }],
    ["/v1/score", ofScore(json(await body(`/v1/score/${path}`))), ofScore(score)],
    ["/v1/status", ofStatus(json(await body(`/v1/status/${path}`))), ofStatus(score)],
    ["/v1/badge", json(await body(`/v1/badge/${path}`)), { ...badge(assessment) }],
    ["page", ofPage(scoreCard), pageOf(assessment)],
    ["tool check_eol", ofStatus(await tool("check_eol", { slug, version })), ofStatus(score)],
    ["tool get_risk_score", ofScore(await tool("get_risk_score", { slug, version })), ofScore(score)],
  ];
}

/** The surfaces that are given a purl. The verdict of the check is that of the default policy. */
async function answersTo(purl: string, { assessment, outcome }: Finding): Promise<readonly Answer[]> {
  if (assessment === undefined) return [];
  const expected = ofScore({ ...scoreObject(assessment, links) });
  const { finding } = explain(purl, { catalogue, policy: DEFAULT_POLICY, asOf });
  const [batch] = await local.batch({ products: [{ purl }] });
  return [
    // Without the document, the release of a distribution's package can be unknown.
    ...(finding.resolution.kind === "resolved" && finding.assessment
      ? [
          [
            "explain",
            { ...ofScore({ ...scoreObject(finding.assessment, links) }), ...verdictOf(finding.outcome) },
            { ...expected, ...verdictOf(outcome) },
          ] as const,
        ]
      : []),
    ...(batch && "score" in batch ? [["batch", ofScore({ ...batch }), expected] as const] : []),
  ];
}

const verdictOf = ({ severity, condition, assessment }: Finding["outcome"]): Fields => ({
  severity,
  condition,
  decidingEnd: assessment?.support.date?.value,
});

/** The product and the version that a check resolved; undefined for the name of a cycle, which asks for the cycle itself. */
function askedIn({ assessment, resolution }: Finding): Asked | undefined {
  if (resolution.kind !== "resolved" || resolution.versionMatchedBy === undefined || !assessment) return undefined;
  // A product of which every version is retired answers without one; the routes need a version.
  if (resolution.requestedVersion === "") return undefined;
  return { slug: resolution.releaseCycle.product, version: resolution.requestedVersion, assessment };
}

/** Whether a product has the numbers of a package: where it has not, the version means another cycle, or none. */
const isNumberOfProduct = ({ slug, version, assessment }: Asked): Promise<boolean> =>
  local.status({ slug, version }).then(
    (status) => status.version === assessment.releaseCycle.cycle,
    () => false,
  );

interface Compared {
  readonly surfaces: Readonly<Record<string, number>>;
  readonly differences: readonly string[];
  readonly otherNumbers: number;
}

/** Compares all surfaces with the check: each purl once, each version of a product once. */
async function compare(findings: ReadonlyMap<string, Finding>): Promise<Compared> {
  const surfaces: Record<string, number> = {};
  const differences: string[] = [];
  const versions = new Map<string, Asked>();
  const add = (subject: string, answers: readonly Answer[]): void => {
    for (const [surface, answer, expected] of answers) {
      surfaces[surface] = (surfaces[surface] ?? 0) + 1;
      const [is, shouldBe] = [JSON.stringify(answer), JSON.stringify(expected)];
      if (is !== shouldBe) differences.push(`${subject}: ${surface} ${is}, check ${shouldBe}`);
    }
  };
  for (const [purl, finding] of findings) {
    add(purl, await answersTo(purl, finding));
    const asked = askedIn(finding);
    if (asked) versions.set(`${asked.slug}@${asked.version} ${asked.assessment.releaseCycle.cycle}`, asked);
  }
  let otherNumbers = 0;
  for (const [subject, asked] of versions)
    if (await isNumberOfProduct(asked)) add(subject, await answersAbout(asked));
    else otherNumbers += 1;
  return { surfaces, differences, otherNumbers };
}

async function check(document: Uint8Array): Promise<readonly Finding[]> {
  return toFindings((await local.scan({ document })).rows);
}

const documentOf = (purls: readonly string[]): Buffer => {
  const components = purls.map((purl) => {
    const [, name = "", version] = /\/([^/@]+)(?:@([^?#]+))?(?:[?#].*)?$/.exec(purl) ?? [];
    return { type: "library", name, ...(version && { version: decodeURIComponent(version) }), purl };
  });
  return Buffer.from(JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }));
};

/** By purl, for components with one. */
const checkPurls = async (purls: readonly string[]): Promise<ReadonlyMap<string, Finding>> =>
  byPurl(await check(documentOf(purls)));

/** The answer of the service to a document, by the purl of its components. */
async function postDocument(payload: Buffer): Promise<ReadonlyMap<string, Fields>> {
  const headers = { ...EXPORT_HEADERS, "content-type": "application/json" };
  const answer = await app.inject({ method: "POST", url: "/v1/sbom", headers, payload });
  if (answer.statusCode !== 200) throw new Error(`/v1/sbom → ${String(answer.statusCode)} ${answer.body}`);
  const { results } = answer.json<{ results: (Fields & { components: { purl: string | null }[] })[] }>();
  return new Map(results.flatMap((score) => score.components.map(({ purl }) => [purl ?? "", score] as const)));
}

/** The differences between the check and `/v1/sbom`. Packages of distributions are listed there with their distribution. */
function sbomDifferences(findings: ReadonlyMap<string, Finding>, answers: ReadonlyMap<string, Fields>) {
  const compared = [...findings].filter(
    ([, { resolution, assessment, distroAssessment }]) =>
      resolution.kind === "resolved" && assessment && !distroAssessment,
  );
  const differences = compared.flatMap(([purl, { assessment }]) => {
    const [is, shouldBe] = [answers.get(purl), assessment && scoreObject(assessment, links)].map((score) =>
      JSON.stringify(score && ofScore({ ...score })),
    );
    return is === shouldBe ? [] : [`${purl}: /v1/sbom ${is}, check ${shouldBe}`];
  });
  return { compared: compared.length, differences };
}

const byPurl = (findings: readonly Finding[]): ReadonlyMap<string, Finding> =>
  new Map(
    findings.flatMap((finding) => {
      const [purl, ...others] = finding.component.purls;
      return purl === undefined || others.length > 0 ? [] : [[purl, finding] as const];
    }),
  );

const SURFACES = [
  "explain",
  "batch",
  "operation score",
  "operation status",
  "operation badge",
  "/v1/score",
  "/v1/status",
  "/v1/badge",
  "page",
  "tool check_eol",
  "tool get_risk_score",
];

const VERSIONS = [
  ["affected", "pkg:npm/react@19.2.0"],
  ["fixed in the same cycle", "pkg:npm/react@19.2.8"],
  ["in an ended cycle", "pkg:generic/node@18.20.4"],
  ["before a fix of four numbers", "pkg:gem/rails@5.2.2"],
  ["after it", "pkg:gem/rails@5.2.8.1"],
] as const;
describe("a version inside of a cycle whose versions differ by known exploitation", () => {
  test.each(VERSIONS)("%s: %s", async (_, purl) => {
    const { differences, surfaces } = await compare(await checkPurls([purl]));
    expect(differences).toEqual([]);
    expect(Object.keys(surfaces)).toEqual(SURFACES);
  });
});

test("all surfaces agree about the purls of the labelled set", { timeout: 120_000 }, async () => {
  const purls = LABELLED.filter(({ kind, context }) => kind === "purl" && context.length === 0);
  const findings = await checkPurls([...new Set(purls.map(({ subject }) => subject))]);
  const { differences, surfaces, otherNumbers } = await compare(findings);
  expect(differences).toEqual([]);
  for (const surface of SURFACES) expect(surfaces[surface], surface).toBeGreaterThan(150);
  // Packages with numbers of their own, such as the modules of Kubernetes.
  expect(otherNumbers).toBeLessThan(50);
});

test("/v1/sbom agrees about a document of them", { timeout: 60_000 }, async () => {
  const purls = LABELLED.filter(({ kind, context }) => kind === "purl" && context.length === 0);
  const document = documentOf([
    ...new Set([...purls.map(({ subject }) => subject), ...VERSIONS.map(([, purl]) => purl)]),
  ]);
  const { differences, compared } = sbomDifferences(byPurl(await check(document)), await postDocument(document));
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(150);
});

describeWithShared("over the purls of real documents", "sboms/documents/", (root) => {
  const findings = new Map<string, Finding>();
  beforeAll(async () => {
    const folder = fileURLToPath(root);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files)
      for (const [purl, finding] of byPurl(await check(readFileSync(join(parentPath, name))).catch(() => [])))
        findings.set(purl, finding);
  }, 120_000);

  test("all surfaces agree", { timeout: 240_000 }, async () => {
    const { differences, surfaces } = await compare(findings);
    expect(findings.size).toBeGreaterThan(5_000);
    expect(differences).toEqual([]);
    for (const surface of SURFACES) expect(surfaces[surface], surface).toBeGreaterThan(400);
  });
});
