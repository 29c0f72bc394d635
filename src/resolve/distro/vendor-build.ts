/**
 * Recognises builds by vendors that the catalogue does not list. Scanners write a vendor's package in the
 * distribution's namespace (`pkg:deb/debian/nginx@1.25.3-1~bookworm` is nginx.org's), because they ask the package
 * manager and not the repository. The distribution backports nothing into it, so its end does not apply to the package.
 */
import type { Catalogue, CycleRef } from "../../model/index.ts";
import { getOwn } from "../../text/values.ts";
import { normalizeName } from "../normalize-name.ts";
import type { PurlKey } from "../purl/key.ts";
import { indexCycles } from "../version/cycle-index.ts";
import { leadingNumbers } from "../version/parse.ts";
import { RHEL } from "./shipped.ts";

/** The properties of a package by which its builder is recognised. */
interface Build {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  /** Whether a release has this codename, and its distribution does not use codenames in its own revisions. */
  isCodename(word: string): boolean;
  /** Whether a tracked product has the package's name. */
  isProduct(): boolean;
}
/** Whether a package was built by a vendor and not by the distribution. */
export type VendorBuild = (build: Build) => boolean;

/**
 * A version without a revision. In Debian, only software that was written for Debian has none (Debian Policy 5.6.12).
 */
const BARE = /^\d+(?:\.\d+){2,}$/;
/** A revision `-1` without a mark of a distribution, such as `ubuntu`, `.el9`, `.fc39` or `.amzn2023`. */
const FIRST_BUILD = /^\d+(?:\.\d+){2,}-1$/;

/**
 * The rules by name. They do not match the distributions' own revisions: Debian writes `+deb12u1`, `~deb12u1`,
 * `~bpo12+1`; Ubuntu `ubuntu0.22.04.1` and `~22.04.1`.
 */
export const VENDOR_BUILDS: Readonly<Record<string, VendorBuild>> = {
  /** `-1~bookworm` (nginx.org), `-1rl1~jammy1` (redis.io), `~debian-bookworm` (docker.com), `-1+jammy1` (PPAs). */
  codename: ({ version, isCodename }) => isCodename(/[~+-]([a-z]{3,})\d*$/.exec(version)?.[1] ?? ""),
  /** Elasticsearch, Grafana, Jenkins from their vendors: 7.17.9 as deb, 7.17.9-1 as rpm. */
  maker: ({ type, version, isProduct }) =>
    (type === "deb" ? BARE.test(version) : type === "rpm" && FIRST_BUILD.test(version)) && isProduct(),
};

/** Debian's own updates were named `+squeeze1` and `~lenny1` until release 6, and `+deb7u1` since. */
const FIRST_WITHOUT_CODENAMES: Readonly<Record<string, number>> = { debian: 7, ubuntu: 0 };

function isCodenameOf(catalogue: Catalogue, slug: string, first: number, word: string): boolean {
  const product = catalogue.product(slug);
  const named = product && indexCycles(product).byAlias.get(word);
  return named !== undefined && named.some(({ name }) => Number(name) >= first);
}

/** Returns a function that names the rule which shows that a package was not built by its distribution, if one does. */
export function vendorBuilds(catalogue: Catalogue): (purl: PurlKey) => string | undefined {
  const rows = Object.entries(VENDOR_BUILDS);
  const isCodename: Build["isCodename"] = (word) =>
    word !== "" &&
    Object.entries(FIRST_WITHOUT_CODENAMES).some(([slug, first]) => isCodenameOf(catalogue, slug, first, word));
  return ({ type, name, version }) => {
    // Most revisions are only numbers, which no rule matches.
    if (version === undefined || !(/[a-z]{3}/i.test(version) || BARE.test(version) || FIRST_BUILD.test(version)))
      return undefined;
    const isProduct = () => catalogue.named(normalizeName(name)).length > 0;
    return rows.find(([, build]) => build({ type, name, version, isCodename, isProduct }))?.[0];
  };
}

interface PackageMark {
  /** In the release part. */
  readonly pattern: RegExp;
  /** The first release whose packages all have it. */
  readonly since: number;
}

const RHEL_MARK: PackageMark = { pattern: /(?:^|[._+~-])(?:el\d|module[+_])/i, since: 6 };

/** Without the mark of another distribution. */
const UNMARKED = /^(?!.*\.(?:el|amzn|ph)\d)/;

/** By distribution: what the release part of each of its packages matches. */
const MARKS: Readonly<Record<string, PackageMark>> = {
  ...Object.fromEntries([...RHEL].map((slug) => [slug, RHEL_MARK])),
  "amazon-linux": { pattern: /\.amzn\d/, since: 2 },
  photon: { pattern: /\.ph\d/, since: 1 },
  // Not all of their packages are marked, but none has the mark of another distribution.
  fedora: { pattern: UNMARKED, since: 1 },
  opensuse: { pattern: UNMARKED, since: 1 },
  sles: { pattern: UNMARKED, since: 1 },
};

/** Whether the release part has no mark of its distribution, so that somebody else built the package. */
export function lacksMark({ product, cycle }: CycleRef, { type, version = "" }: PurlKey): boolean {
  const mark = type === "rpm" ? getOwn(MARKS, product) : undefined;
  if (mark === undefined || (leadingNumbers(cycle)[0] ?? 0) < mark.since) return false;
  const part = /-([^-]+)$/.exec(version)?.[1];
  return part !== undefined && !mark.pattern.test(part);
}
