/** Models whose retirement is announced: none that ends within the warning window passes without a warning. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addDays } from "../../src/lifecycle/days.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { describeWithShared } from "../shared.ts";
import { AS_OF, type LabelledCase } from "./labelled.ts";
import { verdictOf } from "./verdict-of.ts";

interface Reference {
  readonly retirements: readonly {
    readonly platform: string;
    readonly ids?: readonly string[];
    readonly end?: string;
  }[];
  readonly ids_missing: Readonly<Record<string, readonly string[]>>;
}

const SUPPLIERS: Readonly<Record<string, string>> = {
  claude: "Anthropic",
  "openai-api": "OpenAI",
  "gemini-api": "Google AI Studio",
  "amazon-bedrock": "Amazon Bedrock",
};

const caseOf = (id: string, platform: string): LabelledCase => ({
  file: "",
  kind: "model",
  subject: `${id}@`,
  context: [`supplier=${SUPPLIERS[platform] ?? platform}`],
  expected: "",
  why: "",
});

describeWithShared("models of November 2026", "upstream/ai-models-2026-11.json", (file) => {
  const { retirements, ids_missing: others } = JSON.parse(readFileSync(file, "utf8")) as Reference;
  const announced = retirements.flatMap(({ platform, ids = [], end }) =>
    end === undefined ? [] : ids.map((id) => ({ id, platform, end: asIsoDate(end) })),
  );
  const soon = announced.filter(({ end }) => end <= addDays(AS_OF, 90));

  test.each(soon)("$id, which ends on $end, warns or fails", ({ id, platform }) => {
    const [, severity] = verdictOf(caseOf(id, platform));
    expect(["warn", "fail"]).toContain(severity);
  });

  test.each(announced.filter((each) => !soon.includes(each)))(
    "$id, which ends on $end, is known",
    ({ id, platform }) => {
      expect(verdictOf(caseOf(id, platform)).join()).toContain(`judged ${platform}`);
    },
  );

  test("every other id that the vendors' packages name is unresolved, or known with its state", () => {
    const passing = Object.entries(others).flatMap(([platform, ids]) =>
      ids.filter((id) => verdictOf(caseOf(id, platform))[1] === "pass"),
    );
    const later = new Set(announced.filter(({ end }) => end > addDays(AS_OF, 90)).map(({ id }) => id));
    expect(passing.filter((id) => !later.has(id))).toEqual([]);
    expect(soon.length).toBeGreaterThan(15);
  });
});
