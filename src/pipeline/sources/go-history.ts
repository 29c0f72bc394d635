/**
 * Go: the table of releases in the website's source. It states no end: by the published policy a cycle is supported
 * until the second one after it is released, so an end is that day, with basis `rule`.
 */
import type { LifecycleDate } from "../../model/index.ts";
import { isoDate } from "./feed/dates.ts";
import { type ClaimList, vendorFeed } from "./feed/claim-list.ts";
import { feedChanged, completeLines } from "./feed/location.ts";

const RELEASE = /Date: Date\{(\d{4}), (\d{1,2}), (\d{1,2})\},\s*Version: Version\{(\d+), (\d+), (\d+)\}/;

export interface Release {
  readonly version: readonly [major: number, minor: number, patch: number];
  readonly date: LifecycleDate;
}

export function addByRule(claims: ClaimList, releases: readonly Release[]): void {
  const cycles = releases
    .filter(({ version: [, , patch] }) => patch === 0)
    .map(({ version: [major, minor], date }) => ({ major, minor, date }))
    .sort((a, b) => a.major - b.major || a.minor - b.minor);
  for (const { major, minor, date } of cycles) {
    const cycle = `${String(major)}.${String(minor)}`;
    const secondNext = cycles.find((other) => other.major === major && other.minor === minor + 2);
    claims.date("releaseDate", cycle, date);
    if (secondNext) claims.end("eol", cycle, secondNext.date, "rule");
    else claims.open("eol", cycle, "rule");
  }
}

export function release(where: string, day: string, version: readonly (number | undefined)[]): Release {
  const [major, minor, patch] = version;
  const date = isoDate(day);
  if (!date || major === undefined || minor === undefined || patch === undefined) {
    throw feedChanged(where, "a day and a version X.Y.Z");
  }
  return { version: [major, minor, patch], date };
}

/** One entry `{ Date: …, Version: …, Future: true }`; a release that is only planned ends nothing. */
function fromEntry(entry: string, index: number): readonly Release[] {
  const found = RELEASE.exec(entry);
  const where = `Releases[${String(index)}]`;
  if (!found) throw feedChanged(where, "Date{Y, M, D}, Version{X, Y, Z}");
  if (/Future:\s*true/.test(entry)) return [];
  const [year = "", month = "", day = "", ...version] = found.slice(1);
  return [release(where, `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`, version.map(Number))];
}

export const goHistory = vendorFeed(
  {
    id: "go-history",
    title: "Go release history",
    product: "go",
    format: "code",
    documents: [{ url: "https://raw.githubusercontent.com/golang/website/master/internal/history/release.go" }],
  },
  (claims, text) => {
    completeLines(text);
    const table = /\nvar Releases = \[\]\*Release\{\n(.*?)\n\}\n/s.exec(text)?.[1];
    if (table === undefined) throw feedChanged("/", "the table Releases");
    const [, ...entries] = `\n${table}`.split(/\n\t\{\n/);
    const written = table.match(/Version\{/g)?.length ?? 0;
    if (written !== entries.length) throw feedChanged("Releases", `${String(written)} entries, one a block`);
    addByRule(claims, entries.flatMap(fromEntry));
  },
);
