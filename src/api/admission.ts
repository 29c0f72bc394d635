/**
 * The ends of the catalogue as policies of a Kubernetes cluster (ValidatingAdmissionPolicy), for images whose tag names
 * a release cycle. The policies contain texts that a reference contains and the day from which each has ended. Every
 * text is verified with the resolver, so that a policy gives the same answer as `check`.
 */
import { withVersion } from "../files/document.ts";
import { addDays, lastDay } from "../lifecycle/days.ts";
import { freeTracks, supportThatCounts } from "../lifecycle/support.ts";
import type { Catalogue, Product, ReleaseCycle, Resolution } from "../model/index.ts";
import { packageEndOf } from "../policy/deciding.ts";
import { evaluatePolicy } from "../policy/evaluate.ts";
import { DEFAULT_POLICY } from "../policy/fields.ts";
import { assessComponent, createAssessContext } from "../resolve/answer.ts";
import { HUB_HOST, type ImagePart, imageParts, imageSystem, isSystemImage } from "../resolve/image-parts.ts";
import { NO_COMPONENT } from "../resolve/resolve.ts";
import { asIsoDate, asPurl } from "../text/ids.ts";
import { byText, remembered } from "../text/values.ts";

/** Text that a reference contains → the first day on which it fails. */
export type Ends = ReadonlyMap<string, string>;

/** What the policies contain. */
export interface AdmissionTables {
  /** Repository → the ends that its tags name. Equal tables are the same object. */
  readonly repositories: ReadonlyMap<string, Ends>;
  /** Operating systems in the tags of any repository. */
  readonly systems: Ends;
  /** Pattern over repositories of a distribution's builds → texts in their last segment (`/nodejs-12-`; `/`: all). */
  readonly streams: ReadonlyMap<string, Ends>;
}

/** A day before all ends, and one after them. */
const [EARLY, LATE] = [asIsoDate("1900-01-01"), asIsoDate("2199-12-31")];

/**
 * A tag as policies compare it: `v3.8-slim` is `^-3.8.-slim.-`, so that `^-3.8.` is the start of each version 3.8, and
 * `-slim.-` a whole segment.
 */
const separated = (text: string): string => text.toLowerCase().split(/[-_+]/).join(".-");

/** Collects the ends that references to images name. */
export function admissionTables(catalogue: Catalogue): AdmissionTables {
  const endOf = createEnds(catalogue);
  const tables = new Map<string, Ends>();
  const shared = (ends: Ends): Ends => {
    const key = JSON.stringify([...ends]);
    return tables.get(key) ?? tables.set(key, ends).get(key) ?? ends;
  };
  const { images } = catalogue.facts.tools;
  const known = new Map<string, Ends>();
  const endsOf = (repository: string, slugs: ReadonlySet<string>): Ends => {
    // Repositories of a product whose tags are read alike have the same ends, unless their names state a release.
    const row = images[repository];
    const key = row?.cycle === undefined ? JSON.stringify([...slugs, row, repository.match(/\d+/g)]) : repository;
    const ends = known.get(key) ?? shared(repositoryEnds(catalogue, endOf, { repository, slugs }));
    known.set(key, ends);
    return ends;
  };
  const rows = [...repositoriesOf(catalogue)]
    .map(([repository, slugs]) => [repository, endsOf(repository, slugs)] as const)
    .filter(([, ends]) => ends.size > 0)
    .toSorted(([a], [b]) => byText(a, b));
  return {
    repositories: new Map(rows),
    systems: systemEnds(catalogue, endOf),
    streams: streamEnds(catalogue, endOf),
  };
}

/** The first day on which `check` fails on a part of an image by default; undefined: never, or nothing is known. */
type VersionEnd = (part: ImagePart) => string | undefined;

