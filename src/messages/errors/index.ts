/** The table of error codes, merged from one file for each exit code. */
import { CATALOGUE_ERRORS } from "./catalogue.ts";
import { INPUT_ERRORS } from "./input.ts";
import { NETWORK_ERRORS } from "./network.ts";
import type { ErrorRow } from "./row.ts";
import { SERVICE_ERRORS } from "./service.ts";
import { USAGE_ERRORS } from "./usage.ts";

/** Every error by its stable code. docs/errors.md is generated from it. */
export const ERRORS = {
  ...USAGE_ERRORS,
  ...INPUT_ERRORS,
  ...CATALOGUE_ERRORS,
  ...NETWORK_ERRORS,
  ...SERVICE_ERRORS,
} as const;

/** A stable code of an error. */
export type ErrorCode = keyof typeof ERRORS;

/** The arguments that the text of a code needs. */
export type ErrorArgs<Code extends ErrorCode> = (typeof ERRORS)[Code] extends ErrorRow<infer Args> ? Args : never;
