/**
 * `yarn.lock` of Yarn 1 and of Berry (2 to 4): blocks under a list of `name@range`, indented by two.
 * Formats: https://classic.yarnpkg.com/lang/en/docs/yarn-lock/, https://yarnpkg.com/advanced/lexicon#lockfile
 */
import { lockfileError, missingPackage, unknownVersion } from "../errors.ts";
import {
  type LockedPackage,
  type Lockfile,
  type LockfileReader,
  markDevelopment,
  purlOf,
  type RelatedFiles,
  type RequiredPackage,
  requiring,
} from "./lockfile.ts";
import { manifestBeside, npmRange, type Requirement } from "./npm.ts";
import { linesOf, type TextLocation } from "../tree/tree.ts";

interface YarnBlock {
  /** `lodash@^4.0.0`: the requirements that the block resolves. */
  readonly keys: readonly string[];
  readonly at: number;
  readonly fields: Map<string, { readonly text: string; readonly location: TextLocation }>;
  readonly requires: (Requirement & { readonly at: number; readonly isOptional: boolean })[];
}

const unquote = (text: string): string => text.replace(/^"(.*)"$/, "$1");
/** `key value` of Yarn 1 and `key: value` of Berry, both with or without quotes. */
const PAIR = /^(?<indent> *)(?<key>"(?:[^"\\]|\\.)+"|[^\s:"][^\s:]*)(?::? (?<value>.+)|(?<open>:))$/;
/** Ranges of a registry. Repositories, archives and folders have several spellings, so they are not matched exactly. */
const FROM_REGISTRY = /^(?:npm:)?(?:[\d^~<>=*v]|latest$|$)/;
const OPTIONAL = "optionalDependencies";
const SECTIONS = new Set(["dependencies", OPTIONAL]);

function blocksOf(text: string): readonly YarnBlock[] {
  const blocks: YarnBlock[] = [];
  let section = "";
  for (const { text: raw, at: start } of linesOf(text)) {
    const line = raw.trimEnd();
    if (line === "" || line.trimStart().startsWith("#")) continue;
    if (!line.startsWith(" ")) {
      if (!line.endsWith(":")) throw lockfileError("lockfile-broken", "the file is not a Yarn lockfile", text, start);
      blocks.push({ keys: keysOf(line.slice(0, -1)), at: start, fields: new Map(), requires: [] });
      section = "";
      continue;
    }
    section = addLine({ line, start, section, text }, blocks.at(-1));
  }
  return blocks;
}

/** Several keys are separated by commas, outside the quotes in Yarn 1 and inside them in Berry. */
const keysOf = (line: string): readonly string[] =>
  line.split(/,\s*/).flatMap((key) => key.replace(/^"|"$/g, "").split(/,\s*/));

interface IndentedLine {
  readonly line: string;
  readonly start: number;
  readonly section: string;
  readonly text: string;
}

const pairOf = (line: string): Readonly<Record<string, string | undefined>> => PAIR.exec(line)?.groups ?? {};

/** Adds one line to its block and returns the section that contains the next line. */
function addLine({ line, start, section, text }: IndentedLine, block: YarnBlock | undefined): string {
  const { indent, key, value } = pairOf(line);
  if (!block || key === undefined || key === "")
    throw lockfileError("lockfile-broken", "the file is truncated, or not a Yarn lockfile", text, start);
  const depth = indent?.length;
  if (value === undefined) return depth === 2 ? unquote(key) : section;
  if (depth === 2) {
    const location = { at: start + line.length - value.length, length: value.length };
    block.fields.set(unquote(key), { text: unquote(value), location });
    return "";
  }
  if (depth === 4 && SECTIONS.has(section)) {
    block.requires.push({ name: unquote(key), range: unquote(value), at: start, isOptional: section === OPTIONAL });
  }
  return section;
}

