/**
 * What a catalogue from elsewhere may not contain, whoever signed it: invisible characters, addresses that are none of
 * a page, and patterns whose time grows faster than the text. Reports show its texts, and documents choose what its
 * patterns read.
 */
import { EolgateError } from "../messages/error.ts";
import { INVISIBLE } from "../report/escape.ts";
import { isRecord } from "../text/values.ts";
import { allSections, type OpenedCatalogue } from "./file.ts";
import { problemOfPattern } from "./linear-pattern.ts";
import { type FileSections, SECTION_NAMES } from "./format/sections.ts";

/** @throws EolgateError `catalogue-unsafe` */
export function refuseUnsafe({ sections }: OpenedCatalogue, bytes: Uint8Array, origin: string): void {
  const content = allSections(sections);
  const refuse = (place: string, problem: string): never => {
    throw EolgateError.of("catalogue-unsafe", { place, problem }, { where: origin });
  };
  if (SUSPECT.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8")))
    for (const name of SECTION_NAMES) {
      const hidden = hiddenIn(content[name], name);
      if (hidden !== undefined) refuse(...hidden);
    }
  for (const [place, address] of addressesOf(content))
    if (!ADDRESS.test(address) && !WORDS.test(address)) refuse(place, `${address} is no address of http or https`);
  for (const [pattern, place] of new Map(patternsOf(content).map(([place, pattern]) => [pattern, place]))) {
    const problem = problemOfPattern(pattern);
    if (problem !== undefined) refuse(place, `the pattern ${pattern} ${problem}`);
  }
}

/** In the file's text: rows end with a line feed, and others are written as escapes. */
const SUSPECT = new RegExp(`(?!\\n)${INVISIBLE.source}|(?<!\\\\)(?:\\\\\\\\)*\\\\[bfnrtu]`, "u");
const ADDRESS = /^https?:\/\/[^\s"'<>\\`]+(?:, https?:\/\/[^\s"'<>\\`]+)*$/;
/** The name of a copy, through which a page was read. */
const WORDS = /^[\w .-]+$/;

/** The first invisible character in the keys and texts of a value: where, and which. */
export function hiddenIn(value: unknown, place: string, accepted = ""): PlacedText | undefined {
  if (typeof value === "string") return hiddenInText(value, place, accepted);
  const isList = Array.isArray(value);
  const entries = isList || isRecord(value) ? Object.entries(value) : [];
  for (const [key, each] of entries) {
    const hidden = hiddenInText(key, place) ?? hiddenIn(each, isList ? place : `${place}.${key}`, accepted);
    if (hidden !== undefined) return hidden;
  }
  return undefined;
}

function hiddenInText(text: string, place: string, accepted = ""): PlacedText | undefined {
  const found = text.match(INVISIBLE)?.find((each) => !accepted.includes(each));
  return found === undefined ? undefined : [place, `an invisible character (${nameOf(found)}) in a name or text`];
}

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

type PlacedText = readonly [place: string, text: string];

function* addressesOf({ addresses, packageMoves, shippedVersions }: FileSections): Generator<PlacedText> {
  for (const address of addresses) yield ["addresses", address];
  for (const [name, { page }] of Object.entries(packageMoves)) yield [`packageMoves.${name}`, page];
  for (const [name, { page }] of Object.entries(shippedVersions.sources)) yield [`shippedVersions.${name}`, page];
}

function patternsOf(content: FileSections): readonly PlacedText[] {
  const { alternativeVersions, releaseEvidence, packageEvidence } = content;
  const rows = [...alternativeVersions, ...releaseEvidence.repositories, ...packageEvidence.rebuilds];
  return [
    ...Object.entries(content.modelPlatforms.sharedIds),
    ...rows.map(([pattern, slug]): PlacedText => [slug, pattern]),
    ...content.distroRevisions.map(({ distribution, pattern }): PlacedText => [distribution, pattern]),
    ...content.vendorPackages.flatMap(({ vendor, revision = {} }) =>
      Object.values(revision).map((pattern): PlacedText => [vendor, pattern]),
    ),
    ...patternsOfEnds(content),
    ...patternsOfImages(content),
  ];
}

const patternsOfEnds = ({ packageEnds }: FileSections): readonly PlacedText[] =>
  Object.entries(packageEnds).flatMap(([release, { packages }]) =>
    Object.keys(packages).flatMap((row): readonly PlacedText[] =>
      row.startsWith("/") ? [[release, `^(?:${row.slice(1, -1)})$`]] : [],
    ),
  );

const patternsOfImages = ({ tools: { images, streamImages } }: FileSections): readonly PlacedText[] => [
  ...Object.keys(streamImages).map((pattern): PlacedText => ["streamImages", pattern]),
  ...Object.entries(images).flatMap(([image, { version, also = [] }]) =>
    [version ?? [], also.map(([, pattern]) => pattern)].flat().map((pattern): PlacedText => [image, pattern]),
  ),
];
