/** What each reader finds in its fixture, claim by claim, is golden: `golden.txt`. */
import { describe, expect, test } from "vitest";
import { allSources, findSource, SOURCES } from "../../../src/pipeline/sources/sources.ts";
import type { Source, SourceDocument, SourceClaim } from "../../../src/pipeline/sources/source.ts";
import type { End, LifecycleDate } from "../../../src/model/index.ts";
import { formatDate } from "../../../src/messages/format.ts";
import { FIXTURES, fixtureText, sourceOf } from "./fixtures.ts";
import type { Fixture } from "./fixtures.ts";

const shown = (date: LifecycleDate | null): string => (date === null ? "none" : formatDate(date));
const shownEnd = (end: End): string => (end.kind === "dated" ? shown(end.date) : end.kind);

function formatValue(claim: SourceClaim): string {
  switch (claim.field) {
    case "releaseDate":
    case "notBefore":
      return shown(claim.date);
    case "eoas":
    case "eol":
    case "eoes":
      return shownEnd(claim.end);
    case "track":
      return `${claim.track.name}, ${claim.track.vendor}, ${claim.track.cost}: ${shown(claim.track.end)}`;
  }
}

function lines(source: Source, text: string, document: SourceDocument): readonly string[] {
  switch (source.kind) {
    case "lifecycle": {
      const { claims, notes, next } = source.parse(text, document);
      return [
        ...claims.map((claim) =>
          `${claim.product} ${claim.cycle} ${claim.field} ${formatValue(claim)} ${claim.basis === "rule" ? "(rule)" : ""}`.trimEnd(),
        ),
        ...notes.map(({ code, where, text: words }) => `note ${code} ${where} ${JSON.stringify(words)}`),
        ...next.map(({ url, part = "" }) => `next ${url} ${part}`),
      ];
    }
    case "package-ends":
      return source
        .parse(text, document)
        .map((claim) =>
          `${claim.distro} ${claim.cycle} ${claim.package} ${claim.kind} ${claim.from ?? ""} ${claim.isPattern ? "(pattern)" : ""}`.trimEnd(),
        );
    case "kev": {
      const { version, released, entries } = source.parse(text, document);
      return [`version ${version} of ${released}`, ...entries.map((entry) => JSON.stringify(entry))];
    }
    case "record": {
      const { products, generatedAt } = source.parse(text, document);
      return [`generated ${generatedAt}`, ...products.map((product) => JSON.stringify(product, null, 1))];
    }
  }
}

const documentOf = ({ part }: Fixture): SourceDocument => ({
  url: "https://example.org/",
  ...(part !== undefined && { part }),
});

describe("feed readers", () => {
  test("read the golden rows from the fixtures", async () => {
    const golden = FIXTURES.map((fixture) =>
      [`# ${fixture.id}`, ...lines(sourceOf(fixture.id), fixtureText(fixture.file), documentOf(fixture))].join("\n"),
    ).join("\n\n");
    await expect(`${golden}\n`).toMatchFileSnapshot("./golden.txt");
  });

  test("each have a fixture", () => {
    expect(FIXTURES.map(({ id }) => id).toSorted()).toEqual(allSources.map(({ id }) => id).toSorted());
  });
});

describe("table of sources", () => {
  test("is keyed by identifier", () => {
    expect(Object.entries(SOURCES).map(([key, { id }]) => [key, id])).toEqual(
      Object.keys(SOURCES).map((key) => [key, key]),
    );
    const ids = allSources.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
  });

  test("finds a row by its identifier only", () => {
    expect(findSource("go-history")).toBe(SOURCES["go-history"]);
    expect(findSource("toString")).toBeUndefined();
  });

  test("has unique https addresses", () => {
    const urls = allSources.flatMap(({ documents }) => documents.map(({ url }) => url));
    expect(urls.filter((url) => new URL(url).protocol !== "https:")).toEqual([]);
    expect(new Set(urls).size).toBe(urls.length);
  });

  test("gives the feeds of a vendor one origin, separate from the record", () => {
    const origins = new Set(
      allSources.filter(({ products }) => products.some((product) => product === "php")).map(({ origin }) => origin),
    );
    expect([...origins]).toEqual(["php"]);
    expect(allSources.filter(({ independentOfUpstream }) => !independentOfUpstream).map(({ id }) => id)).toEqual([
      "endoflife.date",
    ]);
  });
});

describe("feeds of several documents", () => {
  test.each([
    ["spring-generations", "spring-generations.json"],
    ["debian-security-support", "debian-security-support.deb42"],
  ] as const)("%s refuses a document that does not identify its subject", (id, file) => {
    expect(() => sourceOf(id).parse(fixtureText(file), { url: "https://example.org/" })).toThrow(
      expect.objectContaining({ code: "feed-changed" }),
    );
  });

  test("a Red Hat response without a tracked product is refused", () => {
    const text = '{"data":[{"name":"Red Hat Toaster","versions":[]}]}';
    expect(() => SOURCES["redhat-plcc"].parse(text, { url: "https://example.org/" })).toThrow(
      expect.objectContaining({ code: "feed-changed", where: "/data" }),
    );
  });
});
