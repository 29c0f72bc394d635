/**
 * Prints the section of CHANGELOG.md for one version: the notes of a GitHub release. Refuses a version that is not the
 * one in package.json, that has no section, or whose heading states no day. Run: node tools/release-notes.ts 1.2.3
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

export type ReleaseNotes = { readonly notes: string } | { readonly problem: string };

/** `Unreleased` in place of the day: the section that the next release takes. */
const DATED = / \((\d{4}-\d{2}-\d{2})\)$/;
const UNDATED = / \(Unreleased\)$/i;

/**
 * The text below the heading `## VERSION (YYYY-MM-DD)`. A rehearsal also accepts `## VERSION (Unreleased)`, because the
 * day is set with the release.
 */
export function releaseNotes(changelog: string, version: string, isRehearsal = false): ReleaseNotes {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => headingOf(text).split(" ", 1)[0] === version);
  const notes = section?.split("\n").slice(1).join("\n").trim() ?? "";
  if (section === undefined || notes === "")
    return {
      problem: `CHANGELOG.md has no section for ${version}. Add "## ${version} (YYYY-MM-DD)" with its changes.`,
    };
  const heading = headingOf(section);
  if (isDay(DATED.exec(heading)?.[1]) || (isRehearsal && UNDATED.test(heading))) return { notes };
  return {
    problem: `the heading "## ${heading}" of CHANGELOG.md does not state the day of the release. Write "## ${version} (YYYY-MM-DD)".`,
  };
}

const headingOf = (section: string): string => section.split("\n", 1)[0]?.trim() ?? "";

/** Whether the text is a day of the calendar: 2026-02-30 is none. */
function isDay(text: string | undefined): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
}

function main(version: string | undefined): number {
  if (version !== manifest.version) {
    process.stderr.write(`release: the tag names ${version ?? "no version"}, package.json ${manifest.version}\n`);
    return 2;
  }
  const result = releaseNotes(readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8"), version);
  if ("problem" in result) {
    process.stderr.write(`release: ${result.problem}\n`);
    return 2;
  }
  process.stdout.write(`${result.notes}\n`);
  return 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = main(process.argv[2]);
