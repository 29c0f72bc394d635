import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCurated } from "../../src/pipeline/compile/curated.ts";
import { isListed, NameList } from "../../src/catalogue/debian-packages.ts";
import { packNames } from "../../tools/pack-names.ts";
import { loadCatalogue, parseCatalogue } from "../../src/catalogue/load.ts";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { asProductSlug } from "../../src/text/ids.ts";
import type { PackageCatalogue } from "../../src/model/index.ts";
import { cycle, inputs, recorded } from "./builders.ts";

const catalogue = loadCatalogue();
const packages = catalogue.packages;
if (packages === undefined) throw new Error("the bundled catalogue has no packages");
const { distroRevisions, vendorPackages } = readCurated();
const lifecycles = (distribution: string, release: string) => packages.lifecycles(asProductSlug(distribution), release);

describe("support periods of packages", () => {
  test.each([
    ["rhel", "8", "nodejs", "18", "2025-04-30"],
    ["rhel", "9", "redis", "7", "2026-11-30"],
    ["amazon-linux", "2023", "mariadb1011", "10.11", "2028-02-16"],
  ])("%s %s: %s %s ends on %s", (distribution, release, name, stream, date) => {
    const row = lifecycles(distribution, release).find((each) => each.name === name && each.stream === stream);
    expect(row?.end).toMatchObject({ kind: "dated", date: { value: date } });
    expect(row?.url).toMatch(/^https:/);
  });

  test("a SLES module has the same periods for every service pack", () => {
    expect(lifecycles("sles", "15.5")).toEqual(lifecycles("sles", "15.6"));
    expect(lifecycles("sles", "15.5").length).toBeGreaterThan(10);
  });

  test("every row has a date or is marked as unknown", () => {
    const slugs = catalogue.slugs();
    const rows = slugs.flatMap((slug) =>
      (catalogue.product(slug)?.cycles ?? []).flatMap(({ name }) => packages.lifecycles(slug, name)),
    );
    expect(rows.length).toBeGreaterThan(380);
    for (const row of rows) expect(row.packages.length + (row.versions?.length ?? 0), row.name).toBeGreaterThan(0);
  });

  test("a distribution that is not recorded has no periods", () => {
    expect(lifecycles("nodejs", "20")).toEqual([]);
  });
});

describe("distribution revisions", () => {
  test.each(distroRevisions.map((row) => [`${row.format} ${row.distribution}`, row] as const))(
    "the pattern of %s matches its examples only",
    (_, { pattern, examples, counterExamples = [] }) => {
      const expression = new RegExp(pattern);
      for (const example of examples) expect(expression.test(example), example).toBe(true);
      for (const example of counterExamples) expect(expression.test(example), example).toBe(false);
    },
  );

  test.each([
    ["deb", "3.0.17-1+deb12u2", "12"],
    ["rpm", "1.20.1-14.el9_2.1", "9"],
    ["rpm", "5.2.15-3.fc38", "38"],
    ["rpm", "3.0.8-1.amzn2023.0.3", "2023"],
  ])("%s %s belongs to the release %s", (format, version, release) => {
    const releases = packages
      .revisions()
      .filter((row) => row.format === format)
      .flatMap(({ pattern, release: stated }) => {
        const groups = new RegExp(pattern).exec(version)?.groups;
        return groups || new RegExp(pattern).test(version) ? [stated ?? groups?.["release"] ?? groups?.["rel2"]] : [];
      });
    expect(releases).toContain(release);
  });
});

