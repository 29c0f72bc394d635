import { expect, test } from "vitest";
import { asIsoDate, asProductSlug, asPurl } from "../../src/text/ids.ts";
import type { Component, PackageEnd, SbomDocument } from "../../src/model/index.ts";
import { createResolver } from "../../src/resolve/resolve.ts";
import { componentOf } from "../resolution/labelled.ts";
import { cycle, product, tinyCatalogue } from "./tiny-catalogue.ts";

const AS_OF = asIsoDate("2026-11-22");

const slug = asProductSlug;
const dropped: PackageEnd = {
  kind: "ended",
  from: asIsoDate("2025-01-01"),
  url: "https://example.test/",
  readOn: asIsoDate("2026-01-01"),
};
const catalogue = tinyCatalogue({
  products: [
    product("engine", ["2", "1"], { aliases: ["motor"] }),
    product("server", ["15", "14"]),
    product("linux-a", [cycle("12", { codename: "Book" }), "11"], { category: "os" }),
    product("hosted", ["m-1"], { models: true }),
    product("vertex", [cycle("m-2", { eol: { kind: "ended" } })], { models: true }),
    product("gem", [cycle("m-2")], { models: true }),
  ],
  purls: {
    "pkg:npm/engine": { product: slug("engine") },
    "pkg:npm/engine-parts": { product: slug("engine"), productOnly: true },
    "pkg:npm/young": { product: slug("engine"), min: "2" },
    "pkg:npm/old": { product: slug("engine"), max: "1" },
    "pkg:npm/moved": { product: slug("engine"), transform: "minor-shift" },
    "pkg:npm/lost": { product: slug("nowhere") },
    "pkg:deb/a/server-15": { product: slug("server"), cycle: "15", distroMaintained: true },
    "pkg:deb/a/vendor": { product: slug("server") },
  },
  systems: { a: { product: slug("linux-a"), rule: "major" }, rolls: "rolling" },
  models: {
    "m-1": [{ product: slug("hosted"), cycle: "m-1", vendor: "Acme" }],
    "m-2": [
      { product: slug("gem"), cycle: "m-2", vendor: null },
      { product: slug("vertex"), cycle: "m-2", vendor: null },
    ],
  },
  cpes: { "acme:engine": "engine" },
  packageEnd: { "linux-a:11/old-source": dropped, "linux-a:12/server-15": dropped },
});
const resolve = createResolver(catalogue, null, { strict: false, asOf: AS_OF });
const purl = (text: string) => resolve(componentOf({ kind: "purl", subject: text, context: [] }));

const model = (subject: string) => resolve(componentOf({ kind: "model", subject, context: [] }));

test("a resolution by purl contains the identifier, the method and the requested version", () => {
  expect(purl("pkg:npm/engine@2.4.1?x=y")).toEqual({
    kind: "resolved",
    releaseCycle: { product: "engine", cycle: "2" },
    matchedBy: "purl",
    versionMatchedBy: "release-line",
    requestedVersion: "2.4.1",
    identifier: "pkg:npm/engine@2.4.1?x=y",
  });
  expect(purl("pkg:npm/engine@2")).not.toHaveProperty("versionMatchedBy");
});

test.each([
  ["young@^2.1", "range"],
  ["young@>=2.1 <3", "range"],
  ["young@>=1.9 <3", "version-is-range"],
  ["young@^1.0", "version-is-range"],
  ["young@>=2", "version-is-range"],
  ["old@^1.2", "range"],
  ["old@^2.0", "version-is-range"],
  ["old@>=1.2 <2.1", "version-is-range"],
  ["moved@~0.2", "version-is-range"],
])("a range is one of the product only within the limits of the package: %s", (text, expected) => {
  const found = purl(`pkg:npm/${encodeURIComponent(text).replace("%40", "@")}`);
  expect(found.kind === "resolved" ? found.versionMatchedBy : found.kind === "unmatched" && found.reason).toBe(
    expected,
  );
});

