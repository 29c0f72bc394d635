/** The table of error codes, merged from one file for each area. */
import { CATALOGUE_ERRORS } from "./catalogue.ts";
import { CHANNEL_ERRORS } from "./channel.ts";
import { CONFIG_ERRORS } from "./config.ts";
import { GITHUB_ERRORS } from "./github.ts";
import { IMAGES_ERRORS } from "./images.ts";
import { INPUT_ERRORS } from "./input.ts";
import { INVENTORY_ERRORS } from "./inventory.ts";
import { LOOKUP_ERRORS } from "./lookup.ts";
import { NETWORK_ERRORS } from "./network.ts";
import { OUTPUT_ERRORS } from "./output.ts";
import { OWN_CATALOGUE_ERRORS } from "./own-catalogue.ts";
import { FORM_ERRORS } from "./forms.ts";
import { SERVICE_ERRORS } from "./service.ts";
import { SIGNALS_ERRORS } from "./signals.ts";
import { USAGE_ERRORS } from "./usage.ts";
import type { ErrorRow } from "./row.ts";

/** Every error by its stable code. docs/errors.md is generated from it. */
export const ERRORS = {
  ...CATALOGUE_ERRORS,
  ...CHANNEL_ERRORS,
  ...CONFIG_ERRORS,
  ...GITHUB_ERRORS,
  ...IMAGES_ERRORS,
  ...INPUT_ERRORS,
  ...INVENTORY_ERRORS,
  ...LOOKUP_ERRORS,
  ...NETWORK_ERRORS,
  ...OUTPUT_ERRORS,
  ...OWN_CATALOGUE_ERRORS,
  ...FORM_ERRORS,
  ...SERVICE_ERRORS,
  ...SIGNALS_ERRORS,
  ...USAGE_ERRORS,
} as const;

/** A stable code of an error. */
export type ErrorCode = keyof typeof ERRORS;

/** The arguments that the text of a code needs. */
export type ErrorArgs<Code extends ErrorCode> = (typeof ERRORS)[Code] extends ErrorRow<infer Args> ? Args : never;
