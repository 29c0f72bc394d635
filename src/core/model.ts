/**
 * The types of the model, in the order in which the main path makes them: document → component → resolution →
 * assessment → finding → verdict → report. Names follow endoflife.date's API v1 (eolFrom, eoasFrom, eoesFrom); JSON
 * uses snake_case (see `core/wire`).
 */
export type * from "./model/document.ts";
export type * from "./model/catalogue.ts";
export type * from "./model/dates.ts";
export type * from "./model/kev.ts";
export type * from "./model/packages.ts";
export type * from "./model/resolution.ts";
export type * from "./model/assessment.ts";
export type * from "./model/support.ts";
export type * from "./model/policy.ts";
export type * from "./model/advice.ts";
export type * from "./model/product-state.ts";
export type * from "./model/report.ts";
export type * from "./model/changes.ts";
