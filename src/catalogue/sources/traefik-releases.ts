/** Traefik: active and security support. Without security support, a cycle ends with its active support. */
import type { LifecycleDate } from "../../core/model.ts";
import { englishDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import type { TableRow } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

/** `Ended Jan 06, 2025`, `Ends  Apr 29, 2025`. */
const end = (row: TableRow, heading: string): LifecycleDate | undefined =>
  row.date((text) => englishDate(text.replace(/^End(?:s|ed)\b/, "")), heading);

export const traefikReleases = markdownSource({
  id: "traefik-releases",
  title: "Traefik releases",
  product: "traefik",
  url: "https://raw.githubusercontent.com/traefik/traefik/master/docs/content/deprecation/releases.md",
  columns: ["Version", "Release Date", "Active Support", "Security Support"],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+\.\d+)$/, "Version");
    const active = row.cell("Active Support") === "Yes" ? undefined : end(row, "Active Support");
    facts.date("releaseDate", cycle, row.date(englishDate, "Release Date"));
    if (active) facts.end("eoas", cycle, active);
    else facts.open("eoas", cycle);
    const security = row.cell("Security Support");
    if (security === "Yes") facts.open("eol", cycle);
    else facts.end("eol", cycle, security === "No" ? active : end(row, "Security Support"));
  },
});
