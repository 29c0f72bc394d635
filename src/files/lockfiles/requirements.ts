/**
 * `requirements.txt` as pip reads it, with the comments in which pip-compile and uv state which package requires
 * another.
 * Format: https://pip.pypa.io/en/stable/reference/requirements-file-format/
 */
import { lockfileError } from "../errors.ts";
import { type LockedPackage, type LockfileReader, pypiName, pypiPurl, uniqueById } from "./lockfile.ts";
import { linesOf, type TextLocation } from "../tree/tree.ts";

interface RequirementEntry {
  readonly name: string;
  readonly version: string | undefined;
  readonly location: TextLocation;
  readonly requiredBy: string[];
}

interface LogicalLine {
  readonly code: string;
  readonly comment: string | undefined;
  readonly at: number;
}

/** Joins continuation lines. A comment begins at the start of a line or after white space. */
function logicalLines(text: string): readonly LogicalLine[] {
  const lines: LogicalLine[] = [];
  let open: { readonly parts: string[]; readonly at: number } | undefined;
  for (const { text: line, at: start } of linesOf(text.replace(/\n$/, ""))) {
    const [, code = "", comment] = /^(.*?)(?:(?:^|\s)#(.*))?$/.exec(line) ?? [];
    open ??= { parts: [], at: start + (code.length - code.trimStart().length) };
    const continues = code.endsWith("\\");
    open.parts.push(continues ? code.slice(0, -1) : code);
    if (continues) continue;
    lines.push({ code: open.parts.join(" ").trim(), comment, at: open.at });
    open = undefined;
  }
  if (open)
    throw lockfileError("lockfile-incomplete", "the file ends in the middle of a requirement", text, text.length);
  return lines;
}

const REQUIREMENT = /^(?<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?) ?(?:\[[^\]]*\])? ?(?<specifier>[^;@]*)$/;
const EXACT = /^===?\s*v?([^\s,*]+?)(?:\.\*)?$/;

/** `1.2.3` for `==1.2.3`, `1.2` for `==1.2.*`, else the specifier as written, which is a range. */
export function pythonVersion(specifier: string): string | undefined {
  const plain = specifier.replace(/^\((.*)\)$/, "$1").trim();
  return plain === "" || plain === "*" ? undefined : (EXACT.exec(plain)?.[1] ?? plain);
}

export const requirementsTxt: LockfileReader = (text) => {
  const entries: RequirementEntry[] = [];
  for (const { code, comment, at } of logicalLines(text)) {
    const entry = code === "" ? undefined : parseRequirement(code, at, text);
    if (entry) entries.push(entry);
    const requirers = comment === undefined ? undefined : requirersIn(comment, code !== "");
    if (requirers !== undefined) entries.at(-1)?.requiredBy.push(...requirers);
  }
  return { formatVersion: "", ...graphOf(entries) };
};

/** Undefined for options: included files are read on their own, indexes and constraints install nothing. */
function parseRequirement(code: string, at: number, text: string): RequirementEntry | undefined {
  const requirement = code.replace(/\s--(?:hash|config-settings|global-option)\b.*$/, "").trim();
  const editable = /^(?:-e|--editable)[\s=]+(.+)$/.exec(requirement)?.[1];
  if (editable === undefined && requirement.startsWith("-")) return undefined;
  const written = editable ?? requirement;
  const location = { at, length: requirement.length };
  const named = nameInAddress(written);
  if (named !== undefined) return { name: named, version: undefined, location, requiredBy: [] };
  if (editable !== undefined || IS_ARCHIVE.test(written)) return localArchive(written, location);
  return namedRequirement(written, location, text);
}

const IS_ARCHIVE = /^(?:\.|\/|[a-z+]+:\/\/)|\.(?:whl|zip|tar\.gz)$/;

function namedRequirement(written: string, location: TextLocation, text: string): RequirementEntry {
  const [withoutMarker = ""] = written.split(";", 1);
  const { name, specifier = "" } = REQUIREMENT.exec(withoutMarker.replaceAll(/\s+/g, " ").trim())?.groups ?? {};
  if (name === undefined)
    throw lockfileError("lockfile-broken", `not a requirement: ${shown(written)}`, text, location.at);
  return { name, version: pythonVersion(specifier), location, requiredBy: [] };
}

/** `name @ address`, or `#egg=name` in an address. */
function nameInAddress(written: string): string | undefined {
  return /^([\w.-]+)(?:\[[^\]]*\])?\s*@\s*\S/.exec(written)?.[1] ?? /[#&]egg=([\w.-]+)/.exec(written)?.[1];
}

/** A wheel's file name contains name and version: https://packaging.python.org/en/latest/specifications/binary-distribution-format/ */
function localArchive(written: string, location: TextLocation): RequirementEntry | undefined {
  const [, name, version] =
    /^([A-Za-z0-9_.]+)-(\d[^-]*)-.+\.whl$/.exec(written.slice(written.lastIndexOf("/") + 1)) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version, location, requiredBy: [] };
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 60));

/** `# via flask, -r requirements.in` after the requirement, or one name on each line below `# via`. */
function requirersIn(comment: string, isInline: boolean): readonly string[] | undefined {
  const content = comment.trim();
  const listed = /^via\b(.*)$/.exec(content)?.[1];
  if (listed !== undefined)
    return listed
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
  return !isInline && /^\s{3,}\S/.test(comment) ? [content] : undefined;
}

/** `-r requirements.in` and `app (pyproject.toml)` are files of the project: their requirements are direct. */
const isProjectFile = (requirer: string): boolean =>
  /^-[rc]\s/.test(requirer) || (requirer.includes("(") && requirer.endsWith(")"));

function graphOf(entries: readonly RequirementEntry[]) {
  const isAnnotated = entries.some(({ requiredBy }) => requiredBy.length > 0);
  const required = new Map<string, string[]>();
  for (const { name, requiredBy } of entries)
    for (const requirer of new Set(requiredBy.map(pypiName))) {
      const known = required.get(requirer);
      if (known) known.push(pypiName(name));
      else required.set(requirer, [pypiName(name)]);
    }
  const packages = uniqueById(entries.map((entry) => toPackage(entry, required)));
  const direct = entries.filter(({ requiredBy }) => requiredBy.some(isProjectFile)).map(({ name }) => pypiName(name));
  return { packages, ...(isAnnotated && { direct }) };
}

function toPackage(
  { name, version, location }: RequirementEntry,
  required: ReadonlyMap<string, readonly string[]>,
): LockedPackage {
  const id = pypiName(name);
  return { id, name, purl: pypiPurl(name), version, location, dependsOn: required.get(id) ?? [] };
}
