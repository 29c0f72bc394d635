/**
 * The public library. `check`, `enrich`, `removeEnrichment`, `diff`, `forecast` and `explain` run a whole task; the
 * steps of the main path are exported as well. No function reads a clock: callers pass the date.
 *
 * ```ts run
 * import { readFile } from "node:fs/promises";
 * import { check, loadCatalogue, renderReport } from "eolgate";
 *
 * const report = await check(await readFile("bom.json"), { catalogue: loadCatalogue(), asOf: "2026-11-22" });
 * console.log(await renderReport(report, "markdown"));
 * process.exitCode = report.exit.code;
 * ```
 *
 * The steps, for callers that need a part of the path only:
 *
 * ```ts run
 * import { readFile } from "node:fs/promises";
 * import { assessComponent, createAssessContext, isIsoDate, loadCatalogue, readSbom } from "eolgate";
 *
 * const asOf = "2026-11-22";
 * if (!isIsoDate(asOf)) throw new TypeError(`${asOf} is not a date`);
 * const document = readSbom(await readFile("bom.json"));
 * const context = createAssessContext(loadCatalogue(), { document, strict: false, asOf });
 * for (const component of document.components)
 *   console.log(component.name, assessComponent(component, context).assessment?.status);
 * ```
 */
import type { CheckResult, SbomDocument } from "./model/index.ts";
import { toReport } from "./report/json/plain.ts";
import { PLAIN, type ReporterRow, type ReportOptions } from "./report/reporter.ts";
import { REPORTERS, type ReporterName } from "./report/reporters.ts";
import { dependencyPaths as pathsOf, type DependencyPaths } from "./sbom/graph/paths.ts";
import { toParsedDocument } from "./sbom/plain.ts";

export type * from "./model/public.ts";
export type { IsoDate, ProductSlug, Purl } from "./text/ids.ts";
export { asPurl, isIsoDate, isProductSlug } from "./text/ids.ts";
export { ERROR_KINDS, EolgateError, type ErrorContext, type ErrorDetails, type ErrorKind } from "./messages/error.ts";
export { readSbom } from "./sbom/read.ts";
export { purlKey, type InvalidPurl, type PurlKey } from "./resolve/purl/key.ts";
export type { ErrorArgs, ErrorCode } from "./messages/errors/index.ts";
export type { SystemVersion } from "./resolve/distro/system.ts";
export type { VendorBuild } from "./resolve/distro/vendor-build.ts";
export type { PackagingRule } from "./resolve/version/product-numbers.ts";
export type { Transform } from "./resolve/version/product-numbers.ts";
export type { SchemeAnswer, VersionScheme } from "./resolve/version/schemes.ts";
export type { ByteSource } from "./json-rows/source.ts";
export type { IsBaselined } from "./policy/evaluate.ts";
export type { LocateOptions } from "./catalogue/places.ts";
export type { Requested } from "./wire/score.ts";
export type { ScoreObject } from "./wire/schemas/lifecycle.ts";
export type { Links } from "./wire/links.ts";
export {
  assessComponent,
  createAssessContext,
  type AssessContext,
  type AssessContextOptions,
  type CycleAssessments,
} from "./resolve/answer.ts";
export type { Resolver, ResolverOptions } from "./resolve/resolve.ts";
export { resolveVersion, type VersionOptions, type VersionResolution } from "./resolve/version/resolve.ts";
export { findProduct } from "./resolve/product.ts";
export { assess, riskiest } from "./lifecycle/assess.ts";
export { DEFAULT_POLICY, parsePolicy } from "./policy/policy.ts";
export { evaluatePolicy } from "./policy/evaluate.ts";
export { mergeVerdicts } from "./policy/verdict.ts";
export { loadCatalogue, parseCatalogue } from "./catalogue/load.ts";
export { scoreObject } from "./wire/score.ts";
export type { Change, Difference } from "./compare/difference.ts";
export type { FindingRecord } from "./compare/finding-record.ts";
export type { PropertyNames } from "./enrich/lifecycle-properties.ts";
export type { Skipped } from "./enrich/plan.ts";
export type { Explanation, ExplainStep } from "./api/explain.ts";
export type { ReportOptions, ReportView, TerminalOptions } from "./report/reporter.ts";
export type { ReporterName } from "./report/reporters.ts";
export {
  catalogueAge,
  check,
  diff,
  enrich,
  explain,
  forecast,
  removeEnrichment,
  type AssessmentOptions,
  type CheckOptions,
  type DiffOptions,
  type EnrichmentOptions,
  type EnrichmentResult,
  type ForecastOptions,
} from "./api/library.ts";

export type { DependencyPaths };
/** The dependency paths from the described software of a document to its components. */
export const dependencyPaths = (document: SbomDocument): DependencyPaths => pathsOf(toParsedDocument(document));

/**
 * Formats the result of a check.
 *
 * @param format A name of docs/reference.md, such as `json`, `sarif` or `markdown`.
 * @param options Terminal properties and the selection of rows; plain text without colours by default.
 */
export async function renderReport(
  result: CheckResult,
  format: ReporterName,
  options: ReportOptions = PLAIN,
): Promise<string> {
  const row: ReporterRow = REPORTERS[format];
  const [reporter, report] = [await row.load(), toReport(result)];
  if (row.needsStatement === undefined) return reporter(report, options);
  return reporter(await (await import("./api/statement.ts")).withStatement(report), options);
}
