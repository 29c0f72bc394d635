import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { withLazyRequires } from "../../tools/lazy-requires.ts";

/** Runs a script as CommonJS. @returns what it exports, and the modules that it has required so far. */
function run(code: string): { readonly exports: Record<string, () => unknown>; readonly loaded: readonly string[] } {
  const loaded: string[] = [];
  const exports = {};
  const require = (name: string): unknown => {
    loaded.push(name);
    if (name === "url") return { pathToFileURL };
    return { name, Base: Map, sep: `separator of ${name}`, require_inner: () => ({ name: `inner ${name}` }) };
  };
  const __toESM = (module: object): object => ({ default: module, ...module });
  runInNewContext(withLazyRequires(code), {
    require,
    exports,
    URL,
    __filename: "/folder/script.cjs",
    runtime: { __toESM },
  });
  return { exports, loaded };
}

describe("scripts of the bundle", () => {
  it.each([
    { of: "a module", top: 'let a = require("node:a");', use: "a.sep", result: "separator of node:a" },
    {
      of: "a default export",
      top: 'let a = require("node:a");\na = runtime.__toESM(a, 1);',
      use: "a.default.name",
      result: "node:a",
    },
    {
      of: "a package in another script",
      top: 'const other = require("./a.cjs");\nvar a = other.require_inner();',
      use: "a.name",
      result: "inner ./a.cjs",
    },
    {
      of: "the default export of such a package",
      top: 'const other = require("./a.cjs");\nvar a = /* @__PURE__ */ runtime.__toESM(other.require_inner(), 1);',
      use: "a.default.name",
      result: "inner ./a.cjs",
    },
    {
      of: "a class",
      top: 'let a = require("node:a");',
      use: "new a.Base().constructor.name",
      result: "Map",
    },
  ])("load $of when it is first used, and once", ({ top, use, result }) => {
    const { exports, loaded } = run(`${top}\nexports.use = () => ${use};`);
    expect(loaded).toEqual([]);
    expect([exports["use"]?.(), exports["use"]?.()]).toEqual([result, result]);
    expect(loaded).toHaveLength(1);
  });

  it.each([
    { what: "a class extends one of it", code: "class B extends a.Base {}" },
    { what: "its value is read at once", code: "const separator = a.sep;" },
    { what: "it is used as a whole", code: "exports.use = () => a;" },
    { what: "a function has a variable of the same name", code: "exports.use = (a) => a.sep;" },
  ])("load a module at once if $what", ({ code }) => {
    const source = `let a = require("node:a");\n${code}`;
    expect(withLazyRequires(source)).toBe(source);
    expect(run(source).loaded).toEqual(["node:a"]);
  });

  it("compute their address once, when they first need it", () => {
    const address = 'require("url").pathToFileURL(__filename).href';
    const code = `exports.one = () => new URL("a", ${address});\nexports.other = () => new URL("b", ${address});`;
    const { exports, loaded } = run(code);
    expect(loaded).toEqual([]);
    expect([exports["one"]?.(), exports["other"]?.()].map(String)).toEqual(["file:///folder/a", "file:///folder/b"]);
    expect(loaded).toEqual(["url"]);
  });
});
