/** Components that are created one by one equal those of the plain document. */
import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { parseSbom, readSbom } from "../../src/sbom/read.ts";

const named = (name: string): string => `{"type":"library","name":"${name}","bom-ref":"${name}"}`;

/** In the second document, the described software follows the components. */
const LIST = `"components":[${named("a")},${named("b")}]`;
const ROOT = `"metadata":{"component":${named("root")}}`;
const HEAD = '"bomFormat":"CycloneDX","specVersion":"1.6"';
const DOCUMENTS = [`{${HEAD},${ROOT},${LIST}}`, `{${HEAD},${LIST},${ROOT}}`, `{${HEAD},${LIST}}`];

test.each(DOCUMENTS)("has the same components in the same order: %s", (text) => {
  const document = parseSbom(Buffer.from(text));
  const list = document.components;
  const names = Array.from({ length: list.length }, (_, index) => list.at(index)?.name);
  expect(names).toEqual(text.includes("metadata") ? ["root", "a", "b"] : ["a", "b"]);
  expect(Array.from(list, ({ name }) => name)).toEqual(names);
  expect(document.roots).toEqual(text.includes("metadata") ? ["root"] : []);
  expect(readSbom(Buffer.from(text)).components).toEqual(Array.from(list, (each) => each.toPlain()));
  expect(list.at(list.length)).toBeUndefined();
});
