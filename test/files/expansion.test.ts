/** Variables of variables double a value with every line: no reader follows them beyond a limit. */
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { replaceVariables, resolveVariables, substitute } from "../../src/files/expansion.ts";
import { type InventoryKind, readInventory } from "../../src/files/read.ts";
import { EolgateError } from "../../src/messages/error.ts";

const FACTS = loadCatalogue().facts;
const DEPTH = 40;
const steps = Array.from({ length: DEPTH }, (_, index) => index + 1);
const doubled = (line: (step: number) => string): string => steps.map(line).join("\n");

/** Each expands to 2^40 characters, or gives 10^5 values, if nothing stops it. */
const BOMBS: readonly (readonly [
  title: string,
  kind: InventoryKind,
  text: string,
  related: Readonly<Record<string, string>>,
])[] = [
  [
    "Dockerfile",
    { pins: "Dockerfile", lockfile: undefined },
    `ARG A0=x\n${doubled((step) => `ARG A${step}=$A${step - 1}$A${step - 1}`)}\nFROM node:$A${DEPTH}\n`,
    {},
  ],
  [
    "Dockerfile with defaults",
    { pins: "Dockerfile", lockfile: undefined },
    `ARG A0=x\n${doubled((step) => `ARG A${step}=\${A${step - 1}:-x}\${A${step - 1}}`)}\nFROM \${A${DEPTH}}\n`,
    {},
  ],
  [
    "compose file with .env",
    { pins: "compose", lockfile: undefined },
    `services:\n  a:\n    image: node:${"$A".repeat(1000)}\n`,
    { ".env": `A=${"x".repeat(100_000)}\n` },
  ],
  [
    "pipeline of GitLab",
    { pins: "gitlab-ci", lockfile: undefined },
    `variables:\n  A: ${"x".repeat(100_000)}\nimage: node:${"$A".repeat(1000)}\n`,
    {},
  ],
  [
    "Gradle build",
    { pins: "gradle", lockfile: undefined },
    `implementation("a:b:${"$A".repeat(1000)}")\n`,
    { "gradle.properties": `A=${"x".repeat(100_000)}\n` },
  ],
  [
    "Maven project",
    { pins: undefined, lockfile: "pom.xml" },
    `<project><properties><p0>x</p0>${doubled((step) => `<p${step}>\${p${step - 1}}\${p${step - 1}}</p${step}>`)}</properties><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>\${p${DEPTH}}</version></dependency></dependencies></project>`,
    {},
  ],
  [
    "project of .NET",
    { pins: undefined, lockfile: "msbuild-project" },
    `<Project><PropertyGroup><p0>x</p0>${doubled((step) => `<p${step}>$(p${step - 1})$(p${step - 1})</p${step}>`)}</PropertyGroup><ItemGroup><PackageReference Include="A" Version="$(p${DEPTH})" /></ItemGroup></Project>`,
    {},
  ],
  [
    "Terraform module",
    { pins: "terraform", lockfile: undefined },
    `locals {\n${doubled((step) => `a${step} = "\${local.a${step - 1}}\${local.a${step - 1}}"`)}\n}\nmodule "eks" {\n  cluster_version = local.a${DEPTH}\n}\n`,
    {},
  ],
  [
    "workflow with values of values",
    { pins: "workflow", lockfile: undefined },
    `env:\n  A0: ${"x".repeat(1000)}\n${doubled((step) => `  A${step}: \${{ env.A${step - 1} }}\${{ env.A${step - 1} }}`)}\njobs:\n  a:\n    runs-on: \${{ env.A${DEPTH} }}\n    container: node:\${{ env.A3 }}\n`,
    {},
  ],
  [
    "workflow with a matrix of five keys",
    { pins: "workflow", lockfile: undefined },
    `jobs:\n  a:\n    container: node:${["a", "b", "c", "d", "e"].map((key) => `\${{ matrix.${key} }}`).join("")}\n    strategy:\n      matrix:\n${["a", "b", "c", "d", "e"].map((key) => `        ${key}: [${steps.join(", ")}]`).join("\n")}\n`,
    {},
  ],
];

describe("a file whose variables multiply each other", () => {
  test.each(BOMBS)("%s gives no long names and versions, or is refused", async (_, kind, text, related) => {
    const name = (path: string): string => path.split("/").at(-1) ?? "";
    const read = readInventory(kind, new TextEncoder().encode(text), FACTS, (path) => related[name(path)]);
    const lengths = await read.then(
      ({ components }) => Array.from(components, (each) => each.name.length + (each.version?.length ?? 0)),
      (error: unknown) => {
        if (error instanceof EolgateError && error.exit === 3) return [0];
        throw error;
      },
    );
    expect(lengths).not.toEqual([]);
    // The text of the last line itself may be longer than what a variable may add.
    expect(Math.max(...lengths)).toBeLessThan(4_000);
  });
});

describe("replacing variables", () => {
  const known = new Map([
    ["A", "1"],
    ["LONG", "x".repeat(600)],
  ]);
  const VARIABLE = /<(\w+)>/g;
  const valueOf = ([, name = ""]: RegExpExecArray): string | undefined => known.get(name);

  test.each([
    ["no variable", "no variable"],
    ["<A>-<A>", "1-1"],
    ["<B>", undefined],
    ["<LONG>", "x".repeat(600)],
    ["<LONG><LONG>", undefined],
    [`${"y".repeat(2_000)}<A>`, `${"y".repeat(2_000)}1`],
  ])("%s", (text, expected) => {
    expect(replaceVariables(text, VARIABLE, valueOf)).toBe(expected);
    expect(resolveVariables(text, VARIABLE, valueOf)).toBe(expected);
  });

  test("follows values that refer to others, and gives up on those that refer to themselves", () => {
    const properties = new Map([
      ["a", "<b>.<b>"],
      ["b", "2"],
      ["self", "x<self>"],
      ["one", "<two>"],
      ["two", "<one>"],
    ]);
    const resolved = (text: string) => resolveVariables(text, VARIABLE, ([, name = ""]) => properties.get(name));
    expect(["<a>", "<self>", "<one>"].map(resolved)).toEqual(["2.2", undefined, undefined]);
  });

  test("keeps a text of which the shell's variables would make a too long one", () => {
    expect(substitute("node:$LONG$LONG", known)).toBe("node:$LONG$LONG");
    expect(substitute("node:$A", known)).toBe("node:1");
  });
});
