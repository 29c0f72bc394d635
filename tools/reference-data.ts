/**
 * The refreshed layer, read from the folder next to the checkout: the upstream record, KEV and samples of vendors' feeds,
 * each with the day on which it was read. A sample counts by its kind: a whole answer confirms and contradicts, an excerpt
 * or a transcription can only object, a shape states nothing.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Type, type Static, type TSchema } from "typebox";
import { Value } from "typebox/value";
import { cisaKev } from "../src/pipeline/sources/cisa-kev.ts";
import { endoflifeDate } from "../src/pipeline/sources/endoflife-date.ts";
import { tablePages, type LifecycleSource, type Source, type SourceDocument } from "../src/pipeline/sources/source.ts";
import { readTable } from "./reference-tables.ts";
import { allSources, findSource } from "../src/pipeline/sources/sources.ts";
import type { CompileInputs, PackageEndReading } from "../src/pipeline/compile/compile.ts";
import { CURATED } from "../src/catalogue/places.ts";
import { readShaped } from "../src/pipeline/sources/declared/read-feeds.ts";
import { readCurated } from "../src/pipeline/compile/curated.ts";
import { feedTables } from "../src/pipeline/compile/context.ts";
import type { VendorReading } from "../src/pipeline/compile/vendor.ts";

/** One file that went in, for SOURCES.md. */
export interface InputFile {
  readonly file: string;
  readonly url: string;
  readonly licence: string;
  readonly readOn: string;
  readonly sha256: string;
  readonly use: string;
}
export interface ReferenceInputs extends CompileInputs {
  readonly inputFiles: readonly InputFile[];
  /** Samples that no reader took, with the reason. */
  readonly unread: readonly { readonly file: string; readonly why: string }[];
}

const text = Type.String();
const manifest = Type.Array(Type.Object({ file: text, feed: text, url: text, date: text, licence: text, kind: text }));

const enterpriseFeeds = Type.Object({
  feeds: Type.Array(
    Type.Object({
      id: text,
      url: text,
      samples: Type.Array(Type.Object({ file: text, day: text, licence: text, kind: text })),
    }),
  ),
});

/** One row of `feeds/MANIFEST.json`. */
export type Sample = Static<typeof manifest>[number];

const end = Type.Union([text, Type.Boolean()]);
/** `vendor-reads.json`, by product; see `CopiedPages`. */
const copiedPages = Type.Record(
  text,
  Type.Object({
    cycles: Type.Union([Type.Literal("all"), Type.Record(text, Type.Object({ eol: Type.Optional(end) }))]),
    except: Type.Optional(Type.Array(Type.Object({ name: text, eol: Type.Optional(end) }))),
    read_on: text,
    source_url: text,
  }),
);

/** The day whose content the record holds: its header names a later one (see the reference data's own notes). */
export const RECORD_CONTENT_DAY = "2026-08-22";

export function readReference(folder: URL): ReferenceInputs {
  const inputFiles: InputFile[] = [];
  const readInput: ReadInput = (file, about) => {
    const bytes = readFileSync(new URL(file, folder));
    inputFiles.push({ file, sha256: createHash("sha256").update(bytes).digest("hex"), ...about });
    return bytes.toString("utf8");
  };
  const [recordPage, kevPage] = [endoflifeDate.documents[0], cisaKev.documents[0]];
  if (recordPage === undefined || kevPage === undefined) throw new RangeError("a record has no document");
  const mit = { licence: "MIT", readOn: RECORD_CONTENT_DAY };
  const record = readInput("endoflife-v1-products-full.json", {
    ...mit,
    url: recordPage.url,
    use: "the upstream record",
  });
  const copied = readInput("vendor-reads.json", {
    ...mit,
    url: "https://github.com/endoflife-date/release-data",
    use: "vendor pages that the record copied",
  });
  const kevText = readInput("kev-known-exploited-vulnerabilities.json", {
    licence: "CC0-1.0",
    readOn: "2026-08-21",
    url: kevPage.url,
    use: "known exploited vulnerabilities",
  });
  return {
    curated: readCurated(),
    record: {
      reading: endoflifeDate.parse(record, recordPage),
      readOn: RECORD_CONTENT_DAY,
      copied: checkedJson(copiedPages, copied, "vendor-reads.json"),
    },
    kev: cisaKev.parse(kevText, kevPage),
    ...readingsOf(readSamples(folder), readInput),
    newest: readNewest(readInput),
    feedTables: feedTables(allSources),
    inputFiles,
    refusesNew: true,
  };
}

const NEWEST_ON = "2026-11-22";
const newestRows = Type.Object({
  read_on: Type.Literal(NEWEST_ON),
  npm: Type.Array(Type.Tuple([text, text, Type.Integer()])),
  pypi: Type.Array(Type.Tuple([text, text, text, Type.Integer()])),
});

const goModulesFile = Type.Object({
  about: text,
  reads: Type.Array(Type.Object({ page: text, on: text })),
  versions: Type.Record(text, text),
});

/** The newest versions of the most used packages of npm and PyPI, and those of Go modules that were read. Rows without a version are left out. */
function readNewest(readInput: ReadInput): CompileInputs["newest"] {
  const file = "registry-latest-2026-11.json";
  const json = readInput(file, {
    licence: "facts of the registries",
    readOn: NEWEST_ON,
    url: "https://www.npmjs.com, https://pypi.org",
    use: "newest versions of packages",
  });
  const { npm, pypi } = checkedJson(newestRows, json, file);
  const goModules = readShaped(new URL("go-modules.json", CURATED), goModulesFile);
  const goOn =
    goModules.reads
      .map(({ on }) => on)
      .toSorted()
      .at(-1) ?? NEWEST_ON;
  const rows = [
    ...Object.entries(goModules.versions).map(([name, version]) => [`golang/${name}`, version] as const),
    ...npm.map(([name, version]) => [`npm/${name}`, version] as const),
    ...pypi.map(([name, version, month]) => [`pypi/${name}`, `${version} ${month}`.trim()] as const),
  ];
  const on = { golang: goOn, npm: NEWEST_ON, pypi: NEWEST_ON };
  return { on, versions: Object.fromEntries(rows.filter(([, row]) => /^\S+(?: \d{4}-\d{2})?$/.test(row))) };
}

