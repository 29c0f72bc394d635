import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { createLicenseCheck, readLicense } from "../../src/policy/license.ts";
import { AS_OF, CYCLES, policy, resolved, root, unmatched } from "./builders.ts";

const CLASSPATH = "GPL-2.0-only WITH Classpath-exception-2.0";

describe("denied licences", () => {
  test.each([
    // licences of the component, denied licences, result
    [["MIT"], ["MIT"], "denied"],
    [["MIT"], ["Apache-2.0"], "allowed"],
    [["MIT OR AGPL-3.0-only"], ["AGPL-3.0-only"], "allowed"],
    [["MIT AND AGPL-3.0-only"], ["AGPL-3.0-only"], "denied"],
    [["(MIT OR AGPL-3.0-only) AND BSD-3-Clause"], ["AGPL-3.0-only"], "allowed"],
    [["(GPL-2.0-only OR AGPL-3.0-only) AND BSD-3-Clause"], ["AGPL-3.0-only", "GPL-2.0-only"], "denied"],
    [["(GPL-2.0-only OR AGPL-3.0-only) AND BSD-3-Clause"], ["AGPL-3.0-only OR GPL-2.0-only"], "denied"],
    [["(GPL-2.0-only OR AGPL-3.0-only) AND BSD-3-Clause"], ["AGPL-3.0-only"], "allowed"],
    [["MIT", "AGPL-3.0-only"], ["AGPL-3.0-only"], "denied"],
    [["MIT or AGPL-3.0-only"], ["AGPL-3.0-only"], "allowed"],
    // An expression with "or later" permits later versions.
    [["GPL-2.0-or-later"], ["GPL-2.0-only"], "allowed"],
    [["GPL-2.0-or-later"], ["GPL-2.0-or-later"], "denied"],
    [["GPL-2.0-only"], ["GPL-2.0-or-later"], "denied"],
    [["GPL-3.0-only"], ["GPL-2.0-or-later"], "denied"],
    [["GPL-3.0-or-later"], ["GPL-2.0-or-later"], "denied"],
    [["GPL-2.0-or-later"], ["GPL-3.0-or-later"], "allowed"],
    [["LGPL-3.0-only"], ["GPL-2.0-or-later"], "allowed"],
    [["AGPL-3.0-only"], ["GPL-3.0-or-later"], "allowed"],
    [["MPL-2.0"], ["MPL-1.1+"], "denied"],
    [["Apache-2.0"], ["Apache-1.1"], "allowed"],
    // Deprecated spellings.
    [["GPL-3.0"], ["GPL-3.0-only"], "denied"],
    [["GPL-3.0+"], ["GPL-3.0-or-later"], "denied"],
    [["GPL-3.0-only"], ["GPL-3.0"], "denied"],
    [["GPL-2.0-with-classpath-exception"], ["GPL-2.0-only"], "denied"],
    // Exceptions.
    [[CLASSPATH], ["GPL-2.0-only"], "denied"],
    [[CLASSPATH], [CLASSPATH], "denied"],
    [["GPL-2.0-only"], [CLASSPATH], "allowed"],
    // Names that are not versions.
    [["BSD-3-Clause"], ["BSD-2-Clause"], "allowed"],
    [["BSD-3-Clause"], ["BSD-3-Clause"], "denied"],
    [["LicenseRef-acme"], ["LicenseRef-acme"], "denied"],
    [["LicenseRef-acme"], ["LicenseRef-other"], "allowed"],
    [["CC-BY-SA-4.0"], ["CC-BY-4.0"], "allowed"],
    // Texts.
    [["mit"], ["MIT"], "denied"],
    [["GPL v3"], ["GPL-3.0-only"], "unreadable"],
    [["GPL v3", "AGPL-3.0-only"], ["AGPL-3.0-only"], "denied"],
    [["NOASSERTION"], ["MIT"], "allowed"],
    [["NONE"], ["MIT"], "allowed"],
    [[""], ["MIT"], "allowed"],
    [[], ["MIT"], "allowed"],
  ] as const)("%j against %j: %s", (licenses, denied, result) => {
    expect(createLicenseCheck(denied)(licenses)).toBe(result);
  });

  test.each([
    ["GPL v3", 'config: "GPL v3" is not an SPDX licence expression'],
    ["", 'config: "" is not an SPDX licence expression'],
    ["MIT AND Apache-2.0", 'config: "MIT AND Apache-2.0" joins licences with AND, which is not supported here'],
    [
      "MIT OR (GPL-2.0-only AND Apache-2.0)",
      'config: "MIT OR (GPL-2.0-only AND Apache-2.0)" joins licences with AND, which is not supported here',
    ],
  ])("refuses a policy that denies %j", (denied, message) => {
    expect(() => createLicenseCheck([denied])).toThrow(
      expect.objectContaining({ message: message.replace("config: ", ""), kind: "config", exit: 2 }),
    );
  });
});

