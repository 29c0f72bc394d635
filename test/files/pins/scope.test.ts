/** The scope of pins, by the kind of file. */
import { expect, test } from "vitest";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { pinsOf, type PinKindName } from "../../../src/files/pins/kinds.ts";

const { tools } = loadCatalogue().facts;

test.each<[PinKindName, string, string | undefined]>([
  ["workflow", "jobs:\n  a:\n    container: node:16\n", "development"],
  ["gitlab-ci", "image: node:16\n", "development"],
  ["devcontainer", `{"image":"node:16"}`, "development"],
  ["Dockerfile", "FROM node:16\n", undefined],
  ["compose", "services:\n  a:\n    image: node:16\n", undefined],
  ["nvmrc", "16\n", undefined],
])("pins of %s %j have the scope %s", async (kind, text, scope) => {
  const pins = await pinsOf(kind, text, { names: tools, related: () => undefined });
  expect(pins.length).toBeGreaterThan(0);
  expect(new Set(pins.map((pin) => pin.scope))).toEqual(new Set([scope]));
});

test("refuses a broken file of CI", async () => {
  await expect(pinsOf("gitlab-ci", "image: [", { names: tools, related: () => undefined })).rejects.toThrow();
});