function createEnds(catalogue: Catalogue): VersionEnd {
  const contextOn = remembered((day: string) =>
    createAssessContext(catalogue, { strict: false, asOf: asIsoDate(day) }),
  );
  const answerOn = (part: ImagePart, day: string) => assessComponent(componentOf(part), contextOn(day));
  const fails = (part: ImagePart, day: string): boolean => {
    const { findings } = evaluatePolicy([answerOn(part, day)], DEFAULT_POLICY, asIsoDate(day));
    return findings[0]?.outcome.severity === "fail";
  };
  const daysOf = remembered((slug: string) => {
    const days = (catalogue.product(slug)?.cycles ?? []).map((cycle) => firstDay(cycle));
    return [...new Set([EARLY, ...days])].toSorted(byText);
  });
  /** The end of the release cycle that a part has after all ends. */
  const guess = (part: ImagePart): string | undefined => {
    const { product, cycle } = answerOn(part, LATE).assessment?.releaseCycle ?? {};
    const recorded = catalogue.product(product ?? "")?.cycles.find(({ name }) => name === cycle);
    return recorded && firstDay(recorded);
  };
  const daysFor = (part: ImagePart): readonly string[] => {
    const answers = [answerOn(part, EARLY), answerOn(part, LATE)].map(({ resolution }) => resolution);
    const days = answers.flatMap((resolution) => [
      ...daysOf(productOf(resolution) ?? ""),
      packageEndOf(resolution)?.from ?? EARLY,
    ]);
    return [...new Set(days)].toSorted(byText);
  };
  return (part) => {
    if (!fails(part, LATE)) return undefined;
    const day = guess(part);
    // The release cycle of a version can depend on the day: `3` is one release cycle when all others have ended.
    if (day !== undefined && fails(part, day) && (day === EARLY || !fails(part, addDays(asIsoDate(day), -1))))
      return day;
    return firstOn(daysFor(part), (each) => fails(part, each));
  };
}

/** The first of sorted days for which `holds` is true, where it stays true. */
function firstOn(days: readonly string[], holds: (day: string) => boolean): string | undefined {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(days[middle] ?? LATE)) high = middle;
    else low = middle + 1;
  }
  return days[low];
}

/** The day after the support that counts by default. */
function firstDay(cycle: ReleaseCycle): string {
  const { date } = supportThatCounts(cycle, freeTracks(cycle), EARLY);
  return date === null ? EARLY : addDays(lastDay(date), 1);
}

const componentOf = ({ name, purl, version, kind = "other" }: ImagePart) => ({
  ...NO_COMPONENT,
  name,
  kind,
  ...(version !== undefined && { version }),
  purls: purl === undefined ? [] : [asPurl(withVersion(purl, version))],
  isPart: true as const,
});

/** Repositories that the catalogue knows, with the products of each. */
function repositoriesOf(catalogue: Catalogue): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (repository: string, slug: string): void => {
    found.set(repository, (found.get(repository) ?? new Set()).add(slug));
  };
  for (const slug of catalogue.slugs())
    for (const purl of catalogue.product(slug)?.purls ?? []) {
      const repository = repositoryOf(purl);
      if (repository !== undefined) add(repository, slug);
    }
  const { resolve } = createAssessContext(catalogue, { strict: false, asOf: LATE });
  for (const repository of Object.keys(catalogue.facts.tools.images)) {
    const [part] = imageParts({ repository, tag: "0" }, catalogue.facts.tools);
    const slug = part && productOf(resolve(componentOf(part)));
    if (slug !== undefined) add(repository, slug);
  }
  return found;
}

/** The address in a purl of the type oci contains the path of the image, or only a part of it. */
function repositoryOf(purl: string): string | undefined {
  const [, type, path = "", address] = /^pkg:(docker|oci)\/([^?]+)(?:\?repository_url=([^&]+))?$/.exec(purl) ?? [];
  if (type === "docker") return `${address ?? HUB_HOST}/${path}`;
  return address === undefined || address.endsWith(`/${path}`) ? address : `${address}/${path}`;
}

function productOf(resolution: Resolution): string | undefined {
  if (resolution.kind === "resolved") return resolution.releaseCycle.product;
  if (resolution.kind === "distro-maintained") return resolution.by.product;
  return resolution.kind === "unmatched" ? resolution.product : undefined;
}

interface KnownRepository {
  readonly repository: string;
  readonly slugs: ReadonlySet<string>;
}

