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
 * import { createResolver, loadCatalogue, readSbom } from "eolgate";
 *
 * const document = readSbom(await readFile("bom.json"));
 * const resolve = createResolver(loadCatalogue(), document, { strict: false });
 * for (const component of document.components) console.log(component.name, resolve(component).kind);
 * ```
 */
import type { Report } from "./core/model.ts";
import { PLAIN, type ReportOptions } from "./report/reporter.ts";
import { REPORTERS, type ReporterName } from "./report/reporters.ts";

export type * from "./core/model.ts";
export type { IsoDate, ProductSlug, Purl } from "./core/ids.ts";
export { asPurl, isIsoDate, isProductSlug } from "./core/ids.ts";
export { ERROR_KINDS, EolgateError, type ErrorKind } from "./core/errors.ts";
export { readSbom } from "./core/sbom/read.ts";
export { dependencyPaths } from "./core/sbom/graph/paths.ts";
export { purlKey } from "./core/resolve/purl/key.ts";
export type { DependencyPaths } from "./core/sbom/graph/paths.ts";
export type { InvalidPurl, PurlKey } from "./core/resolve/purl/key.ts";
export type { Resolver, ResolverOptions } from "./core/resolve/resolve.ts";
export type { VersionOptions, VersionResolution } from "./core/resolve/version/resolve.ts";
export type { ErrorContext, ErrorDetails } from "./core/errors.ts";
export type { ErrorArgs, ErrorCode } from "./core/messages/errors/index.ts";
export type { SystemVersion } from "./core/resolve/distro/system-versions.ts";
export type { VendorBuild } from "./core/resolve/distro/vendor-build.ts";
export type { ResolverTables } from "./core/resolve/tables.ts";
export type { PackagingRule } from "./core/resolve/version/packaging.ts";
export type { Transform } from "./core/resolve/version/product-numbers.ts";
export type { SchemeAnswer, VersionScheme } from "./core/resolve/version/schemes.ts";
export type { ByteSource } from "./core/sbom/read.ts";
export type { IsBaselined } from "./core/policy/evaluate.ts";
export type { LocateOptions } from "./catalogue/locate.ts";
export type { Requested } from "./core/wire/score.ts";
export type { ScoreObject } from "./core/wire/schemas/lifecycle.ts";
export type { Links } from "./core/wire/links.ts";
export { createResolver } from "./core/resolve/resolve.ts";
export { resolveVersion } from "./core/resolve/version/resolve.ts";
export { findProduct } from "./core/resolve/product.ts";
export { assess, riskiest } from "./core/lifecycle/assess.ts";
export { DEFAULT_POLICY, parsePolicy } from "./core/policy/policy.ts";
export { evaluatePolicy, mergeVerdicts } from "./core/policy/evaluate.ts";
export { loadCatalogue, parseCatalogue } from "./catalogue/load.ts";
export { scoreObject } from "./core/wire/score.ts";
export type { Change, Difference } from "./core/compare/difference.ts";
export type { FindingRecord } from "./core/compare/finding-record.ts";
export type { PropertyNames } from "./core/sbom/edit/lifecycle-properties.ts";
export type { Skipped } from "./core/sbom/edit/plan.ts";
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

/**
 * Formats a report.
 *
 * @param format A name of docs/reference.md, such as `json`, `sarif` or `markdown`.
 * @param options Terminal properties and the selection of rows; plain text without colours by default.
 */
export async function renderReport(
  report: Report,
  format: ReporterName,
  options: ReportOptions = PLAIN,
): Promise<string> {
  const reporter = await REPORTERS[format].load();
  return reporter(report, options);
}
