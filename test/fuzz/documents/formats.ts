/** One model in every format that is read, and in every wrapping. */
import { writeJson, type JsonStyle } from "./json.ts";
import type { Model, ModelComponent } from "./model.ts";
import type { Random } from "./random.ts";

type Write = (model: Model, random: Random, style: JsonStyle) => string;

const cyclonedx: Write = ({ root, components }, random, style) => {
  const component = ({ ref, name, version, purl, license }: ModelComponent) => ({
    type: "library",
    "bom-ref": ref,
    name,
    version,
    purl,
    licenses: license === undefined ? undefined : [{ expression: license }],
  });
  return writeJson(
    {
      bomFormat: "CycloneDX",
      specVersion: random.pick(["1.3", "1.4", "1.5", "1.6", "1.7"]),
      metadata: { component: component(root) },
      components: components.map(component),
      dependencies: [root, ...components].map(({ ref, dependencies }) => ({ ref, dependsOn: dependencies })),
    },
    random,
    style,
  );
};

const idOf = (ref: string): string => `SPDXRef-${ref}`;

const spdx2: Write = ({ root, components }, random, style) =>
  writeJson(
    {
      spdxVersion: random.pick(["SPDX-2.2", "SPDX-2.3"]),
      SPDXID: "SPDXRef-DOCUMENT",
      documentDescribes: [idOf(root.ref)],
      packages: [root, ...components].map(({ ref, name, version, purl, license }) => ({
        SPDXID: idOf(ref),
        name,
        versionInfo: version,
        licenseDeclared: license,
        externalRefs: purl === undefined ? undefined : [{ referenceType: "purl", referenceLocator: purl }],
      })),
      relationships: [root, ...components].flatMap(({ ref, dependencies }) =>
        dependencies.map((to) => ({
          spdxElementId: idOf(ref),
          relationshipType: "DEPENDS_ON",
          relatedSpdxElement: idOf(to),
        })),
      ),
    },
    random,
    style,
  );

const urnOf = (ref: string): string => `urn:${ref}`;

const spdx3: Write = ({ root, components }, random, style) => {
  const elements = [root, ...components].map(({ ref, name, version, purl }) => ({
    type: "software_Package",
    spdxId: urnOf(ref),
    name,
    software_packageVersion: version,
    software_packageUrl: purl,
  }));
  const relations = [root, ...components].flatMap(({ ref, dependencies }) =>
    dependencies.map((to) => ({
      type: "Relationship",
      spdxId: `urn:relation-${ref}-${to}`,
      from: urnOf(ref),
      to: [urnOf(to)],
      relationshipType: "dependsOn",
    })),
  );
  const info = { type: "CreationInfo", "@id": "_:info", specVersion: "3.0.1" };
  const document = { type: "SpdxDocument", spdxId: "urn:document", rootElement: [urnOf(root.ref)] };
  const graph = [info, document, ...elements, ...relations];
  // What an unknown member contains is read in SPDX 3, where elements may be written inline anywhere.
  const known = { ...style, unknown: 0 };
  const context = "https://spdx.org/rdf/3.0.1/spdx-context.jsonld";
  return writeJson({ "@context": context, "@graph": style.shuffle ? random.shuffled(graph) : graph }, random, known);
};

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const xml: Write = ({ root, components }, random, style) => {
  const gap = (): string =>
    style.indent ? random.pick(["", "\n", "<!-- <component><name>django</name></component> -->", "<?x y?>"]) : "";
  const component = ({ ref, name, version, purl, license }: ModelComponent): string =>
    [
      `<component type="library" bom-ref="${ref}">`,
      `<name>${style.escapes > 0 ? `<![CDATA[${name}]]>` : escapeXml(name)}</name>`,
      `<version>${version}</version>`,
      license === undefined ? "" : `<licenses><expression>${license}</expression></licenses>`,
      purl === undefined ? "" : `<purl>${escapeXml(purl)}</purl>`,
      "</component>",
    ].join(gap());
  const dependency = ({ ref, dependencies }: ModelComponent): string =>
    `<dependency ref="${ref}">${dependencies.map((to) => `<dependency ref="${to}"/>`).join(gap())}</dependency>`;
  return [
    `<bom xmlns="http://cyclonedx.org/schema/bom/${random.pick(["1.4", "1.6"])}">`,
    `<metadata>${component(root)}</metadata>`,
    `<components>${components.map(component).join(gap())}</components>`,
    `<dependencies>${[root, ...components].map(dependency).join(gap())}</dependencies>`,
    "</bom>",
  ].join(gap());
};

const tagValue: Write = ({ root, components }, random, style) => {
  const end = style.indent && random.chance(50) ? "\r\n" : "\n";
  const gap = (): readonly string[] => (style.indent ? random.pick([[], [""], ["# PackageName: django"]]) : []);
  const value = (text: string): string => (random.chance(style.escapes) ? `<text>${text}</text>` : text);
  const packageLines = ({ ref, name, version, purl, license }: ModelComponent): readonly string[] => [
    ...gap(),
    `PackageName: ${value(name)}`,
    `SPDXID: ${idOf(ref)}`,
    `PackageVersion: ${value(version)}`,
    "PackageDownloadLocation: NOASSERTION",
    ...gap(),
    ...(license === undefined ? [] : [`PackageLicenseDeclared: ${license}`]),
    ...(purl === undefined ? [] : [`ExternalRef: PACKAGE-MANAGER purl ${purl}`]),
  ];
  return [
    "SPDXVersion: SPDX-2.3",
    "SPDXID: SPDXRef-DOCUMENT",
    ...[root, ...components].flatMap(packageLines),
    ...gap(),
    `Relationship: SPDXRef-DOCUMENT DESCRIBES ${idOf(root.ref)}`,
    ...[root, ...components].flatMap(({ ref, dependencies }) =>
      dependencies.map((to) => `Relationship: ${idOf(ref)} DEPENDS_ON ${idOf(to)}`),
    ),
    "",
  ].join(end);
};

export const FORMATS = { cyclonedx, spdx2, spdx3, xml, tagValue };
export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = ["cyclonedx", "spdx2", "spdx3", "xml", "tagValue"] as const satisfies readonly FormatName[];

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Wrappings that leave the document as it is. Those of JSON put its text into another object. */
const ANY_FORMAT: readonly ((text: string) => Uint8Array)[] = [
  utf8,
  (text) => utf8(`\uFEFF${text}`),
  (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
  (text) => utf8(JSON.stringify({ sbom: text })),
  (text) => utf8(JSON.stringify({ payloadType: "x", payload: base64(utf8(text)), signatures: [] })),
];
const JSON_ONLY: readonly ((text: string) => Uint8Array)[] = [
  (text) => utf8(` \r\n\t${text}\n \n`),
  (text) => utf8(`{"sbom":${text}}`),
  (text) => utf8(`{"_type":"x","predicateType":"y","predicate":${text},"subject":[]}`),
  (text) => utf8(`{"mediaType":"x","dsseEnvelope":{"payloadType":"x","payload":"${base64(utf8(text))}"}}`),
];

export const wrappingsOf = (format: FormatName): readonly ((text: string) => Uint8Array)[] =>
  format === "xml" || format === "tagValue" ? ANY_FORMAT : [...ANY_FORMAT, ...JSON_ONLY];

export function wrap(text: string, format: FormatName, random: Random): Uint8Array {
  const wrappings = wrappingsOf(format);
  return (wrappings[random.below(wrappings.length)] ?? utf8)(text);
}
