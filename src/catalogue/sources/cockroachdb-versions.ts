/**
 * CockroachDB: major versions. Maintenance, then assistance support; innovation releases have no assistance. The `lts_*`
 * columns end later and hold only for a line's LTS patches, so they are a track and never the end.
 */
import { asProductSlug } from "../../core/ids.ts";
import { csvTable } from "./feed/csv.ts";
import { isoDate } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { cycleName } from "./feed/table.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("cockroachdb");

export const cockroachdbVersions: LifecycleSource = {
  kind: "lifecycle",
  id: "cockroachdb-versions",
  title: "CockroachDB versions",
  origin: "cockroachdb",
  products: [product],
  format: "csv",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/cockroachdb/docs/main/src/current/_data/versions.csv" }],
  parse(text) {
    const facts = new ClaimList(product);
    const table = csvTable(text, [
      "major_version",
      "release_date",
      "maint_supp_exp_date",
      "asst_supp_exp_date",
      "last_ga_patch",
      "initial_lts_patch",
      "initial_lts_release_date",
      "lts_maint_supp_exp_date",
      "lts_asst_supp_exp_date",
      "previous_version",
      "crdb_branch_name",
      "binary_removal_date",
    ]);
    for (const row of table.rows) {
      const cycle = cycleName(row, /^v(\d+\.\d+)$/, "major_version");
      const maintained = row.date(isoDate, "maint_supp_exp_date");
      facts.date("releaseDate", cycle, row.date(isoDate, "release_date"));
      facts.end("eoas", cycle, maintained);
      facts.end("eol", cycle, row.date(isoDate, "asst_supp_exp_date") ?? maintained);
      const track = { name: "LTS patches", vendor: "Cockroach Labs", cost: "paid" } as const;
      facts.track(cycle, track, row.date(isoDate, "lts_asst_supp_exp_date"));
    }
    return facts.reading();
  },
};
