/**
 * The lockfiles of Python tools: `poetry.lock`, `pdm.lock`, `uv.lock`, `pylock.toml` and `Pipfile.lock`.
 * Formats: https://python-poetry.org/docs/, https://pdm-project.org/, https://docs.astral.sh/uv/concepts/projects/layout/#the-lockfile,
 * https://packaging.python.org/en/latest/specifications/pylock-toml/, https://pipenv.pypa.io/en/latest/pipfile.html#pipfile-lock
 */
import { lockfileError, missingPackage, unknownVersion } from "../errors.ts";
import {
  type LockedPackage,
  type LockfileReader,
  markDevelopment,
  projectFile,
  pypiName,
  pypiPurl,
  type RelatedFiles,
  type RequiredPackage,
  requiring,
  uniqueById,
} from "./lockfile.ts";
import { parseToml } from "../tree/toml.ts";
import { child, itemsAt, keysAt, locationOf, membersAt, textAt, type TreeNode } from "../tree/tree.ts";
import { pythonVersion } from "./requirements.ts";
import { parseJson } from "../tree/json.ts";

/** A package may be locked in several versions with different markers, so the version is part of the id. */
const idOf = (table: TreeNode): string => `${pypiName(textAt(table, "name") ?? "")}@${textAt(table, "version") ?? ""}`;

/** Normalized names of what a table requires, with the ranges that it states. */
type RequiredNames = (table: TreeNode) => readonly RequiredPackage[];

interface ParsedPackages {
  readonly text: string;
  readonly tables: readonly TreeNode[];
  readonly dependencies: RequiredNames;
}

function packagesOf({ text, tables, dependencies }: ParsedPackages): readonly LockedPackage[] {
  const byName = idsByName(tables);
  return tables.map((table): LockedPackage => {
    const name = textAt(table, "name");
    if (name === undefined) throw lockfileError("lockfile-incomplete", "a package has no name", text, table.at);
    const version = textAt(table, "version");
    const groups = groupsOf(table);
    return {
      id: idOf(table),
      name,
      purl: pypiPurl(name),
      version,
      location: locationOf(child(table, version === undefined ? "name" : "version") ?? table),
      ...(groups && !groups.has("main") && !groups.has("default") && { scope: "development" as const }),
      ...requiring(
        dependencies(table).flatMap(([required, range]) =>
          (byName.get(required) ?? []).map((id): RequiredPackage => [id, range]),
        ),
      ),
    };
  });
}

/** Poetry 1 states a category, Poetry 2 and PDM the groups; a file without them states neither. */
function groupsOf(table: TreeNode): ReadonlySet<unknown> | undefined {
  const category = textAt(table, "category");
  if (category !== undefined) return new Set([category]);
  const groups = itemsAt(table, "groups").map((group) => group.text);
  return groups.length > 0 ? new Set(groups) : undefined;
}

function idsByName(tables: readonly TreeNode[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const table of tables) {
    const name = pypiName(textAt(table, "name") ?? "");
    byName.set(name, [...(byName.get(name) ?? []), idOf(table)]);
  }
  return byName;
}

const directOf = (tables: readonly TreeNode[], names: readonly string[] | undefined) => {
  const byName = idsByName(tables);
  return names && { direct: names.flatMap((name) => byName.get(name) ?? []) };
};

/** Poetry writes its metadata last and PDM first: without it, the file is truncated. */
function metadataOf(document: TreeNode, text: string): TreeNode {
  const metadata = child(document, "metadata");
  if (metadata) return metadata;
  throw lockfileError("lockfile-incomplete", "the file has no [metadata]", text, text.length);
}

interface PythonFormat {
  readonly file: string;
  /** The version of the format that a document states. */
  readonly versionOf: (document: TreeNode, text: string) => string;
  readonly supported: RegExp;
  /** The list of packages. */
  readonly list: string;
  readonly dependencies: RequiredNames;
}

