/** Every command that CONTRIBUTING.md tells people to run exists in a fresh clone. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isRecord } from "../../src/text/values.ts";
import { root } from "./sources.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const manifest: unknown = JSON.parse(read("package.json"));
const scripts = isRecord(manifest) && isRecord(manifest["scripts"]) ? manifest["scripts"] : {};

/** The commands of a page: lines of its shell blocks without their comments, and code in sentences. */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, lines = ""]) => lines.trim().split("\n"));
  const spans = [...text.replaceAll(/^```[^]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...blocks.map((line) => line.replace(/\s+#.*$/, "")), ...spans].filter((code) =>
    /^(?:npm|npx|node) /.test(code),
  );
}

/** What a command needs and the repository does not have. */
function missing(command: string): readonly string[] {
  const [program = "", ...words] = command.split(" ");
  if (program === "npm") {
    const name = words[0] === "run" ? (words[1] ?? "") : words[0] === "test" ? "test" : undefined;
    if (name === undefined) return words[0] === "ci" ? [] : [command];
    const script = scripts[name];
    return typeof script === "string" ? script.split(/ && /).flatMap(missing) : [`the script ${name}`];
  }
  // PATH is what the reader puts there.
  const files = words.filter((word) => /^(?:test|tools|bench|src|bin)\//.test(word));
  const tool = program === "npx" ? words[0] : undefined;
  return [
    ...files.filter((file) => !existsSync(join(root, file))),
    ...(tool === undefined || existsSync(join(root, "node_modules/.bin", tool)) ? [] : [tool]),
  ];
}

describe("commands of CONTRIBUTING.md", () => {
  const commands = [...new Set(commandsIn(read("CONTRIBUTING.md")))];

  test("are found", () => {
    expect(commands).toEqual(
      expect.arrayContaining(["npm ci", "npm run generate", "npm run catalogue:compile", "npx vitest run PATH -u"]),
    );
  });

  test.each(commands)("%s", (command) => {
    expect(missing(command)).toEqual([]);
  });

  test.each([
    ["npm run nothing", ["the script nothing"]],
    ["npx vitest run test/nowhere", ["test/nowhere"]],
    ["npx no-such-tool", ["no-such-tool"]],
    ["node tools/nowhere.ts", ["tools/nowhere.ts"]],
  ])("%s is reported", (command, lacking) => {
    expect(missing(command)).toEqual(lacking);
  });
});
