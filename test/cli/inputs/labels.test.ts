/** Labels of documents: values, and folders of the path. */
import { describe, expect, test } from "vitest";
import { labelsOf } from "../../../src/cli/inputs/labels.ts";
import { EolgateError } from "../../../src/messages/error.ts";

const label = (file: string, ...written: readonly string[]) => labelsOf({ values: { label: written } })?.(file);

describe("a label", () => {
  test.each([
    ["payments/api/bom.json", "team=payments", { team: "payments" }],
    ["payments/api/bom.json", "team={1}", { team: "payments" }],
    ["payments/api/bom.json", "service={-1}", { service: "api" }],
    ["payments/api/bom.json", "service={2}/{file}", { service: "api/bom.json" }],
    ["/sboms/payments/bom.json", "team={2}", { team: "payments" }],
    ["../sboms/./payments/bom.json", "team={2}", { team: "payments" }],
    ["sboms\\payments\\bom.json", "team={-1}", { team: "payments" }],
    ["payments/bom.json", "query=a=b", { query: "a=b" }],
    ["$1/bom.json", "team={1}", { team: "$1" }],
    ["__proto__/bom.json", "team={1}", { team: "__proto__" }],
    // A file's name is no folder, and a label without its folder is not guessed.
    ["bom.json", "team={1}", {}],
    ["bom.json", "team={-1}", {}],
    ["payments/bom.json", "team={2}", {}],
    ["<stdin>", "team={1}", {}],
  ])("of %s by %s", (file, written, labels) => {
    expect(label(file, written)).toEqual(labels);
  });

  test("may be given several times under different names", () => {
    expect(label("payments/bom.json", "team={1}", "stage=test")).toEqual({ team: "payments", stage: "test" });
    expect(labelsOf({ values: { label: "team={1},stage=test" } })?.("a/b.json")).toEqual({ team: "a", stage: "test" });
    expect(labelsOf({ values: {} })).toBeUndefined();
  });

  test("is an own property whatever its name is", () => {
    expect(JSON.stringify(label("a/b.json", "__proto__={1}"))).toBe('{"__proto__":"a"}');
  });

  test.each([
    ["team"],
    ["=payments"],
    ["team="],
    ["1team=a"],
    ["te am=a"],
    ["team={0}"],
    ["team={}"],
    ["team={folder}"],
    ["team={100}"],
  ])("%s is refused", (written) => {
    expect(() => label("a/b.json", written)).toThrow(EolgateError);
  });

  test("is refused when its name is given twice", () => {
    expect(() => label("a/b.json", "team=a", "team=b")).toThrow(/the label team is given twice/);
  });
});
