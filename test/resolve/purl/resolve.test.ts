/** Packages that are resolved alike share a resolution, and others do not. */
import { expect, test } from "vitest";
import type { Component, Resolution } from "../../../src/model/index.ts";
import { ResolutionMemo } from "../../../src/resolve/purl/resolve.ts";

const component = (version?: string, kind: Component["kind"] = "other"): Component =>
  ({ kind, version, purls: [], cpes: [], licenses: [] }) as unknown as Component;

/** How many of the components are resolved, and not taken from the memo, when they are requested in this order. */
function resolutionCount(...requests: readonly (readonly [purl: string, component: Component])[]): number {
  const memo = new ResolutionMemo();
  let count = 0;
  for (const [purl, each] of requests)
    memo.of(purl, each, (): Resolution => {
      count += 1;
      return { kind: "not-applicable", why: "root" };
    });
  return count;
}

const EXPRESS = "pkg:npm/express@4.18.2";

test("resolves equal packages once", () => {
  expect(resolutionCount([EXPRESS, component("4.18.2")], [EXPRESS, component("4.18.2")])).toBe(1);
  expect(resolutionCount([EXPRESS, component()], [EXPRESS, component()])).toBe(1);
});

test.each([
  ["another purl", "pkg:npm/express@4.18.3", component("4.18.2")],
  ["another version field with the same purl", EXPRESS, component("4.18.3")],
  ["no version field with the same purl", EXPRESS, component()],
  ["an empty version field with the same purl", EXPRESS, component("")],
  ["a version field that is only the end of the version in the purl", EXPRESS, component("18.2")],
  ["a longer text that starts with the purl", `${EXPRESS} 4.18.2`, component()],
  ["the described software", EXPRESS, component("4.18.2", "root")],
])("%s is resolved on its own", (_, purl, other) => {
  expect(resolutionCount([EXPRESS, component("4.18.2")], [purl, other])).toBe(2);
});

test("a version with an at sign is not that of a shorter purl", () => {
  const purl = "pkg:npm/express@4@18";
  expect(resolutionCount([purl, component("18")], [purl, component("4@18")])).toBe(2);
});

test.each(["pkg:deb/debian/openssl@3.0.11", "pkg:rpm/rhel/openssl@3.0.7", "pkg:generic/openssl@3.0.11", "openssl"])(
  "resolves %s each time, because the resolution depends on more than purl and version",
  (purl) => {
    expect(resolutionCount([purl, component("1")], [purl, component("1")])).toBe(2);
  },
);

test("keeps a limited number of resolutions", () => {
  const memo = new ResolutionMemo();
  const resolve = (): Resolution => ({ kind: "not-applicable", why: "root" });
  for (let index = 0; index < 5000; index++) memo.of(`pkg:npm/package@${index}`, component(), resolve);
  const first = memo.of("pkg:npm/package@0", component(), resolve);
  expect(memo.of("pkg:npm/package@0", component(), resolve)).toBe(first);
  const last = memo.of("pkg:npm/package@4999", component(), resolve);
  expect(memo.of("pkg:npm/package@4999", component(), resolve)).not.toBe(last);
});
