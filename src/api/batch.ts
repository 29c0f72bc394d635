/**
 * Answers POST /v1/batch: many queries in one request. Results have the order of the queries; a query that fails has an
 * error in its place, and the others are answered.
 */
import { EolgateError } from "../core/errors.ts";
import type { IsoDate, ProductSlug } from "../core/ids.ts";
import type { Catalogue } from "../core/model.ts";
import { purlKey } from "../core/resolve/purl/key.ts";
import { createResolver } from "../core/resolve/resolve.ts";
import { sentence } from "../core/wire/error.ts";
import type { BatchResponse, BatchRequest, ScoreObject } from "../core/wire/schemas.ts";
import type { CycleQueryResult, CycleLookup } from "./cycle-lookup.ts";
import { purlComponent, unresolvedError } from "./lookup.ts";

type Question = BatchRequest["products"][number];

/** What a batch needs from its caller. */
export interface BatchContext {
  readonly catalogue: Catalogue;
  readonly asOf: IsoDate;
  readonly cycles: CycleLookup;
  readonly score: (cycle: Omit<CycleQueryResult, "product">) => ScoreObject;
}

export function answerBatch(request: BatchRequest, setting: BatchContext): BatchResponse {
  return request.products.map((question) => {
    try {
      return answer(question, setting);
    } catch (error) {
      if (!(error instanceof EolgateError) || error.kind === "internal") throw error;
      return failed(question, error);
    }
  });
}

function answer(question: Question, setting: BatchContext): ScoreObject {
  const { cycles, score } = setting;
  const { slug, version, purl } = question;
  if (purl !== undefined) return answerPurl(question, purl, setting);
  if (slug === undefined) throw EolgateError.of("no-product", {});
  if (version === undefined) return score({ assessment: cycles.riskiest(cycles.product(slug)) });
  return score(cycles.asked(slug, version));
}

/** A purl resolves by the published map alone, exactly as a component of an SBOM does. */
function answerPurl(question: Question, purl: string, { catalogue, asOf, cycles, score }: BatchContext): ScoreObject {
  const version = question.version ?? versionIn(purl);
  const resolution = createResolver(catalogue, null, { strict: true, asOf })(purlComponent(purl, version));
  if (resolution.kind === "resolved") {
    const { releaseCycle, versionMatchedBy, requestedVersion } = resolution;
    agree(question.slug, releaseCycle.product, cycles);
    const requested = versionMatchedBy && { version: requestedVersion, matchedBy: versionMatchedBy };
    return score({ assessment: cycles.known(releaseCycle), ...(requested && { requested }) });
  }
  const product = resolution.kind === "unmatched" ? resolution.product : undefined;
  if (product === undefined) throw unresolvedError(purl, resolution);
  agree(question.slug, product, cycles);
  if (version !== undefined) throw unresolvedError(purl, resolution);
  return score({ assessment: cycles.riskiest(cycles.product(product)) });
}

function versionIn(purl: string): string | undefined {
  const key = purlKey(purl);
  return key.kind === "purl" ? key.version : undefined;
}

/** @throws EolgateError `slug-purl-mismatch` when the request names another product than its purl. */
function agree(slug: string | undefined, product: ProductSlug, cycles: CycleLookup): void {
  if (slug === undefined) return;
  const named = cycles.product(slug).slug;
  if (named === product) return;
  throw EolgateError.of("slug-purl-mismatch", { named, product });
}

function failed(question: Question, problem: EolgateError): BatchResponse[number] {
  const candidates = texts(problem.facts["candidates"]);
  const suggestions = texts(problem.facts["suggestions"]);
  return {
    ...(question.slug === undefined ? {} : { slug: question.slug }),
    ...(question.purl === undefined ? {} : { purl: question.purl }),
    ...(question.version === undefined ? {} : { version: question.version }),
    error: sentence(problem.message),
    code: problem.code,
    ...(candidates && { candidates }),
    ...(suggestions && { suggestions }),
  };
}

const texts = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);
