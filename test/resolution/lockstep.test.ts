/**
 * Lockstep products release all of their artefacts with one number. In a document, an artefact whose major version no other
 * artefact of the product has is probably not one of them: `quarkus-fs-util` has numbers of its own.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import type { SbomDocument } from "../../src/model/index.ts";
import { purlKey } from "../../src/resolve/purl/key.ts";
import { createResolver } from "../../src/resolve/resolve.ts";
import { readSbom } from "../../src/sbom/read.ts";
import { describeWithShared } from "../shared.ts";
import { AS_OF as asOf } from "./labelled.ts";

interface Artefact {
  readonly product: string;
  readonly key: string;
  readonly version: string;
  readonly cycle?: string;
}

/** Namespaces whose artefacts in real documents belong to one product, with its number. */
const FAMILIES: Readonly<Record<string, string>> = {
  "maven/io.quarkus/": "quarkus-framework",
  "maven/io.quarkus.arc/": "quarkus-framework",
  "maven/io.quarkus.resteasy.reactive/": "quarkus-framework",
  "maven/org.apache.camel/": "apache-camel",
  "maven/org.apache.maven/": "apache-maven",
  "npm/@angular/": "angular",
  "nuget/microsoft.aspnetcore.": "dotnet",
  "nuget/microsoft.extensions.": "dotnet",
};

/** Neighbours of the families with numbers of their own: no product is known for them. */
const NEIGHBOURS: readonly RegExp[] = [
  /^maven\/io\.quarkus\/quarkus-(?:fs-util|spring-\w+-api)$/,
  /^maven\/io\.quarkus\.(?:gizmo|http|security)\//,
  /^maven\/org\.apache\.camel\.quarkus\//,
  /^maven\/io\.quarkiverse/,
  /^maven\/org\.jboss\.resteasy\//,
  /^maven\/org\.apache\.maven\.(?:plugin-tools|resolver|shared|surefire)\//,
  /^nuget\/microsoft\.netcore\.(?:platforms|targets|analyzers)$/,
  /^nuget\/microsoft\.(?:applicationinsights|build|codecoverage|net\.test\.sdk|sbom\.api)$/,
];

/** So many artefacts must share a major version, that another one is suspicious. */
const SHARED = 3;

const majorOf = ({ version }: Artefact): string => /^v?(\d+)/.exec(version)?.[1] ?? version;

/** The artefacts whose major version no other artefact of their product has. */
function outliers(artefacts: readonly Artefact[]): readonly string[] {
  return [...Map.groupBy(artefacts, ({ product }) => product).values()].flatMap((ofProduct) => {
    const byMajor = Map.groupBy(ofProduct, majorOf);
    const keysOf = (major: readonly Artefact[]) => new Set(major.map(({ key }) => key));
    const usual = [...byMajor.values()].filter((major) => keysOf(major).size >= SHARED);
    const inUse = new Set(usual.flatMap((major) => [...keysOf(major)]));
    if (usual.length === 0) return [];
    return [...byMajor.values()]
      .filter((major) => keysOf(major).size === 1 && major.every(({ key }) => !inUse.has(key)))
      .flatMap(([only]) => (only ? `${only.product}: ${only.key} ${only.version}` : []));
  });
}

const catalogue = loadCatalogue();

/** The artefacts of lockstep products in a document that resolve to a release cycle, with their versions. */
function artefactsOf(document: SbomDocument): readonly Artefact[] {
  const resolve = createResolver(catalogue, document, { strict: false, asOf });
  return document.components.flatMap((component) => {
    const [purl] = component.purls;
    const read = purl === undefined ? undefined : purlKey(purl);
    if (read?.kind !== "purl" || catalogue.purl(read.key)?.basis !== "lockstep") return [];
    const resolution = resolve(component);
    if (resolution.kind !== "resolved") return [];
    const { product, cycle } = resolution.releaseCycle;
    return { product, cycle, key: read.key, version: resolution.requestedVersion };
  });
}

/** The keys of the packages in a document. */
const keysOf = ({ components }: SbomDocument): readonly string[] =>
  components.flatMap(({ purls: [purl] }) => {
    const read = purl === undefined ? undefined : purlKey(purl);
    return read?.kind === "purl" ? [read.key] : [];
  });

describe("an artefact of a lockstep product", () => {
  const of = (...artefacts: readonly string[]) =>
    outliers(
      artefacts.map((each) => {
        const [key = "", version = ""] = each.split("@");
        return { product: "quarkus", key, version };
      }),
    );
  test.each([
    ["with a major of its own is reported", ["core@3.2.1", "arc@3.2.1", "vertx@3.2.1", "fs-util@0.0.9"], ["fs-util"]],
    ["with the major of the others is not", ["core@3.2.1", "arc@3.2.1", "vertx@3.2.1", "fs-util@3.0.0"], []],
    ["in two versions, one of them the usual one, is not", ["a@3.1", "b@3.1", "c@3.1", "c@2.9"], []],
    ["beside another one of its major is not", ["a@3.1", "b@3.1", "c@3.1", "d@2.9", "e@2.9"], []],
    ["where fewer than three share a major is not", ["a@3.1", "b@3.1", "c@2.9"], []],
  ])("%s", (_, artefacts, expected) => {
    expect(of(...artefacts).map((each) => each.split(" ")[1])).toEqual(expected);
  });
});

describeWithShared("artefacts of lockstep products in real documents", "sboms/documents/", (root) => {
  test("have a major version that others have, and the product and cycle of their family", { timeout: 60_000 }, () => {
    const found: string[] = [];
    const wrong = new Set<string>();
    const neighbours = new Set<string>();
    const families = new Set<string>();
    let artefacts = 0;
    for (const entry of readdirSync(fileURLToPath(root), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      let document: SbomDocument;
      try {
        document = readSbom(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
      } catch {
        // Documents that are not SBOMs belong to the tests of the readers.
        continue;
      }
      const listed = artefactsOf(document);
      artefacts += listed.length;
      found.push(...outliers(listed).map((each) => `${entry.name}: ${each}`));
      for (const { product, cycle = "", key, version } of listed) {
        const family = Object.keys(FAMILIES).find((namespace) => key.startsWith(namespace));
        if (family === undefined) continue;
        families.add(family);
        // The name of a cycle is the beginning of the version (8.0.2 is of 8), or the version is older than all of them.
        const belongs = product === FAMILIES[family] && `${version}.`.startsWith(`${cycle}.`);
        if (!belongs) wrong.add(`${key}@${version}: ${product} ${cycle}`);
      }
      for (const key of keysOf(document).filter((each) => NEIGHBOURS.some((pattern) => pattern.test(each)))) {
        neighbours.add(key);
        if (catalogue.purl(key) !== undefined) wrong.add(`${key}: ${catalogue.purl(key)?.product ?? ""}`);
      }
    }
    expect(artefacts).toBeGreaterThan(400);
    expect(found).toEqual([]);
    expect([...wrong]).toEqual([]);
    expect(families.size).toBeGreaterThanOrEqual(5);
    expect(neighbours.size).toBeGreaterThan(10);
  });
});
