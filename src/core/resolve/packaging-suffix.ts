/**
 * What a package type adds to a version before or around the software's own number. What comes behind it at a boundary
 * (`-6+deb12u3`, `-r4`, `.RELEASE`, `+incompatible`) needs no row here: it falls off when the line is matched.
 */
import type { Product, UnresolvedReason } from "../model.ts";
import { cycleIndex } from "./cycle-index.ts";
import type { PurlKey } from "./purl.ts";
import { normalizeVersion } from "./normalize-version.ts";

/** The software's own version, or the reason why the field holds none. */
type Cut = string | { readonly reason: UnresolvedReason };
export type StripPackagingSuffix = (version: string, product: Product, purl: PurlKey) => Cut;

const NONE: Cut = { reason: "no-version" };
const epoch = (version: string): string => version.replace(/^\d+:/, "");

/** Debian Policy 5.6.12: `[epoch:]upstream[-revision]`; `10.0+really9.1-2` is 9.1 under a number that sorts as 10.0. */
const deb: StripPackagingSuffix = (version) =>
  epoch(version)
    .replace(/^.*\+really/, "")
    .replace(/-[^-]*$/, "");

/** `1:18.19.0-1.el8`: epoch, and the release behind the last hyphen. */
const rpm: StripPackagingSuffix = (version) => epoch(version).replace(/-[^-]*$/, "");

/** `go1.22.3` is how the toolchain calls itself; a pseudo-version is a commit (https://go.dev/ref/mod#pseudo-versions). */
const golang: StripPackagingSuffix = (version) =>
  /[-.]\d{14}-[0-9a-f]{12}(?:\+|$)/.test(version) ? NONE : version.replace(/^(?:go)(?=\d)/, "");

/** `dev-main` and `2.x-dev` are branches. */
const composer: StripPackagingSuffix = (version) => (/^dev-|[.-]?x-dev$|-dev$/.test(version) ? NONE : version);

/** A commit or a branch is no release; tags may carry the project's name (`release-1.4`, `nginx-1.25.0`). */
const github: StripPackagingSuffix = (version, _product, purl) => {
  if (/^[0-9a-f]{40}$/.test(version) || (/^[0-9a-f]{7,39}$/.test(version) && /[a-f]/.test(version))) return NONE;
  const tag = version.toLowerCase();
  const prefix = ["release", "version", "rel", purl.name].find((word) => tag.startsWith(word));
  const number = (prefix === undefined ? tag : tag.slice(prefix.length).replace(/^[-_]/, "")).replaceAll("_", ".");
  return /^v?\d/.test(number) ? number : NONE;
};

/**
 * A tag names a line when it begins with a number. A codename is a release of the distribution in its own image
 * (`debian:bookworm-slim`) and only the base of any other (`node:bookworm`).
 */
const image: StripPackagingSuffix = (version, product, purl) => {
  const tag = purl.qualifier("tag") ?? version;
  if (/^(?:sha\d+[:_]|[0-9a-f]{64}$)/.test(tag)) return NONE;
  if (/^v?\d/.test(tag)) return tag;
  const word = normalizeVersion(tag).split("-", 1)[0] ?? "";
  return product.category === "os" && cycleIndex(product).aliases.has(word) ? word : NONE;
};

/** Conda pins a build behind the version: `3.11.4=h2f3a4b_0`. */
const conda: StripPackagingSuffix = (version) => version.replace(/=.*$/, "");

/** By purl type. A type without a row writes the software's own version. */
export const PACKAGING_SUFFIXES: Readonly<Record<string, StripPackagingSuffix>> = {
  alpm: rpm,
  composer,
  conda,
  deb,
  docker: image,
  github,
  golang,
  oci: image,
  rpm,
};