test("a distribution package contains the release of its distribution and its own end", () => {
  expect(purl("pkg:deb/a/server-15@15.1-2?distro=a-12")).toMatchObject({
    kind: "resolved",
    releaseCycle: { product: "server", cycle: "15" },
    maintainedBy: { product: "linux-a", cycle: "12" },
    packageEnd: dropped,
  });
  expect(purl("pkg:deb/a/vendor@15.1-2?distro=a-12")).not.toHaveProperty("maintainedBy");
});

test("a package without a product is maintained by its distribution, and its own end is found by its source package", () => {
  expect(purl("pkg:deb/a/lib@1?distro=a-11&upstream=old-source%401.0")).toEqual({
    kind: "distro-maintained",
    by: { product: "linux-a", cycle: "11" },
    packageEnd: dropped,
  });
  expect(purl("pkg:deb/a/lib@1?distro=a-12")).toEqual({
    kind: "distro-maintained",
    by: { product: "linux-a", cycle: "12" },
  });
  expect(purl("pkg:deb/a/lib@1?distro=book")).toEqual({
    kind: "distro-maintained",
    by: { product: "linux-a", cycle: "12" },
  });
  expect(purl("pkg:deb/a/lib@1")).toEqual({ kind: "unmatched", reason: "distro-unknown" });
  expect(purl("pkg:deb/rolls/lib@1")).toEqual({ kind: "unmatched", reason: "distro-unknown" });
});

test("an unresolved component contains the product and candidates that were found", () => {
  expect(purl("pkg:npm/engine@9")).toEqual({ kind: "unmatched", reason: "version-not-tracked", product: "engine" });
  expect(purl("pkg:npm/engine-parts@1")).toEqual({
    kind: "unmatched",
    reason: "version-not-tracked",
    product: "engine",
  });
  expect(purl("pkg:npm/young@1.9")).toEqual({ kind: "unmatched", reason: "version-not-tracked", product: "engine" });
  expect(purl("pkg:npm/lost@1")).toEqual({ kind: "unmatched", reason: "purl-not-tracked" });
  expect(purl("pkg:deb/a/server-15@14.2-1")).toEqual({
    kind: "unmatched",
    reason: "version-ambiguous",
    product: "server",
    candidates: ["15", "14"],
  });
});

test("a component with a purl is never resolved by its name", () => {
  const component = { ...componentOf({ kind: "purl", subject: "pkg:npm/other@1", context: [] }), name: "engine" };
  expect(resolve(component)).toEqual({ kind: "unmatched", reason: "purl-not-tracked" });
});

test("a component without a purl is resolved by name, alias or CPE", () => {
  const named = (subject: string) => resolve(componentOf({ kind: "name", subject, context: [] }));
  expect(named("Motor@1.5")).toMatchObject({
    kind: "resolved",
    matchedBy: "name",
    releaseCycle: { product: "engine", cycle: "1" },
  });
  expect(named("Motors@1.5")).toEqual({ kind: "unmatched", reason: "name-not-recognised" });
  const cpe = componentOf({ kind: "cpe", subject: "cpe:2.3:a:acme:engine:1.7:*:*:*:*:*:*:*", context: [] });
  expect(resolve(cpe)).toMatchObject({
    kind: "resolved",
    matchedBy: "cpe",
    requestedVersion: "1.7",
    identifier: cpe.cpes[0],
  });
});

test.each(["constructor", "__proto__", "valueOf", "hasOwnProperty"])("treats %s as an ordinary name", (word) => {
  const component = { ...componentOf({ kind: "name", subject: `${word}@1`, context: [] }), publisher: word };
  expect(resolve(component)).toEqual({ kind: "unmatched", reason: "name-not-recognised" });
  expect(resolve({ ...component, kind: "model" })).toEqual({ kind: "unmatched", reason: "model-not-tracked" });
  expect(resolve({ ...component, purls: [asPurl(`pkg:constructor/${word}/x@1`)] })).toMatchObject({
    reason: "purl-not-tracked",
  });
});

