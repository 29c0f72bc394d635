/** The context of every step of resolution. */
import type { IsoDate } from "../text/ids.ts";
import type { Catalogue } from "../model/index.ts";
import { VERSION_SCHEMES } from "./version/schemes.ts";
import type { VersionOptions } from "./version/resolve.ts";
import type { Tracer } from "../model/index.ts";

export interface ResolveContext {
  readonly catalogue: Catalogue;
  /** The day on which older versions are assessed; without it they stay unresolved. */
  readonly asOf: IsoDate | undefined;
}

export const versionOptions = ({ asOf }: ResolveContext, trace?: Tracer): VersionOptions => ({
  asOf,
  trace,
  schemes: VERSION_SCHEMES,
});
