/** Every format names the end that decided, on both sides of its day, with the catalogue's Debian and its free LTS. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { assess } from "../../src/lifecycle/assess.ts";
import { scoreCard } from "../../src/report/cards/score-card.ts";
import { nearEnds } from "../../src/report/calendar.ts";
import { badge } from "../../src/wire/product.ts";
import { statusObject } from "../../src/wire/score.ts";
import { day } from "../lifecycle/builders.ts";
import { runCommand } from "../cli/fake-io.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-support-"));
afterAll(() => rmSync(folder, { recursive: true }));

const FORMATS = ["json", "ndjson", "csv", "xeol", "fda", "sarif", "gitlab", "junit", "vex", "markdown", "html", "ics"];

/** The exit code of a check of one release of Debian, and its reports by format. */
async function reports(version: string, asOf: string, ...flags: string[]) {
  const system = { type: "operating-system", name: "debian", version };
  const purl = `pkg:deb/debian/bash@5.2-1?distro=debian-${version}`;
  const components = [system, { type: "library", name: "bash", version: "5.2-1", purl }];
  writeFileSync(join(folder, "a.cdx.json"), JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }));
  const outputs = FORMATS.flatMap((format) => ["--report", `${format}=${join(folder, format)}`]);
  const rest = ["--as-of", asOf, "--forecast", "24m", "--verbose", ...flags];
  const { exit, out } = await runCommand(["check", "a.cdx.json", ...rest, ...outputs], { cwd: folder });
  const text = (format: string): string => readFileSync(join(folder, format), "utf8").replaceAll("\r\n ", "");
  return { exit, table: out, text };
}

describe("the end that decided", () => {
  test.each([
    ["12", "2026-11-22", [], 0, "2028-06-30", "ends", "free Debian LTS until 2028-06-30"],
    ["12", "2028-06-30", [], 0, "2028-06-30", "ends", "free Debian LTS until 2028-06-30"],
    ["12", "2028-07-01", [], 1, "2028-06-30", "ended", "free Debian LTS until 2028-06-30"],
    ["11", "2026-08-31", [], 0, "2026-08-31", "ends", "free Debian LTS until 2026-08-31"],
    ["11", "2026-09-01", [], 1, "2026-08-31", "ended", "free Debian LTS until 2026-08-31"],
    ["11", "2026-11-22", ["--support", "extended"], 0, "2031-06-30", "ends", "paid Extended LTS until 2031-06-30"],
    ["13", "2026-11-22", [], 0, "2030-06-30", "ends", "free Debian LTS until 2030-06-30"],
  ])("of Debian %s on %s with %j: exit %i, %s", async (version, asOf, flags, code, end, verb, track) => {
    const { exit, table, text } = await reports(version, asOf, ...flags);
    expect(exit).toBe(code);
    expect(table).toContain(end);
    expect(table).toContain(track);
    const lines: unknown[] = text("ndjson")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const outcome = { track: expect.stringContaining(track), support_end_date: end };
    const finding = { record: "finding", support_end_date: end, outcome };
    expect(lines.slice(0, 2)).toMatchObject([finding, finding]);
    for (const format of ["json", "csv", "fda", "html"]) expect(text(format), format).toContain(end);
    expect(text("fda")).toContain(code === 0 ? "actively maintained" : "no longer maintained");
    expect(text("fda")).not.toContain(code === 0 ? "no longer maintained" : "actively maintained");
    expect(JSON.parse(text("xeol")).matches).toHaveLength(code === 0 ? 0 : 2);
    if (code === 1)
      for (const format of ["xeol", "sarif", "gitlab", "junit", "vex", "markdown"])
        expect(text(format), format).toContain(end);
    if (code === 1) expect(text("sarif")).toContain(`${verb} ${end}`);
  });

  test("of Debian 12 is the standard one with --support standard", async () => {
    const before = await reports("12", "2026-07-11", "--support", "standard");
    const { exit, text } = await reports("12", "2026-07-12", "--support", "standard");
    expect([before.exit, exit]).toEqual([0, 1]);
    for (const format of ["sarif", "gitlab", "junit", "vex"]) expect(text(format)).toContain("ended 2026-07-11");
    expect(text("fda")).toContain("no longer maintained");
    expect(text("fda")).not.toContain("2028-06-30");
    expect(JSON.parse(text("xeol")).matches[0].Cycle.Eol).toBe("2026-07-11");
  });

  test("is forecast with its track", async () => {
    const { text } = await reports("12", "2026-11-22");
    expect(text("ics")).toContain("DTSTART;VALUE=DATE:20280701");
    expect(text("ics")).toContain("free Debian LTS until 2028-06-30 ends");
  });
});

