/** Shapes of the curated files in `facts/`: names that tools, vendors and platforms use (see `model/facts.ts`). */
import { Type } from "typebox";
import { page } from "./citations.ts";
import { closed, day, optional, text } from "./curated-schemas.ts";

const Names = Type.Record(text, text);
export const Lists = Type.Record(text, Type.Array(text, { minItems: 1 }));
export const ProductPatterns = Type.Array(Type.Tuple([text, text]));
export const NamedTools = Type.Record(text, Type.Object({ name: text, purl: optional(text) }, closed));
const read = { page: optional(page), on: optional(day) };
export const ImageVariables = Type.Record(text, Type.Object({ name: text, purl: optional(text), ...read }, closed));

export const Images = Type.Object(
  {
    mirrors: Type.Record(text, Type.Object({ of: text, ...read }, closed)),
    images: Type.Array(
      Type.Object(
        {
          repository: text,
          product: text,
          version: optional(text),
          cycle: optional(text),
          also: optional(Type.Array(Type.Tuple([text, text]))),
          ...read,
        },
        closed,
      ),
    ),
  },
  closed,
);

/** Actions of GitHub with the Node.js that they declare, and the products whose cycles are labels of runners. */
export const Actions = Type.Object(
  {
    runners: Type.Array(text),
    actions: Type.Array(Type.Object({ action: text, page, on: day, runtimes: Names }, closed)),
  },
  closed,
);

export const ModelPlatforms = Type.Object({ names: Lists, sharedIds: Names }, closed);

export const PackageMoves = Type.Record(
  text,
  Type.Object({ to: Type.Array(text, { minItems: 1 }), page, on: day, since: optional(text) }, closed),
);

export const ReleaseEvidence = Type.Object(
  {
    keepsOldPackages: Type.Array(text),
    imports: Lists,
    sameVendor: Lists,
    layered: Type.Array(text),
    repositories: ProductPatterns,
  },
  closed,
);

/** The makers of a product, each with a page that shows it. */
const Makers = Type.Record(text, Type.Array(Type.Object({ name: text, page: text, on: day }, closed), { minItems: 1 }));
export const PackageEvidence = Type.Object(
  { nestedGoModules: Lists, makers: Makers, rebuilds: ProductPatterns },
  closed,
);

export const ShippedVersions = Type.Object(
  {
    sources: Type.Record(text, Type.Object({ page, on: day }, closed)),
    follows: Names,
    ownNames: Lists,
    versions: Type.Record(text, Type.Record(text, Type.Array(text))),
  },
  closed,
);

export const Tools = Type.Object(
  { tools: NamedTools, javaVendors: Names, registries: Names, systemCodeNames: Names },
  closed,
);

export const CodeNames = Type.Array(
  Type.Object({ product: text, page, on: day, prefix: optional(text), names: Names }, closed),
);
