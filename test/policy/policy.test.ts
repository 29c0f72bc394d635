import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { parseFailOn } from "../../src/policy/field-values.ts";
import {
  configSchema,
  layerPolicies,
  parsePolicy,
  type PolicyText,
  readConfig,
  readPolicyTexts,
} from "../../src/policy/policy.ts";

const WAIVER = { target: "nodejs:16", reason: "rewrite", expires: "2026-12-31" };
const CONTRACT = { product: "debian", vendor: "Freexian", until: "2026-12-31" };

/** Every setting of a configuration file, in the form in which users write it. */
const WHOLE = {
  $schema: "https://example.test/config.schema.json",
  failOn: [
    "eol",
    "approaching",
    "kev",
    "kev-product",
    "retired",
    "superseded",
    "minimum",
    "unknown",
    "untracked",
    "declared-mismatch",
    "score>=70",
  ],
  warnDays: 120,
  strict: true,
  minCoverage: 12.5,
  allowUnassessed: true,
  allowEmpty: true,
  support: "extended",
  contracts: [{ ...CONTRACT, cycle: "10" }, CONTRACT],
  scope: "runtime",
  distroPackages: "both",
  denyLicense: ["AGPL-3.0-only", "GPL-2.0-or-later OR SSPL-1.0"],
  waivers: [
    { ...WAIVER, approvedBy: "Ada" },
    { ...WAIVER, target: "pkg:npm/%40scope/name@1.2.3" },
    { ...WAIVER, target: "nodejs" },
  ],
  maxCatalogueAge: 30,
  exitZero: true,
  format: "table",
  report: ["json=report.json"],
  verbose: true,
  asOf: "2026-01-31",
  catalogue: "catalogue.json",
};

function errorOf(run: () => unknown): Pick<EolgateError, "kind" | "message" | "where" | "hint"> {
  try {
    run();
  } catch (error) {
    if (error instanceof EolgateError)
      return { kind: error.kind, message: error.message, where: error.where, hint: error.hint };
    throw error;
  }
  throw new Error("no error was thrown");
}