describe("licence expressions", () => {
  test("lists each licence of an expression once", () => {
    expect(readLicense("(MIT OR GPL-2.0+) AND MIT")).toMatchObject({ kind: "expression", ids: ["MIT", "GPL-2.0+"] });
    expect(readLicense(CLASSPATH)).toMatchObject({ ids: [CLASSPATH] });
  });

  test.each([
    "Apache License 2.0",
    "",
    "MIT/X11",
    "(MIT",
    "MIT AND ".repeat(100_000),
    "(".repeat(100_000),
    "\u001b[31mMIT",
    "__proto__",
  ])("shows %.30j as written", (text) => {
    expect(readLicense(text)).toEqual({ kind: "text", text });
  });

  test("never throws for any text", () => {
    const pieces = fc.constantFrom(
      "MIT",
      "GPL-2.0-only",
      "OR",
      "AND",
      "WITH",
      "(",
      ")",
      "+",
      "Classpath-exception-2.0",
      "LicenseRef-x",
      ":",
      "é",
      " ",
    );
    const gate = createLicenseCheck(["GPL-2.0-or-later"]);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((words) => words.join(" ")),
        ),
        (text) => {
          expect(readLicense(text).text).toBe(text);
          expect(["allowed", "denied", "unreadable"]).toContain(gate([text]));
        },
      ),
    );
  });

  test("denying more licences never allows more components", () => {
    const ids = fc.constantFrom(
      "MIT",
      "GPL-2.0-only",
      "GPL-2.0-or-later",
      "GPL-3.0-only",
      "Apache-2.0",
      "LicenseRef-x",
    );
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: "small" },
        ids,
        fc
          .tuple(tie("expression"), fc.constantFrom("AND", "OR"), tie("expression"))
          .map(([a, word, b]) => `(${a} ${word} ${b})`),
      ),
    }));
    fc.assert(
      fc.property(expression, ids, ids, (text, one, other) => {
        if (createLicenseCheck([one])([text]) === "denied")
          expect(createLicenseCheck([one, other])([text])).toBe("denied");
        expect(createLicenseCheck(["MIT", "GPL-2.0-or-later", "Apache-2.0", "LicenseRef-x"])([text])).toBe("denied");
      }),
    );
  });
});

describe("licence rule of the policy", () => {
  const denyLicense = ["AGPL-3.0-only"];
  const ruled = (candidate: Parameters<typeof evaluatePolicy>[0][number]) =>
    evaluatePolicy([candidate], policy({ denyLicense }), AS_OF).findings[0]?.outcome;

  test("fails on a denied licence even without a cycle, warns about an unreadable one and skips the root", () => {
    expect(ruled(resolved(CYCLES.supported, { licenses: ["AGPL-3.0-only"] }))).toMatchObject({
      severity: "fail",
      condition: "license",
      assessment: CYCLES.supported,
    });
    expect(ruled(unmatched("purl-not-tracked", { licenses: ["AGPL-3.0-only"] }))).toMatchObject({
      severity: "fail",
      condition: "license",
    });
    expect(ruled(resolved(CYCLES.supported, { licenses: ["Affero, sort of"] }))).toMatchObject({
      severity: "warn",
      condition: "license",
    });
    const own = root();
    expect(ruled({ ...own, component: { ...own.component, licenses: ["AGPL-3.0-only"] } })).toMatchObject({
      severity: "pass",
    });
  });

  test("checks nothing without denied licences", () => {
    expect(
      evaluatePolicy([resolved(CYCLES.supported, { licenses: ["Affero, sort of"] })], policy(), AS_OF).verdict.value,
    ).toBe("pass");
  });

  test("an invalid expression stops the run even without components", () => {
    expect(() => evaluatePolicy([], policy({ denyLicense: ["GPL v3"] }), AS_OF)).toThrow(
      /not an SPDX licence expression/,
    );
  });
});
