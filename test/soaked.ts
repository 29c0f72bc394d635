/**
 * How much a long test does. `npm run soak:tests` runs the files that use this in full; `npm test` does a part that can
 * fail for the same reasons.
 */
export const soaked = <Amount>(part: Amount, full: Amount): Amount =>
  process.env["EOLGATE_SOAK"] === "1" ? full : part;
