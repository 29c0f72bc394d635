/** What documents themselves state about the support of components, in every format: the outcome, the level, the FDA report. */
import { describe, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const AS_OF = "2026-11-22";
/** In no catalogue and no list. */
const OWN = "pkg:npm/acme-till-of-no-list@1.0.0";
/** Supported, without an end. */
const LIVING = "pkg:npm/lodash@4.17.21";
/** Ended. */
const DEAD = "pkg:npm/%40angular/core@12.2.0";

interface Stated {
  readonly endOfSupport?: string;
  readonly endOfLife?: string;
  readonly endOfBusiness?: string;
  readonly level?: string;
}
type Writer = (purl: string, stated: Stated) => string;

const properties = ({
  endOfSupport,
  endOfLife,
  endOfBusiness,
  level,
}: Stated): readonly (readonly [string, string])[] => [
  ...(endOfSupport === undefined ? [] : [["cdx:lifecycle:milestone:endOfSupport", endOfSupport] as const]),
  ...(endOfLife === undefined ? [] : [["cdx:lifecycle:milestone:endOfLife", endOfLife] as const]),
  ...(endOfBusiness === undefined ? [] : [["cdx:lifecycle:milestone:endOfBusinessOperations", endOfBusiness] as const]),
  ...(level === undefined ? [] : [["reliza:support:levelOfSupport", level] as const]),
];

const spdx2 = {
  spdxVersion: "SPDX-2.3",
  SPDXID: "SPDXRef-DOCUMENT",
  name: "shop",
  dataLicense: "CC0-1.0",
  documentNamespace: "https://shop.test/sbom",
  creationInfo: { created: "2026-01-01T00:00:00Z", creators: ["Tool: test"] },
};

const FORMATS: Readonly<Record<string, Writer>> = {
  "CycloneDX JSON": (purl, stated) =>
    JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [
        {
          type: "library",
          name: "part",
          version: purl.slice(purl.lastIndexOf("@") + 1),
          purl,
          properties: properties(stated).map(([name, value]) => ({ name, value })),
        },
      ],
    }),
  "CycloneDX XML": (purl, stated) =>
    `<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.6" version="1"><components><component type="library"><name>part</name><version>${purl.slice(purl.lastIndexOf("@") + 1)}</version><purl>${purl}</purl><properties>${properties(
      stated,
    )
      .map(([name, value]) => `<property name="${name}">${value}</property>`)
      .join("")}</properties></component></components></bom>`,
  "SPDX 2 JSON": (purl, { endOfSupport }) =>
    JSON.stringify({
      ...spdx2,
      packages: [
        {
          SPDXID: "SPDXRef-part",
          name: "part",
          versionInfo: purl.slice(purl.lastIndexOf("@") + 1),
          downloadLocation: "NOASSERTION",
          ...(endOfSupport !== undefined && { validUntilDate: endOfSupport }),
          externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
        },
      ],
    }),
  "SPDX 2 tag-value": (purl, { endOfSupport }) =>
    `${[
      "SPDXVersion: SPDX-2.3",
      "DataLicense: CC0-1.0",
      "SPDXID: SPDXRef-DOCUMENT",
      "DocumentName: shop",
      "DocumentNamespace: https://shop.test/sbom",
      "Creator: Tool: test",
      "Created: 2026-01-01T00:00:00Z",
      "PackageName: part",
      "SPDXID: SPDXRef-part",
      `PackageVersion: ${purl.slice(purl.lastIndexOf("@") + 1)}`,
      "PackageDownloadLocation: NOASSERTION",
      ...(endOfSupport === undefined ? [] : [`ValidUntilDate: ${endOfSupport}`]),
      `ExternalRef: PACKAGE-MANAGER purl ${purl}`,
      "Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-part",
    ].join("\n")}\n`,
  "SPDX 3": (purl, { endOfSupport, level }) =>
    JSON.stringify({
      "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld",
      "@graph": [
        {
          type: "CreationInfo",
          "@id": "_:info",
          specVersion: "3.0.1",
          created: "2026-01-01T00:00:00Z",
          createdBy: ["https://shop.test/us"],
        },
        { type: "Organization", spdxId: "https://shop.test/us", creationInfo: "_:info", name: "us" },
        {
          type: "software_Package",
          spdxId: "https://shop.test/part",
          creationInfo: "_:info",
          name: "part",
          software_packageVersion: purl.slice(purl.lastIndexOf("@") + 1),
          software_packageUrl: purl,
          ...(endOfSupport !== undefined && { validUntilTime: endOfSupport }),
          ...(level !== undefined && { supportLevel: [level] }),
        },
        {
          type: "SpdxDocument",
          spdxId: "https://shop.test/document",
          creationInfo: "_:info",
          profileConformance: ["core", "software"],
          rootElement: ["https://shop.test/part"],
          element: ["https://shop.test/part"],
        },
      ],
    }),
};

