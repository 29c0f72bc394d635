/** Findings refer to the component objects of the document, so that a caller can look one up by the other. */
import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { check } from "../../src/api/library.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { cyclonedx } from "../sbom/documents.ts";

const BYTES = Buffer.from(
  JSON.stringify(
    cyclonedx({
      components: [
        { type: "library", name: "a" },
        { type: "library", name: "b" },
      ],
    }),
  ),
);

test.each(["findings first", "components first"])(
  "each finding has the component of the document, %s",
  async (order) => {
    const { documents } = await check(BYTES, { catalogue: loadCatalogue(), asOf: "2026-01-01" });
    const [report] = documents;
    if (order === "components first") expect(report?.document.components).toHaveLength(2);
    const components = report?.findings.map(({ component }) => component) ?? [];
    expect(components).toHaveLength(2);
    for (const [index, component] of components.entries()) expect(component).toBe(report?.document.components[index]);
  },
);
