/** The documentation lists exactly the flags, formats, exit codes and variables of the program. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { allCommands } from "../../src/cli/commands.ts";
import { variableOf } from "../../src/shell/flag.ts";
import { VARIABLES } from "../../tools/variables.ts";
import { ERROR_KINDS } from "../../src/messages/error.ts";
import { EXITS } from "../../src/policy/exit.ts";
import { FAIL_ON_VALUES } from "../../src/policy/field-values.ts";
import { configSchema, readConfig } from "../../src/policy/policy.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { policyPage, reference } from "../../tools/reference.ts";
import { root } from "../examples/machine.ts";
import { blocks, calls, longFlags, page, PAGES, spans, type Page } from "./pages.ts";

const COMMANDS = await allCommands();

const GLOBAL_FLAGS = ["--help", "--help-all", "--version"];
const ALL_FLAGS = new Set([...COMMANDS.flatMap(longFlags), ...GLOBAL_FLAGS]);
const VARIABLE_NAMES = new Set([
  ...COMMANDS.flatMap(({ flags }) => flags.flatMap((flag) => variableOf(flag) ?? [])),
  ...VARIABLES.map(({ name }) => name),
]);
const each = PAGES.map((one) => [one.file, one] as const);

test("docs/reference.md is current (npm run generate)", () => {
  expect(readFileSync(join(root, "docs/reference.md"), "utf8")).toBe(reference());
});

test("the tables of docs/policy.md are current (npm run generate)", () => {
  const page = readFileSync(join(root, "docs/policy.md"), "utf8");
  expect(page).toBe(policyPage(page));
});

test("the reference contains every command, flag, format, exit code and variable", () => {
  const text = reference();
  const lacking = [
    ...COMMANDS.map(({ name }) => `### ${name}\n`),
    ...[...ALL_FLAGS].filter((flag) => !GLOBAL_FLAGS.includes(flag)),
    ...Object.keys(REPORTERS).map((name) => `| \`${name}\` |`),
    ...Object.keys(EXITS).map((code) => `| ${code} |`),
    ...[...VARIABLE_NAMES].map((name) => `\`${name}\``),
  ].filter((commandLine) => !text.includes(commandLine));
  expect(lacking).toEqual([]);
});

/** In a table that compares other tools, only the last column is about eolgate. */
const own = ({ file, text }: Page): Page => ({
  file,
  text: file === "docs/coming-from.md" ? text.replaceAll(/^\|.*\|([^|]*(?:\\\|[^|]*)*)\|$/gm, "$1") : text,
});

describe("every page", () => {
  test.each(each)("%s: commands and their flags exist", (_, one) => {
    const code = [
      ...blocks(one)
        .filter(({ language }) => ["sh", "", "yaml"].includes(language))
        .map(({ text }) => text),
      ...spans(own(one)),
    ];
    const wrong = code.flatMap(calls).flatMap(({ commandLine, command, flags }) => {
      if (command === undefined)
        return COMMANDS.some(({ name }) => name.startsWith(`${commandLine.trim()} `)) || commandLine.startsWith("--")
          ? []
          : [commandLine];
      const known = new Set([...longFlags(command), ...GLOBAL_FLAGS]);
      return flags.filter((flag) => !known.has(flag)).map((flag) => `${flag} in ${commandLine}`);
    });
    expect(wrong).toEqual([]);
  });

  test.each(each)("%s: flags in inline code exist", (_, one) => {
    const named = spans(own(one))
      .filter((span) => span.startsWith("--"))
      .flatMap((span) => /^--[a-z-]+/.exec(span)?.[0] ?? []);
    expect(named.filter((flag) => !ALL_FLAGS.has(flag))).toEqual([]);
  });

  test.each(each)("%s: variables exist", (_, { text }) => {
    const named = [...text.matchAll(/\bEOLGATE_[A-Z_]*[A-Z]\b/g)].map(([name]) => name);
    expect(named.filter((name) => !VARIABLE_NAMES.has(name))).toEqual([]);
  });

  test.each(each)("%s: formats exist", (_, one) => {
    const code = [...blocks(one).map(({ text }) => text), ...spans(own(one))].join("\n");
    const reports = [...code.matchAll(/--report ([a-z]+)=/g)].map(([, name]) => name);
    const formats = calls(code).flatMap(({ command, commandLine }) => {
      const [, format] = /--format (\S+)/.exec(commandLine) ?? [];
      const choices = command?.flags.find(({ flags }) => flags.includes("--format"))?.choices ?? Object.keys(REPORTERS);
      return format === undefined || choices.includes(format) ? [] : [format];
    });
    expect([...reports.filter((name) => !Object.hasOwn(REPORTERS, name ?? "")), ...formats]).toEqual([]);
  });

  test.each(each)("%s: linked files exist", (file, { text }) => {
    const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);
    const local = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(local.filter((target) => !existsSync(join(root, dirname(file), target)))).toEqual([]);
  });
});

test("README.md lists the current exit codes", () => {
  const rows = [...page("README.md").matchAll(/^\| (\d+) \| ([^|]+) \|$/gm)].map(([, code = "", meaning = ""]) => [
    Number(code),
    meaning,
  ]);
  expect(rows.map(([code]) => code)).toEqual(Object.keys(EXITS).map(Number));
  for (const [code, meaning] of rows) expect(EXITS[Number(code)]?.meaning.startsWith(String(meaning))).toBe(true);
});

test("every error has an exit code of the table", () => {
  for (const { exit } of Object.values(ERROR_KINDS)) expect(Object.keys(EXITS)).toContain(String(exit));
});

describe("docs/policy.md", () => {
  const text = page("docs/policy.md");
  const section = (title: string): string => text.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = (title: string): readonly (readonly string[])[] =>
    section(title)
      .split("\n")
      .filter((line) => /^\| \[?`/.test(line))
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );

  test("names every field of the configuration file", () => {
    const fields = Object.keys(Object(configSchema()["properties"]));
    const listed = rows("Fields").map(([field = ""]) => /`([^`]+)`/.exec(field)?.[1] ?? "");
    const further = [...(section("Fields").split("The file also takes")[1] ?? "").matchAll(/`([\w$]+)`/g)].map(
      ([, name = ""]) => name,
    );
    expect([...listed, ...further].sort()).toEqual(fields.sort());
  });
  test("names every condition", () => {
    expect(
      rows("Conditions")
        .map(([condition = ""]) => condition.replaceAll("`", ""))
        .sort(),
    ).toEqual([...FAIL_ON_VALUES].sort());
  });
});

test.each(each)("%s: the gate accepts its configuration examples", (file, one) => {
  for (const { language, text } of blocks(one)) {
    if (language !== "yaml" || !/^(?:failOn|waivers|warnDays):/m.test(text)) continue;
    expect(() => readConfig(parse(text), file)).not.toThrow();
  }
});

test("every environment variable that the program reads is in a table", () => {
  const source = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(root, "src", name), "utf8"));
  const read = source.flatMap((text) => [...text.matchAll(/\bEOLGATE_[A-Z_]*[A-Z]\b/g)].map(([name]) => name));
  expect([...new Set(read)].filter((name) => !VARIABLE_NAMES.has(name))).toEqual([]);
});
