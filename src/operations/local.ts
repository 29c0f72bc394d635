/** The operations over the catalogue on this machine, on one day. Assessments are made once a line and kept. */
import { Fault } from "../core/errors.ts";
import { DEFAULT_POLICY } from "../core/gate/policy.ts";
import type { IsoDate } from "../core/ids.ts";
import { adviceFor } from "../core/lifecycle/advice.ts";
import { assess, riskiest } from "../core/lifecycle/assess.ts";
import type { Assessment, Catalogue, LineRef, Product, ReleaseCycle, Scan } from "../core/model.ts";
import { kevObject, upcomingObject, upgradeObject } from "../core/wire/advice.ts";
import { badge, greyBadge } from "../core/wire/badge.ts";
import type { Links } from "../core/wire/links.ts";
import { productList, productObject } from "../core/wire/product.ts";
import { sbomAnswer, scoredFindings, type SbomInput } from "../core/wire/sbom.ts";
import type { SbomAnswer, ScoreObject } from "../core/wire/schemas.ts";
import { scoreObject, type Requested } from "../core/wire/score.ts";
import { statusObject } from "../core/wire/status.ts";
import { answerBatch } from "./batch.ts";
import { lineOf, productNamed } from "./lookup.ts";
import { answerMetrics } from "./metrics.ts";
import type { Engine, Input } from "./operations.ts";
import { scanDocument } from "./scan.ts";
import { VERSION } from "./version.ts";

export interface LocalSetting {
  readonly catalogue: Catalogue;
  readonly asOf: IsoDate;
  readonly links: Links;
}

/** How many components a tier lets us score; without it, all. */
export type ScoreCap = NonNullable<SbomInput["cap"]>;

export interface Local extends Engine {
  readonly setting: LocalSetting;
  sbom(input: Input<"sbom">, cap?: ScoreCap): Promise<SbomAnswer>;
  enrich(input: Input<"enrich">, cap?: ScoreCap): Promise<Uint8Array>;
  /** The document with its findings and verdict: what a watch list is made of. */
  scan(input: Input<"sbom">): Promise<Scan>;
  /** Every line of the catalogue, by slug, newest first. */
  everyAssessment(): readonly Assessment[];
}

export function createLocal(setting: LocalSetting): Local {
  const { catalogue, asOf, links } = setting;
  const made = new Map<string, Assessment>();

  function assessed(product: Product, cycle: ReleaseCycle): Assessment {
    const key = `${product.slug}:${cycle.name}`;
    const known = made.get(key);
    if (known) return known;
    const assessment = assess(product, cycle, asOf);
    made.set(key, assessment);
    return assessment;
  }

  const named = (slug: string): Product => productNamed(catalogue, slug, links.products);
  const cyclesOf = (product: Product): readonly Assessment[] => product.cycles.map((cycle) => assessed(product, cycle));
  const everyAssessment = (): readonly Assessment[] => products(catalogue).flatMap(cyclesOf);

  function line(slug: string, version: string): { assessment: Assessment; requested?: Requested; product: Product } {
    const product = named(slug);
    const { cycle, requested } = lineOf(product, version);
    return { product, assessment: assessed(product, cycle), ...(requested && { requested }) };
  }

  function assessLine({ product: slug, cycle: name }: LineRef): Assessment {
    const product = catalogue.product(slug);
    const cycle = product?.cycles.find((each) => each.name === name);
    if (product && cycle) return assessed(product, cycle);
    throw new Fault("catalogue", {
      code: "line-not-in-catalogue",
      message: `the catalogue holds no line ${slug}:${name}`,
    });
  }

  function highest(product: Product): ScoreObject {
    const worst = riskiest(product, asOf);
    if (worst) return scoreObject(worst, links);
    throw new Fault("not-found", { code: "no-lines", message: `No line of "${product.slug}" is tracked` });
  }

  const scan = (input: Input<"sbom">): Promise<Scan> =>
    scanDocument(
      { file: "request body", digest: "", gzipped: false, bytes: input.document },
      { catalogue, policy: policyOf(input), asOf, assessLines: async (lines) => lines.map(assessLine) },
    );

  return {
    setting,
    scan,
    everyAssessment,
    products: async () => productList(products(catalogue), links),
    product: async ({ slug }) => {
      const product = named(slug);
      return productObject(product, cyclesOf(product), links);
    },
    highestScore: async ({ slug }) => highest(named(slug)),
    score: async ({ slug, version }) => {
      const { assessment, requested } = line(slug, version);
      return scoreObject(assessment, links, requested);
    },
    status: async ({ slug, version }) => {
      const { assessment, requested } = line(slug, version);
      return statusObject(assessment, requested);
    },
    batch: async (request) =>
      answerBatch(request, {
        catalogue,
        trackedProducts: links.products,
        highestOf: highest,
        scoreOf: ({ slug }, cycle, requested) => scoreObject(assessLine({ product: slug, cycle }), links, requested),
      }),
    metrics: async ({ stack, format }) =>
      answerMetrics(stack, format ?? "prometheus", (slug, version) => line(slug, version).assessment),
    badge: async ({ slug, version }) => {
      try {
        return badge(line(slug, version).assessment);
      } catch (error) {
        if (!(error instanceof Fault) || (error.kind !== "not-found" && error.kind !== "ambiguous")) throw error;
        return greyBadge(`${slug} ${version}`, error.kind === "ambiguous" ? "ambiguous" : "not tracked");
      }
    },
    sbom: async (input, cap) => {
      const { document, findings, verdict } = await scan(input);
      const { warnDays } = policyOf(input);
      const { stamp } = catalogue;
      return sbomAnswer({ document, findings, verdict, warnDays, catalogue: stamp, ...(cap && { cap }) }, links);
    },
    enrich: async (input, cap) => {
      const [{ enrich }, { toEnrichment }] = await Promise.all([
        import("../core/sbom/enrich/enrich.ts"),
        import("../core/sbom/enrich/facts.ts"),
      ]);
      const { document, findings, verdict } = await scan(input);
      const enrichment = toEnrichment(
        { findings, verdict },
        {
          asOf,
          tool: { name: "eolgate", version: VERSION },
          purlMapDate: catalogue.stamp.purlMapDate,
          scoreCard: links.scoreCard,
          ...(cap && { scored: scoredFindings(findings, cap.components) }),
        },
      );
      return Buffer.concat([...enrich(document, enrichment).chunks]);
    },
    kev: async ({ slug }) => kevObject(named(slug), catalogue.stamp, links),
    upcoming: async ({ days = 90, limit = 100, products: only }) => {
      const lines = only === undefined ? everyAssessment() : list(only).flatMap((slug) => cyclesOf(named(slug)));
      return upcomingObject(lines, { days, limit, asOf }, links);
    },
    upgrade: async ({ slug, version }) => {
      const { product, assessment, requested } = line(slug, version);
      return upgradeObject(assessment, adviceFor(product, assessment.cycle, asOf), links, requested);
    },
    assessLines: async (lines) => lines.map(assessLine),
    close: async () => undefined,
  };
}

const products = (catalogue: Catalogue): readonly Product[] =>
  catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);

const list = (text: string): readonly string[] =>
  [...new Set(text.split(",").map((part) => part.trim()))].filter(Boolean);

const policyOf = (input: Input<"sbom">) => ({
  ...DEFAULT_POLICY,
  strict: input.strict === "1",
  warnDays: input.warn_days ?? DEFAULT_POLICY.warnDays,
});
