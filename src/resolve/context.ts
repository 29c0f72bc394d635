/** The context of every step of resolution. */
import type { IsoDate } from "../text/ids.ts";
import type { Catalogue, Component, Tracer } from "../model/index.ts";
import type { VersionOptions } from "./version/resolve.ts";

export interface ResolveContext {
  readonly catalogue: Catalogue;
  /** The day (UTC) on which versions older than the recorded cycles are assessed. */
  readonly asOf: IsoDate;
}

/** The options for the version of `component`, which may be a lower bound. */
export const versionOptions = (
  { asOf }: ResolveContext,
  trace?: Tracer,
  component?: Pick<Component, "minimum">,
): VersionOptions => ({
  asOf,
  minimum: component?.minimum,
  trace,
});
