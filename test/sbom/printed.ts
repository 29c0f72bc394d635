/** Converts JSON documents to the other encodings of their formats, to compare the readers. */

type Value = unknown;
const isObject = (value: Value): value is Readonly<Record<string, Value>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : []);
const at = (value: Value, key: string): Value => (isObject(value) ? value[key] : undefined);

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const attribute = (name: string, value: Value): string =>
  typeof value === "string" ? ` ${name}="${escaped(value)}"` : "";
const element = (name: string, value: Value): string =>
  typeof value === "string" ? `<${name}>${escaped(value)}</${name}>` : "";
const wrapped = (name: string, inner: readonly string[]): string =>
  inner.length === 0 ? "" : `<${name}>\n${inner.join("\n")}\n</${name}>`;

function licence(value: Value): string {
  const expression = at(value, "expression");
  if (typeof expression === "string") return element("expression", expression);
  const known = at(value, "license");
  return `<license>${element("id", at(known, "id"))}${element("name", at(known, "name"))}</license>`;
}

const textOf = (value: Value): string => (typeof value === "string" ? value : "");

const property = (value: Value): string =>
  `<property${attribute("name", at(value, "name"))}>${escaped(textOf(at(value, "value")))}</property>`;

function component(value: Value): string {
  const supplier = at(at(value, "supplier"), "name");
  return [
    `<component${attribute("type", at(value, "type"))}${attribute("bom-ref", at(value, "bom-ref"))}>`,
    typeof supplier === "string" ? `<supplier>${element("name", supplier)}</supplier>` : "",
    ...["publisher", "group", "name", "version", "scope"].map((name) => element(name, at(value, name))),
    wrapped("licenses", listOf(at(value, "licenses")).map(licence)),
    ...["cpe", "purl"].map((name) => element(name, at(value, name))),
    wrapped("properties", listOf(at(value, "properties")).map(property)),
    wrapped("components", listOf(at(value, "components")).map(component)),
    "</component>",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** CycloneDX XML of a CycloneDX JSON document, as far as the gate reads it. */
export function asXml(bom: Value): string {
  const root = at(at(bom, "metadata"), "component");
  const dependencies = listOf(at(bom, "dependencies")).map((each) => {
    const needed = listOf(at(each, "dependsOn")).map((ref) => `<dependency${attribute("ref", ref)}/>`);
    return `<dependency${attribute("ref", at(each, "ref"))}>${needed.join("")}</dependency>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<bom xmlns="http://cyclonedx.org/schema/bom/${String(at(bom, "specVersion"))}"${attribute("serialNumber", at(bom, "serialNumber"))}>`,
    root === undefined ? "" : `<metadata>${component(root)}</metadata>`,
    wrapped("components", listOf(at(bom, "components")).map(component)),
    wrapped("dependencies", dependencies),
    "</bom>\n",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

const tag = (name: string, value: Value): readonly string[] =>
  typeof value !== "string" ? [] : [`${name}: ${value.includes("\n") ? `<text>${value}</text>` : value}`];

function pkg(value: Value): string {
  return [
    "",
    "##### Package",
    ...tag("PackageName", at(value, "name") ?? ""),
    ...tag("SPDXID", at(value, "SPDXID")),
    ...tag("PackageVersion", at(value, "versionInfo")),
    ...tag("PackageDownloadLocation", at(value, "downloadLocation") ?? "NOASSERTION"),
    ...tag("PackageSupplier", at(value, "supplier")),
    ...tag("PackageOriginator", at(value, "originator")),
    ...tag("PackageLicenseConcluded", at(value, "licenseConcluded")),
    ...tag("PackageLicenseDeclared", at(value, "licenseDeclared")),
    ...tag("PackageCopyrightText", at(value, "copyrightText")),
    ...tag("PrimaryPackagePurpose", at(value, "primaryPackagePurpose")),
    ...tag("ValidUntilDate", at(value, "validUntilDate")),
    ...listOf(at(value, "externalRefs")).flatMap((each) => {
      const words = ["referenceCategory", "referenceType", "referenceLocator"].map((key) => String(at(each, key)));
      return tag("ExternalRef", words.join(" "));
    }),
  ].join("\n");
}

/** SPDX tag-value of an SPDX 2 JSON document, as far as the gate reads it. */
export function asTagValue(document: Value): string {
  const files = listOf(at(document, "files")).map((file) =>
    ["", ...tag("FileName", at(file, "fileName") ?? "./x"), ...tag("SPDXID", at(file, "SPDXID"))].join("\n"),
  );
  const snippets = listOf(at(document, "snippets")).map((snippet) =>
    ["", ...tag("SnippetSPDXID", at(snippet, "SPDXID"))].join("\n"),
  );
  const described = listOf(at(document, "documentDescribes")).map(
    (ref) => `Relationship: SPDXRef-DOCUMENT DESCRIBES ${String(ref)}`,
  );
  return [
    ...tag("SPDXVersion", at(document, "spdxVersion")),
    ...tag("SPDXID", at(document, "SPDXID")),
    ...tag("DocumentName", at(document, "name")),
    ...tag("DocumentNamespace", at(document, "documentNamespace")),
    ...listOf(at(at(document, "creationInfo"), "creators")).flatMap((creator) => tag("Creator", creator)),
    ...described,
    ...listOf(at(document, "packages")).map(pkg),
    ...files,
    ...snippets,
    "",
    ...listOf(at(document, "relationships")).map((each) => {
      const words = ["spdxElementId", "relationshipType", "relatedSpdxElement"].map((key) => String(at(each, key)));
      return `Relationship: ${words.join(" ")}`;
    }),
    "",
  ].join("\n");
}
