/** `eolgate forecast`: what fails by quarter, where, and what replaces it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../fake-io.ts";

const catalogue = resolve("test/fixtures/catalogue.json");
let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "eolgate-forecast-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...argv: readonly string[]) => runCommand(argv, { cwd: folder, env: { EOLGATE_CATALOGUE: catalogue } });
const stackFile = (name: string, versions: Readonly<Record<string, string>>): void =>
  writeFileSync(
    join(folder, name),
    JSON.stringify({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: Object.entries(versions).map(([product, version]) => ({
        type: "library",
        "bom-ref": product,
        name: product,
        version,
        purl: `pkg:generic/${product}@${version}`,
      })),
    }),
  );

interface Turn {
  readonly day: string;
  readonly product: string | null;
  readonly cause: string;
  readonly files: readonly string[];
  readonly upgrade: { readonly version: string } | null;
}
interface Answer {
  readonly until: string;
  readonly failing_today: number;
  readonly not_assessed: number;
  readonly quarters: readonly { readonly quarter: string; readonly turns: readonly Turn[] }[];
}

async function answerOf(...argv: readonly string[]): Promise<Answer & { readonly exit: number }> {
  const { exit, out } = await run("forecast", ...argv, "--format", "json");
  const answer: Answer = JSON.parse(out);
  return { ...answer, exit };
}

describe("forecast", () => {
  test("lists the same ends as check --forecast, each with its document and the upgrade", async () => {
    stackFile("a.cdx.json", { python: "3.12.1", node: "22.1.0" });
    stackFile("b.cdx.json", { python: "3.12.4" });
    const files = ["a.cdx.json", "b.cdx.json"];
    const { quarters, exit } = await answerOf(...files, "--as-of", "2026-06-01", "--within", "3y");
    const { out } = await run("check", ...files, "--as-of", "2026-06-01", "--forecast", "3y", "--format", "json");
    const checked: { readonly forecast: { readonly turns: readonly Turn[] } } = JSON.parse(out);
    const turns = quarters.flatMap((each) => each.turns);
    expect(turns.map(({ day, product }) => [day, product])).toEqual(
      checked.forecast.turns.map(({ day, product }) => [day, product]),
    );
    expect(turns.find(({ product }) => product === "python")?.files).toEqual(files);
    expect(turns.find(({ product }) => product === "nodejs")?.files).toEqual(["a.cdx.json"]);
    expect(exit).toBe(0);
  });

  test("a quarter holds the days of its three months", async () => {
    stackFile("a.cdx.json", { python: "3.12.1", node: "22.1.0", django: "5.2.1" });
    const { quarters } = await answerOf("a.cdx.json", "--as-of", "2026-06-01", "--within", "5y");
    expect(quarters.length).toBeGreaterThan(1);
    for (const { quarter, turns } of quarters)
      for (const { day } of turns)
        expect(quarter).toBe(
          `${day.slice(0, 4)} Q${["0103", "0406", "0709", "1012"].findIndex((months) => day.slice(5, 7) <= months.slice(2)) + 1}`,
        );
  });

  test("counts what fails already and what cannot be judged, and exits with 0", async () => {
    stackFile("a.cdx.json", { python: "2.7.18", "our-own": "1.0.0" });
    const answer = await answerOf("a.cdx.json", "--as-of", "2026-06-01");
    expect(answer).toMatchObject({ exit: 0, failing_today: 1, not_assessed: 1, quarters: [], until: "2027-06-01" });
    const { out } = await run("forecast", "a.cdx.json", "--as-of", "2026-06-01");
    expect(out).toContain("1 component fails already: run eolgate check.");
    expect(out).toContain("1 component not assessed: when it ends is not known.");
    expect(out).toContain("Nothing that passes today will fail until 2027-06-01, as far as its end is known.");
  });

  test("an expired waiver is a failure of its day", async () => {
    stackFile("a.cdx.json", { python: "2.7.18" });
    const waivers = [{ target: "python", reason: "migration", expires: "2026-09-30" }];
    writeFileSync(join(folder, "eolgate.config.json"), JSON.stringify({ waivers }));
    const { quarters } = await answerOf("a.cdx.json", "--as-of", "2026-06-01");
    expect(quarters).toMatchObject([{ quarter: "2026 Q4", turns: [{ day: "2026-10-01", cause: "waiver" }] }]);
  });

  test("a file that cannot be read is an error, beside the forecast of the others", async () => {
    stackFile("a.cdx.json", { node: "22.1.0" });
    writeFileSync(join(folder, "b.cdx.json"), "{");
    const { exit, out, err } = await run(
      "forecast",
      "a.cdx.json",
      "b.cdx.json",
      "--as-of",
      "2026-06-01",
      "--within",
      "3y",
    );
    expect(exit).toBe(3);
    expect(out).toContain("Node.js 22");
    expect(err).toContain("b.cdx.json");
  });

  test.each([
    ["12", "is not a period"],
    ["0m", "is not a period"],
    ["1d", "is not a period"],
  ])("--within %s is refused", async (span, text) => {
    stackFile("a.cdx.json", { node: "22.1.0" });
    const { exit, err } = await run("forecast", "a.cdx.json", "--within", span);
    expect([exit, err]).toEqual([2, expect.stringContaining(text)]);
  });

  test("the output must not be one of the documents", async () => {
    stackFile("a.cdx.json", { node: "22.1.0" });
    const before = readFileSync(join(folder, "a.cdx.json"), "utf8");
    expect((await run("forecast", "a.cdx.json", "-o", "a.cdx.json")).exit).toBe(2);
    expect(readFileSync(join(folder, "a.cdx.json"), "utf8")).toBe(before);
  });

  test("names of documents and components are escaped in Markdown and on the terminal", async () => {
    mkdirSync(join(folder, "a|b"));
    const document = {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [{ type: "library", name: "x|y`\u001b[31m", version: "22.1.0", purl: "pkg:generic/node@22.1.0" }],
    };
    writeFileSync(join(folder, "a|b", "c.cdx.json"), JSON.stringify(document));
    const asked = ["forecast", "a|b/c.cdx.json", "--as-of", "2026-06-01", "--within", "3y"];
    const markdown = (await run(...asked, "--format", "markdown")).out;
    const row = markdown.split("\n").find((line) => line.includes("Node.js 22"));
    expect(row?.replaceAll("\\|", "").split("|")).toHaveLength(7);
    for (const text of [markdown, (await run(...asked)).out]) expect(text).not.toContain("\u001b[31m");
  });
});
