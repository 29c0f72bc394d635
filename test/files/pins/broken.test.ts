/** A broken file of each kind is refused with its line, and never read as a file without pins. */
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { PIN_KINDS, type PinKindName } from "../../../src/files/pins/kinds.ts";
import { readInventory } from "../../../src/files/read.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";

const FACTS = loadCatalogue().facts;

const BROKEN = {
  json: ['{\n  "engines": {\n    "node": "18"\n', "line 4"],
  toml: ['[project]\nname = "a"\nrequires-python = ">=3.8\n', "line 3"],
  xml: ["<Project>\n  <PropertyGroup>\n</Project>\n", "line 3"],
  yaml: ["a:\n  b: 1\n c: 2\n", "line 3"],
} as const;
type Syntax = keyof typeof BROKEN;

/** Kinds whose files have a syntax. The others are lines of text or programs, for which every text is valid. */
const SYNTAX_OF: Partial<Record<PinKindName, Syntax>> = {
  "package.json": "json",
  "composer.json": "json",
  "global.json": "json",
  "mise.toml": "toml",
  "pyproject.toml": "toml",
  Pipfile: "toml",
  "Cargo.toml": "toml",
  "pom.xml": "xml",
  "target-framework": "xml",
  compose: "yaml",
  workflow: "yaml",
  "gitlab-ci": "yaml",
  circleci: "yaml",
  "azure-pipelines": "yaml",
  travis: "yaml",
  devcontainer: "json",
  readthedocs: "yaml",
  pipeline: "yaml",
  cloudbuild: "yaml",
  "pre-commit": "yaml",
  kustomization: "yaml",
  netlify: "toml",
  fvmrc: "json",
  serverless: "yaml",
  "helm-values": "yaml",
  "helm-chart": "yaml",
  kubernetes: "yaml",
  cloudformation: "yaml",
};
/** Content by which a YAML file is recognized as one of these kinds. */
const MARKS: Partial<Record<PinKindName, string>> = {
  kubernetes: "apiVersion: v1\nkind: Pod\nimage: node:18\n",
  cloudformation: "Resources:\n  F:\n    Type: AWS::Lambda::Function\n",
};

const kinds = Object.keys(PIN_KINDS) as PinKindName[];

async function problemOf(pins: PinKindName, text: string): Promise<string> {
  try {
    const { components } = await readInventory({ pins, lockfile: undefined }, new TextEncoder().encode(text), FACTS);
    return `${String(components.length)} components`;
  } catch (error) {
    if (error instanceof EolgateError && error.exit === 3) return `${error.code} ${error.where?.split(",")[0] ?? ""}`;
    throw error;
  }
}

const lineAfter = (text: string, line: string): string => {
  const before = text.split("\n").length - 1;
  return `line ${String(Number(line.replace("line ", "")) + before)}`;
};

describe("file with a syntax error", () => {
  test.each(kinds.flatMap((kind) => (SYNTAX_OF[kind] ? [[kind, SYNTAX_OF[kind]] as const] : [])))(
    "refuses %s that is not well-formed %s, with the line",
    async (kind, syntax) => {
      const mark = MARKS[kind] ?? "";
      const [text, line] = BROKEN[syntax];
      expect(await problemOf(kind, mark + text)).toBe(`pin-file-broken ${lineAfter(mark, line)}`);
    },
  );

  test.each(kinds.filter((kind) => SYNTAX_OF[kind] === "yaml" && MARKS[kind] === undefined))(
    "refuses %s that contains text instead of a mapping",
    async (kind) => {
      expect(await problemOf(kind, "<html>not found</html>\n")).toBe("pin-file-broken line 1");
    },
  );
});

describe("file with conflict markers", () => {
  test.each(kinds)("refuses %s with the line of the first marker", async (kind) => {
    const text = "# a\n<<<<<<< HEAD\n18\n=======\n20\n>>>>>>> topic\n";
    expect(await problemOf(kind, text)).toBe("lockfile-broken line 2");
  });
});
