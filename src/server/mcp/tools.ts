/** The tools of the Model Context Protocol: each asks one row of the operations table. A row that names a tool must stand here. */
import { Type, type TObject, type TSchema } from "typebox";
import { EolgateError } from "../../core/errors.ts";
import { batchErrorSchema, scoreSchema, type SbomResponse } from "../../core/wire/schemas.ts";
import { OPERATIONS, type Input, type OperationName, type Operations } from "../../api/operations.ts";

export type ToolName = Extract<(typeof OPERATIONS)[OperationName], { readonly tool: string }>["tool"];

/** Who answers a tool: over HTTP with the caller's limits, on stdio without. */
export interface ToolContext {
  readonly engine: Operations;
  /** A Fault when a batch of this size is more than the caller may ask. */
  readonly checkBatch: (products: Input<"batch">) => void;
  readonly sbom: (input: Input<"sbom">) => Promise<SbomResponse>;
}

export interface Tool {
  readonly title: string;
  /** Told to a model: what it answers and when to ask. */
  readonly description: string;
  readonly input: TObject;
  readonly output: TSchema;
  /** `words` were checked against `input`. */
  readonly run: (words: never, world: ToolContext) => Promise<object>;
}

const slug = Type.String({
  description: "Product slug, e.g. nodejs, python, debian; an alias works too",
  maxLength: 200,
});
const version = Type.String({ description: "Version or release line, e.g. 20, 20.11.1, 3.9", maxLength: 200 });

const listSchema = Type.Object({
  total: Type.Integer({ minimum: 0, description: "Tracked products that match" }),
  count: Type.Integer({ minimum: 0, description: "Products listed" }),
  products: Type.Array(Type.Object({ slug: Type.String(), name: Type.String(), category: Type.String() })),
});
const stackSchema = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  results: Type.Array(Type.Union([scoreSchema, batchErrorSchema])),
});

type Line = Input<"status">;

export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  check_eol: {
    title: "Check end of life",
    description:
      "Says whether one version of a product is supported, near its end of life or past it, with the date, its source and how sure it is.",
    input: OPERATIONS.status.params,
    output: OPERATIONS.status.answer,
    run: (line: Line, { engine }) => engine.status(line),
  },
  get_risk_score: {
    title: "EOL Risk Score",
    description:
      "The EOL Risk Score (0 to 100, higher is riskier) of one version with its four factors; without a version, of the product's riskiest line.",
    input: Type.Object({ slug, version: Type.Optional(version) }),
    output: OPERATIONS.score.answer,
    run: ({ slug, version }: Partial<Line> & { readonly slug: string }, { engine }) =>
      version === undefined ? engine.highestScore({ slug }) : engine.score({ slug, version }),
  },
  scan_stack: {
    title: "Scan a stack",
    description:
      "Scores of several products at once, in the order asked; give slug and version, or a package URL. One that cannot be answered says why in its place.",
    input: OPERATIONS.batch.body,
    output: stackSchema,
    run: async (request: Input<"batch">, { engine, checkBatch }) => {
      checkBatch(request);
      const results = await engine.batch(request);
      return { count: results.length, results };
    },
  },
  list_products: {
    title: "List tracked products",
    description:
      "The tracked products, or those whose slug, name or category holds a word. Use it to find the slug of a product.",
    input: Type.Object({
      search: Type.Optional(Type.String({ maxLength: 200, description: "A word of the slug, name or category" })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, description: "How many, default 200" })),
    }),
    output: listSchema,
    run: async ({ search = "", limit = 200 }: { readonly search?: string; readonly limit?: number }, { engine }) => {
      const word = search.toLowerCase();
      const { items } = await engine.products({});
      const found = items.filter((each) => `${each.slug}\n${each.name}\n${each.category}`.toLowerCase().includes(word));
      const products = found.slice(0, limit).map(({ slug, name, category }) => ({ slug, name, category }));
      return { total: found.length, count: products.length, products };
    },
  },
  get_product_lifecycle: {
    title: "Product lifecycle",
    description: "Every release line of a product with its dates, scores and sources, newest first.",
    input: OPERATIONS.product.params,
    output: OPERATIONS.product.answer,
    run: (words: { readonly slug: string }, { engine }) => engine.product(words),
  },
  get_kev_exposure: {
    title: "Known exploited vulnerabilities",
    description: "The entries of a product in CISA's catalogue of known exploited vulnerabilities.",
    input: OPERATIONS.kev.params,
    output: OPERATIONS.kev.answer,
    run: (words: { readonly slug: string }, { engine }) => engine.kev(words),
  },
  get_upcoming_eol: {
    title: "Upcoming ends of life",
    description:
      "The release lines that end within so many days, the nearest first; of all products or of those named.",
    input: OPERATIONS.upcoming.query,
    output: OPERATIONS.upcoming.answer,
    run: (words: Input<"upcoming">, { engine }) => engine.upcoming(words),
  },
  get_upgrade_path: {
    title: "Upgrade path",
    description:
      "The nearest supported line above a version, the newest long-term line, and the successor that the maintainers name.",
    input: OPERATIONS.upgrade.params,
    output: OPERATIONS.upgrade.answer,
    run: (line: Line, { engine }) => engine.upgrade(line),
  },
  check_sbom: {
    title: "Check an SBOM",
    description:
      "Resolves and scores the components of a CycloneDX or SPDX JSON document and answers with counts, a gate verdict and what could not be matched.",
    input: Type.Object({
      sbom: Type.Unsafe<object | string>({
        type: ["object", "string"],
        description: "The CycloneDX or SPDX JSON document, as an object or as its text",
      }),
      strict: Type.Optional(Type.Boolean({ description: "Resolve by package URL only, never by name" })),
      warn_days: OPERATIONS.sbom.query.properties.warn_days,
    }),
    output: OPERATIONS.sbom.answer,
    run: ({ sbom, strict, warn_days }: SbomWords, world) =>
      world.sbom({
        document: documentOf(sbom),
        ...(strict === true ? { strict: "1" } : {}),
        ...(warn_days === undefined ? {} : { warn_days }),
      }),
  },
};

interface SbomWords {
  readonly sbom: object | string;
  readonly strict?: boolean;
  readonly warn_days?: number;
}

function documentOf(sbom: object | string): Uint8Array {
  if (typeof sbom === "string") return new TextEncoder().encode(sbom);
  try {
    return new TextEncoder().encode(JSON.stringify(sbom));
  } catch (cause) {
    throw EolgateError.of("too-deep", {}, { where: "/sbom", cause });
  }
}