export const yarnLockfile: LockfileReader = (text, related) => {
  const blocks = blocksOf(text);
  const metadata = blocks.find(({ keys }) => keys[0] === "__metadata");
  const formatVersion = metadata ? (metadata.fields.get("version")?.text ?? "") : "1";
  if (metadata && !/^(?:[1-9]|10)$/.test(formatVersion))
    throw unknownVersion("yarn.lock", formatVersion, text, metadata.at);
  if (!metadata && !/^# yarn lockfile v1\s*$/m.test(text)) throw unknownVersion("yarn.lock", "", text);
  return readBlocks(
    blocks.filter((block) => block !== metadata),
    formatVersion,
    text,
    related,
  );
};

function readBlocks(
  blocks: readonly YarnBlock[],
  formatVersion: string,
  text: string,
  related: RelatedFiles,
): Lockfile {
  const byKey = new Map(blocks.flatMap((block) => block.keys.map((key) => [key, block] as const)));
  const names = new Map(blocks.map((block) => [nameOfKey(block.keys[0] ?? ""), block]));
  /** Ranges of Berry may omit their protocol; resolutions of Yarn 1 replace the range, so the name decides. */
  const find = ({ name, range }: Requirement): YarnBlock | undefined =>
    byKey.get(`${name}@${range}`) ?? byKey.get(`${name}@npm:${range}`) ?? names.get(name);
  const isOwn = (block: YarnBlock): boolean => /@workspace:/.test(block.fields.get("resolution")?.text ?? "");
  type Required = readonly (Requirement & Partial<YarnBlock["requires"][number]>)[];
  const requiredBy = (requirements: Required): readonly RequiredPackage[] =>
    requirements.flatMap((requirement): readonly RequiredPackage[] => {
      const block = find(requirement);
      if (block) return isOwn(block) ? [] : [[idOf(block), npmRange(requirement.range)]];
      // An optional package may have been left out.
      if (requirement.at === undefined || requirement.isOptional || !FROM_REGISTRY.test(requirement.range)) return [];
      throw missingPackage(`${requirement.name}@${requirement.range}`, text, requirement.at);
    });
  const idsOf = (requirements: Required): readonly string[] => requiredBy(requirements).map(([id]) => id);
  const packages = blocks
    .filter((block) => !isOwn(block))
    .map((block) => toPackage(block, requiredBy(block.requires), text));
  const manifest = manifestBeside(related);
  const own = idsOf(blocks.filter(isOwn).flatMap(({ requires }) => requires));
  const development = manifest ? idsOf(manifest.development) : [];
  const runtime = manifest ? [...idsOf(manifest.runtime), ...own.filter((id) => !development.includes(id))] : own;
  const direct = [...new Set([...runtime, ...development])];
  return {
    formatVersion,
    packages: manifest ? markDevelopment(packages, runtime, development) : packages,
    ...((manifest || own.length > 0) && { direct }),
  };
}

const nameOfKey = (key: string): string => key.slice(0, key.indexOf("@", 1));
const idOf = (block: YarnBlock): string => block.keys[0] ?? "";

/** The name that was resolved: Berry states it, Yarn 1 only in the range of an alias (`a@npm:b@^1`). */
function resolvedName(block: YarnBlock): string {
  const resolution = block.fields.get("resolution")?.text;
  if (resolution !== undefined) return nameOfKey(resolution);
  const key = idOf(block);
  return /@npm:(@?[^@]+)@/.exec(key)?.[1] ?? nameOfKey(key);
}

function toPackage(block: YarnBlock, required: readonly RequiredPackage[], text: string): LockedPackage {
  const version = block.fields.get("version");
  if (version === undefined)
    throw lockfileError("lockfile-incomplete", `${idOf(block)} has no version`, text, block.at);
  const name = resolvedName(block);
  const isFixed = /^\d/.test(version.text) && version.text !== "0.0.0-use.local";
  return {
    id: idOf(block),
    name,
    purl: purlOf("npm", name),
    ...(isFixed && { version: version.text }),
    location: version.location,
    ...requiring(required),
  };
}
