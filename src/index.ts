/**
 * The public library: the steps of the main path as functions, and their types.
 *
 *     const catalogue = loadCatalogue();
 *     const document = readSbom(await readFile("bom.json"));
 *     const resolve = createResolver(catalogue, document, { strict: false });
 *     const resolution = resolve(document.components[0]);
 *
 * or the whole path at once with `checkSbom`. No step reads a clock: the day is handed in.
 */
import { daysBetween } from "./core/lifecycle/days.ts";
import { layerPolicies } from "./core/policy/policy.ts";
import { EolgateError } from "./core/errors.ts";
import { type IsoDate, isIsoDate } from "./core/ids.ts";
import type { Catalogue, Policy, Report } from "./core/model.ts";
import { linksUnder } from "./core/wire/links.ts";
import { sourceLinks } from "./core/wire/source-links.ts";
import { createLocal } from "./api/local.ts";
import { assessByCycle, kevFromCatalogue } from "./api/assess.ts";
import { checkDocuments } from "./api/check.ts";
import { PLAIN, type ReportOptions } from "./report/reporter.ts";
import { REPORTERS, type ReporterName } from "./report/reporters.ts";

export type * from "./core/model.ts";
export type { IsoDate, ProductSlug, Purl } from "./core/ids.ts";
export { asPurl, isIsoDate, isProductSlug } from "./core/ids.ts";
export { ERROR_KINDS, EolgateError, type ErrorKind } from "./core/errors.ts";
export { readSbom } from "./core/sbom/read.ts";
export { dependencyPaths } from "./core/sbom/graph/paths.ts";
export { purlKey } from "./core/resolve/purl/key.ts";
export { createResolver } from "./core/resolve/resolve.ts";
export { resolveVersion } from "./core/resolve/version/resolve.ts";
export { findProduct } from "./core/resolve/product.ts";
export { assess, riskiest } from "./core/lifecycle/assess.ts";
export { DEFAULT_POLICY, parsePolicy } from "./core/policy/policy.ts";
export { evaluatePolicy, mergeVerdicts } from "./core/policy/evaluate.ts";
export { loadCatalogue, parseCatalogue } from "./catalogue/load.ts";
export { scoreObject } from "./core/wire/score.ts";
export { explain, type Explanation } from "./api/explain.ts";
export type { ReportOptions, TerminalOptions } from "./report/reporter.ts";
export type { ReporterName } from "./report/reporters.ts";

export interface CheckOptions {
  /** From `loadCatalogue()`, or your own implementation. */
  readonly catalogue: Catalogue;
  /** The day to judge by, `YYYY-MM-DD`, UTC. */
  readonly asOf: string;
  /** What differs from `DEFAULT_POLICY`. */
  readonly policy?: Partial<Policy>;
  /** Name of the document in the report. */
  readonly file?: string;
  /** Base address of the links, where your own server answers. By default links lead to the sources of the dates. */
  readonly base?: string;
}

/**
 * The main job for one document: bytes in, report with verdict and exit code out.
 * @throws EolgateError `bad-date` when `asOf` is not a date, `bad-policy` when the policy can never fail. Errors in the
 * document are in `report.failed`, with exit code 3.
 */
export async function checkSbom(
  bytes: Uint8Array,
  { catalogue, asOf, policy, file, base }: CheckOptions,
): Promise<Report> {
  const day = dayOf(asOf);
  const completePolicy = layerPolicies(policy ?? {});
  const { createHash } = await import("node:crypto");
  const links = base === undefined ? sourceLinks(catalogue, day) : linksUnder(base);
  const local = createLocal({ catalogue, asOf: day, links });
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  return checkDocuments([{ file: file ?? "<bytes>", digest, gzipped: false, bytes }], {
    catalogue,
    policy: completePolicy,
    asOf: day,
    tool: { name: "eolgate", version: (await import("./platform/version.ts")).VERSION },
    links,
    assess: assessByCycle((cycles) => local.assessCycles(cycles), kevFromCatalogue(catalogue)),
  });
}

/** A report in one of the formats of `--format`. */
export async function renderReport(
  report: Report,
  format: ReporterName,
  options: ReportOptions = PLAIN,
): Promise<string> {
  const reporter = await REPORTERS[format].load();
  return reporter(report, options);
}

/** Days between the day on which the catalogue was read and `asOf`. */
export const catalogueAge = (catalogue: Catalogue, asOf: string): number =>
  daysBetween(catalogue.metadata.date, dayOf(asOf));

function dayOf(text: string): IsoDate {
  if (isIsoDate(text)) return text;
  throw EolgateError.of("bad-date", { value: text });
}
