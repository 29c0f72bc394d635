/** The source files with their imports and comments, as a parser sees them. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "rolldown/utils";
import { isRecord, remembered } from "../../src/text/values.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A static import of a value, an import of types only, or `import()`. */
export type ImportKind = "value" | "type" | "dynamic";

export interface Import {
  readonly kind: ImportKind;
  /** What is written: `./a.ts`, `node:fs`, `yaml`. */
  readonly specifier: string;
  /** The path of an imported source file, relative to the root of the repository. */
  readonly target: string | undefined;
}

export interface Comment {
  readonly line: number;
  readonly text: string;
}

export interface SourceFile {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  readonly comments: readonly Comment[];
  /** Names of the types, interfaces, classes and enumerations that it declares at its top level, exported or not. */
  readonly types: readonly string[];
}

/** Every TypeScript file below a folder of the repository. Parsed once for all tests that a worker runs. */
export const sourceFiles = remembered((folder: string): readonly SourceFile[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts") && !path.includes("/fixtures/"))
    .map((path) => parseSource(path, readFileSync(join(root, path), "utf8"))),
);

export function parseSource(path: string, text: string): SourceFile {
  const { module, comments, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found = (kind: ImportKind, specifier: string): Import => ({
    kind,
    specifier,
    target: targetOf(path, specifier),
  });
  const kindOf = (entries: readonly { readonly isType: boolean }[]): ImportKind =>
    entries.length > 0 && entries.every(({ isType }) => isType) ? "type" : "value";
  return {
    path,
    text,
    imports: [
      ...module.staticImports.map(({ moduleRequest, entries }) => found(kindOf(entries), moduleRequest.value)),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap((entry) => (entry.moduleRequest ? [found(kindOf([entry]), entry.moduleRequest.value)] : [])),
      ),
      ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
        found("dynamic", text.slice(start, end).replaceAll(/["'`]/g, "")),
      ),
      ...importTypes(program).map((specifier) => found("type", specifier)),
    ],
    comments: comments.map(({ value, start }) => ({ text: value, line: text.slice(0, start).split("\n").length })),
    types: program.body.flatMap((statement) =>
      declaredType("declaration" in statement ? statement.declaration : statement),
    ),
  };
}

function declaredType(declaration: unknown): readonly string[] {
  if (!isRecord(declaration)) return [];
  const { type, id } = declaration;
  const isType = typeof type === "string" && /^(?:TS(?:Interface|TypeAlias|Enum)|Class)Declaration$/.test(type);
  return isType && isRecord(id) && typeof id["name"] === "string" ? [id["name"]] : [];
}

/** `import("./a.ts").Name` in a type. The list of imports of the parser does not contain it. */
function importTypes(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(importTypes);
  if (typeof node !== "object" || node === null) return [];
  const nested = Object.values(node).flatMap(importTypes);
  if (!("type" in node) || node.type !== "TSImportType" || !("source" in node)) return nested;
  const { source } = node;
  const value = typeof source === "object" && source !== null && "value" in source ? source.value : undefined;
  return typeof value === "string" ? [value, ...nested] : nested;
}

function targetOf(path: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? join(dirname(path), specifier).replaceAll("\\", "/") : undefined;
}

/** Groups of files that import each other, directly or through others. Every group has two files or more. */
export function importCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const imports = new Map(files.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]));
  const reachable = new Map([...imports.keys()].map((path) => [path, reach(path, imports)]));
  const groups = new Map<string, string[]>();
  for (const [path, targets] of reachable) {
    if (!targets.has(path)) continue;
    const members = [...targets].filter((other) => reachable.get(other)?.has(path)).sort();
    groups.set(members.join("\n"), members);
  }
  return [...groups.values()];
}

/** Every file that a file imports, directly or through others. Contains the file itself only if it is part of a cycle. */
function reach(path: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(imports.get(path) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(imports.get(next) ?? []));
  }
  return found;
}
