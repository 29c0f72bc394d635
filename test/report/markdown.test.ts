/** The comment on a pull request has the columns of the table, and each address once. */
import { expect, test } from "vitest";
import { markdown } from "../../src/report/markdown.ts";
import { failReport, hostileReport, passReport, warnReport } from "./reports.ts";

const OPTIONS = { details: false, terminal: { color: false, hyperlinks: false, width: 80 } };

test.each(Object.entries({ pass: passReport, warn: warnReport, fail: failReport, hostile: hostileReport }))(
  "%s: each address of a source is listed once, and none in a row",
  (_, report) => {
    const text = markdown(report(), OPTIONS);
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    expect(rows.join("\n")).not.toContain("https://dates.example");
    const addresses = text.match(/<https?:[^>]+>/g) ?? [];
    expect(addresses).toEqual([...new Set(addresses)]);
  },
);

test("has the columns of the table, with the advice in one of its own", () => {
  const text = markdown(failReport(), OPTIONS);
  expect(text).toContain("| | What | Support ends | Upgrade to | Risk | Used by | Note |");
  expect(text).toMatch(/^\| ❌ \| \*\*Kestrel 3\*\* .* \| \*\*Kestrel 5 LTS .* \| 88, Critical \|/m);
  expect(text).toMatch(
    /<summary>Sources of the dates<\/summary>\n\n(?:- .*<https:\/\/dates\.example\/[\w-]+>\n)+\n<\/details>/,
  );
});
