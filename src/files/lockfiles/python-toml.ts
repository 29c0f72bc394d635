/**
 * The TOML lockfiles of Python: `poetry.lock`, `pdm.lock`, `uv.lock` and `pylock.toml`.
 * Formats: https://python-poetry.org/docs/, https://pdm-project.org/, https://docs.astral.sh/uv/concepts/projects/layout/#the-lockfile,
 * https://packaging.python.org/en/latest/specifications/pylock-toml/
 */
import { lockfileError, missingPackage, unknownVersion } from "./errors.ts";
import { markDevelopment } from "./graph.ts";
import type { LockedPackage, LockfileReader } from "./lockfile.ts";
import { pypiName, pypiPurl } from "./purl.ts";
import { pyprojectRequirements, requirementName } from "./pyproject.ts";
import { isTable, keyPlace, listAt, parseToml, placedTables, stringAt, tableAt, versionAt } from "./toml.ts";
import type { PlacedTable, TomlTable } from "./toml.ts";

/** A package may be locked in several versions with different markers, so the version is part of the id. */
const idOf = (table: TomlTable): string =>
  `${pypiName(stringAt(table, "name") ?? "")}@${stringAt(table, "version") ?? ""}`;

type Dependencies = (table: TomlTable) => readonly string[];

interface ParsedPackages {
  readonly text: string;
  readonly tables: readonly PlacedTable[];
  /** Normalized names of what one table requires. */
  readonly dependencies: Dependencies;
}

function packagesOf({ text, tables, dependencies }: ParsedPackages): readonly LockedPackage[] {
  const byName = idsByName(tables);
  return tables.map((placed): LockedPackage => {
    const { table } = placed;
    const name = stringAt(table, "name");
    if (name === undefined) throw lockfileError("lockfile-incomplete", "a package has no name", text, placed.at);
    const version = stringAt(table, "version");
    const groups = groupsOf(table);
    return {
      id: idOf(table),
      name,
      purl: pypiPurl(name),
      ...(version !== undefined && { version }),
      place: keyPlace(text, placed, version === undefined ? "name" : "version"),
      ...(groups && !groups.has("main") && !groups.has("default") && { scope: "development" as const }),
      dependsOn: dependencies(table).flatMap((required) => byName.get(required) ?? []),
    };
  });
}

/** Poetry 1 states a category, Poetry 2 and PDM the groups; a file without them states neither. */
function groupsOf(table: TomlTable): ReadonlySet<unknown> | undefined {
  const category = stringAt(table, "category");
  if (category !== undefined) return new Set([category]);
  const groups = listAt(table, "groups");
  return groups.length > 0 ? new Set(groups) : undefined;
}

function idsByName(tables: readonly PlacedTable[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const { table } of tables) {
    const name = pypiName(stringAt(table, "name") ?? "");
    byName.set(name, [...(byName.get(name) ?? []), idOf(table)]);
  }
  return byName;
}

const directOf = (tables: readonly PlacedTable[], names: readonly string[] | undefined) => {
  const byName = idsByName(tables);
  return names && { direct: names.flatMap((name) => byName.get(name) ?? []) };
};

/** Poetry writes its metadata last and PDM first: without it, the file is truncated. */
function metadataOf(document: TomlTable, text: string): TomlTable {
  if (isTable(document["metadata"])) return document["metadata"];
  throw lockfileError("lockfile-incomplete", "the file has no [metadata]", text, text.length);
}

/** Poetry: a table with one key for each dependency. */
const namedKeys: Dependencies = (table) => Object.keys(tableAt(table, "dependencies")).map(pypiName);
/** PDM: requirements as PEP 508 writes them. */
const requirementTexts: Dependencies = (table) => listAt(table, "dependencies").flatMap(requirementName);

export const poetryLockfile: LockfileReader = (text, related) => {
  const document = parseToml(text);
  const formatVersion = stringAt(metadataOf(document, text), "lock-version") ?? "1.0";
  if (!/^[12]\.\d+$/.test(formatVersion)) throw unknownVersion("poetry.lock", formatVersion, text);
  const tables = placedTables(text, document, "package");
  const direct = directOf(tables, pyprojectRequirements(related));
  return { formatVersion, packages: packagesOf({ text, tables, dependencies: namedKeys }), ...direct };
};

export const pdmLockfile: LockfileReader = (text, related) => {
  const document = parseToml(text);
  const formatVersion = stringAt(metadataOf(document, text), "lock_version") ?? "";
  if (!/^4\.\d+(?:\.\d+)?$/.test(formatVersion)) throw unknownVersion("pdm.lock", formatVersion, text);
  const tables = placedTables(text, document, "package");
  const direct = directOf(tables, pyprojectRequirements(related));
  return { formatVersion, packages: packagesOf({ text, tables, dependencies: requirementTexts }), ...direct };
};

export const pylockToml: LockfileReader = (text, related) => {
  const document = parseToml(text);
  const formatVersion = stringAt(document, "lock-version") ?? "";
  if (!/^1\.\d+$/.test(formatVersion)) throw unknownVersion("pylock.toml", formatVersion, text);
  const tables = placedTables(text, document, "packages");
  const direct = directOf(tables, pyprojectRequirements(related));
  return { formatVersion, packages: packagesOf({ text, tables, dependencies: namedTables }), ...direct };
};

/** `dependencies = [{ name = "idna" }]` */
const namedTables: Dependencies = (table) => namesIn(listAt(table, "dependencies"));
const namesIn = (list: readonly unknown[]): readonly string[] =>
  list.flatMap((each) => (isTable(each) ? requirementName(each["name"]) : []));

/** The project and the members of its workspace also have entries, which the kind of their source identifies. */
const isOwn = ({ table }: PlacedTable): boolean =>
  ["virtual", "editable"].some((kind) => Object.hasOwn(tableAt(table, "source"), kind));

const listsIn = (table: TomlTable): readonly string[] =>
  Object.keys(table).flatMap((group) => namesIn(listAt(table, group)));

export const uvLockfile: LockfileReader = (text) => {
  const document = parseToml(text);
  const formatVersion = versionAt(document, "version") ?? "";
  if (formatVersion !== "1") throw unknownVersion("uv.lock", formatVersion, text);
  const tables = placedTables(text, document, "package");
  refuseMissing(text, tables);
  const own = tables.filter(isOwn);
  const others = tables.filter((placed) => !isOwn(placed));
  const byName = idsByName(others);
  const idsOf = (names: readonly string[]): readonly string[] => names.flatMap((name) => byName.get(name) ?? []);
  const runtime = idsOf(
    own.flatMap(({ table }) => [...namedTables(table), ...listsIn(tableAt(table, "optional-dependencies"))]),
  );
  const development = idsOf(own.flatMap(({ table }) => listsIn(tableAt(table, "dev-dependencies"))));
  const packages = packagesOf({ text, tables: others, dependencies: namedTables });
  return {
    formatVersion,
    packages: markDevelopment(packages, runtime, development),
    direct: [...new Set([...runtime, ...development])],
  };
};

function refuseMissing(text: string, tables: readonly PlacedTable[]): void {
  const names = idsByName(tables);
  for (const { table, at } of tables) {
    const missing = namedTables(table).find((name) => !names.has(name));
    if (missing !== undefined) throw missingPackage(missing, text, at);
  }
}
