import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asPurl } from "../../src/text/ids.ts";
import { compilePrivatePatterns, packageSubject, privatePatternProblem } from "../../src/support/subject.ts";
import { component } from "../signals/harness.ts";

const sent = (purl: string, patterns: readonly string[] = []): string => {
  const subject = packageSubject(component(purl), compilePrivatePatterns(patterns));
  return typeof subject === "string" ? subject : subject.purl;
};

describe("purl that is sent for a component", () => {
  test.each([
    ["pkg:npm/%40babel/core@7.0.0?os=linux&checksum=sha256:abc#sub/path", "pkg:npm/%40babel/core@7.0.0"],
    ["pkg:npm/@babel/core@7.0.0", "pkg:npm/%40babel/core@7.0.0"],
    ["pkg:npm/JSONStream@1.3.5", "pkg:npm/JSONStream@1.3.5"],
    ["pkg:pypi/Annotated_Types@0.7.0", "pkg:pypi/annotated-types@0.7.0"],
    ["pkg:golang/github.com/Masterminds/semver@1.5.0", "pkg:golang/github.com/Masterminds/semver@v1.5.0"],
    ["pkg:golang/github.com/a/b@v1.5.0%2Bincompatible", "pkg:golang/github.com/a/b@v1.5.0%2Bincompatible"],
    ["pkg:nuget/Newtonsoft.Json@13.0.1", "pkg:nuget/Newtonsoft.Json@13.0.1"],
    ["pkg:maven/org.apache/a@1.0?type=jar&classifier=sources", "pkg:maven/org.apache/a@1.0"],
    ["pkg:maven/a/b@1?repository_url=https://repo1.maven.org/maven2", "pkg:maven/a/b@1"],
    ["pkg:maven/a/b@1?repository_url=https%3A%2F%2Fnexus.corp.example%2Fx", "other-registry"],
    ["pkg:npm/a@1?repository_url=corp.example", "other-registry"],
    ["pkg:npm/a@1?download_url=https://registry.npmjs.org/a/-/a-1.tgz", "pkg:npm/a@1"],
    ["pkg:npm/a@1?download_url=https://registry.npmjs.org.evil.example/a.tgz", "other-registry"],
    ["pkg:npm/a@1?download_url=https://registry.npmjs.org@evil.example/a.tgz", "other-registry"],
    ["pkg:npm/a@1?vcs_url=git%2Bssh://git@git.corp.example/a.git", "other-registry"],
    ["pkg:npm/a@1?vcs_url=git%2Bhttps://github.com/a/a.git", "pkg:npm/a@1"],
    ["pkg:golang/stdlib@1.22.0", "other-registry"],
    ["pkg:golang/tools/internal@v1.0.0", "other-registry"],
    ["pkg:npm/a", "no-version"],
    ["pkg:npm/a@%5E1.0.0", "purl-invalid"],
    ["pkg:npm/a@file:..%2Fx", "purl-invalid"],
    ["pkg:npm/..%2F..%2Fsecret@1", "purl-invalid"],
    ["pkg:npm/%C3%A9@1", "purl-invalid"],
    ["pkg:deb/debian/curl@7", "type-without-source"],
    ["pkg:generic/a@1", "type-without-source"],
    ["pkg:__proto__/a@1", "type-without-source"],
    ["nonsense", "purl-invalid"],
    ["", "no-purl"],
  ])("maps %s to %s", (purl, expected) => {
    const actual = sent(purl);
    // The parser may already refuse an unknown type.
    if (expected === "type-without-source" && actual === "purl-invalid") return;
    expect(actual).toBe(expected);
  });

  test("sends nothing for the described software, files and data", () => {
    for (const kind of ["root", "file", "data"] as const)
      expect(packageSubject(component("pkg:npm/ours@1.0.0", { kind }), () => false)).toBe("not-a-package");
  });

  test("sends nothing when one of several purls is private", () => {
    const both = component("", { purls: [asPurl("pkg:npm/public@1"), asPurl("pkg:npm/%40acme/x@1")] });
    expect(packageSubject(both, compilePrivatePatterns(["pkg:npm/@acme/*"]))).toBe("private");
  });

  test("never sends qualifiers, a subpath or a non-ASCII character", () => {
    const type = fc.constantFrom("npm", "pypi", "golang", "maven", "nuget", "gem", "cargo", "composer", "deb", "xyz");
    const purl = fc.tuple(type, fc.string(), fc.string(), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(purl, ([type, namespace, name, rest]) => {
        const encode = encodeURIComponent as (text: string) => string;
        const safe = (text: string): string => encode(text.toWellFormed());
        const text = sent(
          `pkg:${type}/${safe(namespace)}/${safe(name)}@${safe(rest)}?repository_url=&a=${safe(rest)}#${safe(rest)}`,
        );
        if (text.startsWith("pkg:"))
          expect(text).toMatch(
            /^pkg:(?:npm|pypi|golang|maven|nuget|gem|cargo|composer)\/[A-Za-z0-9%._~!'()*/+-]+@[A-Za-z0-9%._~!'()*+-]+$/,
          );
      }),
    );
  });
});

describe("private patterns", () => {
  test.each([
    ["pkg:npm/@acme/*", "pkg:npm/%40acme/x@1", true],
    ["pkg:npm/%40acme/*", "pkg:npm/@acme/x@1", true],
    ["pkg:npm/@acme", "pkg:npm/%40Acme/x@1", true],
    ["pkg:npm/@acme/*", "pkg:npm/%40acme-public/x@1", false],
    ["pkg:npm/acme-*", "pkg:npm/acme-x@1", true],
    ["pkg:npm/acme", "pkg:npm/acme-x@1", false],
    ["pkg:maven/com.acme*", "pkg:maven/com.acme.deep/x@1", true],
    ["pkg:maven/com.acme/", "pkg:maven/com.acme/x@1", true],
    ["pkg:maven/com.acme", "pkg:maven/com-acme/x@1", false],
    ["pkg:golang/git.acme.example", "pkg:golang/git.acme.example/a/b/v2@v2.0.0", true],
    ["pkg:pypi/acme_*", "pkg:pypi/Acme-tools@1", true],
    ["pkg:pypi/acme-*", "pkg:pypi/acme.tools@1", true],
    ["pkg:*/acme-*", "pkg:gem/acme-x@1", true],
    ["pkg:npm/*", "pkg:pypi/x@1", false],
  ])("%s matches %s: %s", (pattern, purl, isPrivate) => {
    expect(sent(purl, ["pkg:npm/other", pattern]) === "private").toBe(isPrivate);
  });

  test.each([
    ["@acme/*", false],
    ["pkg:npm", false],
    ["pkg:npm/", false],
    ["pkg:npm/a@1.0.0", false],
    ["pkg:npm/a?b=c", false],
    ["pkg:npm/@acme/*", true],
    ["pkg:*/acme*", true],
    ["pkg:maven/com.acme/", true],
  ])("%s is valid: %s", (pattern, isUsable) => expect(privatePatternProblem(pattern) === undefined).toBe(isUsable));
});
