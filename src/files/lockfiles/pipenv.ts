/** `Pipfile.lock`. Format: https://pipenv.pypa.io/en/latest/pipfile.html#pipfile-lock */
import { unknownVersion } from "./errors.ts";
import { uniqueById } from "./lockfile.ts";
import type { LockedPackage, LockfileReader, RelatedFiles } from "./lockfile.ts";
import { pypiName, pypiPurl } from "./purl.ts";
import { pythonVersion } from "./requirements.ts";
import { isTable, parseToml } from "./toml.ts";
import { child, membersAt, parseJson, placeOf, textAt } from "./tree.ts";
import type { TreeNode } from "./tree.ts";

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
    ordered.flatMap(([category, node]) => membersAt(node).map(([name, entry]) => toPackage(name, entry, category))),
  );
  const direct = pipfileNames(related)?.filter((id) => packages.some((each) => each.id === id));
  return { formatVersion, packages, ...(direct && { direct }) };
};

function toPackage(name: string, entry: TreeNode, category: string): LockedPackage {
  const version = pythonVersion(textAt(entry, "version") ?? "");
  return {
    id: pypiName(name),
    name,
    purl: pypiPurl(name),
    ...(version !== undefined && { version }),
    place: placeOf(child(entry, "version") ?? entry),
    ...(category !== RUNTIME && { scope: "development" as const }),
  };
}

function pipfileNames(related: RelatedFiles): readonly string[] | undefined {
  const text = related("Pipfile");
  if (text === undefined) return undefined;
  try {
    const document = parseToml(text);
    const tables = Object.entries(document).filter(
      ([name]) => !["source", "requires", "scripts", "pipenv"].includes(name),
    );
    return tables.flatMap(([, table]) => (isTable(table) ? Object.keys(table).map(pypiName) : []));
  } catch {
    return undefined; // Pipfile is also read as a pin file, which reports the error
  }
}
