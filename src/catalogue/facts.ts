/** Decodes the facts of a catalogue that belong to no product. Each section is read when it is first used. */
import type { CatalogueFacts, ProductPattern } from "../model/index.ts";
import { asIsoDate } from "../text/ids.ts";
import { isRecord, keysOf, lazy } from "../text/values.ts";
import { corrupt } from "./format/head.ts";
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
  packageEvidence: (stored) => ({ ...stored, rebuilds: stored.rebuilds.map(decodePattern) }),
  shippedVersions: ({ sources, ...stored }) => ({
    ...stored,
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, { page, on }]) => [name, { page, on: asIsoDate(on) }]),
    ),
  }),
  tools: (stored) => stored,
  imageVariables: (stored) => stored,
};

const decodePattern = ([pattern, product]: readonly [string, string]): ProductPattern => [new RegExp(pattern), product];

type ValueCheck = (value: unknown) => boolean;
const isText: ValueCheck = (value) => typeof value === "string";
const listOf =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    Array.isArray(value) && value.every(check);
const recordOf =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);
const objectOf =
  (fields: Readonly<Record<string, ValueCheck>>): ValueCheck =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

export const isTextRecord = recordOf(isText);
export const isListRecord = (value: unknown): value is Readonly<Record<string, readonly string[]>> =>
  recordOf(listOf(isText))(value);
const isPattern: ValueCheck = (value) => Array.isArray(value) && value.length === 2 && value.every(isText);
const isToolRecord = recordOf(objectOf({ name: isText }));

/** The shapes that the decoders and later steps rely on. */
const CHECKS: Readonly<Record<keyof CatalogueFacts, ValueCheck>> = {
  commonNames: isListRecord,
  modelPlatforms: objectOf({ names: isListRecord, sharedIds: isTextRecord }),
  packageMoves: recordOf(objectOf({ to: listOf(isText), page: isText, on: isText })),
  alternativeVersions: listOf(isPattern),
  releaseEvidence: objectOf({
    keepsOldPackages: listOf(isText),
    imports: isListRecord,
    sameVendor: isListRecord,
    layered: listOf(isText),
    repositories: listOf(isPattern),
  }),
  packageEvidence: objectOf({ nestedGoModules: isListRecord, makers: isListRecord, rebuilds: listOf(isPattern) }),
  shippedVersions: objectOf({
    sources: recordOf(objectOf({ page: isText, on: isText })),
    follows: isTextRecord,
    ownNames: isListRecord,
    versions: recordOf(isListRecord),
  }),
  tools: objectOf({
    tools: isToolRecord,
    javaVendors: isTextRecord,
    registries: isTextRecord,
    systemCodeNames: isTextRecord,
    images: recordOf(isRecord),
    imageMirrors: isTextRecord,
    streamImages: isTextRecord,
    streamPackages: recordOf(objectOf({ name: isText, version: isText, purl: isText })),
    actions: recordOf(isTextRecord),
    serviceActions: listOf(isText),
    runners: isListRecord,
  }),
  imageVariables: isToolRecord,
};

function decode<Name extends keyof CatalogueFacts>(
  name: Name,
  sections: SectionReader,
  origin: string,
): CatalogueFacts[Name] {
  const stored = sections.value(name);
  try {
    if (CHECKS[name](stored)) return DECODERS[name](stored);
  } catch (cause) {
    throw corrupt(origin, `the section ${name} has another shape`, cause);
  }
  throw corrupt(origin, `the section ${name} has another shape`);
}

/** The facts of an opened catalogue. @throws EolgateError `catalogue-corrupt` at the first use of a section that is missing or has another shape */
export const factsOf = (sections: SectionReader, origin: string): CatalogueFacts =>
  lazyFields<CatalogueFacts>(keysOf(DECODERS), (name) => decode(name, sections, origin));

/** An object whose fields are made when they are first used. */
export function lazyFields<Fields extends object>(
  names: readonly (keyof Fields & string)[],
  make: <Name extends keyof Fields & string>(name: Name) => Fields[Name],
): Fields {
  const getters = names.map((name) => [name, { enumerable: true, get: lazy(() => make(name)) }] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one getter for each name; the compiler cannot follow entries
  return Object.defineProperties({}, Object.fromEntries(getters)) as Fields;
}
