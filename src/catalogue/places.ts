/**
 * Where the catalogue's data is. This file is two folders below the root in `src/`, in `dist/` and in the bundles, so the
 * same relative addresses are valid in all of them.
 */

/** The compiled catalogue that is part of the package. */
export const BUNDLED = new URL("../../src/data/catalogue.json", import.meta.url);

/** The curated entries as reviewed files. */
export const CURATED = new URL("../../src/pipeline/curated/", import.meta.url);

/** Names of the packages that Debian 12 ships (see `debian-packages.ts`). */
export const DEBIAN_PACKAGES = new URL("../../src/data/debian-12-packages.bin", import.meta.url);

/** How many packages of real documents the catalogue resolves, as measured. */
export const DOCUMENT_COVERAGE = new URL("../../src/data/document-coverage.json", import.meta.url);

/** What the last refresh from the sources read and did not read. */
export const LAST_REFRESH = new URL("../../src/data/last-refresh.json", import.meta.url);
