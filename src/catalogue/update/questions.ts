/**
 * The questions whose answers two catalogues are compared by. They come from both catalogues, so that what a new one
 * adds, removes or redirects is asked for, too. A question has the form of a component or of a product with a version.
 */
import { percentEncode } from "../../text/values.ts";
import type { Component, ComponentKind } from "../../model/index.ts";
import { asPurl } from "../../text/ids.ts";
import { NO_COMPONENT } from "../../resolve/resolve.ts";
import type { StoredContent, StoredProduct, StoredPurl } from "../schema.ts";

export interface Question {
  /** The row that is asked for, such as `purls pkg:npm/react`; unquestioned rows of the same table stay as they are. */
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

/**
 * How a product differs between two catalogues. `dates`: every version still leads to the same cycle, so the answers
 * about the cycles are those of all packages, names and systems that lead to them. `exploited`: also in the versions
 * that are known to be exploited. `cycles`: versions may lead to other cycles.
 */
export type ProductDifference = "none" | "dates" | "exploited" | "cycles";

/** The questions on all that differs between two catalogues. Equal rows about equal products have equal answers. */
export function questionsOf(
  older: StoredContent,
  newer: StoredContent,
  differenceOf: (slug: string) => ProductDifference,
): readonly Question[] {
  const contents = [older, newer] as const;
  const isWhole = FACTS.some((name) => JSON.stringify(older[name]) !== JSON.stringify(newer[name]));
  const all = (slug: string): ProductDifference => (isWhole ? "cycles" : differenceOf(slug));
  const both: Contents = { contents, isWhole, differenceOf: all, isChanged: (slug) => all(slug) === "cycles" };
  return [
    ...productQuestions(both),
    ...purlQuestions(both),
    ...nameQuestions(both),
    ...systemQuestions(both),
    ...modelQuestions(both),
    ...distroQuestions(both),
  ];
}

/** Facts that a resolution reads for components of any product. */
const FACTS = [
  "commonNames",
  "modelPlatforms",
  "alternativeVersions",
  "releaseEvidence",
  "packageEvidence",
  "tools",
  "distroRevisions",
] as const satisfies readonly (keyof StoredContent)[];

interface Contents {
  readonly contents: readonly [older: StoredContent, newer: StoredContent];
  /** Facts differ, so that everything is asked for. */
  readonly isWhole: boolean;
  readonly differenceOf: (slug: string) => ProductDifference;
  /** Whether versions of a product may lead to other cycles. */
  readonly isChanged: (slug: string) => boolean;
}

const isEqual = ({ contents: [older, newer] }: Contents, part: (content: StoredContent) => unknown): boolean =>
  JSON.stringify(part(older)) === JSON.stringify(part(newer));

/** Every key of a table, in any of the catalogues. */
const keysIn = ({ contents }: Contents, table: (content: StoredContent) => object): readonly string[] => [
  ...new Set(contents.flatMap((content) => Object.keys(table(content)))),
];

/** Each cycle by its name, its latest release and its first two, and both sides of each boundary of a KEV range. */
function productQuestions(both: Contents): readonly Question[] {
  return keysIn(both, ({ products }) => products).flatMap((row) => {
    const difference = both.differenceOf(row);
    if (difference === "none") return [];
    const products = both.contents.flatMap(({ products: all }) => all[row] ?? []);
    const versions = products.flatMap((product) => [
      ...product.cycles.flatMap(({ name, latest }) =>
        difference === "cycles" ? [name, `${name}.0`, `${name}.1`, ...releaseOf(latest)] : [name],
      ),
      ...(difference === "dates" ? [] : boundariesOf(product)),
    ]);
    return [...new Set(versions)].map((version): Question => ({ section: "products", row, version }));
  });
}

const releaseOf = (latest: StoredProduct["cycles"][number]["latest"]): readonly string[] =>
  latest === undefined ? [] : [typeof latest === "string" ? latest : latest[0]];

function boundariesOf({ kev = [] }: StoredProduct): readonly string[] {
  return kev.flatMap(([, , , , versions]) => {
    if (versions === undefined) return [];
    const [, , ranges = [], fixed = {}] = versions;
    const bounds = [...ranges.flatMap((range) => range.match(/\d[^|<>=]*/g) ?? []), ...Object.values(fixed)];
    return bounds.flatMap((bound) => [bound, releaseBefore(bound)]);
  });
}

/** `1.2.3` → `1.2.2`, `1.2.0` → `1.1.999`: a release just below a boundary, whether or not there was one. */
function releaseBefore(bound: string): string {
  const numbers = bound.split(".").map(Number);
  if (numbers.some(Number.isNaN)) return bound;
  const at = numbers.findLastIndex((number) => number > 0);
  if (at < 0) return bound;
  return numbers.map((number, index) => (index < at ? number : index === at ? number - 1 : 999)).join(".");
}

/** One release of each cycle of a product; of a part of it, of the part's cycles. */
function releasesOf({ contents }: Contents, entry: string): readonly string[] {
  const [slug = "", part] = entry.split("#");
  const cycles = contents.flatMap(({ products }) => products[slug]?.cycles ?? []);
  const releases = cycles.flatMap(({ name, latest }) => {
    const at = name.indexOf("@");
    if (part !== undefined && part !== "" && !name.startsWith(`${part}@`)) return [];
    return releaseOf(latest)[0] ?? (at > 0 ? name.slice(at + 1) : name);
  });
  return [...new Set(releases)];
}

/** Few releases tell whether a row still leads to the same product: the oldest, which has ended, and the newest. */
const oldestAndNewest = (releases: readonly string[]): readonly string[] =>
  releases.length < 3 ? releases : [releases[0] ?? "", releases.at(-1) ?? ""];

const productOf = (entry: StoredPurl | undefined): string =>
  entry === undefined ? "" : typeof entry === "string" ? entry : entry.product;

/**
 * Asks for every release of rows that are written alike once for each writing, and for two releases of all other rows:
 * equal rows of equal products have equal answers.
 */
function forRows<Row>(
  section: Question["section"],
  both: Contents,
  table: (content: StoredContent) => Readonly<Record<string, Row>>,
  options: {
    readonly productOf: (row: Row | undefined) => string;
    /** Distinguishes rows that are written alike and are read in different ways. */
    readonly kindOf?: (key: string) => string;
    readonly component: (key: string, version: string) => Component;
  },
): readonly Question[] {
  const asked = new Set<string>();
  return keysIn(both, table).flatMap((row) => {
    const rows = both.contents.map((content) => table(content)[row]);
    const [before, after] = rows.map((each) => JSON.stringify(each));
    const slugs = new Set(rows.map(options.productOf).filter((slug) => slug !== ""));
    const isSame = before === after && !both.isWhole;
    if (isSame && ![...slugs].some((slug) => both.isChanged(slug.replace(/#.*/, "")))) return [];
    const writing = `${options.kindOf?.(row) ?? ""} ${before} ${after}`;
    const releases = [...slugs].flatMap((slug) => releasesOf(both, slug));
    const chosen = asked.has(writing) ? oldestAndNewest(releases) : releases;
    asked.add(writing);
    return chosen.map((version) => ({ section, row, version, component: options.component(row, version) }));
  });
}

function purlQuestions(both: Contents): readonly Question[] {
  const rows = forRows("purls", both, ({ purls }) => purls, {
    productOf,
    kindOf: (key) => key.slice(0, key.indexOf("/")),
    component: (key, version) => purlOf(key, shiftsOf(both, key).has("minor-shift") ? shifted(version) : version),
  });
  return [...rows, ...installedQuestions(both)];
}

/** Packages of distributions in the purl map, as they are installed on the oldest and the newest release. */
function installedQuestions(both: Contents): readonly Question[] {
  const homes = Map.groupBy(distributionsOf(both.contents), ({ type }) => type);
  return keysIn(both, ({ purls }) => purls).flatMap((key) => {
    const [type = "", ...path] = key.split("/");
    const rows = both.contents.map(({ purls }) => purls[key]);
    const isSame = JSON.stringify(rows[0]) === JSON.stringify(rows[1]);
    const of = homes.get(type) ?? [];
    if (of.length === 0 || (isSame && !rows.some((row) => both.isChanged(productOf(row).replace(/#.*/, "")))))
      return [];
    const name = path.pop() ?? "";
    const own = path.length === 0 ? of : of.filter(({ namespace }) => namespace === path[0]);
    return own.flatMap((home) =>
      oldestAndNewest(home.releases).map((release) => ({
        ...distroQuestion("purls", { ...home, release, name }),
        row: key,
      })),
    );
  });
}

const shiftsOf = ({ contents }: Contents, key: string): ReadonlySet<string | undefined> =>
  new Set(contents.map(({ purls }) => purls[key]).map((row) => (typeof row === "object" ? row.transform : undefined)));
const shifted = (version: string): string => version.replace(/^1\./, "0.");

function nameQuestions(both: Contents): readonly Question[] {
  const names = keysIn(both, ({ products }) => products).flatMap((slug) => {
    if (!both.isChanged(slug) && isEqual(both, (content) => content.names[slug])) return [];
    const releases = oldestAndNewest(releasesOf(both, slug));
    const titles = new Set([slug, ...both.contents.flatMap(({ names: all }) => all[slug] ?? [])]);
    return [...titles].flatMap((row) =>
      releases.map((version): Question => ({
        section: "names",
        row,
        version,
        component: named("other", row, version),
      })),
    );
  });
  const cpes = forRows("cpes", both, (content) => content.cpes, {
    productOf: (slug) => slug ?? "",
    component: (key, version) => ({
      ...named("other", key.slice(key.indexOf(":") + 1), version),
      cpes: [`cpe:2.3:a:${key}:${version}:*:*:*:*:*:*:*`],
    }),
  });
  return [...names, ...cpes];
}

function systemQuestions(both: Contents): readonly Question[] {
  return forRows("systems", both, ({ systems }) => systems, {
    productOf: (row) => (row === undefined || row === "rolling" ? "" : row[0]),
    component: (key, version) => named("operating-system", key, version),
  });
}

function modelQuestions(both: Contents): readonly Question[] {
  return keysIn(both, ({ models }) => models).flatMap((row): readonly Question[] => {
    const platforms = both.contents.flatMap(({ models }) => models[row] ?? []);
    if (
      !both.isWhole &&
      isEqual(both, ({ models }) => models[row]) &&
      !platforms.some(([slug]) => both.isChanged(slug))
    )
      return [];
    return [{ section: "models", row, version: "", component: named("model", row, "") }];
  });
}

/**
 * Packages of the distributions: of those that changed, one in each release; and those whose rows or upstream products
 * changed. A release treats packages with equal rows alike.
 */
function distroQuestions(both: Contents): readonly Question[] {
  const { contents, isChanged, isWhole } = both;
  const isAll = isWhole || !isEqual(both, ({ distroPackages, systems }) => [systems, namespacesOf(distroPackages)]);
  const vendorNames = namesOfVendors(both, isAll);
  return distributionsOf(contents).flatMap((home) => {
    const { type, slug, releases } = home;
    const isHomeChanged = isAll || isChanged(slug);
    const question = (section: Question["section"], name: string) => (release: string) =>
      distroQuestion(section, { ...home, release, name: exampleOf(name) });
    const [before = {}, after = {}] = contents.map(({ distroPackages }) => distroPackages[type]?.names ?? {});
    const names = Object.keys({ ...before, ...after }).filter(
      (name) =>
        isAll ||
        JSON.stringify(before[name]) !== JSON.stringify(after[name]) ||
        isChanged(productOf(after[name]).replace(/#.*/, "")),
    );
    const own = releases.flatMap((release) => {
      const key = `${slug}:${release}`;
      const periods = [`${slug}:${release}`, `${slug}:${release.split(".", 1)[0] ?? release}`];
      const areEqual = isEqual(both, (content) => [
        content.packageEnds[key],
        periods.map((each) => content.packageLifecycles[each]),
      ]);
      if (areEqual && !isHomeChanged) return [];
      const listed = contents.flatMap(({ packageEnds, packageLifecycles }) => [
        ...Object.keys(packageEnds[key]?.packages ?? {}),
        ...periods
          .flatMap((each) => packageLifecycles[each] ?? [])
          .flatMap((row) => [row.name, ...(row.packages ?? [])]),
      ]);
      const [mapped = "base-files"] = Object.keys(after);
      return [...new Set(["base-files", mapped, ...listed])].map((name) => question("distroPackages", name)(release));
    });
    const ends = oldestAndNewest(releases);
    const vendors = isHomeChanged ? vendorNames.all : vendorNames.changed;
    return [
      ...own,
      ...names.flatMap((name) => ends.map(question("distroPackages", name))),
      ...[...(vendors.get(type) ?? [])].flatMap((name) => ends.map(question("vendorPackages", name))),
    ];
  });
}

const namespacesOf = (tables: StoredContent["distroPackages"]) =>
  Object.entries(tables).map(([type, { namespaces }]) => [type, namespaces]);

/** One name for each pattern of the vendors, by package format: of all vendors, and of those whose rows changed. */
function namesOfVendors({ contents, isChanged }: Contents, isAll: boolean) {
  const [before, after] = contents.map(
    ({ vendorPackages }) => new Set(vendorPackages.map((row) => JSON.stringify(row))),
  );
  const [all, changed] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const isInBoth = (text: string): boolean => before?.has(text) === true && after?.has(text) === true;
  const isSame = (row: StoredContent["vendorPackages"][number]): boolean =>
    isInBoth(JSON.stringify(row)) && (row.product === undefined || !isChanged(row.product));
  for (const row of contents.flatMap(({ vendorPackages }) => vendorPackages)) {
    const lists = isSame(row) && !isAll ? [all] : [all, changed];
    for (const [type, patterns = []] of Object.entries(row.names))
      for (const names of lists) names.set(type, new Set([...(names.get(type) ?? []), ...patterns.map(exampleOf)]));
  }
  return { all, changed };
}

interface DistributionHome {
  readonly type: string;
  readonly namespace: string;
  readonly slug: string;
  readonly releases: readonly string[];
}

/** The distributions that purls name by a namespace which is also the name of an operating system. */
function distributionsOf(contents: Contents["contents"]): readonly DistributionHome[] {
  const found = new Map<string, DistributionHome>();
  for (const { distroPackages, systems, products } of contents)
    for (const [type, { namespaces }] of Object.entries(distroPackages))
      for (const namespace of namespaces) {
        const system = systems[namespace];
        if (system === undefined || system === "rolling") continue;
        const releases = products[system[0]]?.cycles.map(({ name }) => name) ?? [];
        found.set(`${type}/${namespace}`, { type, namespace, slug: system[0], releases });
      }
  return [...found.values()];
}

/** A name that a pattern matches. */
const exampleOf = (pattern: string): string =>
  pattern.replaceAll(/^\/\^?|\$?\/$|\\/g, "").replaceAll(/[*?]|\.\+|\.\*/g, "1");

function distroQuestion(
  section: Question["section"],
  {
    type,
    namespace,
    slug,
    release,
    name,
  }: Omit<DistributionHome, "releases"> & { readonly release: string; readonly name: string },
): Question {
  const purl = `pkg:${type}/${namespace}/${percentEncode(name)}@1.0-1?distro=${namespace}-${percentEncode(release)}`;
  return {
    section,
    row: `${slug}:${release} ${name}`,
    version: "1.0-1",
    component: component({ purls: [asPurl(purl)] }),
  };
}

const purlOf = (key: string, version: string): Component =>
  component({ name: key, purls: [asPurl(`pkg:${key.replace("/@", "/%40")}@${percentEncode(version)}`)] });

const named = (kind: ComponentKind, name: string, version: string): Component =>
  component({ kind, name, ...(version !== "" && { version }) });

const component = (fields: Partial<Component>): Component => ({ ...NO_COMPONENT, ...fields });
