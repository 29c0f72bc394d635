/**
 * Makes the scripts of the bundle load a module of Node, a package or another script when they first use it. Loaded at once,
 * what a small `check` never uses would take a tenth of its CPU time (docs/performance.md).
 *
 * The bundler writes `let node_zlib = require("node:zlib")` at the top of a script and `node_zlib.crc32` where it is used.
 * These become `const node_zlib = onFirstUse(() => require("node:zlib"))` and `node_zlib().crc32`.
 */
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

const HELPER = "const onFirstUse = (load, module) => () => module ??= load();\n";

/** `code`: a script in the bundler's form of CommonJS, not minified. */
export function withLazyRequires(code: string): string {
  const named = withOneAddress(code);
  let [before, after] = [named, withLazyVariables(named)];
  // A variable may be needed at once only by another that is lazy now.
  while (after !== before) [before, after] = [after, withLazyVariables(after)];
  return after === code ? code : HELPER + after;
}

/** What the bundler writes for `import.meta.url`. */
const ADDRESS = 'require("url").pathToFileURL(__filename).href';
/** The bundler has no such name. */
const ADDRESS_FUNCTION = "scriptAddress__";

/** A script computes its address once. */
function withOneAddress(code: string): string {
  if (!code.includes(ADDRESS)) return code;
  return `const ${ADDRESS_FUNCTION} = onFirstUse(() => ${ADDRESS});\n${code.replaceAll(ADDRESS, `${ADDRESS_FUNCTION}()`)}`;
}

function withLazyVariables(code: string): string {
  const { program } = parseSync("script.cjs", code, { sourceType: "commonjs" });
  const variables = modulesAtTop(program.body, code);
  const uses = usesOf(variables, program);
  const edits = variables.flatMap((variable) => lazily(variable, uses.get(variable.name) ?? NO_USES));
  return edited(code, edits);
}

/** A variable at the top of a script that contains a module. */
interface ModuleVariable {
  readonly name: string;
  /** The expression that loads the module. */
  readonly value: string;
  /** The declaration. */
  readonly declared: ESTree.Span;
  /** The statement below it that adds the default export. */
  readonly converted: { readonly statement: ESTree.Span; readonly value: string } | undefined;
}

const REQUIRE = String.raw`(?:[\w$]+\.)?require(?:_[\w$]+)?\((?:"[^"]+")?\)`;
const DECLARATION = new RegExp(
  String.raw`^(?:const|let|var) ([\w$]+) = ((?:/\* @__PURE__ \*/ )?(?:${REQUIRE}|[\w$.]*__toESM\(${REQUIRE}, 1\)));$`,
);
const CONVERSION = /^([\w$]+) = ([\w$.]*__toESM\()\1, 1\);$/;

function modulesAtTop(body: readonly ESTree.Span[], code: string): readonly ModuleVariable[] {
  return body.flatMap((statement, index) => {
    const [, name, value] = DECLARATION.exec(textAt(code, statement)) ?? [];
    if (name === undefined || value === undefined) return [];
    return [{ name, value, declared: statement, converted: conversionOf(name, value, code, body[index + 1]) }];
  });
}

function conversionOf(name: string, value: string, code: string, next: ESTree.Span | undefined) {
  const [, converted, call] = (next && CONVERSION.exec(textAt(code, next))) ?? [];
  return next !== undefined && converted === name ? { statement: next, value: `${call}${value}, 1)` } : undefined;
}

interface Uses {
  /** How often the name occurs. */
  count: number;
  /** Where a member of the module is read: `node_zlib` in `node_zlib.crc32`. */
  readonly ofMembers: ESTree.Span[];
  /** True if one of these runs while the script is loaded: a class that extends one of the module, for example. */
  isUsedAtOnce: boolean;
}
const NO_USES: Uses = { count: 0, ofMembers: [], isUsedAtOnce: false };

function usesOf(variables: readonly ModuleVariable[], program: ESTree.Program): ReadonlyMap<string, Uses> {
  const uses = new Map<string, Uses>();
  for (const { name } of variables) uses.set(name, { count: 0, ofMembers: [], isUsedAtOnce: false });
  let depth = 0;
  const enter = (): void => void depth++;
  const leave = (): void => void depth--;
  new Visitor({
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    Identifier({ name }) {
      const found = uses.get(name);
      if (found) found.count++;
    },
    MemberExpression({ object }) {
      const found = object.type === "Identifier" ? uses.get(object.name) : undefined;
      found?.ofMembers.push(object);
      if (found && depth === 0) found.isUsedAtOnce = true;
    },
  }).visit(program);
  return uses;
}

interface Edit {
  readonly at: ESTree.Span;
  readonly text: string;
}

/** No edits where the module is needed at once, or as a whole. */
function lazily({ name, value, declared, converted }: ModuleVariable, uses: Uses): readonly Edit[] {
  const inStatements = converted === undefined ? 1 : 3;
  if (uses.isUsedAtOnce || uses.count !== uses.ofMembers.length + inStatements) return [];
  return [
    { at: declared, text: `const ${name} = onFirstUse(() => ${converted?.value ?? value});` },
    ...(converted === undefined ? [] : [{ at: converted.statement, text: "" }]),
    // The parentheses matter in `new (module()).Class()`.
    ...uses.ofMembers.map((at) => ({ at, text: `(${name}())` })),
  ];
}

function edited(code: string, edits: readonly Edit[]): string {
  let [result, end] = ["", 0];
  for (const { at, text } of edits.toSorted((one, other) => one.at.start - other.at.start)) {
    result += code.slice(end, at.start) + text;
    end = at.end;
  }
  return result + code.slice(end);
}

const textAt = (code: string, { start, end }: ESTree.Span): string => code.slice(start, end);
