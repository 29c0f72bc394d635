/**
 * The questions about packages, names, systems and models whose answers may differ between two catalogues. They come from
 * both catalogues, so that they cover what a new one adds, removes or redirects.
 */
import { getOwn, keysOf, percentEncode } from "../../text/values.ts";
import type { Component, ComponentKind } from "../../model/index.ts";
import { asPurl } from "../../text/ids.ts";
import { NO_COMPONENT } from "../../resolve/resolve.ts";
import { foldedNames } from "../format/sections.ts";
import type { StoredContent, StoredPurl } from "../schema.ts";

export interface Question {
  /** The row that decides, such as `purls npm/react`: it can be kept as it is. */
  readonly section:
    | "products"
    | "purls"
    | "names"
    | "cpes"
    | "systems"
    | "models"
    | "distroPackages"
    | "vendorPackages";
  readonly row: string;
  readonly version: string;
  /** Absent: the product `row` in this version. */
  readonly component?: Component;
}

/** Two contents, and what is known of their products. */
export interface Rows {
  readonly contents: readonly [older: StoredContent, newer: StoredContent];
  /** By slug: the versions that the two answer differently; `all` for a product whose names, flags or rules differ. */
  readonly changed: ReadonlyMap<string, readonly string[] | "all">;
  /** Questions of which every row is asked for, because facts differ that a resolution reads for any of them. */
  readonly whole: ReadonlySet<QuestionGroup>;
}

/** Packages, names, CPEs and systems; models; packages of distributions. */
type QuestionGroup = "names" | "models" | "distributions";

/** The facts that a resolution reads, and for which questions. */
const FACTS = {
  modelPlatforms: ["models"],
  packageEvidence: ["names", "distributions"],
  alternativeVersions: ["distributions"],
  releaseEvidence: ["distributions"],
  shippedVersions: ["distributions"],
  distroRevisions: ["distributions"],
} as const satisfies Partial<Record<keyof StoredContent, readonly QuestionGroup[]>>;

export const comparedRows = (contents: Rows["contents"], changed: Rows["changed"]): Rows => ({
  contents,
  changed,
  whole: new Set(
    keysOf(FACTS).flatMap((name) => (differs({ contents }, (content) => content[name]) ? FACTS[name] : [])),
  ),
});

/** Questions on rows that differ, and on equal rows about products that differ. Equal rows about equal products answer alike. */
export function* rowQuestions(rows: Rows): Generator<Question> {
  yield* purlQuestions(rows);
  yield* tableQuestions("names", rows, ({ names }) => foldedNames(names), {
    productsOf: (slugs) => slugs,
    component: (key, version) => named("other", key, version),
  });
  yield* tableQuestions("cpes", rows, (content) => content.cpes, {
    productsOf: (slug) => [slug],
    component: (key, version) => ({
      // The name of a product would decide before the CPE.
      ...named("other", "?", version),
      cpes: [`cpe:2.3:a:${key}:${version}:*:*:*:*:*:*:*`],
    }),
  });
  yield* tableQuestions("systems", rows, (content) => content.systems, {
    productsOf: (row) => (row === "rolling" ? [] : [row[0]]),
    component: (key, version) => named("operating-system", key, version),
  });
  yield* modelQuestions(rows);
}

export const differs = (
  { contents: [older, newer] }: Pick<Rows, "contents">,
  part: (content: StoredContent) => unknown,
): boolean => JSON.stringify(part(older)) !== JSON.stringify(part(newer));

/** Every key of a table, in any of the catalogues. */
export const keysIn = (
  { contents }: Pick<Rows, "contents">,
  table: (content: StoredContent) => object,
): ReadonlySet<string> => new Set(contents.flatMap((content) => Object.keys(table(content))));

