/**
 * A document that is cut off at any byte is refused, or all its components were before the cut, or every report states what
 * it lacks. A tag-value document that describes nothing is whole behind every package, so one that is cut off before its
 * DESCRIBES looks like it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { readSbom } from "../../src/sbom/read.ts";
import { FORMAT_NAMES, FORMATS, wrappingsOf } from "./documents/formats.ts";
import { PLAIN_JSON } from "./documents/json.ts";
import { randomModel } from "./documents/model.ts";
import { Random } from "./documents/random.ts";
import { cutsOf } from "./cuts.ts";

const folder = new URL("../../examples/", import.meta.url);
const EXAMPLES = readdirSync(folder).filter((name) => /\.cdx\.(?:json|xml)$|\.spdx$/.test(name));

interface Cut {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether the format has an end mark. SPDX tag-value has none: a cut between two lines can take a package URL. */
  readonly hasEnd: boolean;
}

/** A document whose absent elements every report states is `refused`, too. */
function componentsOf({ bytes, hasEnd }: Omit<Cut, "name">): string {
  try {
    const { components, absentElements = [] } = readSbom(bytes);
    if (absentElements.length > 0) return "refused";
    return components.map(({ name, version, purls }) => [name, version, ...(hasEnd ? purls : [])].join(" ")).join("\n");
  } catch (error) {
    if (error instanceof EolgateError && error.exit === 3) return "refused";
    throw error;
  }
}

/** In UTF-8 and UTF-16. */
const isDescribed = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes).toString("latin1").replaceAll("\0", "").includes(" DESCRIBES ");

function cutEverywhere({ name, bytes, hasEnd }: Cut): void {
  const whole = componentsOf({ bytes, hasEnd });
  expect([name, whole.split("\n").length > 1]).toEqual([name, true]);
  for (const end of cutsOf(bytes)) {
    const found = componentsOf({ bytes: bytes.subarray(0, end), hasEnd });
    const isWhole = !hasEnd && whole.startsWith(found) && !isDescribed(bytes.subarray(0, end));
    if (found !== "refused" && found !== whole && !isWhole) expect([name, end, found]).toEqual([name, end, whole]);
  }
}

describe("example", () => {
  test.each(EXAMPLES)("%s", { timeout: 120_000 }, (name) =>
    cutEverywhere({ name, bytes: readFileSync(new URL(name, folder)), hasEnd: !name.endsWith(".spdx") }),
  );
});

/** Makes a document with several components that depend on each other. */
const SEED = 3;

describe.each(FORMAT_NAMES)("generated document in the format %s", (format) => {
  test("in every wrapping", { timeout: 120_000 }, () => {
    for (const [index, wrapping] of wrappingsOf(format).entries()) {
      const random = new Random(SEED);
      const text = FORMATS[format](randomModel(random), random, PLAIN_JSON);
      cutEverywhere({ name: `wrapping ${String(index)}`, bytes: wrapping(text), hasEnd: format !== "tagValue" });
    }
  });
});
