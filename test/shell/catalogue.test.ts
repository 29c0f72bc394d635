/** The age of the catalogue: a warning after 30 days, an error after a year, also with a date in the future. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { configured, runCommand } from "../cli/fake-io.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));
/** Its date is 2026-08-22. */
const catalogue = ["--catalogue", "test/fixtures/catalogue.json"];
const run = (today: string, ...argv: readonly string[]) => runCommand([...argv, ...catalogue], { cwd, today });
const check = (today: string, ...more: readonly string[]) => run(today, "check", "examples/clean.cdx.json", ...more);
const mentions = ({ out, err }: { out: string; err: string }) =>
  `${out}${err}`.match(/, \d+ days: eolgate|days old/g)?.length ?? 0;

describe("warning about an old catalogue", () => {
  test("appears once after 31 days: in the footer of the table, otherwise on standard error", async () => {
    const young = await check("2026-09-21");
    expect(young.err).toBe("");
    expect(young.out).not.toContain("catalogue update");
    const table = await check("2026-09-22");
    expect(table.err).toBe("");
    expect(table.out).toContain("31 days: eolgate catalogue update --from-sources");
    expect(mentions(table)).toBe(1);
    const json = await check("2026-09-22", "--format", "json");
    expect(json.err.match(/days old/g)).toHaveLength(1);
    expect((await run("2026-09-22", "score", "nodejs", "18")).err).toBe("");
  });

  test("is silenced by --quiet", async () => {
    expect(mentions(await check("2026-09-22", "--quiet"))).toBe(0);
    expect((await check("2026-09-22", "--quiet", "--format", "json")).err).toBe("");
  });
});

describe("maximum catalogue age", () => {
  test("is 365 days unless the configuration states another", async () => {
    expect((await check("2027-08-22")).exit).not.toBe(4);
    const old = await check("2027-08-23");
    expect(old).toMatchObject({ exit: 4, out: "" });
    expect(old.err).toContain("366 days old");
    expect((await check("2027-08-23", ...configured({ maxCatalogueAge: 400 }))).exit).not.toBe(4);
    expect((await check("2026-09-01", ...configured({ maxCatalogueAge: 5 }))).exit).toBe(4);
  });

  test("does not apply to an explicit date in the future", async () => {
    expect((await check("2026-09-01", "--as-of", "2029-01-01")).exit).not.toBe(4);
  });

  test("reports an error when the clock is before the catalogue's date", async () => {
    expect(await check("2026-08-01")).toMatchObject({ exit: 4, out: "" });
    expect(await run("2026-08-01", "catalogue", "info")).toMatchObject({ exit: 4, out: "" });
  });
});
