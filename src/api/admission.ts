/**
 * The ends of the catalogue as policies of a Kubernetes cluster (ValidatingAdmissionPolicy), for images whose tag names
 * a release cycle. The policies contain texts that a reference contains and the day from which each has ended. Every
 * text is verified with the resolver, so that a policy gives the same answer as `check`.
 */
import { PLACES } from "../lifecycle/assess.ts";
import type { Catalogue, Product } from "../model/index.ts";
import { createAssessContext } from "../resolve/answer.ts";
import { HUB_HOST, type ImagePart, imageParts, imageSystem, isSystemImage } from "../resolve/image-parts.ts";
import { byText, remembered } from "../text/values.ts";
import { componentOf, createEnds, LATE, productOf, type VersionEnd } from "./admission-ends.ts";

/** Text that a reference contains → the first day on which it fails. */
export type Ends = ReadonlyMap<string, string>;

/** What the policies contain. */
export interface AdmissionTables {
  /** Repository → the ends that its tags name. Equal tables are the same object. */
  readonly repositories: ReadonlyMap<string, Ends>;
  /** Operating systems in the tags of any repository. */
  readonly systems: Ends;
  /** Pattern over repositories, of a distribution's builds or in a place → texts in their last segment (`/nodejs-12-`; `/`: all). */
  readonly streams: ReadonlyMap<string, Ends>;
}

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
  const { tools } = catalogue.facts;
  const known = new Map<string, Ends>();
  const endsOf = (repository: string, slugs: ReadonlySet<string>): Ends => {
    // Repositories of a product and a place whose tags are read alike have the same ends, unless their names state a release.
    const row = tools.images[repository];
    const places = imageParts({ repository }, tools).map(endOf);
    const key =
      row?.cycle === undefined ? JSON.stringify([...slugs, row, places, repository.match(/\d+/g)]) : repository;
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
    streams: new Map([...streamEnds(catalogue, endOf), ...placeEnds(catalogue, endOf)]),
  };
}

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
  const entries = [
    ...anywhere.map(([key, day]) => [key.replace("^-77.", ""), day] as const),
    ...["", ...starts].flatMap((before) => versionEnds(versions, before, endOfTag)),
    ...also.flatMap(([name, pattern]) => furtherEnds(catalogue, { name, pattern }, endOf)),
  ];
  if (always === undefined) return new Map(entries);
  // What ends together with the repository is needed only where a shorter text ends earlier.
  const needed = entries.filter(
    ([key, day]) => day !== always || entries.some(([start, earlier]) => earlier < day && key.startsWith(start)),
  );
  return new Map([["^", always], ...needed]);
}

const firstOf = (parts: readonly ImagePart[], endOf: VersionEnd): string | undefined =>
  parts.flatMap((part) => endOf(part) ?? []).toSorted(byText)[0];

const wordsIn = (pattern: string): readonly string[] => pattern.replaceAll(/\\.|\?[:=!]/g, " ").match(/[a-z]+/gi) ?? [];

/** What follows a version that a tag abbreviates, beside recorded versions. */
const LATER = ".99";

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
    const isStart = [...longer, LATER].every((more) => (endOfTag(`${tag}${more}`) ?? "~") <= day);
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
  const majors = starts.map((start) => Number(start.split(".")[0])).filter((major) => major <= MOST_MINORS);
  const oldest = Math.max(OLDEST, Math.min(...majors, MOST_MINORS));
  const older = Array.from({ length: oldest }, (_, number) => [String(number), ...minorsBelow(starts, number)]).flat();
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
  const tagsWith = (starts: readonly string[], version: string): readonly string[] =>
    starts
      .flatMap((word) => [word, `${word}-`, `${word}_`])
      .concat("")
      .flatMap((start) => ["", ...words.map((word) => `-${word}`)].map((end) => `-${start}${version}${end}`))
      .filter((tag) => new RegExp(pattern).exec(tag)?.[1] === version);
  const tags = (version: string): readonly string[] => {
    const found = tagsWith(words, version);
    // `eclipse-temurin-21`.
    return found.length > 0 ? found : tagsWith([words.join("-")], version);
  };
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

function streamEnds({ facts: { tools } }: Catalogue, endOf: VersionEnd): readonly (readonly [string, Ends])[] {
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
  return rows.filter(([, ends]) => ends.size > 0);
}

/** Places that ended, whatever image is in them: `docker.io/bitnami/*`. */
function placeEnds(catalogue: Catalogue, endOf: VersionEnd): readonly (readonly [string, Ends])[] {
  return (catalogue.product(PLACES.images)?.cycles ?? []).flatMap(({ name }) => {
    const [part] = imageParts({ repository: name.replace(/\*$/, "any") }, catalogue.facts.tools);
    const day = part && endOf(part);
    const pattern = `^${name.replaceAll(".", "[.]")}$`.replace(/\*\$$/, "");
    return day === undefined ? [] : [[pattern, new Map([["/", day]])] as const];
  });
}