function repositoryEnds(catalogue: Catalogue, endOf: VersionEnd, { repository, slugs }: KnownRepository): Ends {
  const { tools } = catalogue.facts;
  const { version = "", also = [] } = tools.images[repository] ?? {};
  const endOfTag = remembered((tag: string) => firstOf(imageParts({ repository, tag }, tools), endOf));
  const always = firstOf(imageParts({ repository }, tools), endOf);
  const isRead = (before: string): boolean =>
    ["1", "18", "1.2", "1.2.3", "2019"].some((each) => new RegExp(version).exec(`${before}${each}`)?.[1] === each);
  // A leading `v` is not compared.
  const words = wordsIn(version).filter((word) => word !== "v");
  const starts = words.flatMap((word) => [word, `${word}-`]).filter(isRead);
  const versions = versionsIn(catalogue, slugs);
  if (isSystemImage(repository.split("/").at(-1) ?? "")) versions.push(...Object.keys(tools.systemCodeNames));
  // Where the version may follow another one, it is compared anywhere: `1-18`.
  const anywhere = isRead("77-") ? versionEnds(versions, "77-", endOfTag) : [];
  return new Map([
    ...anywhere.map(([key, day]) => [key.replace("^-77.", ""), day] as const),
    ...(always === undefined ? [] : [["^", always] as const]),
    ...["", ...starts].flatMap((before) => versionEnds(versions, before, endOfTag)),
    ...also.flatMap(([name, pattern]) => furtherEnds(catalogue, { name, pattern }, endOf)),
  ]);
}

const firstOf = (parts: readonly ImagePart[], endOf: VersionEnd): string | undefined =>
  parts.flatMap((part) => endOf(part) ?? []).toSorted(byText)[0];

const wordsIn = (pattern: string): readonly string[] => pattern.replaceAll(/\\.|\?[:=!]/g, " ").match(/[a-z]+/gi) ?? [];

/** What follows a version that a tag abbreviates. */
const LATER = [".0", ".99"];

function versionEnds(
  versions: readonly string[],
  before: string,
  endOfTag: (tag: string) => string | undefined,
): readonly (readonly [string, string])[] {
  const kept: [string, string][] = [];
  for (const version of versions) {
    const tag = `${before}${version}`;
    const day = endOfTag(tag);
    const start = `^-${separated(tag)}`;
    if (day === undefined || kept.some(([key, other]) => other === day && `${start}.`.startsWith(key))) continue;
    const longer = versions.filter((each) => each.startsWith(`${version}.`)).map((each) => each.slice(version.length));
    const isStart = [...LATER, ...longer].every((more) => (endOfTag(`${tag}${more}`) ?? "~") <= day);
    kept.push([isStart ? `${start}.` : `${start}.-`, day]);
    // `8u212` of Java.
    if (isStart && versions.some((each) => each.startsWith(`${version}u`))) kept.push([`${start}u`, day]);
  }
  return kept;
}

const versionsIn = (catalogue: Catalogue, slugs: Iterable<string>): string[] => {
  const products = [...slugs].flatMap((slug) => catalogue.product(slug) ?? []);
  return [...new Set(products.flatMap(versionsOf))].toSorted((a, b) => a.length - b.length || byText(a, b));
};

/** The versions by which tags name release cycles, the shortest first. */
function versionsOf({ cycles, codeNames = {} }: Product): readonly string[] {
  const names = cycles.flatMap(({ name, codename, latest }) =>
    [name, codename, latest?.name.startsWith(name) === true ? undefined : latest?.name].filter(
      (each) => each !== undefined,
    ),
  );
  const starts = names.flatMap((name) => {
    const numbers = /^\d+(?:\.\d+)*/.exec(name)?.[0].split(".") ?? [];
    return numbers.map((_, at) => numbers.slice(0, at + 1).join("."));
  });
  const older = Array.from({ length: OLDEST }, (_, number) => [String(number), ...minorsBelow(starts, number)]).flat();
  const all = new Set([...names, ...starts, ...older, ...Object.keys(codeNames)].map((name) => name.toLowerCase()));
  return [...all]
    .filter((name) => /^[a-z\d][\w.+-]*$/.test(name))
    .toSorted((a, b) => a.length - b.length || byText(a, b));
}

/** Numbers below which versions may be older than the recorded release cycles. */
const OLDEST = 12;
const MOST_MINORS = 40;

