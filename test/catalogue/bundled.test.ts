/** The bundled catalogue contains what its sources state: counts, known rows against the reference data, a source and a day for each date. */
import { firstDay } from "../../src/lifecycle/days.ts";
import { isLongTerm } from "../../src/lifecycle/status.ts";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDate } from "../../src/catalogue/stored-values.ts";
import { sameEnd } from "../../src/lifecycle/ends.ts";
import { formatDate } from "../../src/messages/format.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { readContent } from "../../src/catalogue/file.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import { asIsoDate, isIsoDate, isProductSlug, isStatementDay } from "../../src/text/ids.ts";
import { assess } from "../../src/lifecycle/assess.ts";
import { effectiveEnd } from "../../src/lifecycle/ends.ts";
import { provenanceOf } from "../../src/lifecycle/provenance.ts";
import type { End, Product, ReleaseCycle } from "../../src/model/index.ts";
import { assessmentFromScore } from "../../src/wire/lifecycle.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { scoreObject } from "../../src/wire/score.ts";
import { formatEndCell } from "../../src/report/labels.ts";
import { describeWithShared } from "../shared.ts";

const catalogue = loadCatalogue();
/** Rows and counts of the reference data: a catalogue that was refreshed since may hold others. */
const isReference = catalogue.metadata.date === "2026-08-22";
const products = catalogue.slugs().map((slug) => product(slug));

function product(slug: string): Product {
  const found = catalogue.product(slug);
  if (found === undefined) throw new Error(`no product ${slug}`);
  return found;
}
function cycleOf(slug: string, cycle: string): ReleaseCycle {
  const found = product(slug).cycles.find(({ name }) => name === cycle);
  if (found === undefined) throw new Error(`no release cycle ${slug}:${cycle}`);
  return found;
}
const day = (end: End | undefined): string | undefined => (end?.kind === "dated" ? formatDate(end.date) : end?.kind);

describe.skipIf(!isReference)("counts of the bundled catalogue", () => {
  test("contains products of the upstream record, additional products and AI platforms", () => {
    const custom = products.filter(({ record }) => record === "custom");
    expect(products.filter(({ record }) => record === "upstream")).toHaveLength(464);
    expect(custom.filter(({ models }) => models)).toHaveLength(15);
    expect(custom.filter(({ models }) => !models).length).toBeGreaterThan(900);
  });

  test("has more than 700 products with a dated or declared end and a source", () => {
    const dated = products.filter(({ cycles }) =>
      cycles.some(({ eol }) => eol.kind === "dated" || eol.kind === "ended"),
    );
    expect(dated.length).toBeGreaterThan(700);
  });

  test("contains purls, models and cycles", () => {
    const purls = new Set(products.flatMap(({ purls }) => purls));
    expect(purls.size).toBeGreaterThan(2_100);
    expect(products.flatMap(({ cycles }) => cycles).length).toBeGreaterThan(12_000);
  });
});

describe("every cycle", () => {
  test("has a source with an address and a date, and an effective date that follows from its claims", () => {
    for (const { slug, cycles } of products) {
      for (const cycle of cycles) {
        const where = `${slug}:${cycle.name}`;
        expect(cycle.claims.length, where).toBeGreaterThan(0);
        for (const { url, retrievedAt } of [
          ...cycle.claims,
          ...(cycle.eoasClaims ?? []),
          ...(cycle.eoesClaims ?? []),
        ]) {
          expect(url, where).toMatch(/^https?:\/\/\S+$/);
          expect(isStatementDay(retrievedAt), where).toBe(true);
        }
        expect(cycle.eol, where).toEqual(effectiveEnd(cycle.claims));
        if (cycle.eol.kind === "dated") expect(isIsoDate(cycle.eol.date.value), where).toBe(true);
      }
    }
  });

  test("occurs once in its product, with a valid slug", () => {
    for (const { slug, cycles } of products) {
      expect(isProductSlug(slug), slug).toBe(true);
      expect(new Set(cycles.map(({ name }) => name)).size, slug).toBe(cycles.length);
    }
  });
});

test("source addresses are stored once", () => {
  const { addresses } = readContent(readFileSync(BUNDLED), "bundled");
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(addresses.length).toBeGreaterThan(2_000);
});

