/** Many questions in one: POST /v1/batch. Each is answered in its place; one without an answer says why and spoils nothing. */
import { Fault } from "../core/errors.ts";
import type { Catalogue, Product } from "../core/model.ts";
import { purlKey } from "../core/resolve/purl.ts";
import { createResolver } from "../core/resolve/resolve.ts";
import type { BatchAnswer, BatchRequest, ScoreObject } from "../core/wire/schemas.ts";
import type { Requested } from "../core/wire/score.ts";
import { lineOf, productNamed, purlComponent, unmatchedFault } from "./lookup.ts";

type Question = BatchRequest["products"][number];

/** What a batch needs of the engine around it. */
export interface BatchSetting {
  readonly catalogue: Catalogue;
  readonly trackedProducts: string;
  readonly scoreOf: (product: Product, cycle: string, requested?: Requested) => ScoreObject;
  readonly highestOf: (product: Product) => ScoreObject;
}

export function answerBatch(request: BatchRequest, setting: BatchSetting): BatchAnswer {
  return request.products.map((question) => {
    try {
      return answer(question, setting);
    } catch (error) {
      if (!(error instanceof Fault) || error.kind === "internal") throw error;
      return failed(question, error);
    }
  });
}

function answer(question: Question, setting: BatchSetting): ScoreObject {
  if (question.purl !== undefined) return answerPurl(question, question.purl, setting);
  if (question.slug === undefined) {
    throw new Fault("usage", { code: "no-product", message: "Neither slug nor purl is given" });
  }
  const product = productNamed(setting.catalogue, question.slug, setting.trackedProducts);
  if (question.version === undefined) return setting.highestOf(product);
  const { cycle, requested } = lineOf(product, question.version);
  return setting.scoreOf(product, cycle.name, requested);
}

/** A purl resolves by the published map alone, exactly as a component of an SBOM does. */
function answerPurl(question: Question, purl: string, setting: BatchSetting): ScoreObject {
  const { catalogue } = setting;
  const version = question.version ?? versionIn(purl);
  const resolution = createResolver(catalogue, null, { strict: true })(purlComponent(purl, version));
  const slug =
    resolution.kind === "resolved"
      ? resolution.line.product
      : resolution.kind === "unmatched"
        ? resolution.product
        : undefined;
  const product = slug === undefined ? undefined : catalogue.product(slug);
  if (product === undefined) throw unmatchedFault(purl, asUnresolved(resolution));
  if (question.slug !== undefined) agree(question.slug, product, setting);
  if (resolution.kind === "resolved") {
    const { line, versionMatchedBy, requestedVersion } = resolution;
    const requested = versionMatchedBy && { version: requestedVersion, matchedBy: versionMatchedBy };
    return setting.scoreOf(product, line.cycle, requested);
  }
  if (version === undefined) return setting.highestOf(product);
  throw unmatchedFault(purl, asUnresolved(resolution));
}

function versionIn(purl: string): string | undefined {
  const key = purlKey(purl);
  return key.kind === "purl" ? key.version : undefined;
}

type Unresolved = Parameters<typeof unmatchedFault>[1];
function asUnresolved(resolution: ReturnType<ReturnType<typeof createResolver>>): Unresolved {
  if (resolution.kind !== "resolved") return resolution;
  // The catalogue's map names a product that the catalogue does not hold: a broken catalogue, never the caller's fault.
  throw new Fault("internal", { code: "map-without-product", message: `no product ${resolution.line.product}` });
}

function agree(slug: string, product: Product, { catalogue, trackedProducts }: BatchSetting): void {
  const named = productNamed(catalogue, slug, trackedProducts);
  if (named.slug === product.slug) return;
  throw new Fault("usage", {
    code: "slug-purl-mismatch",
    message: `slug names ${named.slug}, purl names ${product.slug}`,
  });
}

function failed(question: Question, fault: Fault): BatchAnswer[number] {
  const candidates = texts(fault.facts["candidates"]);
  const suggestions = texts(fault.facts["suggestions"]);
  return {
    ...(question.slug === undefined ? {} : { slug: question.slug }),
    ...(question.purl === undefined ? {} : { purl: question.purl }),
    ...(question.version === undefined ? {} : { version: question.version }),
    error: fault.message,
    code: fault.code,
    ...(candidates && { candidates }),
    ...(suggestions && { suggestions }),
  };
}

const texts = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);
