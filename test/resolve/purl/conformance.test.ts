/** The purl specification's own cases (package-url/purl-spec, MIT), read from the reference data where it is present. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse, purlKey } from "../../../src/resolve/purl/key.ts";
import { describeWithShared } from "../../shared.ts";

interface Components {
  readonly type: string | null;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly qualifiers: Readonly<Record<string, string>> | null;
  readonly subpath: string | null;
}
interface Case {
  readonly test_type: "parse" | "build" | "validate";
  readonly input: string | Components;
  readonly expected_output: string | Components | null;
  readonly expected_failure: boolean;
}

/** Cases with a different result, by file and index, with the reason. */
const DEVIATIONS: Readonly<Record<string, string>> = {
  "types/gem-test.json#1":
    "uppercase qualifier keys are read, because generators write them; the suite expects an error",
  "types/rpm-test.json#1": "the same: `Arch=` and `Distro=` are read as `arch` and `distro`",
};

describeWithShared("purl-spec", "purl-spec/purl-spec/tests/", (root) => {
  const files = ["spec", "types"].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root))
      .sort()
      .map((file) => `${folder}/${file}`),
  );
  const cases = files.flatMap((file) => {
    const { tests } = JSON.parse(readFileSync(new URL(file, root), "utf8")) as { tests: readonly Case[] };
    return tests.map((each, index) => ({ id: `${file}#${index}`, ...each }));
  });

  test("reads all cases of the conformance suite", () => expect(cases).toHaveLength(586));

  test("passes every parse case that is not a listed exception", () => {
    const failed = cases.filter((each) => each.test_type === "parse" && !passesParse(each)).map(({ id }) => id);
    expect(failed).toEqual(Object.keys(DEVIATIONS));
  });

  test("gives every valid purl a key and agrees with the full parser on invalid ones", () => {
    const texts = cases.flatMap(({ input }) => (typeof input === "string" ? [input] : []));
    for (const text of texts)
      expect(purlKey(text).kind, text).toBe(typeof parse(text) === "string" ? "invalid" : "purl");
  });

  test("gives a canonical purl and its source form the same key", () => {
    for (const { test_type, input, expected_output, expected_failure } of cases) {
      if (test_type !== "validate" || expected_failure || typeof input !== "string") continue;
      if (typeof expected_output !== "string") continue;
      expect(keyOf(input), input).toBe(keyOf(expected_output));
    }
  });
});

function keyOf(text: string): string {
  const key = purlKey(text);
  return key.kind === "purl" ? key.key : key.kind;
}

function passesParse({ input, expected_output, expected_failure }: Case): boolean {
  if (typeof input !== "string") throw new TypeError("a parse case has a string");
  const purl = parse(input);
  if (expected_failure || typeof purl === "string") return expected_failure && typeof purl === "string";
  if (expected_output === null || typeof expected_output === "string") return false;
  const { type, namespace, name, version, subpath } = purl;
  const parsed = { type, namespace, name, version, subpath, qualifiers: purl.qualifiers };
  return JSON.stringify(plain(parsed)) === JSON.stringify(plain(expected_output));
}

/** Treats absent, null and empty fields as equal, and sorts qualifiers. */
function plain(components: object): unknown {
  const { qualifiers, ...rest } = components as Components;
  const sorted = Object.entries(qualifiers ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return [rest.type, rest.namespace, rest.name, rest.version, rest.subpath]
    .map((part) => part || null)
    .concat(sorted.flat());
}
