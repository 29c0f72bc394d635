/**
 * The types that the library returns and takes, in the order in which the main path makes them: document → component →
 * resolution → assessment → finding → verdict → report. Names follow endoflife.date's API v1 (eolFrom, eoasFrom, eoesFrom); JSON
 * uses snake_case (see `wire`).
 */
export type * from "./document.ts";
export type * from "./catalogue.ts";
export type * from "./facts.ts";
export type * from "./dates.ts";
export type * from "./kev.ts";
export type * from "./packages.ts";
export type * from "./resolution.ts";
export type * from "./assessment.ts";
export type * from "./support.ts";
export type * from "./policy.ts";
export type * from "./report.ts";
export type * from "./contributions.ts";
export type * from "./changes.ts";
