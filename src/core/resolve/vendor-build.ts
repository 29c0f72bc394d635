/**
 * Packages that a vendor or a volunteer built for a distribution. Scanners write them in the distribution's namespace
 * (`pkg:deb/debian/nginx@1.25.3-1~bookworm` is nginx.org's), because they ask the package manager and not the
 * repository. The distribution backports nothing into them: its own end says nothing about theirs. Their builders mark
 * the revision, so that their builds sort beside the distribution's own.
 */
import type { Catalogue } from "../model.ts";
import { linesOf } from "./lines.ts";
import type { PurlKey } from "./purl.ts";

/** Codenames of releases whose distribution does not write them into revisions itself. */
type Codenames = (word: string) => boolean;
export type VendorBuild = (version: string, codename: Codenames) => boolean;

const marked =
  (mark: RegExp): VendorBuild =>
  (version) =>
    mark.test(version);

/** By who marks so. Debian itself writes `+deb12u1`, `~deb12u1`, `~bpo12+1`, Ubuntu `ubuntu0.22.04.1` and `~22.04.1`. */
export const VENDOR_BUILDS: Readonly<Record<string, VendorBuild>> = {
  /** `-1~bookworm` (nginx.org), `-1rl1~jammy1` (redis.io), `~debian-bookworm` (docker.com), `-1+jammy1` (PPAs). */
  codename: (version, codename) => codename(/[~+-]([a-z]{3,})\d*$/.exec(version)?.[1] ?? ""),
  /** `15.4-1.pgdg120+1`, `11.22-1PGDG.rhel9` (https://wiki.postgresql.org/wiki/Apt/FAQ). */
  postgresql: marked(/pgdg/i),
  /** `16.20.2-1nodesource1`, `16.20.2-deb-1nodesource1`, `18.17.1-1nodesource`. */
  nodesource: marked(/nodesource/),
  /** `1:10.11.6+maria~deb12`, `+maria~ubu2204`. */
  mariadb: marked(/\+maria~/),
  /** PHP's packages of its Debian maintainer: `+ubuntu22.04.1+deb.sury.org+1`, `+0~20240120.67+debian12~1.gbp1234ab`. */
  sury: marked(/\+deb\.sury\.org\+|\+0~\d{8}\.\d+\+debian\d+~1\.gbp/),
  /** `1:1.24.0-1.el9.ngx`. */
  "nginx-rpm": marked(/\.ngx$/),
  /** `8.2.15-1.el9.remi`. */
  remi: marked(/\.remi$/),
};

/** Debian's own updates were called `+squeeze1` and `~lenny1` until 6, `+deb7u1` since. */
const FIRST: Readonly<Record<string, number>> = { debian: 7, ubuntu: 0 };

function isOneOf(catalogue: Catalogue, slug: string, first: number, word: string): boolean {
  const product = catalogue.product(slug);
  const named = product && linesOf(product).aliases.get(word);
  return named !== undefined && named.some(({ name }) => Number(name) >= first);
}

/** Tells who marked a package's version, when it was not its distribution. */
export function vendorBuilds(
  catalogue: Catalogue,
  builds: Readonly<Record<string, VendorBuild>>,
): (purl: PurlKey) => string | undefined {
  const rows = Object.entries(builds);
  const isCodename: Codenames = (word) =>
    word !== "" && Object.entries(FIRST).some(([slug, first]) => isOneOf(catalogue, slug, first, word));
  return ({ version }) => {
    // Numbers alone, as most packages bear them, are nobody's mark.
    if (version === undefined || !/[a-z]{3}/i.test(version)) return undefined;
    return rows.find(([, build]) => build(version, isCodename))?.[0];
  };
}
