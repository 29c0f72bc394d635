/** Writes docs/sources.md from the table of sources: `npm run generate`. A test checks that the page is up to date. */
import { writeFileSync } from "node:fs";
import { allSources } from "../src/pipeline/sources/sources.ts";
import type { Source, Verification } from "../src/pipeline/sources/source.ts";

const VERIFICATION: Readonly<Record<Verification, string>> = {
  read: "read",
  excerpt: "excerpt",
  "unverified-format": "unverified",
};

const formOf = ({ verification, seen }: Source): string =>
  [VERIFICATION[verification], seen].filter(Boolean).join(", ");

export const SOURCES_PAGE: URL = new URL("../docs/sources.md", import.meta.url);

/** A link's text: the address without its scheme. */
const link = (url: string): string => `[${new URL(url).host}${new URL(url).pathname}](${url})`;

function addresses({ documents: [first, ...further] }: Source): string {
  if (!first) return "";
  return further.length === 0 ? link(first.url) : `${link(first.url)} and ${String(further.length)} more`;
}

/** The products of a source, the first of many. */
function productsOf({ products }: Source): string {
  if (products.length === 0) return "all";
  return products.length > 8
    ? `${products.slice(0, 6).join(", ")} and ${products.length - 6} more`
    : products.join(", ");
}

/** One row a source, in the order of their ids. */
export function sourcesTable(sources: readonly Source[]): string {
  const rows = sources
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((source) => {
      const products = productsOf(source);
      const reader = source.isDeclared ? "description" : "code";
      return `| ${source.id} | ${products} | ${source.format} | ${reader} | ${formOf(source)} | ${source.origin} | ${addresses(source)} |`;
    });
  return [
    "| source | products | format | read by | form known by | origin | address |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** The whole page. */
export function sourcesPage(sources: readonly Source[]): string {
  const vendors = sources.filter(({ kind }) => kind === "lifecycle");
  return `# Sources of dates

The catalogue is compiled from the upstream record and from what vendors state themselves: ${String(sources.length)} sources, ${String(vendors.length)} of them feeds of lifecycle dates. Sources of one origin copy each other and count once.

*Read by*: a \`description\` in [src/pipeline/curated/feeds](../src/pipeline/curated/README.md#describe-a-feed) (address, table, columns, date notation: ${String(vendors.filter(({ isDeclared }) => isDeclared).length)} feeds), or \`code\` where the form needs it. *Form known by*: \`read\`, from a whole text as the vendor publishes it, in the vendor's repository or at its address; \`excerpt\`, from verbatim rows of a real answer, which can contradict the record but not confirm it; \`unverified\`, from a description only, and such dates count for nothing until a real read succeeded. The day is that of the newest such text; for sources without one, \`eolgate catalogue info\` shows the day on which they were last read. A feed that changes its form is reported as \`feed-changed\` and its last good reading stays.

${sourcesTable(sources)}

## Affected versions of exploited vulnerabilities

A refresh reads the affected versions of new entries of CISA's catalogue from the CVE record (\`cveawg.mitre.org/api/cve/CVE-…\`), else from the NVD (\`services.nvd.nist.gov/rest/json/cves/2.0\`). Both readers follow the published schemas; no real answer was read yet, and the tests answer on the loopback address. An entry of which not every affected version can be read stays without ranges, and counts as exploited in some version.

## Releases after the recorded end

A refresh asks deps.dev for the newest release of each product whose newest recorded release cycle has ended, and names those with newer releases. Nothing is changed by it. The reader follows the published interface; no real answer was read yet.
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(SOURCES_PAGE, sourcesPage(allSources));
