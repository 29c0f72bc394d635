/** `mix.lock`: an Elixir map with one tuple for each package. Format: https://hexdocs.pm/mix/Mix.Project.html */
import { lockfileError } from "../errors.ts";
import { type LockedPackage, type LockfileReader, purlOf } from "./lockfile.ts";
import { linesOf } from "../tree/tree.ts";

const HEX = /^\s*"(?<key>[^"]+)": \{:hex, :"?(?<name>[\w.]+)"?, "(?<version>[^"]+)",(?<rest>.*)\},?\s*$/;
const GIT = /^\s*"(?<key>[^"]+)": \{:git, "(?<address>[^"]+)", "(?<commit>[^"]+)", \[(?<rest>.*)\]\},?\s*$/;
const DEPENDENCY = /\{:"?([\w.]+)"?, "[^"]*", \[/g;

export const mixLockfile: LockfileReader = (text) => {
  if (!/^\s*%\{/.test(text)) throw lockfileError("lockfile-broken", "the file is not an Elixir map", text);
  if (!/\}\s*$/.test(text) || !/^\}/m.test(text.trimEnd() === "%{}" ? "}" : text)) {
    throw lockfileError("lockfile-incomplete", "the map does not end", text, text.length);
  }
  const packages: LockedPackage[] = [];
  for (const { text: line, at: start } of linesOf(text)) {
    if (/^\s*(?:%\{\s*(?:\})?|\}|)\s*$/.test(line)) continue;
    packages.push(parseLine(line, start, text));
  }
  const known = new Set(packages.map(({ id }) => id));
  return {
    formatVersion: "",
    packages: packages.map((each) => ({ ...each, dependsOn: (each.dependsOn ?? []).filter((id) => known.has(id)) })),
  };
};

function parseLine(line: string, start: number, text: string): LockedPackage {
  const found = hexPackage(line, start) ?? gitPackage(line, start);
  if (!found) throw lockfileError("lockfile-broken", "not an entry of mix.lock", text, start);
  return found;
}

/** The key is the name in the project; a package from hex.pm may have another one. */
function hexPackage(line: string, start: number): LockedPackage | undefined {
  const { key, name = "", version = "", rest = "" } = HEX.exec(line)?.groups ?? {};
  if (key === undefined) return undefined;
  const location = { at: start + line.indexOf(version, key.length), length: version.length };
  const dependsOn = [...rest.matchAll(DEPENDENCY)].map(([, dependency = ""]) => dependency);
  return { id: key, name, purl: purlOf("hex", name), version, location, dependsOn };
}

function gitPackage(line: string, start: number): LockedPackage | undefined {
  const { key, rest = "" } = GIT.exec(line)?.groups ?? {};
  if (key === undefined) return undefined;
  const tag = /tag: "v?(\d[^"]*)"/.exec(rest)?.[1];
  const location = { at: start, length: line.length };
  return { id: key, name: key, purl: purlOf("hex", key), version: tag, location };
}
