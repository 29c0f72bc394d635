/**
 * Whoever names a product and a version gets one answer. For every product of the catalogue: names of cycles, minor and full
 * versions, a number that several cycles share, one below and one above the record, asked of `check --stack`, `explain`,
 * `score`, `status` and `batch`. `test/service/same-answer.test.ts` compares the routes, pages and tools with them.
 */
import { describe, expect, test } from "vitest";
import { explain } from "../../src/api/explain.ts";
import { readStackInput } from "../../src/api/inventory/file.ts";
import { createLocal } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { EolgateError } from "../../src/messages/error.ts";
import type { Assessed, Product } from "../../src/model/index.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { assessComponent, createAssessContext } from "../../src/resolve/answer.ts";
import { asIsoDate, type ProductSlug } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { gateObject } from "../../src/wire/score.ts";

const asOf = asIsoDate("2026-11-28");
const catalogue = loadCatalogue();
const local = createLocal({ catalogue, asOf, links: linksUnder("https://example.org") });

/** Versions that ask a product in each way; at most one of a way, so that every product is asked in about a second each. */
function versionsOf({ cycles }: Product): readonly string[] {
  const names = cycles.map(({ name }) => name);
  const [newest, oldest] = [names[0], names.at(-1)];
  const middle = cycles[Math.floor(cycles.length / 2)];
  const majors = names.map((name) => /^\d+/.exec(name)?.[0]).filter((major) => major !== undefined);
  const shared = majors.find((major, index) => majors.indexOf(major) !== index && !names.includes(major));
  const versions: readonly (string | undefined)[] = [
    newest,
    oldest,
    middle?.name,
    middle?.latest?.name,
    middle && `${middle.name}.1`,
    newest && `${newest}.0.1`,
    shared,
    oldest && /^[2-9]/.test(oldest) ? "1.0.3" : "0.0.7",
    "9876.5",
  ];
  return [
    ...new Set(versions.flatMap((version) => (version === undefined || /[\s,:@]/.test(version) ? [] : [version]))),
  ];
}

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