describe("answers about one release cycle", () => {
  const debian = loadCatalogue().product("debian");
  const on = (name: string, asOf: string) => {
    const cycle = debian?.cycles.find((each) => each.name === name);
    if (debian === undefined || cycle === undefined) throw new Error(name);
    return assess(debian, cycle, day(asOf));
  };

  test.each([
    ["12", "2026-11-22", "supported until 2028-06-30 (Debian LTS)", "brightgreen", true],
    ["12", "2028-06-30", "end of life 2028-06-30 (Debian LTS)", "yellow", true],
    ["12", "2028-07-01", "end of life since 2028-06-30 (Debian LTS)", "red", false],
    ["11", "2026-11-22", "end of life since 2026-08-31 (Debian LTS)", "red", false],
  ])("about Debian %s on %s: %s", (name, asOf, message, color, isByTrack) => {
    const assessment = on(name, asOf);
    expect(badge(assessment)).toMatchObject({ message, color });
    const end = name === "12" ? "2028-06-30" : "2026-08-31";
    expect(statusObject(assessment)).toMatchObject({
      // The interface specification fixes these for standard support.
      status: "eol",
      is_eol: true,
      // The support that counts.
      is_supported: isByTrack,
      eol_date: name === "12" ? "2026-07-11" : "2024-08-14",
      support_end_date: end,
      support_track: "Debian LTS",
      is_supported_by_track: isByTrack,
    });
    const card = scoreCard(assessment, { color: false, width: 100, hyperlinks: false });
    expect(card).toContain(`free Debian LTS ${isByTrack ? "ends" : "ended"} ${end}`);
    expect(card).toContain(`standard support ended ${name === "12" ? "2026-07-11" : "2024-08-14"}`);
  });

  test("a feed of ends contains the end that counts", () => {
    expect(nearEnds([on("12", "2028-06-01")], { past: 30, ahead: 90 })[0]?.end.value).toBe("2028-06-30");
    expect(nearEnds([on("12", "2026-07-11")], { past: 30, ahead: 90 })).toEqual([]);
  });
});

describe("advice names paid support", () => {
  const PAID = "or buy paid Extended LTS until 2031-06-30 by Freexian";
  const contract = (product: string): string =>
    JSON.stringify({ contracts: [{ product, vendor: "x", until: "2030-01-01" }] });

  test.each([
    ["where contracts count and none is for the release", contract("nodejs"), true],
    ["not by default", "{}", false],
    ["not where free support counts only", JSON.stringify({ support: "free" }), false],
    ["not where there is a contract", contract("debian"), false],
  ])("%s", async (_, settings, isNamed) => {
    const cwd = mkdtempSync(join(folder, "paid-"));
    writeFileSync(join(cwd, "Dockerfile"), "FROM debian:11\n");
    writeFileSync(join(cwd, "eolgate.config.json"), settings);
    for (const format of ["table", "markdown", "junit"]) {
      const { out } = await runCommand(["check", "--format", format, "--as-of", "2026-11-22"], { cwd });
      expect(out.includes(PAID), format).toBe(isNamed);
    }
  });
});

test.each([
  ["16.20.2-8", "SUPPORT ENDED", "2024-05-01 2 years", "2032-05-31"],
  ["22.4.1-4", "SUPPORT ENDS", "2032-05-31 in 5 years", "2024-05-01"],
])(
  "the table shows the end that RHEL 9 states for its package of Node.js %s",
  async (version, heading, shown, other) => {
    const purl = `pkg:rpm/redhat/nodejs@${version}.el9?distro=rhel-9.4`;
    const components = [{ type: "library", name: "nodejs", version, purl }];
    writeFileSync(
      join(folder, "b.cdx.json"),
      JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }),
    );
    const { out } = await runCommand(["check", "b.cdx.json", "--verbose", "--as-of", "2026-11-23"], { cwd: folder });
    expect([out.includes(heading), out.includes(shown), out.includes(other)]).toEqual([true, true, false]);
  },
);

test.each(["markdown", "html", "sarif", "vex", "gitlab", "junit", "github"])(
  "%s names the end of a package that RHEL 9 dropped, not the next release",
  async (format) => {
    const purl = "pkg:rpm/redhat/nodejs@16.20.2-8.el9?distro=rhel-9.4";
    const components = [{ type: "library", name: "nodejs", version: "16.20.2-8", purl }];
    writeFileSync(
      join(folder, "c.cdx.json"),
      JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }),
    );
    const { out } = await runCommand(["check", "c.cdx.json", "--format", format, "--as-of", "2026-11-23"], {
      cwd: folder,
    });
    const texts = out.replaceAll(/"eolDate": "[^"]*"/g, "").replace(/<svg.*<\/svg>/s, "");
    expect([texts.includes("2024-05-01"), /ends 2032|2032-05-31, in|move to/.test(texts)]).toEqual([true, false]);
  },
);
