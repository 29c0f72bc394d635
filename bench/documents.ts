/**
 * Generates large documents for benchmarks, deterministic for each size, written in pieces. About 0.8 KB per component;
 * one in twenty is a package of a tracked product, as in real dependency trees.
 */
import { closeSync, openSync, writeSync } from "node:fs";

const TRACKED: readonly (readonly [purl: string, name: string, version: string])[] = [
  ["pkg:npm/express", "express", "4.18.2"],
  ["pkg:npm/%40angular/core", "@angular/core", "14.2.12"],
  ["pkg:pypi/django", "django", "3.2.25"],
  ["pkg:npm/vue", "vue", "2.7.16"],
  ["pkg:maven/org.springframework.boot/spring-boot", "spring-boot", "2.7.18"],
];
const LICENCES = ["MIT", "Apache-2.0", "ISC", "BSD-3-Clause"];
const HEX = "0123456789abcdef";

/** A pseudo-random number generator that gives the same numbers on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Package {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly purl: string;
  readonly licence: string;
  readonly digest: string;
}

function packageAt(index: number, draw: (below: number) => number): Package {
  const tracked = index % 20 === 7 ? TRACKED[draw(TRACKED.length)] : undefined;
  const group = `@scope-${index % 97}`;
  const name = tracked?.[1] ?? `package-${index}`;
  const version = tracked?.[2] ?? `${draw(9)}.${draw(30)}.${draw(12)}`;
  const purl = `${tracked?.[0] ?? `pkg:npm/%40scope-${index % 97}/package-${index}`}@${version}`;
  const digest = Array.from({ length: 64 }, () => HEX[draw(16)]).join("");
  return { name, group, version, purl, licence: LICENCES[draw(LICENCES.length)] ?? "MIT", digest };
}

const REF = (index: number): string => `component-${index}`;

class Output {
  private readonly file: number;
  private held: string[] = [];

  constructor(path: string) {
    this.file = openSync(path, "w");
  }

  write(text: string): void {
    this.held.push(text);
    if (this.held.length >= 4000) this.flush();
  }

  private flush(): void {
    writeSync(this.file, this.held.join(""));
    this.held = [];
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }
}

/** CycloneDX 1.6 with a tree of dependencies. `indent` indents the JSON; `padding` bytes make components larger. */
export function writeCycloneDx(
  path: string,
  components: number,
  { indent = 0, padding = 0 }: { readonly indent?: number; readonly padding?: number } = {},
): void {
  const draw = numbers(components);
  const out = new Output(path);
  const show = (value: object, last: boolean): void =>
    out.write(`${JSON.stringify(value, undefined, indent)}${last ? "\n" : ",\n"}`);
  out.write(
    '{"bomFormat":"CycloneDX","specVersion":"1.6","serialNumber":"urn:uuid:00000000-0000-4000-8000-000000000000","version":1,\n',
  );
  out.write(
    '"metadata":{"timestamp":"2026-01-01T00:00:00Z","tools":{"components":[{"type":"application","name":"bench"}]},',
  );
  out.write('"component":{"type":"application","bom-ref":"root","name":"shop","version":"1.0.0"}},\n"components":[\n');
  for (let index = 0; index < components; index++) {
    const { name, group, version, purl, licence, digest } = packageAt(index, draw);
    show(
      {
        type: "library",
        "bom-ref": REF(index),
        author: "Somebody <somebody@example.org>",
        group,
        name,
        version,
        description: `What package ${index} is good for, in a sentence of the length that is usual.${"x".repeat(padding)}`,
        scope: "required",
        hashes: [{ alg: "SHA-256", content: digest }],
        licenses: [{ license: { id: licence } }],
        purl,
        externalReferences: [
          { type: "website", url: `https://example.org/packages/${index}` },
          { type: "vcs", url: `git+https://example.org/packages/${index}.git` },
        ],
        ...(index % 3 === 0 ? { properties: [{ name: "cdx:npm:package:path", value: `node_modules/${name}` }] } : {}),
      },
      index === components - 1,
    );
  }
  out.write('],\n"dependencies":[\n');
  show({ ref: "root", dependsOn: components > 0 ? [REF(0)] : [] }, components === 0);
  for (let index = 0; index < components; index++) {
    const dependsOn = [2 * index + 1, 2 * index + 2].filter((child) => child < components).map(REF);
    show({ ref: REF(index), dependsOn }, index === components - 1);
  }
  out.write("]}\n");
  out.close();
}

const relation = (from: string, relationshipType: string, to: string): object => ({
  spdxElementId: from,
  relatedSpdxElement: to,
  relationshipType,
});

/** SPDX 2.3 with the same packages. */
export function writeSpdx(path: string, packages: number): void {
  const draw = numbers(packages);
  const out = new Output(path);
  const show = (value: object, last: boolean): void => out.write(`${JSON.stringify(value)}${last ? "\n" : ",\n"}`);
  const head = {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: "shop",
    documentNamespace: "https://example.org/spdx/shop",
    creationInfo: { created: "2026-01-01T00:00:00Z", creators: ["Tool: bench-1.0"] },
  };
  out.write(`${JSON.stringify(head).slice(0, -1)},\n"packages":[\n`);
  for (let index = 0; index < packages; index++) {
    const { name, version, purl, licence, digest } = packageAt(index, draw);
    show(
      {
        name,
        SPDXID: `SPDXRef-${index}`,
        versionInfo: version,
        supplier: "Organization: Example",
        downloadLocation: `https://example.org/packages/${index}`,
        filesAnalyzed: false,
        checksums: [{ algorithm: "SHA256", checksumValue: digest }],
        sourceInfo: `acquired from a list of packages, entry ${index}, as generators write it`,
        licenseConcluded: "NOASSERTION",
        licenseDeclared: licence,
        copyrightText: "NOASSERTION",
        externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
      },
      index === packages - 1,
    );
  }
  out.write('],\n"relationships":[\n');
  for (let index = 1; index < packages; index++) {
    show(relation(`SPDXRef-${Math.floor((index - 1) / 2)}`, "DEPENDS_ON", `SPDXRef-${index}`), false);
  }
  show(relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-0"), true);
  out.write("]}\n");
  out.close();
}
