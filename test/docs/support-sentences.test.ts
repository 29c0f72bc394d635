/**
 * Help, man page, configuration schema, Action and documentation describe `support` alike: what counts lets the gate pass
 * until its latest end. None of them states that it makes a failure a warning.
 */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/policy/policy.ts";
import { POLICY_FIELDS } from "../../src/policy/fields.ts";
import { manPage } from "../../tools/man/page.ts";
import { reference } from "../../tools/reference.ts";
import { runCommand } from "../cli/fake-io.ts";
import { root } from "../repository/sources.ts";
import { page, PAGES } from "./pages.ts";

const SENTENCE = String(POLICY_FIELDS.support.schema["description"]);
const flowing = (text: string): string => text.replaceAll(/\s+/g, " ");
const help = async (): Promise<string> => (await runCommand(["check", "--help-all"], { cwd: tmpdir() })).out;
const man = (): string => manPage("0.0.0").replaceAll("\\-", "-");
const action = readFileSync(join(root, "action.yml"), "utf8");

/** Each place with its text. */
const SURFACES: Readonly<Record<string, () => string | Promise<string>>> = {
  help,
  "man page": man,
  "configuration schema": () => JSON.stringify(configSchema()),
  "action.yml": () => action,
  "docs/reference.md": reference,
  ...Object.fromEntries(PAGES.map(({ file, text }) => [file, () => text])),
};

/** Sentences and cells on support, tracks or contracts that make a failure a warning. A score keeps counting the standard end. */
const contradictions = (text: string): readonly string[] =>
  flowing(text)
    .split(/(?<=[.;:|]) |"/)
    .filter(
      (sentence) =>
        /\b(?:support|tracks?|contracts?)\b/i.test(sentence) &&
        /\bfail(?:s|ures?|ing)?\b.{0,60}\b(?:into|becomes?|to|is|as)\b.{0,30}\bwarn(?:s|ings?)?\b|\bwarns? (?:instead|and does not fail)/i.test(
          sentence,
        ) &&
        !/\bscore\b/.test(sentence),
    );

test("help, man page, configuration schema, Action and docs have the sentence of the field", async () => {
  expect(SENTENCE).toContain("until its latest end");
  const inputs = parse(action) as { readonly inputs: { readonly support: { readonly description: string } } };
  const places: Readonly<Record<string, string>> = {
    help: flowing(await help()),
    man: flowing(man()),
    schema: JSON.stringify(configSchema()),
    action: inputs.inputs.support.description,
    "docs/policy.md": page("docs/policy.md"),
  };
  for (const [place, text] of Object.entries(places)) expect(text, place).toContain(SENTENCE);
  const rows = reference().match(/^\| `--support <kind>` \|.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) expect(row).toContain(`| ${SENTENCE} (default: free) |`);
});

describe("no place states that support makes a failure a warning", () => {
  test.each(Object.entries(SURFACES))("%s", async (_, textOf) => {
    expect(contradictions(await textOf())).toEqual([]);
  });

  test.each([
    "support that turns a failure into a warning: standard, free, extended",
    "With a contract, a failure becomes a warning until the contract ends.",
    "Extended support turns failures\n  into warnings.",
    "A failing release cycle with a paid track is reported as a warning.",
    "While free support lasts, the gate warns instead.",
  ])("finds: %s", async (planted) => {
    for (const textOf of Object.values(SURFACES)) {
      const text = await textOf();
      expect(contradictions(`${text}\n\n. ${planted}`)).toHaveLength(1);
    }
  });

  test.each([
    "A failure by `score` is a warning while support beyond the standard end lasts.",
    "the gate passes until it ends, and warns in the last `warnDays` of a contract",
    "an ended release cycle fails; support that ends soon warns",
  ])("admits: %s", (stated) => {
    expect(contradictions(stated)).toEqual([]);
  });
});
