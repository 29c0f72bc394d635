/**
 * .NET: Microsoft's index of release channels. From 5.0 on, a cycle is named by its major number. Previews have no end
 * yet.
 */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("dotnet");

export const dotnetReleasesIndex: LifecycleSource = {
  kind: "lifecycle",
  id: "dotnet-releases-index",
  title: ".NET releases index",
  origin: "microsoft-dotnet",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://builds.dotnet.microsoft.com/dotnet/release-metadata/releases-index.json" }],
  parse(text) {
    const claims = new ClaimList(product);
    for (const channel of FeedLocation.json(text).get("releases-index").items()) {
      const version = channel.get("channel-version").match(/^\d+\.\d+$/, "a version N.N");
      const cycle = Number.parseInt(version, 10) >= 5 ? version.replace(/\.0$/, "") : version;
      const phase = channel.get("support-phase").text();
      const unreleased = phase === "preview" || phase === "go-live";
      claims.latest(cycle, channel.get("latest-release").text());
      if (channel.get("release-type").word("lts", "sts") === "lts") claims.mark("lts", cycle);
      // Renamed or dropped, the end of a released channel must not vanish silently.
      const end = unreleased ? channel.maybe("eol-date") : channel.get("eol-date");
      claims.end("eol", cycle, end?.day());
    }
    return claims.reading();
  },
};
