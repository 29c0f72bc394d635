/**
 * Whoever names a product and a version gets one answer. For every product of the catalogue: names of cycles, minor and full
 * versions, a number that several cycles share, one below and one above the record, asked of `check --stack`, `explain`,
 * `score`, `status` and `batch`, and stated by components of a document, by pins and by enrichment. The routes, pages and
 * tools are compared in `test/service/every-surface.test.ts` and `test/service/same-answer.test.ts`.
 */
import { describe, expect, test } from "vitest";
import { explain } from "../../src/api/explain.ts";
import { readStackInput } from "../../src/api/inventory/file.ts";
import { createLocal } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { EolgateError } from "../../src/messages/error.ts";
import type { Assessed, Finding, Product } from "../../src/model/index.ts";
import { inventoryKindOf, readInventory } from "../../src/files/read.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { toFindings } from "../../src/policy/rows.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../src/resolve/answer.ts";
import { NO_COMPONENT } from "../../src/resolve/resolve.ts";
import { asIsoDate, type ProductSlug } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { gateObject } from "../../src/wire/score.ts";
import { versionsOf } from "./asked-versions.ts";

const asOf = asIsoDate("2026-11-28");
const catalogue = loadCatalogue();
const local = createLocal({ catalogue, asOf, links: linksUnder("https://example.org") });

/** What all surfaces state of an answer; its error code or reason where there is none. */
interface Answer {
  readonly cycle: string;
  readonly status?: unknown;
  readonly score?: unknown;
  readonly kev?: unknown;
  readonly end?: unknown;
  readonly gate?: unknown;
}
const UNANSWERED: Answer = { cycle: "none" };

function ofAssessed({ assessment }: Assessed): Answer {
  if (assessment === undefined) return UNANSWERED;
  const { releaseCycle, status, score, kevBasis, support } = assessment;
  const gate = JSON.stringify(gateObject(assessment));
  return { cycle: releaseCycle.cycle, status, score, kev: kevBasis, end: support.date?.value ?? null, gate };
}

interface WireAnswer {
  readonly version: string;
  readonly status: string;
  readonly score?: number;
  readonly kev_basis?: string | null;
  readonly support_end_date: string | null;
  readonly gate: unknown;
}
const ofWire = ({ version, status, score, kev_basis: kev, support_end_date: end, gate }: WireAnswer): Answer => ({
  cycle: version,
  status,
  score,
  kev,
  end,
  gate: JSON.stringify(gate),
});

const answered = (answer: Promise<WireAnswer>): Promise<Answer> =>
  answer.then(ofWire, (error: unknown) => {
    if (error instanceof EolgateError) return UNANSWERED;
    throw error;
  });

async function ofBatch(slug: ProductSlug, version: string): Promise<Answer> {
  const [row] = await local.batch({ products: [{ slug, version }] });
  return row !== undefined && "score" in row ? ofWire(row) : UNANSWERED;
}

async function ofStack(slug: ProductSlug, version: string): Promise<Answer> {
  const { document } = await readStackInput(`${slug}:${version}`, catalogue, asOf);
  const [component] = document.components;
  return component
    ? ofAssessed(assessComponent(component, createAssessContext(catalogue, { document, strict: false, asOf })))
    : UNANSWERED;
}

/** The status object has no score and no exploitation. */
const withoutScore = (answer: Answer): Answer => ({ ...answer, score: undefined, kev: undefined });

async function differencesOf(slug: ProductSlug, version: string): Promise<readonly string[]> {
  const stack = await ofStack(slug, version);
  const named = { slug, version };
  const others: readonly (readonly [surface: string, answer: Answer, expected: Answer])[] = [
    ["explain", ofAssessed(explain(`${slug}:${version}`, { catalogue, policy: DEFAULT_POLICY, asOf }).finding), stack],
    ["score", await answered(local.score(named)), stack],
    ["status", withoutScore(await answered(local.status(named))), withoutScore(stack)],
    ["batch", await ofBatch(slug, version), stack],
  ];
  return others.flatMap(([surface, answer, expected]) => {
    const [is, shouldBe] = [JSON.stringify(answer), JSON.stringify(expected)];
    return is === shouldBe ? [] : [`${slug}:${version}: ${surface} ${is}, check ${shouldBe}`];
  });
}

describe("a product and a version have one answer", () => {
  test("on every surface, for every product", { timeout: 120_000 }, async () => {
    const differences: string[] = [];
    let asked = 0;
    for (const slug of catalogue.slugs()) {
      const product = catalogue.product(slug);
      for (const version of product === undefined ? [] : versionsOf(product)) {
        asked += 1;
        differences.push(...(await differencesOf(slug, version)));
      }
    }
    expect(differences).toEqual([]);
    expect(asked).toBeGreaterThan(5_000);
  });
});

/** Questions whose words a component uses for something else: the release 2.3 of Log4j 2 is older than its branch 2.3. */
const OTHERWISE: ReadonlySet<string> = new Set(["log4j:2.3"]);