describe("configuration file", () => {
  test("is split completely into policy and settings", () => {
    const { policy, settings } = readConfig(WHOLE, "eolgate.config.json");
    const { $schema: _, denyLicense, failOn: __, format, report, verbose, asOf, catalogue, ...same } = WHOLE;
    expect(policy).toEqual({
      ...same,
      denyLicense: denyLicense,
      failOn: [
        ...[
          "eol",
          "approaching",
          "kev",
          "kev-product",
          "retired",
          "superseded",
          "minimum",
          "unknown",
          "untracked",
          "declared-mismatch",
        ].map((kind) => ({ kind })),
        { kind: "score", atLeast: 70 },
      ],
    });
    expect(settings).toEqual({ format, report, verbose, asOf, catalogue });
  });

  test.each([[undefined], [null], [{}]])("%j gives the default policy", (value) => {
    expect(parsePolicy(value)).toEqual(DEFAULT_POLICY);
    expect(layerPolicies(readConfig(value, "x").policy)).toEqual(DEFAULT_POLICY);
  });

  test.each<[string, unknown, string, message: RegExp | string, hint?: string]>([
    ["a list", [], "c.yaml", "expected an object, found []"],
    ["an unknown field", { failon: [] }, "c.yaml: failon", "no such field", "Did you mean failOn?"],
    ["a field in another case", { warn_days: 1 }, "c.yaml: warn_days", "no such field", "Did you mean warnDays?"],
    ["an unknown field without a similar one", { colour: "red" }, "c.yaml: colour", "no such field"],
    ["__proto__", JSON.parse('{"__proto__": {}}'), "c.yaml: __proto__", "no such field"],
    ["constructor", { constructor: 1 }, "c.yaml: constructor", "no such field"],
    ["a string instead of a list", { failOn: "eol" }, "c.yaml: failOn", 'expected a list, found "eol"'],
    [
      "an unknown condition",
      { failOn: ["eol", "aproaching"] },
      "c.yaml: failOn[1]",
      'no such condition: "aproaching"',
      "Did you mean approaching?",
    ],
    [
      "an unknown condition without a similar one",
      { failOn: ["cvss"] },
      "c.yaml: failOn[0]",
      'no such condition: "cvss"',
    ],
    [
      "a score without a limit",
      { failOn: ["score"] },
      "c.yaml: failOn[0]",
      '"score" needs a limit',
      "Write it as 'score>=70', in quotes: a shell takes > for a redirection.",
    ],
    [
      "a score beyond 100",
      { failOn: ["score>=101"] },
      "c.yaml: failOn[0]",
      "the highest score is 100, so a score of 101 is never reached",
    ],
    [
      "a number instead of a condition",
      { failOn: [1] },
      "c.yaml: failOn[0]",
      /^expected one of eol, .*score>=N.*, found 1$/,
    ],
    [
      "a string instead of a number of days",
      { warnDays: "90" },
      "c.yaml: warnDays",
      'expected a whole number from 0 to 3650, found "90"',
    ],
    [
      "a negative number of days",
      { warnDays: -1 },
      "c.yaml: warnDays",
      "expected a whole number from 0 to 3650, found -1",
    ],
    ["a fraction of a day", { warnDays: 1.5 }, "c.yaml: warnDays", "expected a whole number from 0 to 3650, found 1.5"],
    ["not a number", { minCoverage: Number.NaN }, "c.yaml: minCoverage", "expected a number from 0 to 100, found null"],
    ["coverage beyond 100", { minCoverage: 101 }, "c.yaml: minCoverage", "expected a number from 0 to 100, found 101"],
    ["yes instead of true", { strict: "yes" }, "c.yaml: strict", 'expected true or false, found "yes"'],
    [
      "an unknown value of a field with three values",
      { support: "fre" },
      "c.yaml: support",
      'expected one of standard, free, extended, found "fre"',
      "Did you mean free?",
    ],
    [
      "a waiver without a reason",
      { waivers: [{ target: "nodejs", expires: "2026-01-01" }] },
      "c.yaml: waivers[0]",
      "the field reason is missing",
    ],
    [
      "a waiver with a blank reason",
      { waivers: [{ ...WAIVER, reason: " " }] },
      "c.yaml: waivers[0].reason",
      'expected a string that is not blank, found " "',
    ],
    [
      "a waiver without an expiry",
      { waivers: [WAIVER, { target: "nodejs", reason: "r" }] },
      "c.yaml: waivers[1]",
      "the field expires is missing",
    ],
    [
      "a date that does not exist",
      { waivers: [{ ...WAIVER, expires: "2026-02-30" }] },
      "c.yaml: waivers[0].expires",
      'expected an existing date, as YYYY-MM-DD, found "2026-02-30"',
    ],
    [
      "a waiver for an invalid purl",
      { waivers: [{ ...WAIVER, target: "pkg:npm" }] },
      "c.yaml: waivers[0].target",
      /^expected a purl, a slug, or slug:cycle/,
    ],
    [
      "a waiver for a product with an empty cycle",
      { waivers: [{ ...WAIVER, target: "nodejs:" }] },
      "c.yaml: waivers[0].target",
      /^expected a purl, a slug, or slug:cycle/,
    ],
    [
      "a waiver for a name",
      { waivers: [{ ...WAIVER, target: "Node JS" }] },
      "c.yaml: waivers[0].target",
      /^expected a purl, a slug, or slug:cycle/,
    ],
    [
      "a waiver with approved_by",
      { waivers: [{ ...WAIVER, approved_by: "Ada" }] },
      "c.yaml: waivers[0].approved_by",
      "no such field",
      "Did you mean approvedBy?",
    ],
    [
      "a contract without an end",
      { contracts: [{ product: "debian", vendor: "x" }] },
      "c.yaml: contracts[0]",
      "the field until is missing",
    ],
    [
      "a contract for a name",
      { contracts: [{ ...CONTRACT, product: "Debian GNU" }] },
      "c.yaml: contracts[0].product",
      'expected a product\'s slug, found "Debian GNU"',
    ],
    [
      "an as-of value that is not a date",
      { asOf: "today" },
      "c.yaml: asOf",
      'expected an existing date, as YYYY-MM-DD, found "today"',
    ],
    ["a long value, which is truncated", { support: "x".repeat(500) }, "c.yaml: support", /found "x{78}…$/],
  ])("refuses %s, with the path of the field", (_, value, where, message, hint) => {
    const error = errorOf(() => readConfig(value, "c.yaml"));
    expect(error).toMatchObject({
      kind: "config",
      where,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    if (hint !== undefined) expect(error.hint).toBe(hint);
  });

  test("a separate policy does not accept settings", () => {
    expect(errorOf(() => parsePolicy({ format: "json" }))).toMatchObject({
      where: "policy: format",
      message: "no such field",
    });
  });
});

const nameOf = (key: string): string => `--${key}`;

describe("values of flags and environment variables", () => {
  test.each<[Record<string, PolicyText>, object]>([
    [{ failOn: ["eol", "score>=70"] }, { failOn: [{ kind: "eol" }, { kind: "score", atLeast: 70 }] }],
    [{ failOn: "eol, score >= 0" }, { failOn: [{ kind: "eol" }, { kind: "score", atLeast: 0 }] }],
    [{ failOn: ["eol,kev", "retired"] }, { failOn: [{ kind: "eol" }, { kind: "kev" }, { kind: "retired" }] }],
    [{ warnDays: "30" }, { warnDays: 30 }],
    [{ minCoverage: "12.5" }, { minCoverage: 12.5 }],
    [
      { strict: true, exitZero: "1", allowEmpty: "no", allowUnassessed: "TRUE" },
      { strict: true, exitZero: true, allowEmpty: false, allowUnassessed: true },
    ],
    [
      { support: "standard", scope: "runtime", distroPackages: "upstream" },
      { support: "standard", scope: "runtime", distroPackages: "upstream" },
    ],
    [{ denyLicense: ["MIT OR X11", "GPL-2.0-only"] }, { denyLicense: ["MIT OR X11", "GPL-2.0-only"] }],
    [{ maxCatalogueAge: "7" }, { maxCatalogueAge: 7 }],
    [{ format: "json", output: "x" }, {}],
    [{}, {}],
  ])("%j", (texts, layer) => {
    expect(readPolicyTexts(texts, nameOf)).toEqual(layer);
  });

  test.each<[Record<string, PolicyText>, string, RegExp]>([
    [{ warnDays: "ninety" }, "--warnDays", /^expected a whole number from 0 to 3650, found "ninety"$/],
    [{ warnDays: "" }, "--warnDays", /found ""$/],
    [{ warnDays: "1e3" }, "--warnDays", /found "1e3"$/],
    [{ warnDays: "0x10" }, "--warnDays", /found "0x10"$/],
    [{ failOn: "eol,,kev" }, "--failOn", /^no such condition: ""$/],
    [{ strict: "perhaps" }, "--strict", /^expected true or false, found "perhaps"$/],
    [{ failOn: true }, "--failOn", /^expected a list, found true$/],
  ])("refuses %j", (texts, where, message) => {
    expect(errorOf(() => readPolicyTexts(texts, nameOf))).toMatchObject({
      where,
      message: expect.stringMatching(message),
    });
  });

  test.each([["eol"], [" eol "], ["score>=70"], ["score >= 70"], ["score>=0"], ["score>=100"]])(
    "accepts %j as a condition",
    (written) => {
      expect(parseFailOn(written).kind).toBe(written.trim().startsWith("score") ? "score" : "eol");
    },
  );
});

describe("policy layers", () => {
  test("the later value of a field wins", () => {
    expect(layerPolicies({ warnDays: 1, strict: true }, { warnDays: 2 })).toEqual({
      ...DEFAULT_POLICY,
      warnDays: 2,
      strict: true,
    });
  });

  test("contracts enable extended support unless the policy sets support explicitly", () => {
    expect(parsePolicy({ contracts: [CONTRACT] }).support).toBe("extended");
    expect(parsePolicy({ contracts: [] }).support).toBe("free");
    expect(parsePolicy({ contracts: [CONTRACT], support: "standard" }).support).toBe("standard");
    expect(layerPolicies(readConfig({ contracts: [CONTRACT] }, "c").policy, { support: "free" }).support).toBe("free");
  });
});

describe("published JSON Schema", () => {
  const file = new URL("../../schemas/config.schema.json", import.meta.url);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  formats.default(ajv);
  const valid = ajv.compile(configSchema());

  test("equals the schema in the code (update it with `npm run generate`)", () => {
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(configSchema());
  });

  test("accepts what the reader accepts", () => {
    expect(valid(WHOLE), ajv.errorsText(valid.errors)).toBe(true);
    expect(valid({})).toBe(true);
  });

  test.each([
    { failon: [] },
    { failOn: ["aproaching"] },
    { failOn: ["score>=101"] },
    { failOn: ["score"] },
    { warnDays: "90" },
    { warnDays: 1.5 },
    { support: "fre" },
    { waivers: [{ target: "nodejs" }] },
    { waivers: [{ ...WAIVER, expires: "2026-02-30" }] },
    { waivers: [{ ...WAIVER, target: "Node JS" }] },
    { waivers: [{ ...WAIVER, target: "nodejs:" }] },
    { contracts: [{ ...CONTRACT, product: "Debian GNU" }] },
  ])("refuses %j, as the reader does", (value) => {
    expect(valid(value)).toBe(false);
    expect(() => readConfig(value, "c")).toThrow(EolgateError);
  });
});

describe("a condition on a support level", () => {
  // The list in the package states how far a version is behind, and nothing about its maintainers.
  test.each([
    ["inactive", "off", "bundled or deps.dev or registry or cache or all"],
    ["outdated", "off", "bundled"],
    ["outdated", "deps.dev", "bundled"],
    ["outdated", "cache", "bundled"],
    ["outdated", "all", "bundled"],
  ] as const)("%s is refused with signals %s", (kind, signals, sources) => {
    const failOn = [kind === "outdated" ? { kind, atLeast: 2 } : { kind }];
    expect(() => layerPolicies({ failOn, signals })).toThrow(
      expect.objectContaining({ kind: "config", hint: `Add --signals ${sources}, or set EOLGATE_SIGNALS.` }),
    );
  });

  // Lockfiles state it without any source.
  test.each([
    ["unmaintained", "off"],
    ["unmaintained", "cache"],
    ["inactive", "bundled"],
    ["inactive", "registry"],
    ["outdated", "bundled"],
  ] as const)("%s is accepted with signals %s", (kind, signals) => {
    const failOn = [kind === "outdated" ? { kind, atLeast: 2 } : { kind }];
    expect(layerPolicies({ failOn, signals }).failOn).toEqual(failOn);
  });
});
