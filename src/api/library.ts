/** The functions of the library that run a whole task: check, enrich, compare, predict and explain. */
import { compareScans, type Difference } from "../compare/difference.ts";
import { toFindingsSnapshot } from "../compare/finding-record.ts";
import { forecast as forecastFindings } from "../compare/forecast.ts";
import { EolgateError } from "../messages/error.ts";
import { type IsoDate, isIsoDate } from "../text/ids.ts";
import { daysBetween } from "../lifecycle/days.ts";
import type { Catalogue, CheckResult, DocumentReport, Forecast, Policy } from "../model/index.ts";
import { toFindings } from "../policy/rows.ts";
import { layerPolicies } from "../policy/policy.ts";
import { enrich as writeProperties, removeEnrichment as removeProperties, type Edited } from "../enrich/enrich.ts";
import { toEnrichment, type PropertyNames } from "../enrich/lifecycle-properties.ts";
import type { Skipped } from "../enrich/plan.ts";
import { openSbom } from "../sbom/open.ts";
import { toCheckResult } from "../report/json/plain.ts";
import { type Links, linksUnder, sourceLinks } from "../wire/links.ts";
import { type Assess, assessLocally } from "./assess.ts";
import { checkDocument, checkDocuments } from "./check.ts";
import { explain as explainSubject, type Explanation } from "./explain.ts";
import { digestOf } from "../platform/file-source.ts";
import { VERSION } from "../platform/version.ts";

/** What an assessment depends on. The same values give the same result on every machine and at any time. */
export interface AssessmentOptions {
  /** From `loadCatalogue()`, or your own implementation. */
  readonly catalogue: Catalogue;
  /** The date of the assessment, `YYYY-MM-DD`, UTC. */
  readonly asOf: string;
  /** The fields that differ from `DEFAULT_POLICY`. */
  readonly policy?: Partial<Policy>;
  /** Base address of links, such as `https://eol.example.org`. By default, links lead to the sources of the dates. */
  readonly base?: string;
}

/** Options of `check`. */
export interface CheckOptions extends AssessmentOptions {
  /** Name of the document in the report, `<bytes>` by default. */
  readonly file?: string;
}

/** Options of `enrich`. */
export interface EnrichmentOptions extends AssessmentOptions {
  /** Property names: `lifecycle:*`, those of the CycloneDX taxonomy (`cdx:lifecycle:*`), or both. */
  readonly properties?: PropertyNames;
  /** Edit a signed document although its signature becomes invalid. */
  readonly breakSignature?: boolean;
}

/** An edited document. */
export interface EnrichmentResult {
  /** The whole document in its original encoding and wrapping. */
  readonly bytes: Uint8Array;
  /** Locations that could not be written to, with the reason. */
  readonly skipped: readonly Skipped[];
}

/** Options of `diff`. */
export interface DiffOptions extends AssessmentOptions {
  /** Names of the two documents in the result, `old` and `new` by default. */
  readonly files?: readonly [old: string, current: string];
}

/** Options of `forecast`. */
export interface ForecastOptions extends AssessmentOptions {
  /** The length of the forecast in calendar months, 12 by default. */
  readonly months?: number;
}

/**
 * Checks an SBOM: reads it, resolves and assesses its components, and evaluates the policy.
 *
 * @param bytes An SBOM as the command line reads it (docs/inputs.md), not compressed.
 * @returns The findings, the verdict and the exit code. A document that cannot be read is in `failed`, with exit code 3.
 * @throws EolgateError `invalid-value` for an invalid `asOf`, `bad-policy` for a policy that can never fail.
 */
export async function check(bytes: Uint8Array, options: CheckOptions): Promise<CheckResult> {
  const context = await contextOf(options);
  const input = inputOf(bytes, options.file ?? "<bytes>");
  return toCheckResult(await checkDocuments([input], { ...context, tool: TOOL }));
}

/**
 * Writes lifecycle properties into a JSON SBOM. Every other byte stays as it was, and enriching twice gives the same
 * result as enriching once.
 *
 * @throws EolgateError `invalid-value`, `bad-policy`; of kind `input` for a document that cannot be read or edited, among them
 * `not-enrichable` for XML and tag-value and `signed` for a signed document without `breakSignature`.
 */