interface Outcome {
  readonly severity: string;
  readonly condition: string;
}

async function checked(document: string, ...flags: readonly string[]) {
  return runCommand(["check", "-", "--as-of", AS_OF, ...flags], { cwd: "/", stdin: document });
}

async function outcomeOf(document: string): Promise<string> {
  const { out } = await checked(document, "--format", "json");
  const { documents } = JSON.parse(out) as {
    documents: readonly { findings: readonly { outcome: Outcome }[]; unmatched: readonly { outcome?: Outcome }[] }[];
  };
  const [{ findings, unmatched } = { findings: [], unmatched: [] }] = documents;
  const { severity = "pass", condition = "none" } = [...findings, ...unmatched][0]?.outcome ?? {};
  return `${severity} ${condition}`;
}

type Case = readonly [purl: string, stated: Stated, outcome: string];

const DATES: readonly Case[] = [
  [OWN, { endOfSupport: "2025-01-31" }, "fail declared-eol"],
  [OWN, { endOfSupport: "2025-01-31T00:00:00Z" }, "fail declared-eol"],
  [OWN, { endOfSupport: "2026-11-21T00:00:00Z" }, "fail declared-eol"],
  // The day itself is supported.
  [OWN, { endOfSupport: "2026-11-22T00:00:00Z" }, "pass none"],
  [OWN, { endOfSupport: "2030-01-01T00:00:00Z" }, "pass none"],
  [OWN, { endOfSupport: "next year" }, "pass none"],
  [OWN, {}, "pass none"],
  // The catalogue has a cycle: the statement is compared, and never counts.
  [LIVING, { endOfSupport: "2025-01-31T00:00:00Z" }, "warn declared-mismatch"],
  [DEAD, { endOfSupport: "2030-01-01T00:00:00Z" }, "fail eol"],
];
const CYCLONEDX: readonly Case[] = [
  [OWN, { endOfSupport: "2025-01" }, "fail declared-eol"],
  [OWN, { endOfSupport: "2026-11" }, "pass none"],
  [OWN, { endOfLife: "2025-01-31" }, "fail declared-eol"],
  [OWN, { endOfLife: "2030-01-31", endOfSupport: "2025-01-31" }, "fail declared-eol"],
  // Sales may end before support does.
  [OWN, { endOfLife: "2025-01-31", endOfSupport: "2030-01-31" }, "pass none"],
  // The maker is out of business.
  [OWN, { endOfBusiness: "2025-01-31" }, "fail declared-eol"],
  [OWN, { endOfBusiness: "2025-01-31", endOfSupport: "2030-01-31" }, "fail declared-eol"],
  // What the maintainers of a component do is no end of its support.
  [OWN, { level: "no longer maintained" }, "warn declared-eol"],
  [OWN, { level: "abandoned" }, "warn declared-eol"],
  [OWN, { level: "actively maintained" }, "pass none"],
  [OWN, { level: "no longer maintained", endOfSupport: "2030-01-31" }, "warn declared-eol"],
  [OWN, { level: "actively maintained", endOfSupport: "2025-01-31" }, "fail declared-eol"],
  [LIVING, { level: "abandoned" }, "warn declared-mismatch"],
];
const LEVELS: readonly Case[] = [
  [OWN, { level: "endOfSupport" }, "fail declared-eol"],
  // An end is defined, and the date states when it comes: https://github.com/spdx/spdx-3-model, SupportType.
  [OWN, { level: "endOfSupport", endOfSupport: "2030-01-01T00:00:00Z" }, "pass none"],
  [LIVING, { level: "endOfSupport", endOfSupport: "2030-01-01T00:00:00Z" }, "pass none"],
  [LIVING, { level: "endOfSupport" }, "warn declared-mismatch"],
  // A supplier that gives no support states no end of it.
  [OWN, { level: "noSupport" }, "warn declared-eol"],
  [OWN, { level: "noSupport", endOfSupport: "2025-01-31T00:00:00Z" }, "fail declared-eol"],
  [OWN, { level: "noAssertion" }, "pass none"],
  [OWN, { level: "support" }, "pass none"],
  [OWN, { level: "limitedSupport" }, "pass none"],
  [OWN, { level: "deployed" }, "pass none"],
  [OWN, { level: "development" }, "pass none"],
  [OWN, { level: "support", endOfSupport: "2025-01-31T00:00:00Z" }, "fail declared-eol"],
];

