/** The `pyproject.toml` next to a lockfile that does not list direct dependencies. */
import type { RelatedFiles } from "./lockfile.ts";
import { pypiName } from "./purl.ts";
import { isTable, listAt, parseToml, tableAt } from "./toml.ts";
import type { TomlTable } from "./toml.ts";

/**
 * Normalized names of the direct dependencies: PEP 621, PEP 735 groups, Poetry's own tables, PDM's development groups.
 */
export function pyprojectRequirements(related: RelatedFiles): readonly string[] | undefined {
  const text = related("pyproject.toml");
  if (text === undefined) return undefined;
  try {
    const document = parseToml(text);
    const poetry = tableAt(document, "tool", "poetry");
    const lists = [
      listAt(tableAt(document, "project"), "dependencies"),
      ...listsOf(tableAt(document, "project", "optional-dependencies")),
      ...listsOf(tableAt(document, "dependency-groups")),
      ...listsOf(tableAt(document, "tool", "pdm", "dev-dependencies")),
    ];
    const groups = Object.values(tableAt(poetry, "group")).filter(isTable);
    const tables = [
      tableAt(poetry, "dependencies"),
      tableAt(poetry, "dev-dependencies"),
      ...groups.map((group) => tableAt(group, "dependencies")),
    ];
    const names = [...lists.flat().flatMap(requirementName), ...tables.flatMap(Object.keys)].map(pypiName);
    return [...new Set(names)].filter((name) => name !== "python");
  } catch {
    return undefined; // pyproject.toml is also read as a pin file, which reports the error
  }
}

const listsOf = (table: TomlTable): readonly (readonly unknown[])[] =>
  Object.keys(table).map((key) => listAt(table, key));

/** `requests[socks]>=2; python_version < "3.12"` → `requests`. */
export function requirementName(requirement: unknown): readonly string[] {
  const name = typeof requirement === "string" ? /^\s*([\w.-]+)/.exec(requirement)?.[1] : undefined;
  return name === undefined ? [] : [pypiName(name)];
}
