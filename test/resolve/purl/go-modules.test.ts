import { expect, test } from "vitest";
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import type { Resolution, SbomDocument } from "../../../src/model/index.ts";
import { createResolver } from "../../../src/resolve/resolve.ts";
import { componentOf } from "../../resolution/labelled.ts";
import { product, tinyCatalogue } from "../tiny-catalogue.ts";

const AS_OF = asIsoDate("2026-11-22");

const tiny = tinyCatalogue({
  products: [product("engine", ["20.10", "1"]), product("parts", ["3"])],
  purls: {
    "pkg:golang/example.com/acme/engine": { product: asProductSlug("engine") },
    "pkg:golang/example.com/acme/engine/parts": { product: asProductSlug("parts") },
  },
});

const catalogue = {
  ...tiny,
  facts: {
    ...tiny.facts,
    packageEvidence: { nestedGoModules: { "golang/example.com/acme/engine": ["sdk"] }, makers: {}, rebuilds: [] },
  },
};

function resolveAll(purls: readonly string[]): readonly string[] {
  const components = purls.map((subject) => componentOf({ kind: "purl", subject, context: [] }));
  const document: SbomDocument = {
    format: "SPDX",
    specVersion: "2.3",
    wrappers: [],
    signed: false,
    components,
    roots: [],
    dependencies: new Map(),
    position: () => ({ line: 1, column: 1 }),
  };
  return components.map((component) =>
    describeCycle(createResolver(catalogue, document, { strict: false, asOf: AS_OF })(component)),
  );
}

const describeCycle = (resolution: Resolution): string =>
  resolution.kind === "resolved"
    ? `${resolution.releaseCycle.product}:${resolution.releaseCycle.cycle}`
    : resolution.kind === "unmatched"
      ? resolution.reason
      : resolution.kind;

test.each([
  [
    ["engine/client@v20.10.7", "engine/api/types@v20.10.7"],
    ["purl-not-tracked", "purl-not-tracked"],
    "two packages of one version, which may be of one nested module",
  ],
  [
    ["engine/api/auth@v1.9.0", "engine/api/auth/token@v1.9.0"],
    ["purl-not-tracked", "purl-not-tracked"],
    "two packages of a nested module",
  ],
  [
    ["engine@v1.9.0", "engine/sdk@v1.9.0"],
    ["engine:1", "purl-not-tracked"],
    "a recorded nested module of equal version",
  ],
  [
    ["engine@v1.9.0", "engine/sdk/log@v1.9.0"],
    ["engine:1", "purl-not-tracked"],
    "a package of a recorded nested module",
  ],
  [["engine@v1.9.0", "engine/sdkman@v1.9.0"], ["engine:1", "engine:1"], "a path that only starts like a nested module"],
  [["engine/sdk/log@v1.9.0?type=package"], ["purl-not-tracked"], "a purl of type package in a nested module"],
  [["engine@v1.9.0#sdk"], ["purl-not-tracked"], "a nested module as subpath"],
  [["engine@v3.1.0#parts"], ["parts:3"], "a mapped nested module as subpath"],
  [["engine@1.9.0", "engine/client@v1.9.0"], ["engine:1", "engine:1"], "a version without its letter"],
  [["engine@v20.10.7", "engine/client@v20.10.7"], ["engine:20.10", "engine:20.10"], "a package and its module"],
  [["engine/client@v20.10.7?type=package"], ["engine:20.10"], "a purl of type package"],
  [["engine/api@v1.4.0"], ["purl-not-tracked"], "a single path, which may be a nested module"],
  [
    ["engine@v20.10.7", "engine/api@v1.4.0"],
    ["engine:20.10", "purl-not-tracked"],
    "a path with another version than its module",
  ],
  [["engine/parts/wheel@v3.1.0", "engine/parts@v3.1.0"], ["parts:3", "parts:3"], "the longest mapped module"],
  [["enginery/client@v20.10.7", "enginery/api@v20.10.7"], ["purl-not-tracked", "purl-not-tracked"], "another module"],
])("resolves %j to %j: %s", (paths, expected) => {
  expect(resolveAll(paths.map((path) => `pkg:golang/example.com/acme/${path}`))).toEqual(expected);
});