/** Those between and below the recorded versions: `1.1` to `1.5` where `1.0` and `1.6` are recorded. */
function minorsBelow(versions: readonly string[], major: number): readonly string[] {
  const minors = versions.flatMap((version) =>
    version.startsWith(`${major}.`) ? [Number(version.split(".")[1])] : [],
  );
  return Array.from({ length: Math.min(Math.max(0, ...minors), MOST_MINORS) }, (_, minor) => `${major}.${minor}`);
}

/** A further product of a tag, by the words that the pattern of the catalogue contains: `-php7.4.-`. */
function furtherEnds(
  catalogue: Catalogue,
  { name, pattern }: { readonly name: string; readonly pattern: string },
  endOf: VersionEnd,
): readonly (readonly [string, string])[] {
  const words = wordsIn(pattern);
  const tags = (version: string): readonly string[] =>
    words
      .flatMap((word) => [word, `${word}-`, `${word}_`])
      .concat("")
      .flatMap((start) => ["", ...words.map((word) => `-${word}`)].map((end) => `-${start}${version}${end}`))
      .filter((tag) => new RegExp(pattern).exec(tag)?.[1] === version);
  const isAtStart = (tag: string): boolean => new RegExp(pattern).test(tag.slice(1));
  const versions = [...versionsIn(catalogue, [name]), ...MAJORS];
  return [...new Set(versions)].flatMap((version) => {
    const day = endOf({ name, version });
    return day === undefined
      ? []
      : tags(version).map((tag) => [`${isAtStart(tag) ? "" : "."}-${separated(tag.slice(1))}.-`, day] as const);
  });
}

/** Versions of products that are named without their vendor: `jdk18`. */
const MAJORS = Array.from({ length: 40 }, (_, number) => String(number));

/** Words by which tags name an operating system with a number. */
const SYSTEM_WORDS =
  "alpine debian deb ubuntu ubi ol oraclelinux al amazonlinux amzn rockylinux rocky almalinux centos fedora fc photon mariner cbl-mariner azurelinux opensuse windowsservercore-ltsc windowsservercore nanoserver-ltsc nanoserver".split(
    " ",
  );

function systemEnds(catalogue: Catalogue, endOf: VersionEnd): Ends {
  const { systemCodeNames } = catalogue.facts.tools;
  const systems = catalogue.slugs().flatMap((slug) => {
    const product = catalogue.product(slug);
    return product?.category === "os" ? product.cycles.map(({ name }) => name.toLowerCase()) : [];
  });
  const numbers = [...new Set(systems)].filter((version) => /^\d/.test(version));
  const numbered = SYSTEM_WORDS.flatMap((word) => numbers.flatMap((each) => [`${word}${each}`, `${word}-${each}`]));
  const ends = new Map<string, string>();
  for (const tag of [...Object.keys(systemCodeNames), ...numbered]) {
    const read = (written: string) => {
      const system = imageSystem("", written, systemCodeNames);
      const isWhole = system?.version !== undefined && written.endsWith(system.version);
      return isWhole ? endOf({ ...system, kind: "operating-system" }) : undefined;
    };
    const day = read(tag);
    if (day === undefined) continue;
    const isStart = read(`${tag}.4`) === day;
    ends.set(`-${separated(tag)}.${isStart ? "" : "-"}`, day);
  }
  return ends;
}

function streamEnds({ facts: { tools } }: Catalogue, endOf: VersionEnd): ReadonlyMap<string, Ends> {
  const rows = Object.entries(tools.streamImages).map(([pattern, release]): readonly [string, Ends] => {
    const [name = release, version] = release.split(" ");
    const system = endOf({ name, version, kind: "operating-system" });
    const packages = Object.entries(tools.streamPackages)
      .filter(([key]) => key.startsWith(`${release}/`))
      .flatMap(([key, stream]) => {
        const day = endOf(stream);
        return day === undefined || day >= (system ?? LATE)
          ? []
          : [[`/${key.slice(release.length + 1)}-`, day] as const];
      });
    return [pattern, new Map([...(system === undefined ? [] : [["/", system] as const]), ...packages])];
  });
  return new Map(rows.filter(([, ends]) => ends.size > 0));
}
