import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { asIsoDate } from "../../src/text/ids.ts";
import { readConfig } from "../../src/policy/policy.ts";
import type { Waiver } from "../../src/model/index.ts";
import { withWaiver } from "../../src/api/waive.ts";

const waiver: Waiver = {
  target: "nodejs:18",
  reason: "moves in spring",
  expires: asIsoDate("2027-03-31"),
  approvedBy: "Ada",
};
const short: Waiver = { target: "pkg:npm/left-pad", reason: "small: # tricky", expires: asIsoDate("2027-03-31") };

describe("waivers in YAML", () => {
  test.each<[string, string, Waiver, string]>([
    [
      "a new file",
      "",
      waiver,
      "waivers:\n  - target: nodejs:18\n    reason: moves in spring\n    expires: 2027-03-31\n    approvedBy: Ada\n",
    ],
    [
      "no waivers yet",
      "# ours\nwarnDays: 30 # short\n",
      short,
      '# ours\nwarnDays: 30 # short\nwaivers:\n  - target: pkg:npm/left-pad\n    reason: "small: # tricky"\n    expires: 2027-03-31\n',
    ],
    [
      "an empty list",
      "waivers: []\n",
      short,
      'waivers:\n  - target: pkg:npm/left-pad\n    reason: "small: # tricky"\n    expires: 2027-03-31\n',
    ],
    [
      "a list without a value",
      "waivers:\n",
      short,
      'waivers:\n  - target: pkg:npm/left-pad\n    reason: "small: # tricky"\n    expires: 2027-03-31\n',
    ],
    [
      "another waiver with comments, irregular spacing and quotes",
      "waivers:\n  # the first\n  - target:   'python' # any line\n    reason: r\n    expires: 2027-01-01 # soon\n\nfailOn: [eol,  kev]\n",
      short,
      "waivers:\n  # the first\n  - target:   'python' # any line\n    reason: r\n    expires: 2027-01-01 # soon\n  - target: pkg:npm/left-pad\n    reason: \"small: # tricky\"\n    expires: 2027-03-31\n\nfailOn: [eol,  kev]\n",
    ],
    [
      "a list without indentation or a final newline",
      "waivers:\n- target: python\n  reason: |\n    many\n    lines\n  expires: 2027-01-01",
      short,
      'waivers:\n- target: python\n  reason: |\n    many\n    lines\n  expires: 2027-01-01\n- target: pkg:npm/left-pad\n  reason: "small: # tricky"\n  expires: 2027-03-31\n',
    ],
    [
      "a block scalar at the end",
      "waivers:\n  - target: python\n    expires: 2027-01-01\n    reason: |\n      many\n      lines\nstrict: true\n",
      short,
      'waivers:\n  - target: python\n    expires: 2027-01-01\n    reason: |\n      many\n      lines\n  - target: pkg:npm/left-pad\n    reason: "small: # tricky"\n    expires: 2027-03-31\nstrict: true\n',
    ],
    [
      "Windows line endings",
      "strict: true\r\nwaivers:\r\n  - target: python\r\n    reason: r\r\n    expires: 2027-01-01\r\n",
      short,
      'strict: true\r\nwaivers:\r\n  - target: python\r\n    reason: r\r\n    expires: 2027-01-01\r\n  - target: pkg:npm/left-pad\r\n    reason: "small: # tricky"\r\n    expires: 2027-03-31\r\n',
    ],
    [
      "flow style",
      "{strict: true, waivers: [{target: python, reason: r, expires: 2027-01-01}]}\n",
      short,
      '{ strict: true, waivers: [ { target: python, reason: r, expires: 2027-01-01 }, { target: pkg:npm/left-pad, reason: "small: # tricky", expires: 2027-03-31 } ] }\n',
    ],
  ])("%s", (_, before, added, after) => {
    expect(withWaiver(before, "eolgate.config.yaml", added)).toEqual({ text: after, replaced: false });
  });

  test("renews a waiver for the same target in place and keeps its comments", () => {
    const before =
      "waivers:\n  # from the audit\n  - target: nodejs:18\n    reason: old\n    expires: 2026-01-01\n  - target: python\n    reason: r\n    expires: 2027-01-01\n";
    const { text, replaced } = withWaiver(before, "c.yml", waiver);
    expect(replaced).toBe(true);
    expect(text).toBe(
      "waivers:\n  # from the audit\n  - target: nodejs:18\n    reason: moves in spring\n    expires: 2027-03-31\n    approvedBy: Ada\n  - target: python\n    reason: r\n    expires: 2027-01-01\n",
    );
  });

  test("keeps a long reason on one line", () => {
    const reason = "word ".repeat(60).trim();
    expect(withWaiver("", "c.yaml", { ...waiver, reason }).text).toContain(`    reason: ${reason}\n`);
  });
});

describe("waivers in JSON", () => {
  test("keep order, indentation and the end of the file", () => {
    const { text } = withWaiver('{\n\t"warnDays": 30,\n\t"failOn": ["eol"]\n}', "c.json", short);
    expect(text).toBe(
      '{\n\t"warnDays": 30,\n\t"failOn": [\n\t\t"eol"\n\t],\n\t"waivers": [\n\t\t{\n\t\t\t"target": "pkg:npm/left-pad",\n\t\t\t"reason": "small: # tricky",\n\t\t\t"expires": "2027-03-31"\n\t\t}\n\t]\n}',
    );
  });

  test("are written to a new file", () => {
    expect(JSON.parse(withWaiver("", "c.json", waiver).text)).toEqual({ waivers: [waiver] });
  });

  test("renews a waiver for the same target", () => {
    const before = JSON.stringify({ waivers: [{ ...waiver, reason: "old" }, short] });
    const { text, replaced } = withWaiver(before, "c.json", waiver);
    expect(replaced).toBe(true);
    expect(JSON.parse(text)).toEqual({ waivers: [waiver, short] });
  });
});

describe("adding a waiver is refused for", () => {
  test.each([
    ["broken YAML", "waivers: [\n", "c.yaml", /no waiver can be added/],
    ["broken JSON", "{", "c.json", /no waiver can be added/],
    ["a YAML list", "- a\n", "c.yaml", /must be a mapping/],
    ["a JSON list", "[]", "c.json", /must be an object/],
    ["waivers that are not a list", "waivers: nodejs\n", "c.yaml", /waivers must be a list/],
    ["waivers that are not a list in JSON", '{"waivers": {}}', "c.json", /waivers must be a list/],
    ["a file with an invalid policy", "failon: []\n", "c.yaml", /no such field/],
  ])("%s", (_, text, file, message) => {
    expect(() => withWaiver(text, file, waiver)).toThrow(
      expect.objectContaining({ kind: "config", message: expect.stringMatching(message) }),
    );
  });
});

test("any reason and name are written and read unchanged, next to the existing content", () => {
  const words = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(words, words, fc.constantFrom("c.yaml", "c.json"), (reason, approvedBy, file) => {
      const given = { ...waiver, reason, approvedBy };
      const first = withWaiver(file === "c.yaml" ? "warnDays: 7\n" : '{"warnDays": 7}', file, given);
      const { text } = withWaiver(first.text, file, short);
      const read: unknown = file === "c.yaml" ? parse(text) : JSON.parse(text);
      expect(readConfig(read, file).policy).toEqual({ warnDays: 7, waivers: [given, short] });
    }),
  );
});
