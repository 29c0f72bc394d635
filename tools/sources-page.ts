/** SOURCES.md: the inputs of the bundled catalogue with publisher, licence, day of retrieval and digest. */
import type { StoredContent } from "../src/catalogue/schema.ts";
import type { ReferenceInputs } from "./reference-data.ts";

export function sourcesPage({ inputFiles }: ReferenceInputs, content: StoredContent, digest: string): string {
  const { metadata, products } = content;
  const rows = inputFiles.map(
    ({ file, url, use, licence, readOn, sha256 }) =>
      `| ${file.replace(/^feeds\//, "")} | ${url} | ${use} | ${licence} | ${readOn} | \`${sha256}\` |`,
  );
  return `${head(metadata, products, digest, "npm run catalogue:compile")}
The other sources:

| file | address | use | licence | read on | SHA-256 |
|---|---|---|---|---|---|
${rows.join("\n")}
${copiesTable(content)}`;
}

/** Copies and lists of others through which pages of our own facts were read. */
function copiesTable({ reads, addresses }: StoredContent): string {
  const counts = new Map<string, number>();
  for (const { via } of reads) {
    const address = via === undefined ? undefined : addresses[via];
    if (address !== undefined) counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  const rows = [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
  return `
Pages of our own facts that were read through copies and lists of others; their dates are facts of the pages:

| read through | pages |
|---|---|
${rows.map(([address, count]) => `| ${address} | ${count} |`).join("\n")}
`;
}

function head(
  metadata: StoredContent["metadata"],
  products: StoredContent["products"],
  digest: string,
  command: string,
): string {
  return `# What the bundled catalogue is made of

Compiled from facts only: names, dates, identifiers and source addresses. No sentence of a source is in it.
Made by \`${command}\`; do not edit \`catalogue.json\` by hand.

- content date: ${metadata.date}, the day on which the upstream record was read
- known exploited vulnerabilities: ${metadata.kevVersion}
- products: ${Object.keys(products).length}
- digest: \`${digest}\`

Curated facts are in \`src/pipeline/curated\`, each with its page and the day it was read, under this project's licence.
`;
}

/** The same for a catalogue that was refreshed from the network: each address with the day of its newest read. */
export function refreshedSourcesPage({ metadata, products, reads, addresses }: StoredContent, digest: string): string {
  const newest = new Map<string, { readonly source: string; readonly page: string; on: string }>();
  for (const { kind, source, page, on, copied } of reads) {
    if (kind !== "vendor-feed" && (kind !== "upstream" || copied)) continue;
    const url = kind === "upstream" ? "https://endoflife.date/api/v1/products/full" : (addresses[page] ?? "");
    const known = newest.get(url);
    if (known === undefined) newest.set(url, { source, page: url, on });
    else if (on > known.on) known.on = on;
  }
  const rows = [...newest.values()]
    .sort((a, b) => (a.source === b.source ? (a.page < b.page ? -1 : 1) : a.source < b.source ? -1 : 1))
    .map(({ source, page, on }) => `| ${source} | ${page} | ${on} |`);
  return `${head(metadata, products, digest, "npm run catalogue:refresh")}
The other sources, under the licences that NOTICE names:

| source | address | read on |
|---|---|---|
${rows.join("\n")}
`;
}
