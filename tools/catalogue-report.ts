/**
 * `npm run catalogue:report`: prints counts and quality of the bundled catalogue as Markdown. With a day as argument,
 * provenance is evaluated on that day; `--write` writes the text to docs/catalogue.md.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { readContent } from "../src/catalogue/file.ts";
import { catalogueInfo } from "../src/catalogue/info/info.ts";
import { loadCatalogue } from "../src/catalogue/load.ts";
import { BUNDLED } from "../src/catalogue/places.ts";
import { asIsoDate, isIsoDate, type IsoDate } from "../src/text/ids.ts";
import { provenanceOf } from "../src/lifecycle/provenance.ts";
import { escapeMarkdown } from "../src/report/escape.ts";
import { catalogueQuality } from "./catalogue-quality.ts";
import type { End, Product, Claim } from "../src/model/index.ts";

const LAST_REFRESH = new URL("last-refresh.json", BUNDLED);

const given = process.argv.find((word) => isIsoDate(word));
const asOf = asIsoDate(given ?? new Date().toISOString().slice(0, 10));
const catalogue = loadCatalogue();
const bytes = readFileSync(BUNDLED);
const info = catalogueInfo(bytes, "bundled", asOf);
const quality = catalogueQuality(readContent(bytes, "bundled"), asOf);
const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
const lines = products.flatMap((product) => product.cycles.map((cycle) => ({ product, cycle })));

const textOf = (end: End): string =>
  end.kind === "dated" ? (end.date.precision === "month" ? end.date.value.slice(0, 7) : end.date.value) : end.kind;
const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [`| ${heads.join(" | ")} |`, `|${"---|".repeat(heads.length)}`, ...rows.map((row) => `| ${row.join(" | ")} |`)].join(
    "\n",
  );
const tally = (texts: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(texts, (each) => each)].map(([each, all]) => [each, all.length] as const).sort((a, b) => b[1] - a[1]);
const share = (part: number): string => `${((part / lines.length) * 100).toFixed(1)} %`;

const percent = (part: number, all: number): string => `${((part * 100) / all).toFixed(1)} %`;
const withShare = (part: number): string => `${part} (${percent(part, quality.future_ends.count)})`;

/** The measured share of packages in real documents. */
function documentRows(): readonly (readonly [string, string])[] {
  const { documents } = info;
  if (documents === null) return [];
  const what = `${documents.distinct_purls} distinct package URLs of ${documents.documents} real documents, on ${documents.measured_on}`;
  return [
    [
      what,
      `${documents.by_cycle} % by release cycle, ${documents.with_distributions} % with packages of distributions`,
    ],
  ];
}

/** The file that `npm run catalogue:refresh` writes. */
const Refresh = Type.Object({
  on: Type.String(),
  sources: Type.Integer(),
  failed: Type.Array(Type.Object({ id: Type.String(), why: Type.String() })),
});

/** The sources that the last refresh could not read. */
function lastRefresh(): string {
  if (!existsSync(LAST_REFRESH))
    return "The bundled catalogue was compiled from stored copies of the sources; it was not refreshed from their addresses yet.";
  const { on, sources, failed } = Value.Parse(Refresh, JSON.parse(readFileSync(LAST_REFRESH, "utf8")));
  const read = `On ${on}, ${sources - failed.length} of ${sources} sources were read.`;
  return failed.length === 0
    ? read
    : `${read}\n\n${table(
        ["source", "not read because"],
        failed.map(({ id, why }) => [id, escapeMarkdown(why)]),
      )}`;
}

const provenances = lines.map(({ cycle }) => provenanceOf(cycle.claims, asOf));
const agreeing = lines.filter((_, at) => (provenances[at]?.agreement ?? 0) >= 2);
const disputes = lines.flatMap(({ product, cycle }) =>
  (
    [
      ["end", cycle.claims],
      ["active support", cycle.eoasClaims],
      ["extended support", cycle.eoesClaims],
    ] as const
  ).flatMap(([field, statements]) => dispute(product, cycle.name, field, statements)),
);

function dispute(product: Product, cycle: string, field: string, statements: readonly Claim[] | undefined) {
  if (statements === undefined || provenanceOf(statements, asOf).status !== "mismatch") return [];
  const claimed = statements.map(({ source, end, retrievedAt }) => `${source} ${textOf(end)} (${retrievedAt})`);
  return [[`${product.slug} ${cycle}`, field, claimed.join("; ")]];
}

const split = products.filter((product) => product.split.size > 0);
const surfaces = tally(products.map(({ attackSurface }) => attackSurface));
const tracks = lines.flatMap(({ cycle }) => cycle.tracks);

