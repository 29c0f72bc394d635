/** PostgreSQL: every major with its first release and its end. */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("postgresql");

export const postgresqlVersions: LifecycleSource = {
  kind: "lifecycle",
  id: "postgresql-versions",
  title: "PostgreSQL versions",
  origin: "postgresql",
  products: [product],
  format: "json",
  verification: "excerpt",
  independentOfUpstream: true,
  documents: [{ url: "https://www.postgresql.org/versions.json" }],
  parse(text) {
    const facts = new ClaimList(product);
    for (const major of FeedLocation.json(text).items()) {
      const cycle = major.get("major").match(/^\d+(?:\.\d+)?$/, "a major version");
      facts.date("releaseDate", cycle, major.get("firstRelDate").day());
      facts.end("eol", cycle, major.get("eolDate").day());
      facts.latest(cycle, `${cycle}.${major.get("latestMinor").text()}`);
    }
    return facts.reading();
  },
};