/** Reads a file and notes it for SOURCES.md. */
type ReadInput = (file: string, about: Omit<InputFile, "file" | "sha256">) => string;

function readingsOf(
  samples: readonly Sample[],
  readInput: ReadInput,
): Pick<ReferenceInputs, "vendors" | "packageEnds" | "unread"> {
  const unread: { file: string; why: string }[] = [];
  const vendors: VendorReading[] = [];
  const packageEnds: PackageEndReading[] = [];
  for (const sample of samples) {
    const read = readSample(sample, () =>
      readInput(sample.file, {
        licence: sample.licence,
        readOn: statedDay(sample.date),
        url: sample.url,
        use: `${sample.feed}, ${sample.kind}`,
      }),
    );
    if (read === undefined || "why" in read) unread.push({ file: sample.file, why: read?.why ?? "no reader" });
    else if ("extent" in read) vendors.push(read);
    else packageEnds.push(read);
  }
  return { vendors, packageEnds, unread };
}

/** The samples of both lists: that of the feeds, and that of the feeds of enterprise products. */
export function readSamples(folder: URL): readonly Sample[] {
  const read = (file: string): string => readFileSync(new URL(file, folder), "utf8");
  const { feeds } = checkedJson(enterpriseFeeds, read("enterprise-feeds.json"), "enterprise-feeds.json");
  const enterprise = feeds.flatMap(({ id, url, samples }) =>
    samples.map(({ file, day, licence, kind }) => ({ file, feed: id, url, date: day, licence, kind })),
  );
  return [...parseManifest(read("feeds/MANIFEST.json")), ...enterprise];
}

export const parseManifest = (text: string): readonly Sample[] => checkedJson(manifest, text, "feeds/MANIFEST.json");

function checkedJson<Schema extends TSchema>(schema: Schema, text: string, file: string): Static<Schema> {
  const value: unknown = JSON.parse(text);
  if (Value.Check(schema, value)) return value;
  const [first] = Value.Errors(schema, value);
  throw new TypeError(`${file}${first?.instancePath ?? ""} ${first?.message ?? "has another form"}`);
}

const INDEPENDENT = new Set([
  "as published",
  "generated by running the vendor's own code",
  "table rows of the vendor's page, as facts",
  "table rows",
  "whole",
  // From a repository of Red Hat: what it states of a product is all that the answer states.
  "excerpt: 19 of 232 products, each whole and unchanged, white space removed",
]);
const OBJECTIONS = new Set([
  "excerpt, captured in a test of a third party",
  "facts, transcribed from the feed by a third party",
  "facts, transcribed: 461 of 757 items",
  "excerpt: first 206 rows of the sheet, unchanged, closed again",
]);

type SampleReading = VendorReading | PackageEndReading | { readonly why: string };

function readSample(sample: Sample, text: () => string): SampleReading | undefined {
  const source = sourceOf(sample);
  const extent = extentOf(sample);
  if (source === undefined) return undefined;
  if (extent === undefined) return { why: `of kind ${sample.kind}` };
  const document = documentOf(source.documents, sample);
  const head = {
    source: source.id,
    origin: source.origin,
    url: document.url,
    readOn: statedDay(sample.date),
    pages: tablePages(source),
  };
  try {
    switch (source.kind) {
      case "lifecycle":
        if (!source.independentOfUpstream) return { why: "copies the upstream record" };
        return { ...head, extent, claims: lifecycleClaims(source, sample, text(), document) };
      case "package-ends":
        return { ...head, claims: source.parse(text(), document) };
      case "kev":
      case "record":
        return { why: "read on its own" };
    }
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** Two feeds of one vendor can share a name in the manifest; the address distinguishes them. */
const sourceOf = ({ url, feed }: Sample): Source | undefined =>
  allSources.find(({ documents }) => documents.some((document) => document.url === url)) ?? findSource(feed);

function extentOf({ kind }: Sample): VendorReading["extent"] | undefined {
  if (INDEPENDENT.has(kind)) return "whole";
  return OBJECTIONS.has(kind) ? "excerpt" : undefined;
}

/** A sample that is a table was transcribed from the source's page: the source reads its rows. */
function lifecycleClaims(
  source: LifecycleSource,
  { file }: Sample,
  text: string,
  document: SourceDocument,
): VendorReading["claims"] {
  const rows = file.endsWith(".csv") ? readTable(source, text) : undefined;
  return (rows ?? source.parse(text, document)).claims;
}

/** The document that a sample is a copy of: by address, else by the cycle in its name (`….deb12`), else the first. */
function documentOf(documents: readonly SourceDocument[], sample: Sample): SourceDocument {
  const part = /\.deb(\d+)$/.exec(sample.file)?.[1];
  return (
    documents.find(({ url }) => url === sample.url) ??
    documents.find((document) => part !== undefined && document.part === part) ??
    documents[0] ?? { url: sample.url }
  );
}

/** `2024-10`, `2025-11 or later`, `2024-10 and 2026-11`: the day, the month or the year that the text begins with. */
const statedDay = (date: string): string => /^\d{4}(?:-\d{2}){0,2}/.exec(date)?.[0] ?? "1970";