// oxlint-disable-next-line max-lines-per-function -- the text of one page, written in the order in which it is read
function report(day: IsoDate): string {
  return `# The bundled catalogue

As of ${day}, content of ${info.date} (\`${info.digest.slice(0, 23)}…\`). Made by \`npm run catalogue:report\`.

The workflow \`refresh-catalogue.yml\` reads the sources twice a day. [Update the catalogue](catalogue-updates.md) describes how
a machine gets a newer catalogue and which changes an update refuses; [Publish a catalogue
channel](operating.md#publish-a-catalogue-channel) describes how to run a channel.

## Correct a date

A correction is one row of a curated file, with its source. [src/pipeline/curated](../src/pipeline/curated/README.md#correct-a-date)
describes the files and the steps. You can also open an issue with the form *Wrong result* and the address of a page that
states the date.

## Counts

${table(
  ["what", "count"],
  [
    ["products", info.products],
    ["from the upstream record", products.filter(({ record }) => record === "upstream").length],
    ["from the project's own record", products.filter(({ record, models }) => record === "custom" && !models).length],
    ["AI platforms", products.filter(({ models }) => models).length],
    ["products with a dated or declared end of life", info.dated_products],
    ["with a complete record", quality.records.complete],
    ["with a partial record", quality.records.partial],
    ["with retired release cycles only", quality.records.retired_only],
    ["release cycles", info.cycles],
    ["release cycles with a dated or declared end of life", info.dated_cycles],
    [
      "ends of life that are known to the month only",
      lines.filter(({ cycle: { eol } }) => eol.kind === "dated" && eol.date.precision === "month").length,
    ],
    ["earliest possible dates, stored separately (not before)", lines.filter(({ cycle }) => cycle.eolNotBefore).length],
    ["retired by their maintainers", lines.filter(({ cycle }) => cycle.retired).length],
    ["rolling", lines.filter(({ cycle }) => cycle.rolling).length],
    ["package URLs", info.purls],
    ["AI models", info.models],
    ["products with known exploited vulnerabilities", products.filter(({ kev }) => kev).length],
    ["known exploited vulnerabilities", info.kev.entries],
    ["pairs of a vulnerability and a product", quality.kev_pairs.count],
    ["of which the affected versions are known", quality.kev_pairs.with_versions],
    ["support periods of distributions' packages", quality.package_lifecycles],
    ["future ends of life", quality.future_ends.count],
    ["of which the vendor's feed states the date", withShare(quality.future_ends.stated_by_vendor)],
    ["of these, entered by hand from the feed and not read by its parser", quality.future_ends.recorded_from_feed],
    ["of which the record is a copy of the vendor's page", withShare(quality.future_ends.copied_from_vendor)],
    ["of which the project's own record states the vendor's date", withShare(quality.future_ends.own_statements)],
    ["future ends of life of products with a vendor's feed", quality.future_ends.with_vendor_feed],
    ["of these, with a record that is not a copy of the vendor's page", quality.future_ends.with_independent_record],
    [
      "of the products with a feed, stated by two independent sources",
      `${quality.future_ends.agreed} (${percent(quality.future_ends.agreed, quality.future_ends.with_vendor_feed)})`,
    ],
    ...documentRows(),
    ["support tracks, free", tracks.filter(({ cost }) => cost === "free").length],
    ["support tracks, paid", tracks.filter(({ cost }) => cost === "paid").length],
    ...surfaces.map(([name, count]) => [`attack surface: ${name}`, count] as const),
  ],
)}

## Provenance of end-of-life dates

${table(
  ["source", "status", "confidence", "release cycles", "share"],
  tally(provenances.map(({ source, status, confidence }) => `${source} | ${status} | ${confidence}`)).map(
    ([name, count]) => [name, count, share(count)],
  ),
)}

Two independent sources state the same date for ${agreeing.length} release cycles: ${tally(
    agreeing.map(({ product }) => product.slug),
  )
    .map(([slug, count]) => `${slug} ${count}`)
    .join(", ")}.

## Discrepancies

Sources that state different dates. If a complete vendor feed is as recent as the record, its date is used; otherwise the record's date is used, with low confidence. The product page shows both.

${table(["release cycle", "field", "stated by (read on)"], disputes)}

## Split versions

${split.length} products have ${split.reduce((sum, product) => sum + product.split.size, 0)} versions with several release cycles, such as editions. A look-up of such a version returns the candidates instead of a result.

${table(
  ["product", "versions"],
  split.map((product) => [product.slug, [...product.split.keys()].join(", ")]),
)}

## The last refresh

${lastRefresh()}

## Age of the sources

The age is that of the content: the date that the server or the record states, not the date of the download.

${table(
  ["source", "statements", "content of", "days"],
  info.sources.map(({ id, statements, content_on, content_age_days }) => [
    id,
    statements,
    content_on ?? "not stated",
    content_age_days ?? "",
  ]),
)}
`;
}

if (process.argv.includes("--write")) {
  const path = fileURLToPath(new URL("../docs/catalogue.md", import.meta.url));
  writeFileSync(path, report(asOf));
  console.log(path);
} else console.log(report(asOf));
