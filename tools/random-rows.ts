/**
 * Draws random release cycles of the bundled catalogue and compares each end with the stored sources next to the checkout.
 * `node tools/random-rows.ts [SEED] [COUNT]`; the same seed draws the same rows of the same catalogue. Exit code 1: an end
 * differs from every stored source of its row.
 */
import { readFileSync } from "node:fs";
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { readContent } from "../src/catalogue/file.ts";
import type { StoredContent, StoredCycle, StoredEnd, StoredProduct } from "../src/catalogue/schema.ts";

const UPSTREAM = new URL("../../shared/upstream/", import.meta.url);
const CATALOGUE = new URL("../src/data/catalogue.json", import.meta.url);
const OWN_FILES = [
  "own-catalogue.json",
  "enterprise-products.json",
  "libraries-js-py-go.json",
  "libraries-jvm-net.json",
  "stale-products.json",
  "retired-libraries.json",
];

interface Statement {
  readonly file: string;
  readonly end: string;
}
const text = Type.String();
const end = Type.Union([text, Type.Boolean(), Type.Null()]);
const day = Type.Optional(Type.Union([text, Type.Null()]));
const Release = Type.Object({ name: text, isEol: Type.Boolean(), eolFrom: day, eoasFrom: day, eoesFrom: day });
const Dump = Type.Object({ result: Type.Array(Type.Object({ name: text, releases: Type.Array(Release) })) });
const Line = Type.Object({ cycle: text, eol: Type.Optional(end), eol_precision: Type.Optional(text) });
const Products = Type.Array(Type.Object({ slug: text, lines: Type.Optional(Type.Array(Line)) }));
const Models = Type.Array(
  Type.Object({ platform: text, line: text, retirement_date: day, status: Type.Optional(text) }),
);
const Packages = Type.Array(Type.Object({ purl: Type.Union([text, Type.Null()]), eol: end }));

/** @throws AssertError if the file has another form. */
const read = <Schema extends TSchema>(file: string, schema: Schema): Static<Schema> =>
  Value.Parse(schema, JSON.parse(readFileSync(new URL(file, UPSTREAM), "utf8")));

const written = (end: StoredEnd | null | undefined): string =>
  end === true ? "ended" : end === false ? "open" : (end ?? "none");

interface Found extends Statement {
  readonly key: string;
}

function* recordRows(): Generator<Found> {
  const file = "dump";
  for (const { name: slug, releases } of read("endoflife-v1-products-full.json", Dump).result)
    for (const { name, isEol, eolFrom, eoasFrom, eoesFrom } of releases) {
      const key = `${slug}:${name}`;
      yield { key, file, end: eolFrom ?? (isEol ? "ended" : "open") };
      // The gate's end may be another field of the record.
      for (const end of [eoasFrom, eoesFrom]) if (end) yield { key, file: "dump, another field", end };
    }
}

function* ownRows(file: string): Generator<Found> {
  for (const { slug, lines = [] } of read(file, Products))
    for (const { cycle, eol, eol_precision: precision } of lines) {
      const isMonth = precision === "month" && typeof eol === "string";
      yield { key: `${slug}:${cycle}`, file, end: written(isMonth ? eol.slice(0, 7) : eol) };
    }
}

function* modelRows(file: string): Generator<Found> {
  for (const { platform, line, retirement_date: date, status } of read(file, Models)) {
    const slug = platform === "anthropic-api" ? "claude" : platform;
    yield { key: `${slug}:${line}`, file, end: date ?? (status === "retired" ? "ended" : "open") };
  }
}

function* packageRows(file: string): Generator<Found> {
  for (const { purl, eol } of read(file, Packages)) {
    const name = decodeURIComponent(purl ?? "").replace(/^pkg:[a-z]+\//, "");
    if (purl !== null && eol !== null) yield { key: `azure:${name.toLowerCase()}`, file, end: written(eol) };
  }
}

const statements = (): ReadonlyMap<string | undefined, readonly Found[]> =>
  Map.groupBy(
    [
      ...recordRows(),
      ...OWN_FILES.flatMap((file) => [...ownRows(file)]),
      ...["ai-models.json", "ai-models-azure.json"].flatMap((file) => [...modelRows(file)]),
      ...packageRows("azure-sdk-packages.json"),
    ],
    ({ key }) => key,
  );

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
function* randoms(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

interface Row {
  readonly slug: string;
  readonly product: StoredProduct;
  readonly cycle: StoredCycle;
}

function drawn(content: StoredContent, seed: number, count: number): readonly Row[] {
  const rows = Object.entries(content.products).flatMap(([slug, product]) =>
    product.cycles.map((cycle) => ({ slug, product, cycle })),
  );
  const numbers = randoms(seed);
  return Array.from({ length: Math.min(count, rows.length) }, () =>
    rows.splice(Math.floor(numbers.next().value * rows.length), 1),
  ).flat();
}

const keyOf = ({ slug, cycle: { name } }: Row): string =>
  slug.startsWith("azure-sdk-") ? `azure:${name.replace(/@[^@/]+$/, "").toLowerCase()}` : `${slug}:${name}`;

const content = readContent(readFileSync(CATALOGUE), "bundled");
const known = statements();
const [seed = "20261122", count = "150"] = process.argv.slice(2);
const totals = { agrees: 0, differs: 0, absent: 0 };
for (const row of drawn(content, Number(seed), Number(count))) {
  const { slug, product, cycle } = row;
  const stored = known.get(keyOf(row)) ?? [];
  const ends = [cycle.eol, ...(cycle.also ?? []).map(([, end]) => end), cycle.notBefore].map(written);
  const result = stored.length === 0 ? "absent" : stored.some(({ end }) => ends.includes(end)) ? "agrees" : "differs";
  totals[result] += 1;
  const source = content.reads[cycle.read ?? product.read];
  const page = source === undefined ? "" : (content.addresses[source.page] ?? "");
  const others = stored.map(({ file, end }) => `${file}: ${end}`).join("; ");
  process.stdout.write(`${result}\t${slug}:${cycle.name}\t${ends[0] ?? ""}\t${others}\t${source?.on ?? ""}\t${page}\n`);
}
process.stdout.write(`seed ${seed}: ${JSON.stringify(totals)}\n`);
process.exitCode = totals.differs > 0 ? 1 : 0;