export async function enrich(bytes: Uint8Array, options: EnrichmentOptions): Promise<EnrichmentResult> {
  const context = await contextOf(options);
  const document = await openSbom(bytes);
  const scan = await checkDocument({ ...inputOf(bytes, "<bytes>"), document }, context);
  const enrichment = toEnrichment(
    { findings: toFindings(scan.rows), verdict: scan.verdict },
    {
      asOf: context.asOf,
      tool: TOOL,
      purlMapDate: context.catalogue.metadata.purlMapDate,
      scoreCard: context.links.scoreCard,
      ...(options.properties && { properties: options.properties }),
    },
  );
  return resultOf(writeProperties(document, enrichment, { breakSignature: options.breakSignature === true }));
}

/**
 * Removes what `enrich` wrote. The result is the document as it was before, byte for byte.
 *
 * @throws EolgateError of kind `input`, as `enrich`.
 */
export async function removeEnrichment(
  bytes: Uint8Array,
  options: Pick<EnrichmentOptions, "breakSignature"> = {},
): Promise<EnrichmentResult> {
  const document = await openSbom(bytes);
  return resultOf(removeProperties(document, { breakSignature: options.breakSignature === true }));
}

/**
 * Compares two SBOMs: components that were added, removed, or have another version, release cycle or outcome.
 *
 * @throws EolgateError `invalid-value`, `bad-policy`; of kind `input` when one of the documents cannot be read.
 */
export async function diff(old: Uint8Array, current: Uint8Array, options: DiffOptions): Promise<Difference> {
  const context = await contextOf(options);
  const [oldFile, currentFile] = options.files ?? ["old", "new"];
  const before = await scanOf(old, oldFile, context);
  const after = await scanOf(current, currentFile, context);
  return compareScans(
    toFindingsSnapshot(oldFile, toFindings(before.rows)),
    toFindingsSnapshot(currentFile, toFindings(after.rows)),
  );
}

/**
 * Predicts which components of an SBOM start to fail within a number of months, by the dates that are known today.
 *
 * @throws EolgateError `invalid-value`, `bad-policy`; of kind `input` when the document cannot be read.
 */
export async function forecast(bytes: Uint8Array, options: ForecastOptions): Promise<Forecast> {
  const context = await contextOf(options);
  const { rows } = await scanOf(bytes, "<bytes>", context);
  return forecastFindings(toFindings(rows), context.policy, context.asOf, options.months ?? 12);
}

/**
 * Explains how a component is assessed: each step of its resolution, the sources of the dates, and the outcome.
 *
 * @param subject A package URL, `slug:version` of a tracked product, or `name@version` of a component.
 * @throws EolgateError `invalid-value`, `bad-policy`.
 */
export function explain(subject: string, { catalogue, asOf, policy }: AssessmentOptions): Explanation {
  return explainSubject(subject, { catalogue, asOf: dateOf(asOf), policy: layerPolicies(policy ?? {}) });
}

/**
 * The age of a catalogue in days: from the day on which its sources were read to `asOf`.
 *
 * @throws EolgateError `invalid-value`
 */
export const catalogueAge = (catalogue: Catalogue, asOf: string): number =>
  daysBetween(catalogue.metadata.date, dateOf(asOf));

interface LibraryContext {
  readonly catalogue: Catalogue;
  readonly asOf: IsoDate;
  readonly policy: Policy;
  readonly links: Links;
  readonly assess: Assess;
}

async function contextOf({ catalogue, asOf, policy, base }: AssessmentOptions): Promise<LibraryContext> {
  const day = dateOf(asOf);
  const links = base === undefined ? sourceLinks(catalogue, day) : linksUnder(base);
  const assess = assessLocally(catalogue, day);
  return { catalogue, asOf: day, policy: layerPolicies(policy ?? {}), links, assess };
}

const inputOf = (bytes: Uint8Array, file: string) => ({
  file,
  digest: () => digestOf(bytes),
  gzipped: false,
  bytes: () => bytes,
});

async function scanOf(bytes: Uint8Array, file: string, context: LibraryContext): Promise<DocumentReport> {
  const document = await openSbom(bytes);
  return checkDocument({ ...inputOf(bytes, file), document }, context);
}

const TOOL = { name: "eolgate", version: VERSION } as const;

function resultOf({ chunks, skipped }: Edited): EnrichmentResult {
  return { bytes: new Uint8Array(Buffer.concat([...chunks])), skipped };
}

function dateOf(text: string): IsoDate {
  if (isIsoDate(text)) return text;
  throw EolgateError.of("invalid-value", {
    problem: `"${text}" is not a date`,
    advice: "Write it as YYYY-MM-DD, for example 2026-12-31.",
  });
}
