/**
 * Prints the section of CHANGELOG.md for one version: the notes of a GitHub release. Refuses a version that is not the
 * one in package.json, or that has no section. Run: node tools/release-notes.ts 1.2.3
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

/** @returns the text below the heading of `version`, or `undefined` if the changelog has no such heading. */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split("\n", 1)[0]?.trim().split(" ", 1)[0] === version);
  const notes = section?.split("\n").slice(1).join("\n").trim();
  return notes === "" ? undefined : notes;
}

function main(version: string | undefined): number {
  if (version !== manifest.version) {
    process.stderr.write(`release: the tag names ${version ?? "no version"}, package.json ${manifest.version}\n`);
    return 2;
  }
  const notes = releaseNotes(readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8"), version);
  if (notes === undefined) {
    process.stderr.write(`release: CHANGELOG.md has no section for ${version}. Add "## ${version}".\n`);
    return 2;
  }
  process.stdout.write(`${notes}\n`);
  return 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = main(process.argv[2]);
