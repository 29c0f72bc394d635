import { describe, expect, test } from "vitest";
import { cycleKey, parseCycleKey } from "../../src/text/ids.ts";

describe("keys of release cycles", () => {
  test.each([
    ["nodejs:16", { product: "nodejs", cycle: "16" }],
    ["rhel:9.2", { product: "rhel", cycle: "9.2" }],
    ["models:claude:3", { product: "models", cycle: "claude:3" }],
  ])("%s is written and read", (key, releaseCycle) => {
    expect(cycleKey(releaseCycle)).toBe(key);
    expect(parseCycleKey(key)).toEqual(releaseCycle);
  });

  test.each([
    ["nodejs", { product: "nodejs" }],
    ["nodejs:", { product: "nodejs", cycle: "" }],
    ["", { product: "" }],
  ])("%j is read as %j", (key, parts) => {
    expect(parseCycleKey(key)).toEqual(parts);
  });
});
