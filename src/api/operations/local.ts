/**
 * The operations on the local catalogue for one day. The type makes sure that every row of the operations table has an
 * implementation.
 */
import { EolgateError } from "../../messages/error.ts";
import { toFindings } from "../../policy/rows.ts";
import { DEFAULT_POLICY } from "../../policy/fields.ts";
import type { ParsedSbom } from "../../sbom/component.ts";
import { openSbom } from "../../sbom/open.ts";
import type { IsoDate } from "../../text/ids.ts";
import { upgradeAdvice } from "../../compare/upgrade-targets.ts";
import type { Assessment, Catalogue, DocumentReport, Report } from "../../model/index.ts";
import { kevObject, upcomingObject, upgradeObject } from "../../wire/advice.ts";
import { edgeDevicesObject } from "../../wire/edge-devices.ts";
import { badge, greyBadge, productList, productObject } from "../../wire/product.ts";
import type { Links } from "../../wire/links.ts";
import { type SbomInput, sbomResponse, scoredFindings } from "../../wire/sbom.ts";
import type { Badge, SbomResponse } from "../../wire/schemas.ts";
import { scoreObject, statusObject } from "../../wire/score.ts";
import { assessByCycle } from "../assess.ts";
import { kevFromCatalogue } from "../../lifecycle/assess.ts";
import { answerBatch } from "./batch.ts";
import { createCycleLookup, type CycleLookup, type CycleQueryResult } from "./lookup.ts";
import type { Engine, OperationInput, Operations } from "./operations.ts";
import { checkDocument, checkDocuments, type CheckInput, type DocumentContext } from "../check.ts";
import { VERSION } from "../../platform/version.ts";
import { metrics, type MetricsRow } from "../../wire/metrics.ts";

export interface LocalContext {
  readonly catalogue: Catalogue;
  readonly asOf: IsoDate;
  readonly links: Links;
}

/** The number of components that the tier allows to be scored; all by default. */
export type ScoreCap = NonNullable<SbomInput["cap"]>;

export interface LocalOperations extends Engine {
  readonly context: LocalContext;
  sbom(input: OperationInput<"sbom">, cap?: ScoreCap): Promise<SbomResponse>;
  enrich(input: OperationInput<"enrich">, cap?: ScoreCap): Promise<Uint8Array>;
  /** The document with its findings and verdict, for a watch list. */
  scan(input: OperationInput<"sbom">): Promise<DocumentReport>;
  /** The report of a check with the default policy, as `eolgate check` writes it. */
  check(inputs: readonly CheckInput[]): Promise<Report>;
  /** The assessment of a version of a product. @throws EolgateError `not-found`, `ambiguous`. */
  find(slug: string, version: string): CycleQueryResult;
  /** Every release cycle of the catalogue, by slug, newest first. */
  everyAssessment(): readonly Assessment[];
}

const REQUEST = { file: "request body", digest: () => "" } as const;

export function createLocal(context: LocalContext): LocalOperations {
  const { catalogue, asOf, links } = context;
  const lookup = createCycleLookup(catalogue, asOf, links.products);
  const assess = assessByCycle(async (cycles) => cycles.map(lookup.assessments.known), kevFromCatalogue(catalogue));
  const contextOf = (input: OperationInput<"sbom">): DocumentContext => ({
    catalogue,
    policy: policyOf(input),
    asOf,
    assess,
  });
  const scan = (input: OperationInput<"sbom">): Promise<DocumentReport> =>
    checkDocument({ ...REQUEST, gzipped: false, bytes: () => input.document }, contextOf(input));

  return {
    context,
    scan,
    check: (inputs) =>
      checkDocuments(inputs, {
        catalogue,
        policy: DEFAULT_POLICY,
        asOf,
        tool: { name: "eolgate", version: VERSION },
        links,
        assess,
      }),
    find: lookup.find,
    everyAssessment: lookup.every,
    ...productOperations(context, lookup),
    ...versionOperations(context, lookup),
    sbom: async (input, cap) => {
      const { document, rows, verdict } = await scan(input);
      const checked = { document, findings: toFindings(rows), verdict, policy: policyOf(input) };
      return sbomResponse({ ...checked, catalogue: catalogue.metadata, ...(cap && { cap }) }, links);
    },
    enrich: async (input, cap) => {
      const document = await openSbom(input.document);
      return enriched(document, await checkDocument({ ...REQUEST, document }, contextOf(input)), context, cap);
    },
    assessCycles: async (cycles) => cycles.map(lookup.assessments.known),
    close: async () => undefined,
  };
}