const slugOf = (entry: string): string => entry.replace(/#.*/, "");

/** Releases of each cycle of a product; of a part of it, of the part's cycles. */
function releasesOf({ contents }: Pick<Rows, "contents">, entry: string): readonly string[] {
  const [slug = "", part = ""] = entry.split("#");
  const cycles = contents.flatMap(({ products }) => getOwn(products, slug)?.cycles ?? []);
  const releases = cycles.flatMap(({ name, latest }) => {
    const own = inPart(name, part);
    return own === undefined ? [] : [own, latest === undefined ? own : typeof latest === "string" ? latest : latest[0]];
  });
  return [...new Set(releases)];
}

/** `package@1.2` → `1.2`; undefined for a cycle of another part. */
function inPart(name: string, part: string): string | undefined {
  const at = name.lastIndexOf("@");
  return part !== "" && at > 0 && name.slice(0, at) !== part ? undefined : name.slice(at + 1);
}

/** The releases of a product, or of a part, that the two catalogues answer differently. */
export function changedReleases(rows: Rows, entry: string): readonly string[] {
  const [slug = "", part = ""] = entry.split("#");
  const changed = rows.changed.get(slug) ?? [];
  return changed === "all" ? releasesOf(rows, entry) : changed.flatMap((version) => inPart(version, part) ?? []);
}

export const isChanged = ({ changed }: Rows, slug: string): boolean => changed.has(slugOf(slug));

/** Releases are sorted from the newest on. The oldest has ended: it tells whether an answer became weaker. */
export const oldest = (releases: readonly string[]): readonly string[] => releases.slice(-1);
export const oldestAndNewest = (releases: readonly string[]): readonly string[] =>
  releases.length < 3 ? releases : [...releases.slice(0, 1), ...oldest(releases)];

export const productOf = (entry: StoredPurl): string => (typeof entry === "string" ? entry : entry.product);

interface TableOptions<Row> {
  readonly productsOf: (row: Row) => readonly string[];
  /** Distinguishes rows that are written alike and are read in different ways. */
  readonly kindOf?: (key: string, entry: string) => string;
  readonly component: (key: string, version: string) => Component;
}

/**
 * Of rows that differ alike, the first is asked for every release, and the others for two. Of equal rows that are read
 * alike, one is asked for the releases of its product that changed: its answer is kept with the product.
 */
function* tableQuestions<Row>(
  section: Question["section"],
  rows: Rows,
  table: (content: StoredContent) => Readonly<Record<string, Row>>,
  { productsOf, kindOf = () => "", component: componentOf }: TableOptions<Row>,
): Generator<Question> {
  const asked = new Set<string>();
  const tables = rows.contents.map(table);
  for (const key of new Set(tables.flatMap((each) => Object.keys(each)))) {
    const stored = tables.map((each) => getOwn(each, key));
    const [before, after] = stored.map((row) => JSON.stringify(row));
    for (const entry of new Set(stored.flatMap((row) => (row === undefined ? [] : productsOf(row))))) {
      const writing = `${kindOf(key, entry)} ${before} ${after}`;
      const isFirst = !asked.has(writing);
      asked.add(writing);
      const isOther = before !== after;
      for (const version of isOther
        ? releasesOfOther(rows, entry, isFirst)
        : rows.whole.has("names")
          ? oldest(releasesOf(rows, entry))
          : [])
        yield { section, row: key, version, component: componentOf(key, version) };
      for (const version of isFirst && !isOther ? changedReleases(rows, entry) : [])
        yield { section: "products", row: slugOf(entry), version, component: componentOf(key, version) };
    }
  }
}

const releasesOfOther = (rows: Rows, entry: string, isFirst: boolean): readonly string[] =>
  isFirst ? releasesOf(rows, entry) : oldestAndNewest(releasesOf(rows, entry));

const purlQuestions = (rows: Rows): Generator<Question> =>
  tableQuestions("purls", rows, ({ purls }) => purls, {
    productsOf: (row) => [productOf(row)],
    // A key is read for its part, and for the version in its name.
    kindOf: (key, entry) => (entry.endsWith("#") || /\d/.test(key) ? key : key.slice(0, key.indexOf("/"))),
    component: (key, version) => {
      const isShifted = rows.contents.some(({ purls }) => {
        const row = getOwn(purls, key);
        return typeof row === "object" && row.transform === "minor-shift";
      });
      return purlOf(key, isShifted ? version.replace(/^1\./, "0.") : version);
    },
  });

function* modelQuestions(rows: Rows): Generator<Question> {
  for (const row of keysIn(rows, ({ models }) => models)) {
    const platforms = rows.contents.flatMap(({ models }) => getOwn(models, row) ?? []);
    if (
      rows.whole.has("models") ||
      differs(rows, ({ models }) => getOwn(models, row)) ||
      platforms.some(([slug]) => isChanged(rows, slug))
    )
      yield { section: "models", row, version: "", component: named("model", row, "") };
  }
}

const purlOf = (key: string, version: string): Component =>
  component({ name: key, purls: [asPurl(`pkg:${key.replace("/@", "/%40")}@${percentEncode(version)}`)] });

const named = (kind: ComponentKind, name: string, version: string): Component =>
  component({ kind, name, ...(version !== "" && { version }) });

export const component = (fields: Partial<Component>): Component => ({ ...NO_COMPONENT, ...fields });
