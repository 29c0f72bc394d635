import { parseXml } from "@rgrove/parse-xml";
import { expect, test } from "vitest";
import { failReport } from "../report/reports.ts";
import { table } from "../../src/report/table.ts";
import { runs, screenshot } from "../../tools/screenshot.ts";

test("converts colours, weights and links to runs at their columns", () => {
  const [line] = runs(
    "a\u001b[1m\u001b[31mred\u001b[39m\u001b[22m \u001b]8;;https://x.example\u0007link\u001b]8;;\u0007",
  );
  expect(line).toEqual([
    { text: "a", column: 0, bold: false, dim: false, color: undefined, background: undefined },
    { text: "red", column: 1, bold: true, dim: false, color: "#ff7b72", background: undefined },
    { text: " link", column: 4, bold: false, dim: false, color: undefined, background: undefined },
  ]);
});

test("converts a report to a well-formed SVG that contains its text", () => {
  const output = table(failReport(), { terminal: { color: true, width: 110, hyperlinks: true }, details: false });
  const picture = screenshot(output, "eolgate check shop.cdx.json");
  const { root } = parseXml(picture);
  expect(root?.name).toBe("svg");
  expect(root?.text).toContain("Kestrel 3");
  expect(picture).not.toMatch(/\p{Cc}(?<!\n)/u);
});
