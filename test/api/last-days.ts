/**
 * The property of the last day of a verdict, for tests and bench/soak-validity.ts: on that day the same check has the same
 * verdict, and on the day after it has the one that is stated, or nothing is known beyond it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { assessLocally } from "../../src/api/assess.ts";
import { checkDocuments } from "../../src/api/check.ts";
import { withStatement } from "../../src/api/statement.ts";
import { validityOf } from "../../src/api/validity.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { addDays } from "../../src/lifecycle/days.ts";
import type { Catalogue, ParsedDocument, Policy, Report } from "../../src/model/index.ts";
import { parsePolicy } from "../../src/policy/policy.ts";
import { inToto } from "../../src/report/in-toto.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { openSbom } from "../../src/sbom/open.ts";
import type { IsoDate } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { shared } from "../shared.ts";

export const catalogue = loadCatalogue();
export const { date } = catalogue.metadata;

export const documentOf = (components: readonly object[]): Promise<ParsedDocument> =>
  openSbom(
    new TextEncoder().encode(JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components })),
  );

/** A sequence that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Packages of products with a purl: a release of a cycle, one older than all of them, or an unknown one. */
const products = catalogue
  .slugs()
  .flatMap((slug) => catalogue.product(slug) ?? [])
  .filter(
    ({ purls, cycles }) => purls.length > 0 && cycles.some(({ eol }) => eol.kind === "dated" && eol.date.value > date),
  );

export function generated(seed: number): Promise<ParsedDocument> {
  const next = numbers(seed);
  const known = Array.from({ length: 1 + next(4) }, () => {
    const product = products[next(products.length)];
    const living = product?.cycles.filter(
      ({ eol }) => eol.kind === "open" || (eol.kind === "dated" && eol.date.value > date),
    );
    const chosen = next(8) === 0 ? product?.cycles : living;
    const cycle = chosen?.[next(chosen.length)];
    const version = next(12) === 0 ? "0.0.1" : (cycle?.latest?.name ?? cycle?.name ?? "1");
    return {
      type: "library",
      name: product?.name,
      version,
      purl: `${product?.purls[0]}@${encodeURIComponent(version)}`,
    };
  });
  const unknown = { type: "library", name: "invented", version: "1.0", purl: "pkg:npm/%40example/invented@1.0" };
  return documentOf([...known, unknown]);
}

/** The published documents of the reference data that are SBOMs, sorted by path; none where it is missing. */
export async function published(): Promise<readonly ParsedDocument[]> {
  const folder = shared("sboms/documents/");
  if (folder === undefined) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  const found: ParsedDocument[] = [];
  for (const name of names.filter((each) => /\.(?:json|xml|spdx)$/.test(each)))
    found.push(
      ...(await openSbom(readFileSync(new URL(name, folder))).then(
        (each) => [each],
        () => [],
      )),
    );
  return found;
}

export const POLICIES: readonly Policy[] = [
  parsePolicy({}),
  parsePolicy({
    failOn: ["eol", "approaching", "score>=45", "kev", "superseded", "retired", "unknown"],
    warnDays: 45,
    strict: true,
    support: "standard",
  }),
  parsePolicy({
    failOn: ["eol", "score>=70"],
    support: "extended",
    minCoverage: 40,
    maxCatalogueAge: 600,
    signals: "bundled",
    inactiveMonths: 6,
    waivers: products
      .slice(0, 60)
      .map(({ slug }, at) => ({ target: slug, reason: "test", expires: addDays(date, at * 9) })),
  }),
];

const withSupport = async (policy: Policy, asOf: IsoDate, of: Catalogue) => {
  if (policy.signals === "off") return {};
  const { listedLevels } = await import("../../src/support/listed.ts");
  const levelOf = listedLevels({ policy, facts: of.facts, asOf, list: of.newest });
  return { levelOf };
};

/** The check of a day, apart from the function under test: with `signals: bundled`, levels are determined again. */
export async function reportOn(
  document: ParsedDocument,
  policy: Policy,
  asOf: IsoDate,
  of: Catalogue = catalogue,
): Promise<Report> {
  const { levelOf } = await withSupport(policy, asOf, of);
  return checkDocuments([{ file: "bom.json", digest: () => "sha256:00", document }], {
    catalogue: of,
    policy,
    asOf,
    assess: assessLocally(of, asOf),
    tool: { name: "eolgate", version: "0.0.0" },
    links: linksUnder("https://eolgate.example"),
    ...(levelOf && {
      determineSupport: (components) =>
        Promise.resolve(components.map((each) => ({ ...each, support: levelOf(each) }))),
    }),
  });
}

export const wordsOf = ({ verdict, exit }: Report): string => `${verdict.value} (${exit.code})`;

/** How the verdict ends: `pass → fail`, or why nothing is known. Throws an error if the last day is not the last one. */
export async function requireLastDay(document: ParsedDocument, policy: Policy, asOf: IsoDate): Promise<string> {
  const report = await reportOn(document, policy, asOf);
  const { validUntil, exitCodeUntil, next, limit } = await validityOf(report, { catalogue, isRemote: false });
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`${asOf}, until ${validUntil} and ${exitCodeUntil}: ${what}`);
  };
  const now = wordsOf(report);
  require(exitCodeUntil >= validUntil && validUntil >= asOf, "the days are not in order");
  require(wordsOf(await reportOn(document, policy, validUntil)) === now, "the verdict of the last day differs");
  const { exit } = await reportOn(document, policy, exitCodeUntil);
  require(exit.code === report.exit.code, "the exit code of its last day differs");
  if (next === undefined) {
    require(limit === "catalogue-age" || limit === "no-verdict", `it is limited by ${limit}`);
    return String(limit);
  }
  const then = wordsOf(await reportOn(document, policy, addDays(validUntil, 1)));
  require(then !== now, "the verdict of the day after is the same");
  require(then === `${next.verdict} (${next.exitCode})`, `the verdict of the day after is ${then}`);
  return `${report.verdict.value} → ${next.verdict}`;
}

/** The statement about the check of a day. */
export async function statementOn(
  document: ParsedDocument,
  policy: Policy,
  asOf: IsoDate,
  of: Catalogue = catalogue,
): Promise<string> {
  const report = await reportOn(document, policy, asOf, of);
  return inToto(await withStatement(report, { catalogue: of, isRemote: false, cwd: "." }), PLAIN);
}