describe.skipIf(!isReference)("known entries", () => {
  test.each<[slug: string, cycle: string, eol: string, eoes: string | undefined]>([
    ["debian", "11", "2024-08-14", "2026-08-31"],
    ["debian", "12", "2026-07-11", "2028-06-30"],
    ["nodejs", "18", "2025-04-30", "open"],
    ["python", "3.11", "2027-10-31", undefined],
    ["ubuntu", "22.04", "2027-06-01", "2032-04-09"],
    ["akka", "2.3", "2017-04", undefined],
    ["apollo-server", "3", "2024-10", undefined],
    ["openai-api", "gpt-4-0314", "2026-03-26", undefined],
    ["azure", "gpt-4.1@2025-04-14", "2027-10-14", undefined],
    ["claude", "claude-3-opus-20240229", "2026-01-05", undefined],
    ["babel-6-packages", "6", "ended", undefined],
  ])("%s %s ends on %s", (slug, cycle, eol, eoes) => {
    expect(day(cycleOf(slug, cycle).eol)).toBe(eol);
    expect(day(cycleOf(slug, cycle).eoesFrom)).toBe(eoes);
  });

  test("Debian LTS is free, Ubuntu Pro and Red Hat's extension are paid", () => {
    expect(cycleOf("debian", "11").tracks).toContainEqual(
      expect.objectContaining({ name: "Debian LTS", vendor: "Debian", cost: "free" }),
    );
    expect(cycleOf("ubuntu", "22.04").tracks[0]).toMatchObject({ vendor: "Canonical", cost: "paid" });
    expect(cycleOf("rhel", "7").tracks[0]).toMatchObject({ vendor: "Red Hat", cost: "paid" });
    expect(cycleOf("angularjs", "1.8").tracks.map(({ vendor }) => vendor)).toEqual(["HeroDevs", "OpenLogic"]);
    expect(cycleOf("nodejs", "18").tracks.map(({ vendor }) => vendor)).toEqual(["HeroDevs"]);
    const free = products.filter(({ cycles }) =>
      cycles.some(({ tracks }) => tracks.some(({ cost }) => cost === "free")),
    );
    expect(free.map(({ slug }) => slug)).toEqual(["debian", "ubuntu"]);
  });

  test("the end of a Lambda runtime is its deprecation, and the block on updates never counts", () => {
    const runtime = cycleOf("aws-lambda", "nodejs18.x");
    expect(runtime.eol).toMatchObject({ kind: "dated", date: { value: "2025-09-01" } });
    expect(runtime.otherMilestones).toMatchObject([{ kind: "updates-blocked", date: { value: "2027-03-03" } }]);
  });

  test.each([
    ["aws-lambda", "eoas", "vendor"],
    ["almalinux", "eol", "label"],
    ["raspberry-pi", "none", "record"],
    ["artifactory", "eol", "not-stated"],
  ])("%s: the gate's end is %s by %s", (slug, end, basis) => {
    expect(product(slug).gateEnd).toMatchObject({ end, basis });
  });

  test('an earliest date ("not before") is not an end date', () => {
    const opus = cycleOf("claude", "claude-opus-5");
    expect(opus.eol).toEqual({ kind: "open" });
    expect(opus.eolNotBefore?.value).toBe("2027-07-24");
  });

  test.each(["command", "command-light", "command-r-03-2024", "command-r-plus-04-2024"])(
    "the model %s is deprecated, not supported",
    (model) => {
      const assessment = assess(product("cohere-api"), cycleOf("cohere-api", model), asIsoDate("2026-09-01"));
      expect(formatEndCell(assessment)).toMatch(
        /^deprecated since 2025-09-15, no retirement announced as of \d{4}-\d{2}-\d{2}$/,
      );
      expect(assessmentFromScore(scoreObject(assessment, linksUnder("https://eol.test")))).toMatchObject({
        cycle: { deprecatedFrom: { value: "2025-09-15" } },
      });
    },
  );

  test("an end has the same text for a client of a service", () => {
    const links = linksUnder("https://eol.test");
    const assessments = products.flatMap((each) =>
      each.cycles.map((cycle) => assess(each, cycle, asIsoDate("2026-11-22"))),
    );
    const inMaintenance = assessments.filter((each) => formatEndCell(each).startsWith("maintenance only"));
    expect(inMaintenance.length).toBeGreaterThan(100);
    for (const each of [...inMaintenance, ...assessments.filter((_, index) => index % 10 === 0)])
      expect(formatEndCell(assessmentFromScore(scoreObject(each, links)))).toBe(formatEndCell(each));
  });

  test("deepseek-coder is deprecated since 2024, and a software cycle never is", () => {
    expect(cycleOf("deepseek-api", "deepseek-coder").deprecatedFrom).toEqual({ value: "2024-09-05", precision: "day" });
    expect(
      products.filter(({ models }) => !models).flatMap(({ cycles }) => cycles.filter((each) => each.deprecatedFrom)),
    ).toEqual([]);
  });

  test("Db2 and Server Core have their ends of extended support", () => {
    expect([day(cycleOf("ibm-db2", "11.5").eoesFrom), day(cycleOf("windows-server-core", "2016").eoesFrom)]).toEqual([
      "2031-04-30",
      "2030-01-12",
    ]);
    expect(cycleOf("windows-server-core", "2016").tracks).toMatchObject([
      { name: "Extended Security Updates", vendor: "Microsoft", cost: "paid" },
    ]);
    expect(cycleOf("ibm-db2", "11.5").tracks).toMatchObject([{ vendor: "IBM", cost: "paid" }]);
  });

  test("declared libraries are retired and have a successor", () => {
    expect(cycleOf("commons-httpclient", "all")).toMatchObject({
      retired: true,
      declaredBy: "maintainer",
      successor: "pkg:maven/org.apache.httpcomponents.client5/httpclient5",
    });
    expect(cycleOf("chrome-android", "150").rolling).toBe(true);
    expect(cycleOf("babel", "7").retired).toBe(false);
  });

  test("the attack surface of a product is recorded", () => {
    expect(product("debian").attackSurface).toBe("high");
    expect(product("nodejs").attackSurface).toBe("high");
    expect(product("openssl").attackSurface).toBe("high");
    expect(product("postgresql").attackSurface).toBe("high");
    expect(product("django").attackSurface).toBe("elevated");
    expect(product("kubernetes").attackSurface).toBe("elevated");
    expect(product("panos").attackSurface).toBe("elevated");
    expect(product("pixel").attackSurface).toBe("high");
    expect(product("jquery").attackSurface).toBe("standard");
    expect(product("log4j").attackSurface).toBe("standard");
  });

  test("known exploited vulnerabilities are sorted newest first", () => {
    const kev = product("log4j").kev;
    expect(kev?.basis).toBe("exact");
    expect(kev?.entries.map(({ cve }) => cve)).toContain("CVE-2021-44228");
    for (const { kev } of products) {
      const days = kev?.entries.map(({ added }) => added) ?? [];
      expect(days).toEqual(days.toSorted().reverse());
    }
  });

  test("LTS cycles are LTS from their start date", () => {
    const cycleOf = (slug: string, name: string) => {
      const cycle = product(slug).cycles.find((each) => each.name === name);
      if (cycle === undefined) throw new Error(`no release cycle ${slug} ${name}`);
      return cycle;
    };
    const on = (slug: string, name: string, day: string) => isLongTerm(cycleOf(slug, name), asIsoDate(day));
    expect([on("nodejs", "26", "2026-10-27"), on("nodejs", "26", "2026-10-28")]).toEqual([false, true]);
    expect([on("nodejs", "25", "2030-01-01"), on("angular", "20", "2026-08-22")]).toEqual([false, false]);
    // Red Hat's extended support, in the record's words, is yet to come.
    expect(on("rhel", "9", "2026-08-22")).toBe(false);
  });

  test("split cycles are recorded", () => {
    expect(product("mssqlserver").split.get("13.0")).toEqual([
      "13.0",
      "13.0-sp3-acp",
      "13.0-sp3",
      "13.0-sp2",
      "13.0-sp1",
    ]);
    expect(product("office").split.get("2024")).toEqual(["2024", "2024-ltsc"]);
    expect(product("mulesoft-runtime").split.get("4.9")).toEqual(["4.9", "4.9-lts"]);
    expect(product("windows").split.has("11")).toBe(true);
    expect(products.filter(({ split }) => split.size > 0).filter(({ record }) => record === "upstream")).toHaveLength(
      19,
    );
    expect(product("nodejs").split.size).toBe(0);
  });
});