test.each([
  ["pkg:huggingface/acme/m-1", "hosted"],
  ["pkg:huggingface/m-1@main", "hosted"],
  ["pkg:mlflow/m-1@3", undefined],
  ["pkg:huggingface/acme/m-1-gguf", undefined],
  ["pkg:huggingface/acme/m-1-8b@main", undefined],
])("the model of the hub %s is %s", (purl, product) => {
  for (const kind of ["name", "model"] as const) {
    const component = { ...componentOf({ kind, subject: "any@", context: [] }), purls: [asPurl(purl)] };
    expect(resolve(component)).toMatchObject(
      product === undefined ? { reason: "model-not-tracked" } : { matchedBy: "model", releaseCycle: { product } },
    );
  }
});

test("a model with different ends on two platforms is ambiguous", () => {
  expect(model("m-1@")).toMatchObject({
    kind: "resolved",
    matchedBy: "model",
    releaseCycle: { product: "hosted", cycle: "m-1" },
  });
  expect(model("m-2@")).toEqual({
    kind: "unmatched",
    reason: "version-ambiguous",
    candidates: ["gem:m-2", "vertex:m-2"],
  });
  expect(model("m-3@")).toEqual({ kind: "unmatched", reason: "model-not-tracked" });
});

test("strict mode resolves by purl only", () => {
  const strict = createResolver(catalogue, null, { strict: true, asOf: AS_OF });
  for (const kind of ["name", "os", "model"])
    expect(strict(componentOf({ kind, subject: "engine@1", context: [] }))).toEqual({
      kind: "unmatched",
      reason: "name-matching-off",
    });
  expect(strict(componentOf({ kind: "purl", subject: "pkg:npm/engine@1", context: [] })).kind).toBe("resolved");
});

test("a tracer receives each step in order and does not change the result", () => {
  const steps: string[] = [];
  const component = componentOf({ kind: "purl", subject: "pkg:deb/a/server-15@1:15.1-2?distro=a-12", context: [] });
  expect(resolve(component, (step, detail) => void steps.push(`${step}: ${detail}`))).toEqual(resolve(component));
  expect(steps).toEqual([
    "purl-key: deb/a/server-15",
    "map-entry: server, basis same",
    "operating-system: a-12: not known",
    "operating-system: a: linux-a",
    "os-version: 12 → 12 (major)",
    "cycle: linux-a 12, by its own name",
    "distro: a-12: linux-a 12",
    "distro: distro=a-12: linux-a 12",
    "package-period: that of the release",
    "packaging: deb: 1:15.1-2 → 15.1",
    "cycle: server 15, by release-line",
  ]);
});

test("a software identification tag names the operating system of a document", () => {
  const system = componentOf({
    kind: "purl",
    subject: "pkg:swid/Acme/a@12?tag_id=1",
    context: ["name=a", "version=12"],
  });
  const component = componentOf({ kind: "purl", subject: "pkg:deb/a/lib@1", context: [] });
  const resolveIn = (components: readonly Component[]) =>
    createResolver(catalogue, documentWith(components), { strict: false, asOf: AS_OF })(component);
  expect(resolveIn([system])).toEqual({ kind: "distro-maintained", by: { product: "linux-a", cycle: "12" } });
  expect(resolveIn([{ ...system, purls: [] }])).toEqual({ kind: "unmatched", reason: "distro-unknown" });
});

function documentWith(components: readonly Component[]): SbomDocument {
  return {
    format: "CycloneDX",
    specVersion: "1.6",
    wrappers: [],
    signed: false,
    components,
    roots: [],
    dependencies: new Map(),
    position: () => ({ line: 1, column: 1 }),
  };
}
