/** A document that is read in pieces equals the same document in memory. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { dependencyPaths } from "../../src/sbom/graph/paths.ts";
import { toPlainDocument } from "../../src/sbom/plain.ts";
import { parseSbom } from "../../src/sbom/read.ts";
import { pieces } from "../json-rows/pieces.ts";
import { describeWithShared } from "../shared.ts";
import { meaning } from "./meaning.ts";

function outcome(input: Parameters<typeof parseSbom>[0]): unknown {
  try {
    const parsed = parseSbom(input);
    const document = toPlainDocument(parsed);
    const paths = dependencyPaths(parsed);
    return [
      meaning(document),
      document.components.map(({ span }) => [span, document.position(span.start), document.position(span.end)]),
      document.components.slice(0, 50).map(({ bomRef = "" }) => paths.from(bomRef)),
    ];
  } catch (error) {
    if (!(error instanceof EolgateError)) throw error;
    return [error.code, error.message, error.where];
  }
}

test.each(["web-shop.cdx.json", "web-shop.cdx.xml", "clean.spdx", "ai.cdx.json"])(
  "reads examples/%s in chunks of any size with the same result",
  (name) => {
    const bytes = readFileSync(`examples/${name}`);
    for (const size of [1, 7, 1000]) expect(outcome(pieces(bytes, size))).toEqual(outcome(bytes));
  },
);

describeWithShared("real documents in chunks", "sboms/MANIFEST.json", (manifest) => {
  const { files } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly files: readonly { readonly path: string }[];
  };
  test.each(files.map(({ path }) => path))("%s", (path) => {
    const bytes = readFileSync(new URL(`documents/${path}`, manifest));
    expect(outcome(pieces(bytes, 30_011))).toEqual(outcome(bytes));
  });
});
