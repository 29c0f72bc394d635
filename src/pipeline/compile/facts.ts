/** The curated files in `facts/`: names that tools, vendors and platforms use, in the form of the catalogue (see `model/facts.ts`). */
import { type Static, type TSchema, Type } from "typebox";
import type { StoredFacts } from "../../catalogue/schema.ts";
import { EolgateError } from "../../messages/error.ts";
import type { ToolNames } from "../../model/index.ts";
import { compact } from "../../text/values.ts";
import { type CuratedProduct, type CuratedPurls, day, optional, page, text } from "./curated-schemas.ts";
import type { CuratedPackageLifecycles } from "./package-facts.ts";
import { closedObject } from "../../text/schema.ts";

const Names = Type.Record(text, text);
const Lists = Type.Record(text, Type.Array(text, { minItems: 1 }));
const ProductPatterns = Type.Array(Type.Tuple([text, text]));
const NamedTools = Type.Record(text, closedObject({ name: text, purl: optional(text) }));
const read = { page: optional(page), on: optional(day) };
const ImageVariables = Type.Record(text, closedObject({ name: text, purl: optional(text), ...read }));

export const Images = closedObject({
  mirrors: Type.Record(text, closedObject({ of: text, ...read })),
  streams: Type.Array(closedObject({ pattern: text, product: text, release: text, page, on: day })),
  images: Type.Array(
    closedObject({
      repository: text,
      product: text,
      version: optional(text),
      cycle: optional(text),
      also: optional(Type.Array(Type.Tuple([text, text]))),
      ...read,
    }),
  ),
});

/** Actions of GitHub with the Node.js that they declare, and the products whose cycles are labels of runners. */
const Actions = closedObject({
  runners: Type.Array(text),
  actions: Type.Array(closedObject({ action: text, page, on: day, runtimes: Names })),
});

const ModelPlatforms = closedObject({ names: Lists, sharedIds: Names });

const PackageMoves = Type.Record(
  text,
  closedObject({ to: Type.Array(text, { minItems: 1 }), page, on: day, since: optional(text) }),
);

const ReleaseEvidence = closedObject({
  keepsOldPackages: Type.Array(text),
  imports: Lists,
  sameVendor: Lists,
  layered: Type.Array(text),
  repositories: ProductPatterns,
});

const Makers = Type.Record(text, Type.Array(closedObject({ name: text, page, on: day }), { minItems: 1 }));
const PackageEvidence = closedObject({ nestedGoModules: Lists, makers: Makers, rebuilds: ProductPatterns });

const ShippedVersions = closedObject({
  sources: Type.Record(text, closedObject({ page, on: day })),
  follows: Names,
  ownNames: Lists,
  versions: Type.Record(text, Type.Record(text, Type.Array(text))),
});

const Tools = closedObject({ tools: NamedTools, javaVendors: Names, registries: Names, systemCodeNames: Names });

export const CodeNames = Type.Array(
  closedObject({ product: text, page, on: day, prefix: optional(text), names: Names }),
);

/** The package URLs of image repositories. */
export const imagePurls = ({ images }: Static<typeof Images>): readonly CuratedPurls[] =>
  images.map(({ repository, product, cycle }) => {
    const [host = "", ...path] = repository.split("/");
    const address = host === "docker.io" ? "" : `?repository_url=${repository}`;
    const purl = `pkg:${address === "" ? `docker/${path.join("/")}` : `oci/${path.at(-1) ?? ""}`}${address}`;
    return { product, basis: "image", ...(cycle !== undefined && { cycle }), purls: [purl] };
  });

const imageNames = ({ images, mirrors }: Static<typeof Images>): Pick<ToolNames, "images" | "imageMirrors"> => ({
  images: Object.fromEntries(
    images.map(({ repository, version, cycle, also }) => [repository, compact({ version, cycle, also })]),
  ),
  imageMirrors: Object.fromEntries(Object.entries(mirrors).map(([start, { of }]) => [start, of])),
});

