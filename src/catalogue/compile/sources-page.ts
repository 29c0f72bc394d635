/** SOURCES.md: what went into the bundled catalogue, from whom, under which licence, read when, with its digest. */
import type { StoredContent } from "../schema.ts";
import type { ReferenceInputs } from "./reference.ts";

export function sourcesPage(
  { ingredients }: ReferenceInputs,
  { stamp, products }: StoredContent,
  digest: string,
): string {
  const rows = ingredients.map(
    ({ file, url, use, licence, readOn, sha256 }) =>
      `| ${file.replace(/^feeds\//, "")} | ${url} | ${use} | ${licence} | ${readOn} | \`${sha256}\` |`,
  );
  return `# What the bundled catalogue is made of

Compiled from facts only: names, dates, identifiers and source addresses. No sentence of a source is in it.
Made by \`npm run catalogue:compile\`; do not edit \`catalogue.json\` by hand.

- content date: ${stamp.date}, the day on which the upstream record was read
- known exploited vulnerabilities: ${stamp.kevVersion}
- products: ${Object.keys(products).length}
- digest: \`${digest}\`

Our own facts stand in \`src/catalogue/curated\`, each with its page and the day it was read, under this project's licence.
The other sources:

| file | address | use | licence | read on | SHA-256 |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
}
