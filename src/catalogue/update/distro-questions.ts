/** The questions about packages of distributions, as they are installed on a release. */
import { asPurl } from "../../text/ids.ts";
import { getOwn, percentEncode } from "../../text/values.ts";
import type { StoredContent, StoredPackageLifecycle, StoredPurl } from "../schema.ts";
import {
  changedReleases,
  component,
  differs,
  isChanged,
  keysIn,
  oldest,
  oldestAndNewest,
  productOf,
  type Question,
  type Rows,
} from "./questions.ts";

/**
 * Packages of the distributions: on each release that changed, some of its packages; and those whose rows or upstream
 * products changed, on the oldest and the newest release. A release treats packages with equal rows alike.
 */
export function* distroQuestions(rows: Rows): Generator<Question> {
  const vendors = vendorNames(rows);
  const isWhole = rows.whole.has("distributions");
  const purls = changedKeys(rows, (content) => content.purls, isWhole);
  for (const home of distributionsOf(rows)) {
    const { type, releases, isRedirected } = home;
    const isAll = isWhole || isRedirected;
    const names = changedKeys(rows, ({ distroPackages }) => distroPackages[type]?.names ?? {}, isAll);
    for (const release of releases)
      for (const installed of packagesOf(rows, home, release, names.slice(0, 1)))
        yield distroQuestion("distroPackages", home, release, installed);
    const ofVendors = (isAll ? vendors.all : vendors.changed).get(type) ?? [];
    for (const release of isWhole ? oldest(releases) : oldestAndNewest(releases)) {
      yield* names.map((name) => distroQuestion("distroPackages", home, release, { name }));
      yield* [...ofVendors].map((name) => distroQuestion("vendorPackages", home, release, { name }));
    }
    yield* keyQuestions(
      rows,
      home,
      purls.filter((key) => isInstalled(rows, key, home)),
    );
  }
}

/** Keys of the purl map: whether a package has a product decides whether the periods of its modules count. */
function* keyQuestions(rows: Rows, home: DistributionHome, keys: readonly string[]): Generator<Question> {
  const { slug, releases } = home;
  const bounds = rows.whole.has("distributions") ? oldest(releases) : oldestAndNewest(releases);
  for (const release of keys.length === 0 ? [] : releases) {
    const periods = rows.contents.flatMap((content) => periodsOf(content, slug, release));
    for (const key of keys) {
      const [, namespace = "", ...path] = key.split("/");
      const name = path.at(-1) ?? namespace;
      // Keys of other names of the distribution are other keys.
      const asked = { ...home, namespace: path.length === 0 ? home.namespace : namespace };
      const streams = periods
        .filter((period) => period.name === name || period.packages?.includes(name) === true)
        .flatMap((period) => installedNames(period, release))
        .filter((each) => each.name === name);
      for (const installed of bounds.includes(release) ? [{ name }, ...streams] : streams)
        yield { ...distroQuestion("purls", asked, release, installed), section: "purls", row: key };
    }
  }
}

/** Whether a key of the purl map is of a package of the distribution: `deb/debian/perl`, `deb/perl`. */
function isInstalled({ contents }: Rows, key: string, { type, slug }: DistributionHome): boolean {
  const [format, namespace = "", ...name] = key.split("/");
  if (format !== type) return false;
  return name.length === 0 || contents.some(({ systems }) => getOwn(systems, namespace)?.[0] === slug);
}

/** The keys of entries that differ, or whose product does; with `isAll` every key. */
function changedKeys(
  rows: Rows,
  table: (content: StoredContent) => Readonly<Record<string, StoredPurl>>,
  isAll: boolean,
): readonly string[] {
  return [...keysIn(rows, table)].filter((key) => {
    const [before, after] = rows.contents.map((content) => getOwn(table(content), key));
    const isOfChanged = [before, after].some((entry) => entry !== undefined && isChanged(rows, productOf(entry)));
    return isAll || isOfChanged || JSON.stringify(before) !== JSON.stringify(after);
  });
}

interface InstalledName {
  /** A name, or a pattern over names. */
  readonly name: string;
  readonly version?: string;
  /** Qualifiers of the package URL, besides the distribution. */
  readonly qualifiers?: string;
}

/** Some packages of a release that changed, and those that have ends or periods of their own. */
function packagesOf(
  rows: Rows,
  { slug, releases, isRedirected }: DistributionHome,
  release: string,
  mapped: readonly string[],
): Iterable<InstalledName> {
  const rowsOf = (content: StoredContent) => ({
    ends: getOwn(content.packageEnds, `${slug}:${release}`)?.packages ?? {},
    periods: periodsOf(content, slug, release),
  });
  const isAll = isRedirected || (rows.whole.has("distributions") && oldestAndNewest(releases).includes(release));
  if (!isAll && !changedReleases(rows, slug).includes(release) && !differs(rows, rowsOf)) return [];
  const listed = rows.contents
    .map(rowsOf)
    .flatMap(({ ends, periods }) => [
      ...Object.keys(ends).map((name) => ({ name })),
      ...periods.flatMap((period) => installedNames(period, release)),
    ]);
  const all: readonly InstalledName[] = [{ name: "base-files" }, ...mapped.map((name) => ({ name })), ...listed];
  return new Map(all.map((each) => [JSON.stringify(each), each])).values();
}