/** An image has the name of the package and the digits of the stream: `python-39` of `python39`, `python-311` of `python3.11`. */
const streamPackages = ({ rows }: CuratedPackageLifecycles): ToolNames["streamPackages"] =>
  Object.fromEntries(
    rows.flatMap(({ distribution, release, kind, name: row, stream = "", packages: [name = ""] = [] }) => {
      const image = `${row.replace(/[\d.]+$/, "")}-${stream.replaceAll(".", "")}`;
      if (distribution !== "rhel" || !/^[a-z]+-\d+$/.test(image) || name.includes("*")) return [];
      const label = kind === "module" ? `&rpmmod=${row}:${stream}` : "";
      const purl = `pkg:rpm/redhat/${name}?distro=rhel-${release}${label}`;
      return [[`rhel ${release}/${image}`, { name, version: stream, purl }]];
    }),
  );

const ACTION_PURL = "pkg:githubactions/";

/** Names of actions are compared without case. */
const actionNames = (
  { actions, runners }: Static<typeof Actions>,
  purls: readonly Pick<CuratedPurls, "purls">[],
  products: readonly CuratedProduct[],
): Pick<ToolNames, "actions" | "serviceActions" | "runners"> => ({
  actions: Object.fromEntries(actions.map(({ action, runtimes }) => [action.toLowerCase(), runtimes])),
  serviceActions: purls
    .flatMap((group) => group.purls)
    .flatMap((purl) => (purl.startsWith(ACTION_PURL) ? purl.slice(ACTION_PURL.length).toLowerCase() : [])),
  runners: Object.fromEntries(runners.map((runner) => [runner, runnerLabels(runner, products)])),
});

function runnerLabels(runner: string, products: readonly CuratedProduct[]): readonly string[] {
  const product = products.find(({ slug }) => slug === runner);
  if (product !== undefined) return product.cycles.map(({ cycle }) => cycle);
  const where = "facts/actions.json";
  throw EolgateError.of("curated-data", { problem: `${where}: no product is called ${runner}` }).at(where);
}

interface FactInputs {
  readonly packageLifecycles: CuratedPackageLifecycles;
  readonly images: Static<typeof Images>;
  readonly codeNames: Static<typeof CodeNames>;
  readonly purls: readonly CuratedPurls[];
  readonly products: readonly CuratedProduct[];
}

/** @throws EolgateError `catalogue`, code `curated-data` */
export function readFacts(
  one: <Schema extends TSchema>(file: string, schema: Schema) => Static<Schema>,
  { packageLifecycles, images, codeNames, purls, products }: FactInputs,
): {
  readonly facts: StoredFacts;
  readonly factPages: readonly { readonly product: string; readonly page: string }[];
} {
  const { makers, ...evidence } = one("facts/package-evidence.json", PackageEvidence);
  const named = Object.entries(makers).flatMap(([product, rows]) => rows.map((row) => ({ product, ...row })));
  const variables = Object.entries(one("facts/image-variables.json", ImageVariables));
  return {
    facts: {
      commonNames: one("facts/common-names.json", Lists),
      modelPlatforms: one("facts/model-platforms.json", ModelPlatforms),
      packageMoves: one("facts/package-moves.json", PackageMoves),
      alternativeVersions: one("facts/alternative-versions.json", ProductPatterns),
      releaseEvidence: one("facts/release-evidence.json", ReleaseEvidence),
      packageEvidence: {
        ...evidence,
        makers: Object.fromEntries(
          Object.entries(makers).map(([product, rows]) => [product, rows.map(({ name }) => name)]),
        ),
      },
      shippedVersions: one("facts/shipped-versions.json", ShippedVersions),
      tools: {
        ...one("facts/tools.json", Tools),
        ...imageNames(images),
        streamImages: Object.fromEntries(images.streams.map((row) => [row.pattern, `${row.product} ${row.release}`])),
        streamPackages: streamPackages(packageLifecycles),
        ...actionNames(one("facts/actions.json", Actions), purls, products),
      },
      imageVariables: Object.fromEntries(
        variables.map(([variable, { name, purl }]) => [variable, compact({ name, purl })]),
      ),
    },
    factPages: [...images.images, ...images.streams, ...codeNames, ...named].flatMap(({ product, page: url }) =>
      url === undefined ? [] : [{ product, page: url }],
    ),
  };
}
