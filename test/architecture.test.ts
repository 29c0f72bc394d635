/** The house holds: imports go one way, nothing goes round in circles, the pure rooms know no world. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const source = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

/** Which rooms a room may import from, besides itself. `index.ts` is the public door and may see every pure step. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  report: ["core"],
  store: ["core"],
  catalogue: ["core"],
  operations: ["core", "catalogue"],
  // The interface of the store; which store it is, the composition root decides (see below).
  server: ["core", "catalogue", "operations", "report", "store"],
  cli: ["core", "catalogue", "operations", "report", "store", "server"],
  "index.ts": ["core", "catalogue", "operations", "report"],
};

/** Rooms that know no clock, network, file, environment or terminal. */
const PURE = new Set(["core", "report"]);

const roomOf = (file: string): string => file.split("/")[0] ?? "";

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

test("imports go one way", () => {
  const wrong = files.flatMap((file) =>
    importsOf(file, "all")
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => targetOf(file, specifier))
      .filter(
        (target) =>
          roomOf(target) !== roomOf(file) &&
          !target.startsWith("..") &&
          !(ARROWS[roomOf(file)] ?? []).includes(roomOf(target)),
      )
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("no circles", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const specifier of importsOf(file, "values"))
      if (specifier.startsWith(".")) visit(targetOf(file, specifier), [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

describe("the pure rooms", () => {
  const pure = files.filter((file) => PURE.has(roomOf(file)));
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

test("console and process stand in cli/io.ts alone, and nobody exits", () => {
  const found = files.filter(
    (file) =>
      file !== "cli/io.ts" &&
      /\bconsole\.|\bprocess\.(?:stdout|stderr|stdin|exit|argv|cwd)\b/.test(
        (source.get(file) ?? "").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""),
      ),
  );
  expect(found).toEqual([]);
});

test("the server names no concrete store, operations open no port", () => {
  expect(
    files.filter(
      (file) => roomOf(file) === "server" && /from "[^"]*store\/(?:embedded|postgres)/.test(source.get(file) ?? ""),
    ),
  ).toEqual([]);
  expect(
    files.filter(
      (file) => roomOf(file) === "operations" && /node:(?:net|http|https|tls|dgram)"/.test(source.get(file) ?? ""),
    ),
  ).toEqual([]);
});
