/** All types of the model: the public ones, and those that the steps of a check pass on. */
export type * from "./public.ts";
export type * from "./rows.ts";
export type * from "./statement.ts";