describe("catalogue look-ups", () => {
  test.each<[key: string, entry: object | undefined]>([
    ["npm/@angular/core", { product: "angular", basis: "upstream" }],
    ["npm/@fortawesome/fontawesome-svg-core", { product: "font-awesome", basis: "upstream", min: "6" }],
    ["deb/debian/perl", { product: "perl", basis: "upstream", distroMaintained: true }],
    ["deb/perl-base", { product: "perl", basis: "distro-main", distroMaintained: true }],
    ["rpm/rocky/openssl-libs", { product: "openssl", basis: "distro-main", distroMaintained: true }],
    ["deb/debian/php8.2-fpm", { product: "php", basis: "distro-main", cycle: "8.2", distroMaintained: true }],
    ["apk/alpine/php82", { product: "php", basis: "distro-main", cycle: "8.2", distroMaintained: true }],
    ["deb/ubuntu/postgresql-14", { product: "postgresql", basis: "distro-main", cycle: "14", distroMaintained: true }],
    ["nuget/system.text.json", { product: "dotnet", basis: "lockstep", min: "2.2", transform: "dotnet-package" }],
    [
      "golang/k8s.io/client-go",
      { product: "kubernetes", basis: "minor-shift", transform: "minor-shift", min: expect.any(String) },
    ],
    ["golang/github.com/gorilla/mux", { product: "gorilla", basis: "upstream", productOnly: true }],
    // Dropped: its v0.N is not the product's numbering.
    ["golang/github.com/prometheus/prometheus", undefined],
    // Not main packages: client library, headers, documentation.
    ["deb/debian/libpq5", undefined],
    ["deb/debian/libssl-dev", undefined],
    ["deb/debian/perl-doc", undefined],
    ["deb/somebody/perl", undefined],
    ["npm/express-session", undefined],
    ["npm/constructor", undefined],
    ["__proto__", undefined],
  ])("find the product of the purl %s", (key, entry) => {
    if (entry === undefined) expect(catalogue.purl(key)).toBeUndefined();
    else expect(catalogue.purl(key)).toEqual(entry);
  });

  test("find models by exact identifier on every platform that has it", () => {
    expect(
      catalogue
        .model("gemini-2.5-pro")
        .map(({ product }) => product)
        .toSorted(),
    ).toEqual(["gemini-api", "google-vertex"]);
    expect(catalogue.model("claude-3-5-haiku-latest")).toEqual([
      { product: "claude", cycle: "claude-3-5-haiku-20241022", vendor: "Anthropic" },
    ]);
    expect(catalogue.model("gemini")).toEqual([]);
  });

  test("find operating systems, CPEs, names and package ends", () => {
    expect(catalogue.operatingSystem("amzn")).toEqual({ product: "amazon-linux", rule: "whole" });
    expect(catalogue.operatingSystem("wolfi")).toBe("rolling");
    expect(catalogue.operatingSystem("busybox")).toBeUndefined();
    expect(catalogue.cpe("nodejs:node.js")).toBe("nodejs");
    // Named by two products: it tells none.
    expect(catalogue.cpe("redhat:ansible")).toBeUndefined();
    expect(catalogue.named("node.js")).toEqual(["nodejs"]);
    expect(catalogue.named("expresssession")).toEqual([]);
    const debian = product("debian").slug;
    expect(catalogue.packageEnd(debian, "12", "wpewebkit")).toMatchObject({ kind: "ended", from: "2023-05-09" });
    expect(catalogue.packageEnd(debian, "12", "adns")).toMatchObject({ kind: "limited" });
    expect(catalogue.packageEnd(debian, "12", "bash")).toBeUndefined();
    // Left out of a pattern that limits its family.
    expect(catalogue.packageEnd(debian, "13", "rust-sequoia-sqv")).toBeUndefined();
  });
});

