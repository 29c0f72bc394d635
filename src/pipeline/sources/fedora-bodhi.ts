/** Fedora: bodhi's releases, in pages. Containers, flatpaks and EPEL are rows of their own and not the distribution. */
import { vendorFeed } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";

const URL = "https://bodhi.fedoraproject.org/releases/?rows_per_page=100";

export const fedoraBodhi = vendorFeed(
  {
    id: "fedora-bodhi",
    title: "Fedora releases (bodhi)",
    product: "fedora",
    format: "json",
    verification: "excerpt",
    documents: [{ url: URL }],
  },
  (claims, text) => {
    const answer = FeedLocation.json(text);
    for (const release of answer.get("releases").items()) {
      const cycle = release.get("version").text();
      if (release.get("id_prefix").text() !== "FEDORA" || !/^\d+$/.test(cycle)) {
        claims.note("not-a-cycle", release.where, release.get("long_name").text());
        continue;
      }
      // Rawhide's row has the number of the next cycle and no end.
      const end = release.nullable("eol")?.day();
      if (end) claims.end("eol", cycle, end);
      else claims.note("no-date", release.where, cycle);
    }
    const page = answer.get("page").number();
    if (page < answer.get("pages").number()) {
      const part = String(page + 1);
      claims.next({ url: `${URL}&page=${part}`, part });
    }
  },
);
