/** The operations over the catalogue on this machine, on one day: every row of the table, or it does not compile. */
import { Fault } from "../core/errors.ts";
import { DEFAULT_POLICY } from "../core/gate/policy.ts";
import type { IsoDate } from "../core/ids.ts";
import { adviceFor } from "../core/lifecycle/advice.ts";
import type { Assessment, Catalogue, Scan } from "../core/model.ts";
import { kevObject, upcomingObject, upgradeObject } from "../core/wire/advice.ts";
import { badge, greyBadge } from "../core/wire/badge.ts";
import type { Links } from "../core/wire/links.ts";
import { productList, productObject } from "../core/wire/product.ts";
import { sbomAnswer, scoredFindings, type SbomInput } from "../core/wire/sbom.ts";
import type { Badge, SbomAnswer } from "../core/wire/schemas.ts";
import { scoreObject } from "../core/wire/score.ts";
import { statusObject } from "../core/wire/status.ts";
import { answerBatch } from "./batch.ts";
import { createLines, type AskedLine, type Lines } from "./lines.ts";
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
  const lines = createLines(catalogue, asOf, links.products);
  const score = ({ assessment, requested }: Omit<AskedLine, "product">) => scoreObject(assessment, links, requested);
  const scan = (input: Input<"sbom">): Promise<Scan> =>
    scanDocument(
      { file: "request body", digest: "", gzipped: false, bytes: input.document },
      { catalogue, policy: policyOf(input), asOf, assessLines: async (asked) => asked.map(lines.known) },
    );

  return {
    setting,
    scan,
    everyAssessment: lines.every,
    products: async () => productList(lines.products(), links),
    product: async ({ slug }) => {
      const product = lines.product(slug);
      return productObject(product, lines.of(product), links);
    },
    highestScore: async ({ slug }) => score({ assessment: lines.riskiest(lines.product(slug)) }),
    score: async ({ slug, version }) => score(lines.asked(slug, version)),
    status: async ({ slug, version }) => {
      const { assessment, requested } = lines.asked(slug, version);
      return statusObject(assessment, requested);
    },
    batch: async (request) => answerBatch(request, { catalogue, lines, score }),
    metrics: async ({ stack, format = "prometheus" }) =>
      answerMetrics(stack, format, (slug, version) => lines.asked(slug, version).assessment),
    badge: async ({ slug, version }) => badgeOf(slug, version, lines),
    sbom: async (input, cap) => {
      const scanned = await scan(input);
      const { warnDays } = policyOf(input);
      return sbomAnswer({ ...scanned, warnDays, catalogue: catalogue.stamp, ...(cap && { cap }) }, links);
    },
    enrich: async (input, cap) => enriched(await scan(input), setting, cap),
    kev: async ({ slug }) => kevObject(lines.product(slug), catalogue.stamp, links),
    upcoming: async ({ days = 90, limit = 100, products }) => {
      const slugs = products === undefined ? undefined : listOf(products);
      const asked = slugs ? slugs.flatMap((slug) => lines.of(lines.product(slug))) : lines.every();
      return upcomingObject(asked, { days, limit, asOf }, links);
    },
    upgrade: async ({ slug, version }) => {
      const { product, assessment, requested } = lines.asked(slug, version);
      return upgradeObject(assessment, adviceFor(product, assessment.cycle, asOf), links, requested);
    },
    assessLines: async (asked) => asked.map(lines.known),
    close: async () => undefined,
  };
}

/** A badge is a picture in somebody's page: what cannot be told is grey, not an error. */
function badgeOf(slug: string, version: string, lines: Lines): Badge {
  try {
    return badge(lines.asked(slug, version).assessment);
  } catch (error) {
    if (!(error instanceof Fault) || (error.kind !== "not-found" && error.kind !== "ambiguous")) throw error;
    return greyBadge(`${slug} ${version}`, error.kind === "ambiguous" ? "ambiguous" : "not tracked");
  }
}

async function enriched({ document, findings, verdict }: Scan, setting: LocalSetting, cap?: ScoreCap): Promise<Buffer> {
  const [{ enrich }, { toEnrichment }] = await Promise.all([
    import("../core/sbom/enrich/enrich.ts"),
    import("../core/sbom/enrich/facts.ts"),
  ]);
  const { asOf, catalogue, links } = setting;
  const facts = {
    asOf,
    tool: { name: "eolgate", version: VERSION },
    purlMapDate: catalogue.stamp.purlMapDate,
    scoreCard: links.scoreCard,
    ...(cap && { scored: scoredFindings(findings, cap.components) }),
  };
  return Buffer.concat([...enrich(document, toEnrichment({ findings, verdict }, facts)).chunks]);
}

const listOf = (text: string): readonly string[] =>
  [...new Set(text.split(",").map((part) => part.trim()))].filter(Boolean);

const policyOf = (input: Input<"sbom">) => ({
  ...DEFAULT_POLICY,
  strict: input.strict === "1",
  warnDays: input.warn_days ?? DEFAULT_POLICY.warnDays,
});
