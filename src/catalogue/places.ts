/**
 * Where our data stands: as sources, compiled and in the bundle this file lies two folders below the root, so the same
 * addresses find it from `src/`, `dist/` and `dist/command/`.
 */

/** The compiled catalogue that comes with the package. */
export const BUNDLED = new URL("../data/catalogue.json", import.meta.url);

/** Our own facts as reviewed files. */
export const CURATED = new URL("../../src/catalogue/curated/", import.meta.url);
