/** The reference samples that COMPARISON.json has no row for, and the differences that the data really holds. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SOURCES } from "../../../src/pipeline/sources/sources.ts";
import type { LifecycleSource, SourceClaim } from "../../../src/pipeline/sources/source.ts";
import { feedOf } from "./fixtures.ts";
import { readTable } from "../../../tools/reference-tables.ts";
import { describeWithShared, shared } from "../../shared.ts";

const read = (path: string): string => readFileSync(shared(`upstream/${path}`) ?? path, "utf8");
const document = { url: "https://example.org/" };

const claimsOf = (source: LifecycleSource, file: string, part?: string): readonly SourceClaim[] =>
  source.parse(read(`feeds/${file}`), { ...document, ...(part !== undefined && { part }) }).claims;

function end(claims: readonly SourceClaim[], cycle: string, field: "eoas" | "eol" | "eoes"): string | undefined {
  const claim = claims.find((candidate) => candidate.cycle === cycle && candidate.field === field);
  return claim && "end" in claim && claim.end.kind === "dated" ? claim.end.date.value : undefined;
}

describeWithShared("samples", "upstream/feeds/MANIFEST.json", () => {
  test("reads the complete upstream record", () => {
    const { products } = SOURCES["endoflife.date"].parse(read("endoflife-v1-products-full.json"), document);
    expect(products).toHaveLength(464);
    expect(products.flatMap(({ cycles }) => cycles)).toHaveLength(8351);
  });

  test("reads the complete KEV catalogue", () => {
    const reading = SOURCES["cisa-kev"].parse(read("kev-known-exploited-vulnerabilities.json"), document);
    expect({ ...reading, entries: reading.entries.length }).toEqual({
      version: "2026.08.21",
      released: "2026-08-21",
      entries: 1674,
    });
  });

  test.each(["11", "12", "13", "14"])("Debian %s: reads packages that lost support early", (part) => {
    const claims = SOURCES["debian-security-support"].parse(read(`feeds/debian-security-support.deb${part}`), {
      ...document,
      part,
    });
    const rows = read(`feeds/debian-security-support.deb${part}`)
      .split("\n")
      .filter((line) => /^[^#\s]/.test(line));
    expect(claims).toHaveLength(rows.length);
    expect(claims.flatMap(({ from }) => from ?? [])).toEqual(
      rows.flatMap((row) => /non-supported\s+\S+\s+(\d{4}-\d{2}-\d{2})/.exec(row)?.[1] ?? []),
    );
  });

  test("reads excerpts of real responses", () => {
    expect(end(claimsOf(feedOf("mariadb-rest"), "mariadb-rest.json"), "10.11", "eol")).toBe("2028-02-16");
    expect(end(claimsOf(SOURCES["alpine-releases"], "alpine-releases.json"), "3.21", "eol")).toBe("2026-11-01");
  });

  test("reads described feeds, with month precision where the vendor states months", () => {
    const [claim] = claimsOf(feedOf("spring-generations"), "spring-generations.json", "spring-boot");
    expect(claim).toEqual({
      product: "spring-boot",
      cycle: "1.0",
      field: "releaseDate",
      date: { value: "2015-03-31", precision: "month" },
      basis: "stated",
    });
    const major = feedOf("typo3-get").parse(`[${read("feeds/typo3-get.json")}]`, document).claims;
    expect(end(major, "10", "eol")).toBe("2023-04-07");
  });

  /** The vendor's values that differ from the record, next to the record's values. */
  test.each([
    [
      "ubuntu 22.04",
      "2027-06-01",
      "2027-04-01",
      () => end(claimsOf(SOURCES["distro-info-ubuntu"], "ubuntu.csv"), "22.04", "eol"),
    ],
    [
      "ruby 3.2",
      "2026-04-01",
      "2026-03-31",
      () => end(claimsOf(feedOf("ruby-branches"), "ruby-branches.yml"), "3.2", "eol"),
    ],
    [
      "nodejs 26 active support",
      "2027-10-20",
      "2027-10-27",
      () => end(claimsOf(feedOf("nodejs-schedule"), "nodejs-schedule.json"), "26", "eoas"),
    ],
    [
      "mariadb 11.8",
      "2030-02-13",
      "2028-06-04",
      () => end(claimsOf(feedOf("mariadb-rest"), "mariadb-rest.json"), "11.8", "eol"),
    ],
    [
      "rhel 7 extended support",
      "2026-06-30",
      "2029-05-31",
      () => end(claimsOf(SOURCES["redhat-plcc"], "redhat-plcc.json", "rhel"), "7", "eoes"),
    ],
    [
      "go 1.19",
      "2023-08-08",
      "2023-09-06",
      () => end(readTable(SOURCES["go-history"], read("feeds/go-history.csv"))?.claims ?? [], "1.19", "eol"),
    ],
  ])("%s: the vendor has %s, the record %s", (subject, vendor, record, found) => {
    const [slug = "", cycle = "", active] = subject.split(" ");
    const field = active === undefined ? "eol" : active === "active" ? "eoas" : "eoes";
    const { products } = SOURCES["endoflife.date"].parse(read("endoflife-v1-products-full.json"), document);
    const line = products.find((product) => product.slug === slug)?.cycles.find(({ name }) => name === cycle);
    const recorded = line?.[field];
    expect([found(), recorded?.kind === "dated" ? recorded.date.value : recorded]).toEqual([vendor, record]);
  });

  test("reads python's months as months, including its placeholder day", () => {
    const claims = claimsOf(feedOf("python-release-cycle"), "python-release-cycle.json");
    const precision = (cycle: string) => {
      const claim = claims.find((candidate) => candidate.cycle === cycle && candidate.field === "eol");
      return claim?.field === "eol" && claim.end.kind === "dated" ? claim.end.date : undefined;
    };
    expect(precision("3.14")).toEqual({ value: "2030-10-31", precision: "month" });
    expect(precision("3.9")).toEqual({ value: "2025-10-31", precision: "day" });
    const ended = `{"3.10":{"first_release":"2021-10-04","end_of_life":"2026-10-01"}}`;
    const [, claim] = feedOf("python-release-cycle").parse(ended, document).claims;
    expect(claim).toMatchObject({ end: { date: { value: "2026-10-31", precision: "month" } } });
  });
});