/** Every product and version that is asked, as components of one document. */
const components = catalogue.slugs().flatMap((slug) => {
  const product = catalogue.product(slug);
  const versions = product === undefined ? [] : versionsOf(product);
  return versions.flatMap((version) =>
    OTHERWISE.has(`${slug}:${version}`) ? [] : [{ slug, version, name: product?.name ?? slug }],
  );
});
const document = Buffer.from(
  JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: components.map(({ name, version }) => ({ type: "application", name, version })),
  }),
);

describe("a document", () => {
  test("gives a component with the name of a product its answer", { timeout: 60_000 }, async () => {
    const differences: string[] = [];
    const { rows } = await local.scan({ document });
    const findings = toFindings(rows);
    let compared = 0;
    for (const [at, finding] of findings.entries()) {
      const asked = components[at];
      // A name alone is less evidence than a name that a person types: some stay unresolved.
      if (asked === undefined || finding.resolution.kind !== "resolved") continue;
      compared += 1;
      const [is, own] = [ofAssessed(finding), await ofStack(asked.slug, asked.version)].map((answer) =>
        JSON.stringify(answer),
      );
      if (is !== own) differences.push(`${asked.name} ${asked.version}: ${is ?? ""}, check ${own ?? ""}`);
    }
    expect(differences).toEqual([]);
    expect([findings.length, compared > 5_000]).toEqual([components.length, true]);
  });

  test("is enriched with the answers of the check", { timeout: 60_000 }, async () => {
    const [{ rows }, enriched] = await Promise.all([local.scan({ document }), local.enrich({ document })]);
    const { components: written }: Enriched = JSON.parse(Buffer.from(enriched).toString());
    const differences = toFindings(rows).flatMap((finding, at) => {
      const entries = written[at]?.properties ?? [];
      const is = JSON.stringify(PROPERTIES.map((name) => entries.find((each) => each.name === name)?.value));
      const own = JSON.stringify(propertiesOf(finding));
      return is === own ? [] : [`${finding.component.name}: ${is}, check ${own}`];
    });
    expect(differences).toEqual([]);
    expect(written.length).toBe(components.length);
  });
});

interface Enriched {
  readonly components: readonly {
    readonly properties?: readonly { readonly name: string; readonly value: string }[];
  }[];
}

const PROPERTIES = ["product", "cycle", "gate", "support_end_date", "risk_score", "kev_exposed"].map(
  (name) => `lifecycle:${name}`,
);

/** What the properties state of a finding, in their order. */
function propertiesOf({ resolution, assessment, outcome }: Finding): readonly (string | null)[] {
  const { severity, condition } = outcome;
  const isOpen = resolution.kind === "unmatched" && condition === "none";
  const gate = isOpen ? "not-assessed" : condition === "none" ? severity : `${severity}:${condition}`;
  if (resolution.kind === "unmatched") return [resolution.product ?? null, null, gate, null, null, null];
  if (resolution.kind !== "resolved" || assessment === undefined) return [];
  const { product, cycle } = resolution.releaseCycle;
  const end = outcome.assessment?.support.date?.value ?? null;
  return [product, cycle, gate, end, String(assessment.score), String(assessment.kevExposed)];
}

test("a pin of a tool has the answer of its product", { timeout: 60_000 }, async () => {
  const differences: string[] = [];
  const products = new Set<string>();
  for (const tool of Object.keys(catalogue.facts.tools.tools)) {
    const product = ofTool(tool);
    for (const version of product === undefined ? [] : versionsOf(product)) {
      const [pin] = await pinned(tool, version);
      // A purl has its own numbers, and some words of a version name another tool: `pypy3.9`.
      if (product === undefined || pin?.resolution.kind !== "resolved") continue;
      if (pin.resolution.releaseCycle.product !== product.slug || OTHERWISE.has(`${product.slug}:${version}`)) continue;
      products.add(product.slug);
      const [is, own] = [ofAssessed(pin), await ofStack(product.slug, version)].map((each) => JSON.stringify(each));
      if (is !== own) differences.push(`${tool} ${version}: ${is ?? ""}, check ${own ?? ""}`);
    }
  }
  expect(differences).toEqual([]);
  expect(products.size).toBeGreaterThan(50);
});

const answers = createAssessContext(catalogue, { strict: false, asOf });

/** The components of `.tool-versions` with one line. */
async function pinned(tool: string, version: string): Promise<readonly Assessed[]> {
  const kind = inventoryKindOf(".tool-versions");
  if (kind === undefined) throw new TypeError("the file has readers");
  const read = await readInventory(kind, new TextEncoder().encode(`${tool} ${version}\n`), catalogue.facts);
  return Array.from(read.components, (component) => assessComponent(component, answers));
}

/** The product that the catalogue means by the name of a tool. */
function ofTool(tool: string): Product | undefined {
  const { name, purl } = catalogue.facts.tools.tools[tool] ?? { name: tool };
  const { resolution } = assessComponent(
    purl === undefined ? { ...NO_COMPONENT, name, version: "0.0.0.1" } : purlComponent(`${purl}@0.0.0.1`),
    answers,
  );
  const slug =
    resolution.kind === "resolved"
      ? resolution.releaseCycle.product
      : resolution.kind === "unmatched"
        ? resolution.product
        : undefined;
  return slug === undefined ? undefined : catalogue.product(slug);
}