/** The reader of a format whose direct dependencies are in `pyproject.toml`. */
const readerOf =
  ({ file, versionOf, supported, list, dependencies }: PythonFormat): LockfileReader =>
  (text, related) => {
    const document = parseToml(text);
    const formatVersion = versionOf(document, text);
    if (!supported.test(formatVersion)) throw unknownVersion(file, formatVersion, text);
    const tables = itemsAt(document, list);
    const direct = directOf(tables, pyprojectRequirements(related));
    return { formatVersion, packages: packagesOf({ text, tables, dependencies }), ...direct };
  };

export const poetryLockfile = readerOf({
  file: "poetry.lock",
  versionOf: (document, text) => textAt(metadataOf(document, text), "lock-version") ?? "1.0",
  supported: /^[12]\.\d+$/,
  list: "package",
  // A table with one key for each dependency.
  dependencies: (table) => membersAt(table, "dependencies").map(([name, node]) => [pypiName(name), poetryRange(node)]),
});

/** `">=1.0"`, `{version = ">=1.0", optional = true}`, or a list of them for different markers, of which one applies. */
function poetryRange(node: TreeNode): string | undefined {
  const ranges = (node.items ?? [node]).map((each) => each.text ?? textAt(each, "version"));
  return ranges.includes(undefined) ? undefined : ranges.join(" || ");
}

export const pdmLockfile = readerOf({
  file: "pdm.lock",
  versionOf: (document, text) => textAt(metadataOf(document, text), "lock_version") ?? "",
  supported: /^4\.\d+(?:\.\d+)?$/,
  list: "package",
  // Requirements as PEP 508 writes them.
  dependencies: (table) =>
    itemsAt(table, "dependencies").flatMap(({ text = "" }) =>
      requirementName(text).map((name): RequiredPackage => [name, specifierOf(text)]),
    ),
});

/** `dependencies = [{ name = "idna" }]` */
const namesOf = (table: TreeNode): readonly string[] => namesIn(itemsAt(table, "dependencies"));
const namedTables: RequiredNames = (table) => namesOf(table).map((name) => [name, undefined]);
const namesIn = (list: readonly TreeNode[]): readonly string[] =>
  list.flatMap((each) => requirementName(textAt(each, "name")));

export const pylockToml = readerOf({
  file: "pylock.toml",
  versionOf: (document) => textAt(document, "lock-version") ?? "",
  supported: /^1\.\d+$/,
  list: "packages",
  dependencies: namedTables,
});

/** The project and the members of its workspace also have entries, which the kind of their source identifies. */
const isOwn = (table: TreeNode): boolean =>
  ["virtual", "editable"].some((kind) => child(table, "source", kind) !== undefined);

const listsIn = (table: TreeNode, key: string): readonly string[] =>
  membersAt(table, key).flatMap(([, list]) => namesIn(list.items ?? []));

export const uvLockfile: LockfileReader = (text) => {
  const document = parseToml(text);
  const formatVersion = textAt(document, "version") ?? "";
  if (formatVersion !== "1") throw unknownVersion("uv.lock", formatVersion, text);
  const tables = itemsAt(document, "package");
  refuseMissing(text, tables);
  const own = tables.filter(isOwn);
  const others = tables.filter((table) => !isOwn(table));
  const byName = idsByName(others);
  const idsOf = (names: readonly string[]): readonly string[] => names.flatMap((name) => byName.get(name) ?? []);
  const runtime = idsOf(own.flatMap((table) => [...namesOf(table), ...listsIn(table, "optional-dependencies")]));
  const development = idsOf(own.flatMap((table) => listsIn(table, "dev-dependencies")));
  const packages = packagesOf({ text, tables: others, dependencies: namedTables });
  return {
    formatVersion,
    packages: markDevelopment(packages, runtime, development),
    direct: [...new Set([...runtime, ...development])],
  };
};

