/** MariaDB: the download service's current series. Rolling series and previews have no end. */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("mariadb");

export const mariadbRest: LifecycleSource = {
  kind: "lifecycle",
  id: "mariadb-rest",
  title: "MariaDB server series",
  origin: "mariadb",
  products: [product],
  format: "json",
  verification: "excerpt",
  independentOfUpstream: true,
  documents: [{ url: "https://downloads.mariadb.org/rest-api/mariadb/" }],
  parse(text) {
    const facts = new ClaimList(product);
    for (const series of FeedLocation.json(text).get("major_releases").items()) {
      const cycle = series.get("release_id").match(/^\d+\.\d+$/, "a series N.N");
      const end = series.nullable("release_eol_date")?.day();
      if (series.get("release_support_type").text() === "Long Term Support") facts.mark("lts", cycle);
      if (end) facts.end("eol", cycle, end);
      else facts.note("no-date", series.where, cycle);
    }
    return facts.reading();
  },
};