describe.skipIf(!isReference)("discrepancies in the reference data", () => {
  const asOf = firstDay(cycleOf("nodejs", "18").claims[0]?.retrievedAt ?? catalogue.metadata.date);
  test.each([
    ["ruby", "3.2"],
    ["mariadb", "11.8"],
    ["go", "1.19"],
  ])("%s %s", (slug, cycle) => {
    const provenance = provenanceOf(cycleOf(slug, cycle).claims, asOf);
    expect(provenance).toMatchObject({ status: "mismatch", confidence: "low", source: "discrepancy" });
    expect(new Set(provenance.claims.map(({ end }) => day(end))).size).toBeGreaterThan(1);
  });
  test("a complete vendor feed as recent as the record takes precedence (ubuntu 22.04, nodejs 26)", () => {
    const ubuntu = provenanceOf(cycleOf("ubuntu", "22.04").claims, asOf);
    expect(ubuntu).toMatchObject({ source: "vendor-fetched", confidence: "medium" });
    expect(ubuntu.claims.map(({ end }) => day(end))).toEqual(expect.arrayContaining(["2027-06-01", "2027-04-01"]));
    const node = cycleOf("nodejs", "26");
    expect(provenanceOf(node.eoasClaims ?? [], asOf).source).toBe("vendor-fetched");
    expect(node.eoasFrom).toEqual(effectiveEnd(node.eoasClaims ?? []));
  });
  test.each([
    ["fedora", "37"],
    ["fedora", "38"],
    ["rhel", "7"],
  ])("an excerpt that is years older than the record does not contradict it (%s %s)", (slug, cycle) => {
    const { claims, eoesClaims = [] } = cycleOf(slug, cycle);
    for (const all of [claims, eoesClaims])
      if (all.length > 0) expect(provenanceOf(all, asOf).status).not.toBe("mismatch");
  });
  test.each(["traefik", "amazon-eks", "moodle"])(
    "rows of %s that were copied from the vendor's page do not count as a second source",
    (slug) => {
      for (const { name, claims } of product(slug).cycles)
        expect(provenanceOf(claims, asOf).agreement, name).toBeLessThan(2);
    },
  );
  test("a runtime is not a framework", () => {
    for (const slug of ["nodejs", "bun", "deno"]) expect(product(slug).category, slug).toBe("lang");
  });
  test("a month that contains the date is not a discrepancy (python)", () => {
    for (const { name, claims } of product("python").cycles)
      expect(provenanceOf(claims, asOf).status, name).not.toBe("mismatch");
  });
});

