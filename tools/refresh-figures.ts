/** What a refresh of the catalogue did, in one line. */
import { sourceInfo } from "../src/catalogue/info/sources.ts";
import { readContent } from "../src/catalogue/file.ts";
import type { UpdateReport } from "../src/pipeline/update/update.ts";
import type { IsoDate } from "../src/text/ids.ts";

export function refreshFigures({ bytes, sources, changes }: UpdateReport, today: IsoDate): string {
  const read = sources.filter(({ outcome }) => outcome !== "failed").length;
  const behind = sourceInfo(readContent(bytes, "refreshed"), today).filter(({ is_behind }) => is_behind).length;
  const moved = changes.dates.filter(({ field }) => field === "eol").length;
  return [
    `sources read: ${read} of ${sources.length}`,
    `sources in the catalogue not read for a week: ${behind}`,
    `release cycles added: ${changes.cyclesAdded.length}`,
    `ends moved: ${moved}`,
  ].join("; ");
}
