/**
 * Packages that a vendor or a volunteer built for a distribution. Scanners write them in the distribution's namespace
 * (`pkg:deb/debian/nginx@1.25.3-1~bookworm` is nginx.org's), because they ask the package manager and not the
 * repository. The distribution backports nothing into them, so its end says nothing about theirs. Most vendors mark the
 * revision so that their builds sort next to the distribution's own; the others lack what every distribution writes.
 */
import type { Catalogue } from "../../model.ts";
import { normalizeName } from "../normalize-name.ts";
import type { PurlKey } from "../purl/key.ts";
import { indexCycles } from "../version/cycle-index.ts";

/** What tells one builder from another. */
interface Build {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  /** Whether a release has this codename and its distribution does not write codenames into revisions itself. */
  isCodename(word: string): boolean;
  /** Whether a tracked product has the package's name. */
  isProduct(): boolean;
}
export type VendorBuild = (build: Build) => boolean;

const marked =
  (mark: RegExp): VendorBuild =>
  ({ version }) =>
    mark.test(version);

/** No revision: on Debian only software that was written for Debian has none (Debian Policy 5.6.12). */
const BARE = /^\d+(?:\.\d+){2,}$/;
/** Neither `ubuntu` nor `.el9`, `.fc39`, `.amzn2023`. */
const FIRST_BUILD = /^\d+(?:\.\d+){2,}-1$/;

/** By vendor. Debian itself writes `+deb12u1`, `~deb12u1`, `~bpo12+1`; Ubuntu `ubuntu0.22.04.1` and `~22.04.1`. */
export const VENDOR_BUILDS: Readonly<Record<string, VendorBuild>> = {
  /** `-1~bookworm` (nginx.org), `-1rl1~jammy1` (redis.io), `~debian-bookworm` (docker.com), `-1+jammy1` (PPAs). */
  codename: ({ version, isCodename }) => isCodename(/[~+-]([a-z]{3,})\d*$/.exec(version)?.[1] ?? ""),
  /** `15.4-1.pgdg120+1`, `11.22-1PGDG.rhel9` (https://wiki.postgresql.org/wiki/Apt/FAQ). */
  postgresql: marked(/pgdg/i),
  /** `16.20.2-1nodesource1`, `16.20.2-deb-1nodesource1`, `18.17.1-1nodesource`. */
  nodesource: marked(/nodesource/),
  /** `1:10.11.6+maria~deb12`, `+maria~ubu2204`. */
  mariadb: marked(/\+maria~/),
  /** PHP by its Debian maintainer: `+ubuntu22.04.1+deb.sury.org+1`, `+0~20240120.67+debian12~1.gbp1234ab`. */
  sury: marked(/\+deb\.sury\.org\+|\+0~\d{8}\.\d+\+debian\d+~1\.gbp/),
  /** `1:1.24.0-1.el9.ngx`. */
  "nginx-rpm": marked(/\.ngx$/),
  /** `8.2.15-1.el9.remi`. */
  remi: marked(/\.remi$/),
  /** `dotnet-sdk-6.0` 6.0.400-1 is Microsoft's; Ubuntu's is 6.0.110-0ubuntu1~22.04.1, Red Hat's 6.0.110-1.el8. */
  microsoft: ({ name, version }) => FIRST_BUILD.test(version) && /^(?:dotnet|aspnetcore)-/.test(name),
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

/** The row of `builds` that shows that a package was not built by its distribution; undefined when none does. */
export function vendorBuilds(
  catalogue: Catalogue,
  builds: Readonly<Record<string, VendorBuild>>,
): (purl: PurlKey) => string | undefined {
  const rows = Object.entries(builds);
  const isCodename: Build["isCodename"] = (word) =>
    word !== "" &&
    Object.entries(FIRST_WITHOUT_CODENAMES).some(([slug, first]) => isCodenameOf(catalogue, slug, first, word));
  return ({ type, name, version }) => {
    // Most revisions consist of numbers, which say nothing.
    if (version === undefined || !(/[a-z]{3}/i.test(version) || BARE.test(version) || FIRST_BUILD.test(version)))
      return undefined;
    const isProduct = () => catalogue.named(normalizeName(name)).length > 0;
    return rows.find(([, build]) => build({ type, name, version, isCodename, isProduct }))?.[0];
  };
}