const CASES = Object.entries(FORMATS).flatMap(([format, write]) =>
  [...DATES, ...(format.startsWith("CycloneDX") ? CYCLONEDX : []), ...(format === "SPDX 3" ? LEVELS : [])].map(
    ([purl, stated, outcome]) => [format, purl, JSON.stringify(stated), outcome, write(purl, stated)] as const,
  ),
);

describe("a statement of the document about the support of a component", () => {
  test("is labelled in more than 60 cases", () => expect(CASES.length).toBeGreaterThan(60));

  test.each(CASES)("%s: %s with %s is %s", async (_format, _purl, _stated, outcome, document) => {
    expect(await outcomeOf(document)).toBe(outcome);
  });
});

describe("the FDA report", () => {
  test.each(Object.entries(FORMATS))("of %s states the declared end", async (_format, write) => {
    const levels = [];
    for (const endOfSupport of ["2025-01-31T00:00:00Z", "2030-01-01T00:00:00Z"]) {
      const { out } = await checked(write(OWN, { endOfSupport }), "--format", "fda");
      levels.push(out.split("\r\n")[1]?.split(",").slice(5, 9));
    }
    expect(levels).toEqual([
      ["no longer maintained", "end-of-support", "2025-01-31", ""],
      ["actively maintained", "supported", "2030-01-01", ""],
    ]);
  });

  test.each([
    ["SPDX 3", { level: "noSupport" }, ["no longer maintained", "no-longer-maintained", ""]],
    ["CycloneDX JSON", { level: "no longer maintained" }, ["no longer maintained", "no-longer-maintained", ""]],
    [
      "CycloneDX XML",
      { level: "abandoned", endOfSupport: "2030-06" },
      ["no longer maintained", "no-longer-maintained", "2030-06"],
    ],
    ["CycloneDX JSON", { level: "actively maintained" }, ["actively maintained", "supported", ""]],
  ])("of %s with %o states the declared level", async (format, stated, row) => {
    const { out } = await checked(FORMATS[format]?.(OWN, stated) ?? "", "--format", "fda");
    expect(out.split("\r\n")[1]?.split(",").slice(5, 8)).toEqual(row);
  });

  test.each(["CycloneDX JSON", "SPDX 2 JSON", "SPDX 3"])(
    "of %s quotes a declared end that is no day",
    async (format) => {
      const { out } = await checked(FORMATS[format]?.(OWN, { endOfSupport: "Q3 2027" }) ?? "", "--format", "fda");
      expect(out.split("\r\n")[1]?.split(",").slice(5, 9)).toEqual([
        "unknown",
        "unknown",
        "",
        '"no source was queried; the document states ""Q3 2027"""',
      ]);
    },
  );

  test("states the declared day where the catalogue has a cycle without one, and prefers the catalogue's", async () => {
    const write = FORMATS["SPDX 2 JSON"];
    const row = async (purl: string) =>
      (await checked(write?.(purl, { endOfSupport: "2030-01-01T00:00:00Z" }) ?? "", "--format", "fda")).out
        .split("\r\n")[1]
        ?.split(",")
        .slice(5, 8);
    expect(await row(LIVING)).toEqual(["actively maintained", "supported", "2030-01-01"]);
    expect(await row(DEAD)).toEqual(["no longer maintained", "end-of-support", "2022-11-12"]);
  });
});

test("an end that the document declares can be waived and is accepted where the gate does not fail on eol", async () => {
  const document = FORMATS["CycloneDX JSON"]?.(OWN, { endOfSupport: "2025-01-31" }) ?? "";
  expect((await checked(document)).exit).toBe(1);
  expect((await checked(document, "--fail-on", "kev", "--allow-unassessed")).exit).toBe(0);
});