function refuseMissing(text: string, tables: readonly TreeNode[]): void {
  const names = idsByName(tables);
  for (const table of tables) {
    const missing = namesOf(table).find((name) => !names.has(name));
    if (missing !== undefined) throw missingPackage(missing, text, table.at);
  }
}

/**
 * Normalized names of the direct dependencies in `pyproject.toml`: PEP 621, PEP 735 groups, Poetry's own tables, PDM's
 * development groups.
 */
function pyprojectRequirements(related: RelatedFiles): readonly string[] | undefined {
  const document = projectFile(related, "pyproject.toml", parseToml);
  if (!document) return undefined;
  const poetry = child(document, "tool", "poetry");
  const lists = [
    itemsAt(document, "project", "dependencies"),
    ...listsOf(child(document, "project", "optional-dependencies")),
    ...listsOf(child(document, "dependency-groups")),
    ...listsOf(child(document, "tool", "pdm", "dev-dependencies")),
  ];
  const groups = membersAt(poetry, "group").map(([, group]) => group);
  const tables = [
    keysAt(poetry, "dependencies"),
    keysAt(poetry, "dev-dependencies"),
    ...groups.map((group) => keysAt(group, "dependencies")),
  ];
  const names = [...lists.flat().flatMap(({ text }) => requirementName(text)), ...tables.flat().map(pypiName)];
  return [...new Set(names)].filter((name) => name !== "python");
}

const listsOf = (table: TreeNode | undefined): readonly (readonly TreeNode[])[] =>
  membersAt(table).map(([, { items = [] }]) => items);

/** `requests[socks]>=2; python_version < "3.12"` → `requests`. */
function requirementName(requirement: string | undefined): readonly string[] {
  const name = requirement === undefined ? undefined : /^\s*([\w.-]+)/.exec(requirement)?.[1];
  return name === undefined ? [] : [pypiName(name)];
}

/** `requests[socks]>=2,<3; python_version < "3.12"` → `>=2,<3`; undefined where it states none. */
const specifierOf = (requirement: string): string | undefined =>
  /^\s*[\w.-]+\s*(?:\[[^\]]*\])?\s*\(?([<>=!~][^;)@]*)/.exec(requirement)?.[1]?.trim();

/** The category of runtime dependencies. All others are installed only on request. */
const RUNTIME = "default";

export const pipfileLock: LockfileReader = (text, related) => {
  const root = parseJson(text);
  const formatVersion = textAt(root, "_meta", "pipfile-spec") ?? "";
  if (formatVersion !== "6") throw unknownVersion("Pipfile.lock", formatVersion, text, child(root, "_meta")?.at);
  const categories = membersAt(root).filter(([name]) => name !== "_meta");
  const ordered = [
    ...categories.filter(([name]) => name === RUNTIME),
    ...categories.filter(([name]) => name !== RUNTIME),
  ];
  const packages = uniqueById(
    ordered.flatMap(([category, node]) =>
      membersAt(node).map(([name, entry]) => toPipenvPackage(name, entry, category)),
    ),
  );
  const direct = pipfileNames(related)?.filter((id) => packages.some((each) => each.id === id));
  return { formatVersion, packages, ...(direct && { direct }) };
};

function toPipenvPackage(name: string, entry: TreeNode, category: string): LockedPackage {
  const version = pythonVersion(textAt(entry, "version") ?? "");
  return {
    id: pypiName(name),
    name,
    purl: pypiPurl(name),
    version,
    location: locationOf(child(entry, "version") ?? entry),
    ...(category !== RUNTIME && { scope: "development" as const }),
  };
}

const NO_PACKAGES = new Set(["source", "requires", "scripts", "pipenv"]);

function pipfileNames(related: RelatedFiles): readonly string[] | undefined {
  const manifest = projectFile(related, "Pipfile", parseToml);
  const tables = membersAt(manifest).filter(([name]) => !NO_PACKAGES.has(name));
  return manifest && tables.flatMap(([, table]) => keysAt(table).map(pypiName));
}
