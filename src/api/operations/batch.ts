/**
 * Answers POST /v1/batch: many queries in one request. Results have the order of the queries; a query that fails gives
 * an error at its position, and the others are answered.
 */
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate, ProductSlug } from "../../text/ids.ts";
import type { Assessment, Catalogue } from "../../model/index.ts";
import { backportingDistribution, isPlace } from "../../lifecycle/assess.ts";
import { DEFAULT_POLICY } from "../../policy/fields.ts";
import { bySeverity } from "../../policy/verdict.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../resolve/answer.ts";
import { compact } from "../../text/values.ts";
import { sentence } from "../../wire/error.ts";
import { gateOf } from "../../lifecycle/gate.ts";
import { gateObject } from "../../wire/score.ts";
import type { BatchResponse, BatchRequest, ScoreObject } from "../../wire/schemas.ts";
import { type CycleLookup, type CycleQueryResult, unresolvedError } from "./lookup.ts";

type BatchQuery = BatchRequest["products"][number];

export interface BatchContext {
  readonly catalogue: Catalogue;
  readonly asOf: IsoDate;
  readonly cycles: CycleLookup;
  readonly score: (cycle: Omit<CycleQueryResult, "product">) => ScoreObject;
}

export function answerBatch(request: BatchRequest, context: BatchContext): BatchResponse {
  return request.products.map((query) => {
    try {
      return answer(query, context);
    } catch (error) {
      if (!(error instanceof EolgateError) || error.kind === "internal") throw error;
      return failed(query, error);
    }
  });
}

function answer(query: BatchQuery, context: BatchContext): ScoreObject {
  const { cycles, score } = context;
  const { slug, version, purl } = query;
  if (purl !== undefined) return answerPurl(query, purl, context);
  if (slug === undefined) throw EolgateError.of("invalid-request", { problem: "the item has neither slug nor purl" });
  if (version === undefined) return score({ assessment: cycles.riskiest(cycles.product(slug)) });
  return score(cycles.find(slug, version));
}

/** A purl resolves by the published purl map only, like a component of an SBOM. */
function answerPurl(query: BatchQuery, purl: string, { catalogue, asOf, cycles, score }: BatchContext): ScoreObject {
  const answers = createAssessContext(catalogue, { strict: false, asOf, assessments: cycles.assessments });
  const { resolution, assessment, distroAssessment } = assessComponent(purlComponent(purl, query.version), answers);
  if (resolution.kind === "resolved") {
    if (!assessment) throw new TypeError("the catalogue assesses each of its cycles");
    const { releaseCycle, versionMatchedBy, requestedVersion } = resolution;
    agree(query.slug, releaseCycle.product, cycles);
    const requested = versionMatchedBy && { version: requestedVersion, matchedBy: versionMatchedBy };
    const decided = decidedBy(assessment, distroAssessment);
    return {
      ...score({ assessment, ...(requested && { requested }) }),
      ...(decided && { gate: gateObject(decided, resolution) }),
    };
  }
  const product = resolution.kind === "unmatched" ? resolution.product : undefined;
  if (product === undefined) throw unresolvedError(purl, resolution, assessment);
  agree(query.slug, product, cycles);
  if (query.version !== undefined || statesVersion(purl)) throw unresolvedError(purl, resolution, assessment);
  return score({ assessment: cycles.riskiest(cycles.product(product)) });
}

/** The distribution that backports fixes, or a place with a worse outcome; undefined where the product decides. */
function decidedBy(own: Assessment, other: Assessment | undefined): Assessment | undefined {
  if (!isPlace(other)) return backportingDistribution(other, DEFAULT_POLICY);
  return other && bySeverity(gateOf(other).outcome, gateOf(own).outcome) < 0 ? other : undefined;
}

function statesVersion(purl: string): boolean {
  const key = purlKey(purl);
  return key.kind === "purl" && key.version !== undefined;
}

/** @throws EolgateError `invalid-request` when the request names a product other than its purl's. */
function agree(slug: string | undefined, product: ProductSlug, cycles: CycleLookup): void {
  if (slug === undefined) return;
  const named = cycles.product(slug).slug;
  if (named === product) return;
  throw EolgateError.of("invalid-request", { problem: `the slug is ${named}, but the purl belongs to ${product}` });
}

function failed(query: BatchQuery, problem: EolgateError): BatchResponse[number] {
  const { candidates, suggestions } = problem.details;
  return {
    ...compact({ slug: query.slug, purl: query.purl, version: query.version }),
    error: sentence(problem.message),
    code: problem.code,
    ...compact({ candidates: texts(candidates), suggestions: texts(suggestions) }),
  };
}

const texts = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);
