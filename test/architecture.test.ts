/** Layers import in one direction, there are no import cycles, and the pure layers have no side effects. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const source = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

/** Which layers a layer may import from, besides itself. `index.ts` is the public entry point. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  bytes: ["core"],
  core: ["bytes"],
  platform: ["core"],
  report: ["core"],
  store: ["core", "platform"],
  signals: ["core", "platform"],
  catalogue: ["core", "platform"],
  api: ["core", "catalogue", "signals", "platform"],
  // The interface of the store; the composition root decides which store it is (see below).
  server: ["core", "catalogue", "api", "report", "store", "signals", "platform"],
  cli: ["core", "catalogue", "api", "report", "store", "server", "signals", "platform"],
  "index.ts": ["core", "catalogue", "api", "report", "platform"],
};

/** Layers without clock, network, file, environment or terminal. */
const PURE = new Set(["bytes", "core", "report"]);

const layerOf = (file: string): string => file.split("/")[0] ?? "";

function importsOf(file: string, kinds: "all" | "values"): readonly string[] {
  const text = source.get(file) ?? "";
  const statements = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|import\("([^"]+)"\)/gm),
  ];
  return statements.flatMap(([, type, from, bare, dynamic]) =>
    kinds === "values" && (type !== undefined || dynamic !== undefined) ? [] : [from ?? bare ?? dynamic ?? ""],
  );
}

const targetOf = (file: string, specifier: string): string => relative(root, join(root, dirname(file), specifier));

test("layers import in one direction", () => {
  const wrong = files.flatMap((file) =>
    importsOf(file, "all")
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => targetOf(file, specifier))
      .filter(
        (target) =>
          layerOf(target) !== layerOf(file) &&
          !target.startsWith("..") &&
          !(ALLOWED[layerOf(file)] ?? []).includes(layerOf(target)),
      )
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("there are no import cycles", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const specifier of importsOf(file, "values"))
      if (specifier.startsWith(".")) visit(targetOf(file, specifier), [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

describe("the pure layers", () => {
  const pure = files.filter((file) => PURE.has(layerOf(file)));
  const code = (file: string): string => (source.get(file) ?? "").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");

  test("import nothing of Node", () => {
    expect(pure.filter((file) => importsOf(file, "all").some((specifier) => specifier.startsWith("node:")))).toEqual(
      [],
    );
  });

  test("read no clock, environment or process", () => {
    const worldly =
      /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bprocess\.|\bfetch\(|\bconsole\.|\bMath\.random\(|\btoLocale|\bIntl\./;
    expect(pure.filter((file) => worldly.test(code(file)))).toEqual([]);
  });
});

test("only cli/process-context.ts uses console and process, and nothing calls process.exit", () => {
  const found = files.filter(
    (file) =>
      file !== "cli/process-context.ts" &&
      /\bconsole\.|\bprocess\.(?:stdout|stderr|stdin|exit|argv|cwd)\b/.test(
        (source.get(file) ?? "").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""),
      ),
  );
  expect(found).toEqual([]);
});

test("the server names no concrete store, the api layer opens no port", () => {
  expect(
    files.filter(
      (file) => layerOf(file) === "server" && /from "[^"]*store\/(?:embedded|postgres)/.test(source.get(file) ?? ""),
    ),
  ).toEqual([]);
  expect(
    files.filter(
      (file) => layerOf(file) === "api" && /node:(?:net|http|https|tls|dgram)"/.test(source.get(file) ?? ""),
    ),
  ).toEqual([]);
});
