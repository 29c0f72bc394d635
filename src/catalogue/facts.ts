/** Decodes the facts of a catalogue that belong to no product. Each section is read when it is first used. */
import type { CatalogueFacts, ProductPattern } from "../model/index.ts";
import { asIsoDate } from "../text/ids.ts";
import { lazy } from "../text/lazy.ts";
import type { SectionReader } from "./format/reader.ts";
import type { StoredFacts } from "./schema.ts";

const DECODERS: { readonly [Name in keyof CatalogueFacts]: (stored: StoredFacts[Name]) => CatalogueFacts[Name] } = {
  commonNames: (stored) => stored,
  modelPlatforms: ({ names, sharedIds }) => ({
    names,
    sharedIds: Object.fromEntries(Object.entries(sharedIds).map(([slug, pattern]) => [slug, new RegExp(pattern)])),
  }),
  packageMoves: (stored) =>
    Object.fromEntries(Object.entries(stored).map(([key, move]) => [key, { ...move, on: asIsoDate(move.on) }])),
  alternativeVersions: (stored) => stored.map(decodePattern),
  releaseEvidence: (stored) => ({ ...stored, repositories: stored.repositories.map(decodePattern) }),
  tools: (stored) => stored,
  imageVariables: (stored) => stored,
};

const decodePattern = ([pattern, product]: readonly [string, string]): ProductPattern => [new RegExp(pattern), product];

/** The facts of an opened catalogue. @throws EolgateError `catalogue-corrupt` at the first use of a missing section */
export function factsOf(sections: SectionReader): CatalogueFacts {
  const fact = <Name extends keyof CatalogueFacts>(name: Name) =>
    lazy((): CatalogueFacts[Name] => DECODERS[name](sections.value(name)));
  const [commonNames, modelPlatforms, packageMoves] = [
    fact("commonNames"),
    fact("modelPlatforms"),
    fact("packageMoves"),
  ];
  const [alternativeVersions, releaseEvidence] = [fact("alternativeVersions"), fact("releaseEvidence")];
  const [tools, imageVariables] = [fact("tools"), fact("imageVariables")];
  return {
    get commonNames() {
      return commonNames();
    },
    get modelPlatforms() {
      return modelPlatforms();
    },
    get packageMoves() {
      return packageMoves();
    },
    get alternativeVersions() {
      return alternativeVersions();
    },
    get releaseEvidence() {
      return releaseEvidence();
    },
    get tools() {
      return tools();
    },
    get imageVariables() {
      return imageVariables();
    },
  };
}
