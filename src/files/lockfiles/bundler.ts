/** `Gemfile.lock` and `gems.locked`. Format: https://bundler.io/man/bundle-lock.1.html */
import { lockfileError, missingPackage } from "../errors.ts";
import {
  type LockedPackage,
  type LockfileReader,
  purlOf,
  type RequiredPackage,
  requiring,
  uniqueById,
} from "./lockfile.ts";
import { linesOf } from "../tree/tree.ts";

/** Gems of a folder are the project's own. */
const OWN = "PATH";
const SOURCES = new Set(["GEM", "GIT", OWN, "PLUGIN SOURCE"]);
const SPEC = /^ {4}(?<name>\S+) \((?<version>[^)]+)\)$/;
const REQUIREMENT = /^ {6}(?<name>[^\s!]+)(?: \((?<range>.*)\))?!?$/;
const DIRECT = /^ {2}(?<name>[^\s!]+)(?: \(.*\))?!?$/;

interface Gem {
  readonly name: string;
  readonly version: string;
  readonly at: number;
  readonly isOwn: boolean;
  readonly requires: { readonly name: string; readonly range: string | undefined; readonly at: number }[];
}

interface Parsed {
  readonly gems: Gem[];
  readonly direct: string[];
  readonly sections: Set<string>;
  readonly ruby: LockedPackage[];
}

export const gemfileLock: LockfileReader = (text) => {
  const parsed = parse(text);
  if (!parsed.sections.has("DEPENDENCIES")) {
    throw lockfileError("lockfile-incomplete", "the file has no DEPENDENCIES section", text, text.length);
  }
  if (parsed.gems.length > 0 && (parsed.direct.length === 0 || !text.endsWith("\n"))) {
    throw lockfileError("lockfile-incomplete", "the file ends inside its DEPENDENCIES or later", text, text.length);
  }
  const { gems } = parsed;
  const names = new Set(gems.map(({ name }) => name));
  const own = new Set(gems.filter(({ isOwn }) => isOwn).map(({ name }) => name));
  const requires = (gem: Gem): readonly RequiredPackage[] =>
    gem.requires
      .filter(({ name }) => name !== "bundler") // Bundler is part of Ruby and is never locked
      .map(({ name, range, at }) => {
        if (!names.has(name)) throw missingPackage(name, text, at);
        return [name, range];
      });
  const direct = [
    ...parsed.direct,
    ...gems.filter(({ isOwn }) => isOwn).flatMap((gem) => requires(gem).map(([name]) => name)),
  ];
  const packages = gems.filter(({ isOwn }) => !isOwn).map((gem) => toPackage(gem, requires(gem)));
  return {
    formatVersion: "",
    packages: [...uniqueById(packages), ...parsed.ruby],
    direct: [...new Set(direct)].filter((name) => names.has(name) && !own.has(name)),
  };
};

function parse(text: string): Parsed {
  const parsed: Parsed = { gems: [], direct: [], sections: new Set(), ruby: [] };
  let section = "";
  for (const { text: raw, at: start } of linesOf(text)) {
    const line = raw.trimEnd();
    if (/^[A-Z][A-Z ]*$/.test(line)) {
      section = line;
      parsed.sections.add(section);
    } else if (line !== "" && !line.startsWith(" ")) {
      throw lockfileError("lockfile-broken", "the file is not a lockfile of Bundler", text, start);
    } else addLine({ parsed, section, line, start });
  }
  return parsed;
}

interface SectionLine {
  readonly parsed: Parsed;
  readonly section: string;
  readonly line: string;
  readonly start: number;
}

function addLine(at: SectionLine): void {
  const { parsed, section, line } = at;
  if (SOURCES.has(section)) addGem(at);
  const direct = section === "DEPENDENCIES" ? DIRECT.exec(line)?.groups?.["name"] : undefined;
  if (direct !== undefined) parsed.direct.push(direct);
  if (section === "RUBY VERSION") addRuby(at);
}

function addGem({ parsed, section, line, start }: SectionLine): void {
  const { name, version } = SPEC.exec(line)?.groups ?? {};
  if (name !== undefined && version !== undefined) {
    const at = start + line.indexOf(version, 4 + name.length);
    parsed.gems.push({ name, version, at, isOwn: section === OWN, requires: [] });
  }
  const { name: required, range } = REQUIREMENT.exec(line)?.groups ?? {};
  if (required !== undefined) parsed.gems.at(-1)?.requires.push({ name: required, range, at: start });
}

function addRuby({ parsed, line, start }: SectionLine): void {
  const ruby = /^\s+ruby (\d[\d.]*)/.exec(line)?.[1];
  if (ruby === undefined) return;
  const location = { at: start + line.indexOf(ruby), length: ruby.length };
  parsed.ruby.push({ id: "RUBY VERSION", name: "ruby", purl: purlOf("generic", "ruby"), version: ruby, location });
}

/** `1.16.0-x86_64-linux`: gem versions have no hyphen, so a platform follows it. */
function toPackage({ name, version, at }: Gem, required: readonly RequiredPackage[]): LockedPackage {
  const [number = version] = version.split("-");
  return {
    id: name,
    name,
    purl: purlOf("gem", name),
    version: number,
    location: { at, length: number.length },
    ...requiring(required),
  };
}
