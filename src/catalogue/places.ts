/**
 * Addresses of the data files. This module is located two directories below the root in the sources, in `dist/` and in
 * the bundles (`dist/command/`, `action/dist/`), so the same relative addresses are right in all of them. They go
 * through the root for that reason: `../data` would only be right in the sources.
 */

/** The compiled catalogue that is bundled with the package. */
export const BUNDLED = new URL("../../src/data/catalogue.json", import.meta.url);

/** The curated data that the catalogue is compiled from. */
export const CURATED = new URL("../../src/catalogue/curated/", import.meta.url);
