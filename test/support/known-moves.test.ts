/** Replacements that maintainers name: the packages that they replace, and the page that states each. */
import { describe, expect, test } from "vitest";
import { asIsoDate, asPurl, isIsoDate } from "../../src/text/ids.ts";
import type { Component, PackageSignals } from "../../src/model/index.ts";
import { periods } from "../../src/support/levels.ts";
import { decideSupport, NO_CYCLE } from "../../src/support/decide.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { knownMove } from "../../src/support/evidence.ts";
import { packageSubject } from "../../src/support/subject.ts";
import { purlKey } from "../../src/resolve/purl/key.ts";

const MOVES = loadCatalogue().facts.packageMoves;

const component = (purl: string): Component => ({
  pointer: "/components/0",
  span: { start: 0, end: 0 },
  kind: "other",
  name: "any",
  purls: [asPurl(purl)],
  cpes: [],
  licenses: [],
  declared: [],
});
const subjectOf = (purl: string) => packageSubject(component(purl), () => false);
const replacementOf = (purl: string): string | undefined => {
  const subject = subjectOf(purl);
  return typeof subject === "string" ? undefined : knownMove(MOVES, subject)?.replacement;
};

const LUXON = "pkg:npm/luxon, pkg:npm/dayjs, pkg:npm/date-fns, pkg:npm/%40js-joda/core";

describe("known replacement", () => {
  test.each([
    ["pkg:npm/moment@2.29.4", LUXON],
    ["pkg:npm/moment@2.29.4?checksum=sha1:a#lib", LUXON],
    ["pkg:npm/moment@0.0.1", LUXON],
    ["pkg:npm/%40babel/polyfill@7.12.1", "pkg:npm/core-js, pkg:npm/regenerator-runtime"],
    ["pkg:npm/@babel/polyfill@7.12.1", "pkg:npm/core-js, pkg:npm/regenerator-runtime"],
    ["pkg:npm/%40babel%2Fpolyfill@7.12.1", "pkg:npm/core-js, pkg:npm/regenerator-runtime"],
    ["pkg:npm/babel/polyfill@7.12.1", "pkg:npm/core-js, pkg:npm/regenerator-runtime"],
    ["pkg:pypi/FuzzyWuzzy@0.18.0", "pkg:pypi/thefuzz"],
    ["pkg:golang/github.com/streadway/amqp@v1.1.0", "pkg:golang/github.com/rabbitmq/amqp091-go"],
    ["pkg:golang/github.com%2Fstreadway%2Famqp@1.1.0", "pkg:golang/github.com/rabbitmq/amqp091-go"],
    ["pkg:maven/joda-time/joda-time@2.12.5?type=jar", "platform java.time"],
    ["pkg:npm/react-addons-test-utils@15.5.0", "pkg:npm/react-dom, pkg:npm/react-test-renderer"],
    ["pkg:npm/react-addons-test-utils@15.10.0", "pkg:npm/react-dom, pkg:npm/react-test-renderer"],
  ])("applies to %s", (purl, replacement) => {
    expect(replacementOf(purl)).toBe(replacement);
  });

  test.each([
    ["another type", "pkg:pypi/moment@1.0.0"],
    ["another type of the same name", "pkg:gem/request@1.0.0"],
    ["a scope", "pkg:npm/%40acme/moment@2.29.4"],
    ["without the scope", "pkg:npm/polyfill@7.12.1"],
    ["a longer name", "pkg:npm/moment-timezone@0.5.43"],
    ["a shorter name", "pkg:npm/momen@1.0.0"],
    ["another case, which is another npm package", "pkg:npm/Moment@2.29.4"],
    ["the successor's module", "pkg:golang/github.com/aws/aws-sdk-go-v2@v1.30.0"],
    ["a package inside the module", "pkg:golang/github.com/streadway/amqp/x@v1.1.0"],
    ["another owner", "pkg:golang/github.com/acme/amqp@v1.1.0"],
    ["another group", "pkg:maven/org.acme/joda-time@2.12.5"],
    ["a version below the statement", "pkg:npm/react-addons-test-utils@15.4.2"],
    ["a version far below the statement", "pkg:npm/react-addons-test-utils@0.14.8"],
    ["a property of every object", "pkg:npm/constructor@1.0.0"],
  ])("does not apply to %s", (_, purl) => {
    expect(replacementOf(purl)).toBeUndefined();
  });
});

describe("table of known replacements", () => {
  test.each(Object.entries(MOVES))("the row of %s has a page, a date and at least one replacement", (key, move) => {
    expect(new URL(move.page).protocol).toBe("https:");
    expect(isIsoDate(move.on)).toBe(true);
    expect(move.to.length).toBeGreaterThan(0);
    for (const to of move.to) {
      if (to.startsWith("pkg:")) expect(purlKey(to)).toMatchObject({ kind: "purl", version: undefined });
      else expect(to).toMatch(/^(?:https:\/\/|platform |[A-Z])/);
      expect(to).not.toBe(`pkg:${key}`);
    }
  });

  test.each(Object.keys(MOVES))("the row of %s is spelled like a normalized purl", (key) => {
    expect(subjectOf(`pkg:${key}@99.0.0`)).toMatchObject({ type: key.slice(0, key.indexOf("/")) });
    expect(replacementOf(`pkg:${key}@99.0.0`)).toBeDefined();
  });

  test("rows with the same page have the same replacements, or each its own", () => {
    const pages = Map.groupBy(Object.values(MOVES), ({ page }) => page);
    const mixed = [...pages].filter(([, rows]) => {
      const distinct = new Set(rows.map(({ to }) => to.join())).size;
      return distinct !== 1 && distinct !== rows.length;
    });
    expect(mixed.map(([page]) => page)).toEqual([]);
  });
});

describe("replacement in the support level", () => {
  const context = periods(asIsoDate("2026-11-22"), 24);
  const subject = subjectOf("pkg:npm/moment@2.29.4");
  const move = typeof subject === "string" ? undefined : knownMove(MOVES, subject);
  const cycle = { ...NO_CYCLE, ...(move && { move }) };
  const known = (evidence: PackageSignals["evidence"]): PackageSignals => ({ evidence, unanswered: [], found: true });
  const released = (date: string) =>
    ({
      source: "npm",
      statement: "last-release",
      url: "https://registry.example/",
      retrievedAt: asIsoDate("2026-11-22"),
      date: asIsoDate(date),
    }) as const;

  test.each([
    ["maintained", [released("2026-10-01")]],
    ["inactive", [released("2020-10-01")]],
    ["unknown", []],
  ])("the support level stays %s, and the replacement has its page", (level, evidence) => {
    const support = decideSupport(cycle, known(evidence), context);
    expect(support).toMatchObject({ level, replacement: LUXON });
    expect(support.evidence.at(-1)).toMatchObject({
      statement: "replacement-named",
      source: "catalogue",
      url: move?.url,
    });
  });

  test("prefers the replacement of the registry", () => {
    const abandoned = { ...released("2020-01-01"), statement: "package-abandoned", replacement: "pkg:npm/x" } as const;
    expect(decideSupport(cycle, known([abandoned]), context).replacement).toBe("pkg:npm/x");
  });

  test("prefers the replacement of the catalogue", () => {
    expect(decideSupport({ ...cycle, replacement: "pkg:npm/y" }, known([]), context).replacement).toBe("pkg:npm/y");
  });
});
