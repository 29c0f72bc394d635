/** What an installation consists of: few packages, and records of those that are part of the bundle. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import lockfile from "../../package-lock.json" with { type: "json" };
import manifest from "../../package.json" with { type: "json" };
import { sbomOf } from "../../tools/bundle-records.ts";
import { refuseLicenses, type LockedPackage } from "../../tools/licenses.ts";
import { notices, packagesOf } from "../../tools/notices.ts";

const root = join(import.meta.dirname, "../..");
const moduleOf = (path: string): string => join(root, "node_modules", path);
const PACKAGES = packagesOf([
  moduleOf("yaml/dist/index.js"),
  moduleOf("@rgrove/parse-xml/dist/index.js"),
  moduleOf("yaml/dist/compose/composer.js"),
  join(root, "src/index.ts"),
]);

test("lists each package of a bundle once, in order", () => {
  expect(PACKAGES.map(({ name, license }) => `${name} ${license}`)).toEqual(["@rgrove/parse-xml ISC", "yaml ISC"]);
});

test("contains the licence text of each package", () => {
  const text = readFileSync(moduleOf("yaml/LICENSE"), "utf8").trim();
  expect(notices(PACKAGES)).toContain(text);
});

test("lists the packages in an SBOM that is identical in every build", () => {
  expect(sbomOf(PACKAGES)).toBe(sbomOf(PACKAGES.toReversed()));
  const { components } = JSON.parse(sbomOf(PACKAGES)) as { readonly components: readonly Record<string, unknown>[] };
  const version = JSON.parse(readFileSync(moduleOf("yaml/package.json"), "utf8")) as { readonly version: string };
  expect(components.map(({ purl }) => purl)).toContain(`pkg:npm/yaml@${version.version}`);
  expect(components.map((component) => component["bom-ref"])).toEqual(components.map(({ purl }) => purl));
});

test.each([
  ["copyleft", "GPL-3.0-only"],
  ["none", undefined],
])("refuses a bundled package with the licence %s", (_, license) => {
  expect(() => refuseLicenses([...PACKAGES, { name: "other", license }])).toThrow("other");
});

test("an installation has at most 20 packages", () => {
  const locked: Readonly<Record<string, LockedPackage & { readonly optional?: boolean; readonly peer?: boolean }>> =
    lockfile.packages;
  const installed = Object.entries(locked).filter(
    ([path, { dev, devOptional, link, optional, peer }]) =>
      path.startsWith("node_modules/") && [dev, devOptional, link, optional, peer].every((flag) => flag !== true),
  );
  expect(installed.length).toBeGreaterThanOrEqual(Object.keys(manifest.dependencies).length);
  expect(installed.length + 1, installed.map(([path]) => path).join(", ")).toBeLessThanOrEqual(20);
});