/** Look-ups of products and of all their cycles. */
function productOperations({ catalogue, asOf, links }: LocalContext, lookup: CycleLookup) {
  return {
    products: async () => productList(lookup.products(), links),
    product: async ({ slug }) => {
      const product = lookup.product(slug);
      return productObject(product, lookup.of(product), links);
    },
    highestScore: async ({ slug }) => scoreObject(lookup.riskiest(lookup.product(slug)), links),
    kev: async ({ slug }) => kevObject(lookup.product(slug), catalogue.metadata, links),
    edgeDevices: async () => {
      const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
      return edgeDevicesObject(products, lookup.of, asOf, links);
    },
    upcoming: async ({ days = 90, recent_past_days: past = 0, limit = 100, products }) => {
      const slugs = products === undefined ? undefined : namesIn(products);
      const assessments = slugs?.flatMap((slug) => lookup.of(lookup.product(slug))) ?? lookup.every();
      return upcomingObject(assessments, { days, past, limit, asOf }, links);
    },
  } satisfies Partial<Operations>;
}

/** Look-ups of single versions. */
function versionOperations({ catalogue, asOf, links }: LocalContext, lookup: CycleLookup) {
  const score = ({ assessment, requested, candidates }: Omit<CycleQueryResult, "product">) => ({
    ...scoreObject(assessment, links, requested),
    ...(candidates && { candidates }),
  });
  return {
    score: async ({ slug, version }) => score(lookup.find(slug, version)),
    status: async ({ slug, version }) => {
      const { assessment, requested, candidates } = lookup.find(slug, version);
      return { ...statusObject(assessment, requested), ...(candidates && { candidates }) };
    },
    batch: async (request) => answerBatch(request, { catalogue, asOf, cycles: lookup, score }),
    metrics: async ({ stack, format = "prometheus" }) =>
      answerMetrics(stack, format, (slug, version) => lookup.find(slug, version)),
    badge: async ({ slug, version }) => badgeOf(slug, version, lookup),
    upgrade: async ({ slug, version }) => {
      const { product, assessment, requested, candidates } = lookup.find(slug, version);
      const upgrade = upgradeObject(assessment, upgradeAdvice(product, assessment.cycle, asOf), links, requested);
      return { ...upgrade, ...(candidates && { candidates }) };
    },
  } satisfies Partial<Operations>;
}

/** A badge is an image on a web page, so a version without a result gets a grey badge and not an error. */
function badgeOf(slug: string, version: string, lookup: CycleLookup): Badge {
  try {
    return badge(lookup.find(slug, version).assessment);
  } catch (error) {
    if (!(error instanceof EolgateError) || (error.kind !== "not-found" && error.kind !== "ambiguous")) throw error;
    return greyBadge(`${slug} ${version}`, error.kind === "ambiguous" ? "ambiguous" : "not tracked");
  }
}

async function enriched(
  document: ParsedSbom,
  { rows, verdict }: DocumentReport,
  context: LocalContext,
  cap?: ScoreCap,
): Promise<Buffer> {
  const findings = toFindings(rows);
  const [{ enrich }, { toEnrichment }] = await Promise.all([
    import("../../enrich/enrich.ts"),
    import("../../enrich/lifecycle-properties.ts"),
  ]);
  const { asOf, catalogue, links } = context;
  const facts = {
    asOf,
    tool: { name: "eolgate", version: VERSION },
    purlMapDate: catalogue.metadata.purlMapDate,
    scoreCard: links.scoreCard,
    ...(cap && { scored: scoredFindings(findings, cap.components) }),
  };
  return Buffer.concat([...enrich(document, toEnrichment({ findings, verdict }, facts)).chunks]);
}

/** The names of a list, each once. They are separated by commas. */
const namesIn = (text: string): readonly string[] =>
  [...new Set(text.split(",").map((part) => part.trim()))].filter(Boolean);

const policyOf = (input: OperationInput<"sbom">) => ({
  ...DEFAULT_POLICY,
  strict: input.strict === "1",
  warnDays: input.warn_days ?? DEFAULT_POLICY.warnDays,
});

// Answers a stack of `slug:version` pairs as metrics. A pair that cannot be resolved gets a series of its own.

const MAX_PAIRS = 100;

function answerMetrics(stack: string, format: "prometheus" | "openmetrics", find: CycleLookup["find"]): string {
  const pairs = namesIn(stack);
  if (pairs.length === 0) {
    throw EolgateError.of("invalid-request", {
      problem: "the stack has no slug:version pair",
      advice: "For example ?stack=nodejs:20,python:3.12",
    }).at("query/stack");
  }
  if (pairs.length > MAX_PAIRS) {
    throw EolgateError.of(
      "invalid-request",
      { problem: `the stack has ${pairs.length} pairs, more than the limit of ${MAX_PAIRS}` },
      { where: "query/stack", details: { limit: MAX_PAIRS } },
    );
  }
  return metrics(
    pairs.map((pair) => row(pair, find)),
    format,
  );
}

function row(pair: string, find: CycleLookup["find"]): MetricsRow {
  const [product = "", version = ""] = pair.split(/:(.*)/s);
  if (version === "") return { kind: "error", product, version, reason: "no-version" };
  try {
    const { assessment, requested } = find(product, version);
    return { kind: "answer", assessment, ...(requested && { requested }) };
  } catch (error) {
    if (!(error instanceof EolgateError) || error.kind === "internal") throw error;
    return { kind: "error", product, version, reason: error.code };
  }
}