describeWithShared("against the upstream record", "upstream/endoflife-v1-products-full.json", (url) => {
  interface Answer {
    readonly result: readonly {
      readonly name: string;
      readonly releases: readonly { readonly name: string; readonly eolFrom: string | null; readonly isEol: boolean }[];
    }[];
  }
  test.skipIf(!isReference)("each cycle has the date of the record, as its end or as a milestone beside it", () => {
    const { result } = JSON.parse(readFileSync(url, "utf8")) as Answer;
    let compared = 0;
    const moved: string[] = [];
    for (const { name, releases } of result) {
      for (const release of releases) {
        const cycle = cycleOf(name, release.name);
        const stated = cycle.claims.find(({ kind }) => kind === "upstream")?.end;
        const expected = release.eolFrom ?? (release.isEol ? "ended" : "open");
        compared += 1;
        if (day(stated) === expected) continue;
        moved.push(name);
        // The quarter or the approximate month that the record's day replaces.
        const isVague = stated?.kind === "dated" && /^(?:quarter|about)$/.test(stated.date.precision);
        if (isVague && sameEnd(stated, { kind: "dated", date: readDate(expected) })) continue;
        const others = [cycle.eolNotBefore, ...(cycle.otherMilestones ?? []).map(({ date }) => date)];
        const days = [day(cycle.eoasFrom ?? { kind: "unknown" }), ...others.map((date) => date?.value)];
        if (release.eolFrom !== null) expect(days, `${name}:${release.name}`).toContain(expected);
      }
    }
    expect(compared).toBe(8_351);
    expect(moved.length).toBeLessThan(300);
    // A row of milestones.json moves it.
    for (const slug of moved) expect(catalogue.product(slug)?.gateEnd?.basis, slug).not.toBe("label");
  });
});

test("every CPE leads to a product", () => {
  const content = readContent(readFileSync(BUNDLED), "bundled");
  const unknown = Object.entries(content.cpes).filter(([, slug]) => content.products[slug] === undefined);
  expect(unknown).toEqual([]);
});