/** The periods of a release, and those of the distribution that it is rebuilt from. */
function periodsOf(
  { packageLifecycles }: StoredContent,
  slug: string,
  release: string,
): readonly StoredPackageLifecycle[] {
  const major = release.split(".", 1)[0] ?? release;
  const of = (distribution: string) =>
    [`${distribution}:${release}`, `${distribution}:${major}`].flatMap((key) => getOwn(packageLifecycles, key) ?? []);
  const own = of(slug);
  return [...own, ...own.flatMap(({ follows }) => (follows === undefined ? [] : of(follows)))];
}

/** The packages by which a period is found: by name, by the version of a stream, by module and by repository. */
function installedNames(
  { kind, name, packages = [], stream, versions = [] }: StoredPackageLifecycle,
  release: string,
): readonly InstalledName[] {
  const version = stream === undefined ? {} : { version: `${stream}.0-1` };
  return [
    ...[name, ...packages].map((each) => ({ name: each, ...version })),
    ...versions.map((each) => ({ name: "base-files", version: exampleOf(each) })),
    ...(kind === "repository" ? [{ name: "base-files", qualifiers: `&repository_id=${percentEncode(name)}` }] : []),
    ...(kind === "module" && stream !== undefined
      ? [
          // The revision states the release, too.
          { name, version: `${stream}.0-1.module+el${release}.1.0+1+a` },
          { name, qualifiers: `&rpmmod=${percentEncode(`${name}:${stream}`)}` },
        ]
      : []),
  ];
}

/** Names of vendors' packages by format: one of each row, and one for each pattern of rows that differ. */
function vendorNames({ contents: [older, newer] }: Rows) {
  const [all, changed] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const texts = [older, newer].map(({ vendorPackages }) => new Set(vendorPackages.map((row) => JSON.stringify(row))));
  for (const row of [...older.vendorPackages, ...newer.vendorPackages]) {
    const isSame = texts.every((rows) => rows.has(JSON.stringify(row)));
    for (const [type, patterns = []] of Object.entries(row.names))
      for (const names of isSame ? [all] : [all, changed])
        names.set(type, new Set([...(names.get(type) ?? []), ...(isSame ? patterns.slice(0, 1) : patterns)]));
  }
  return { all, changed };
}

interface DistributionHome {
  readonly type: string;
  readonly namespace: string;
  /** The name of the system in the qualifier `distro`: the namespace, or another name that the catalogues read differently. */
  readonly distro: string;
  readonly slug: string;
  readonly releases: readonly string[];
  /** The catalogues read the namespace differently. */
  readonly isRedirected: boolean;
}

/**
 * The distributions that purls name by a namespace which is also the name of an operating system. Of several names that
 * both catalogues read alike, one.
 */
function distributionsOf(rows: Pick<Rows, "contents">): readonly DistributionHome[] {
  const found = new Map<string, DistributionHome>();
  for (const { distroPackages, systems, products } of rows.contents)
    for (const [type, { namespaces }] of Object.entries(distroPackages))
      for (const namespace of namespaces) {
        const system = getOwn(systems, namespace);
        if (system === undefined || system === "rolling") continue;
        const [slug, rule] = system;
        const isRedirected = differs(rows, (content) => [
          content.distroPackages[type]?.namespaces.includes(namespace),
          getOwn(content.systems, namespace),
        ]);
        const releases = getOwn(products, slug)?.cycles.map(({ name }) => name) ?? [];
        const home = { type, namespace, distro: namespace, slug, releases, isRedirected };
        found.set(isRedirected ? `${type} ${namespace}` : `${type} ${slug} ${rule}`, home);
        for (const distro of otherNames(rows, home))
          found.set(`${type} ${slug} of ${distro}`, { ...home, distro, isRedirected: true });
      }
  return [...found.values()];
}

/** Other names of the distribution in `distro` that the catalogues read differently. */
const otherNames = (rows: Pick<Rows, "contents">, { namespace, slug }: DistributionHome): readonly string[] =>
  [...keysIn(rows, ({ systems }) => systems)].filter(
    (name) =>
      name !== namespace &&
      rows.contents.some(({ systems }) => getOwn(systems, name)?.[0] === slug) &&
      differs(rows, ({ systems }) => getOwn(systems, name)),
  );

/** A name that a pattern matches. */
const exampleOf = (pattern: string): string =>
  pattern.replaceAll(/^\/\^?|\$?\/$|\\/g, "").replaceAll(/[*?]|\.\+|\.\*/g, "1");

function distroQuestion(
  section: Question["section"],
  { type, namespace, distro, slug }: DistributionHome,
  release: string,
  { name: pattern, version = "1.0-1", qualifiers = "" }: InstalledName,
): Question {
  const name = exampleOf(pattern);
  const path = `${type}/${namespace}/${percentEncode(name)}@${percentEncode(version)}`;
  const purl = asPurl(`pkg:${path}?distro=${distro}-${percentEncode(release)}${qualifiers}`);
  const decisive =
    distro === namespace
      ? { section, row: `${slug}:${release} ${name}` }
      : { section: "systems" as const, row: distro };
  return { ...decisive, version, component: component({ purls: [purl] }) };
}