describe("vendor packages", () => {
  const glob = (pattern: string, name: string): boolean =>
    new RegExp(`^${pattern.replaceAll(/[.+^${}()|\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(name);

  test("an example built by a vendor matches the documented name or revision", () => {
    for (const { vendor, names, revision = {}, proof = {}, examples = [] } of vendorPackages) {
      for (const [format, name, version, isVendors] of examples) {
        // Some examples write a class of digits for a name of many versions.
        if (!isVendors || proof[format] === undefined || name.includes("[")) continue;
        const byName = (names[format] ?? []).some((pattern) => glob(pattern, name));
        const byRevision = new RegExp(revision[format] ?? "(?!)").test(version);
        const where = `${vendor} ${format} ${name} ${version}`;
        if (proof[format] !== "revision") expect(byName, where).toBe(true);
        if (proof[format] !== "name") expect(byRevision, where).toBe(true);
      }
    }
  });

  test("refer only to products of the catalogue", () => {
    for (const { product, vendor } of packages.vendors())
      if (product !== undefined) expect(catalogue.product(product), `${vendor} ${product}`).toBeDefined();
  });
});

describe("package names of Debian", () => {
  test.each([
    ["bash", "12"],
    ["libc6", "12"],
    ["0ad", "13"],
    ["zypper", "12"],
    ["g++-12", "12"],
    ["python3.9", "11"],
    ["tomcat9", "11"],
    ["tomcat10", "12"],
    ["openjdk-17-jdk", undefined],
  ])("%s is a package of Debian %s", (name, release) => {
    expect(packages.inDebian(name, release)).toBe(true);
  });
  test.each([
    ["kubelet", "12"],
    ["google-chrome-stable", "12"],
    ["gitlab-ce", undefined],
    ["", "12"],
    ["bas", "12"],
    ["bash\nbash", undefined],
    ["bash 7", undefined],
    ["\0", undefined],
    ["python3.9", "12"],
    ["tomcat8", "12"],
    ["tomcat10", "11"],
    ["openjdk-16-jdk", undefined],
  ])("%j is not a package of Debian %s", (name, release) => {
    expect(packages.inDebian(name, release)).toBe(false);
  });
  test("nothing is known about a name that no list has in a release without a list", () => {
    expect(packages.inDebian("zzzz", "10")).toBeUndefined();
  });

  test.each([
    ["libicu67", "12"],
    ["libicu74t64", undefined],
    ["libssl1.1", "13"],
    ["linux-image-5.10.0-28-amd64", "12"],
    ["tomcat8", "9"],
    ["python3.7", "10"],
  ])("%s differs from a listed package only in its numbers, which is enough in Debian %s", (name, release) => {
    expect(packages.inDebian(name, release)).toBe(true);
  });

  test("a list of several blocks contains all its names, with any numbers, and no others", () => {
    const names = Array.from({ length: 2000 }, (_, at) => `lib${String.fromCharCode(97 + (at % 26))}${at}-dev`);
    const list = new NameList(packNames(names.map((name) => `${name} 7`)), "x");
    for (const name of names) expect(isListed(list, name)).toBe(true);
    expect(isListed(list, "libz99999-dev")).toBe(true);
    for (const name of ["libz99999-doc", "lib-dev", "aaa", "zzz", "", "liba", "liba0-de", "libä1-dev"])
      expect(isListed(list, name), name).toBe(false);
  });

  test("a truncated or damaged list is refused", () => {
    const packed = packNames(["bash 1", "curl 2", "zsh 7"]);
    expect(() => new NameList(packed.subarray(0, -1), "x")).toThrow(/truncated/);
    expect(() => new NameList(Buffer.from("bash"), "x")).toThrow(/corrupt/);
    const damaged = Buffer.from(packed);
    damaged.fill(0xff, damaged.indexOf("\n") + 1);
    expect(() => isListed(new NameList(damaged, "x"), "curl")).toThrow(/inflated/);
  });

  test("a search finds exactly the names of a list", () => {
    const word = fc.stringMatching(/^[a-z][a-z+.-]{0,12}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 50 }), word, (words, other) => {
        const list = new NameList(packNames(words.map((each) => `${each} 2`)), "x");
        for (const each of words) expect(isListed(list, each)).toBe(true);
        expect(isListed(list, other)).toBe(words.includes(other));
      }),
    );
  });
});

test("a catalogue without package rows returns empty results", () => {
  const { content } = compile(inputs([recorded("debian", [cycle("12", "2023-06-10", "2026-06-10")])]));
  const empty: PackageCatalogue | undefined = parseCatalogue(encodeCatalogue(content), "small").packages;
  expect(empty?.lifecycles(asProductSlug("debian"), "12")).toEqual([]);
  expect(empty?.vendors()).toEqual([]);
  expect(empty?.revisions()).toEqual([]);
});
