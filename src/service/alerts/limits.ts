/** Limits of the content of a watch list. */
import { EolgateError } from "../../messages/error.ts";
import { asProductSlug } from "../../text/ids.ts";
import type { WatchedCycle } from "../store/store.ts";
import { FOLLOWED } from "../../support/followed.ts";
import type { CycleName, FollowedPackages } from "../http/services.ts";

/** Maximum release cycles of a watch list. */
export const WATCH_LIMIT = 50;
/** Maximum packages of a watch list. */
export const PACKAGE_LIMIT = 1000;

export function distinctCycles(releaseCycles: readonly CycleName[]): readonly WatchedCycle[] {
  const byKey = new Map(releaseCycles.map(({ product, cycle }) => [`${product}:${cycle}`, { product, cycle }]));
  return [...byKey.values()].map(({ product, cycle }) => ({ product: asProductSlug(product), cycle }));
}

export const NO_PACKAGES: FollowedPackages = { follow: [], packages: [] };

/** Removes duplicates and excess packages. The result is empty if either part is empty. */
export function followedPackages({ follow, packages }: FollowedPackages): FollowedPackages {
  const distinctPackages = [...new Set(packages)].slice(0, PACKAGE_LIMIT);
  if (follow.length === 0 || distinctPackages.length === 0) return NO_PACKAGES;
  return { follow: FOLLOWED.filter((each) => follow.includes(each)), packages: distinctPackages };
}

export const nothingToWatch = (where: string): EolgateError => EolgateError.of("nothing-to-watch", {}, { where });
