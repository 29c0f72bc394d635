/**
 * RubyGems: the list of versions omits yanked versions, so a missing version is requested separately.
 * https://guides.rubygems.org/rubygems-org-api/ and https://guides.rubygems.org/rubygems-org-api-v2/
 */
import { percentEncode } from "../../text/values.ts";
import { Type } from "typebox";
import { latestDay } from "../../support/levels.ts";
import { sendJson } from "../http.ts";
import { lastRelease, type QueryContext, registrySource, type SignalSource } from "../source.ts";

const versionsSchema = Type.Array(Type.Object({ number: Type.String(), created_at: Type.Optional(Type.Unknown()) }));
const versionSchema = Type.Object({ yanked: Type.Optional(Type.Boolean()) });

export function rubygemsSource(base: URL): SignalSource {
  return registrySource({
    name: "rubygems",
    type: "gem",
    async fetchPackage(path, versions, context) {
      const url = new URL(`api/v1/versions/${percentEncode(path)}.json`, base);
      const response = await sendJson(context.client, { url }, versionsSchema);
      if (response.kind !== "json") return response;
      const listed = new Set(response.value.map(({ number }) => number));
      const absent = versions.filter((version) => !listed.has(version));
      const yanked = await fetchYanked(absent, path, base, context);
      if (yanked.kind !== "yanked") return yanked;
      const date = latestDay(response.value.map(({ created_at }) => created_at));
      return {
        kind: "read",
        readingOf(version) {
          const withdrawn = yanked.versions.has(version);
          if (!listed.has(version) && !withdrawn) return undefined;
          const stated = withdrawn ? ({ statement: "version-withdrawn", url: url.href } as const) : undefined;
          return { stated: [stated, lastRelease(url.href, date)] };
        },
      };
    },
  });
}

async function fetchYanked(versions: readonly string[], path: string, base: URL, { client }: QueryContext) {
  const yanked = new Set<string>();
  for (const version of versions) {
    const address = `api/v2/rubygems/${percentEncode(path)}/versions/${percentEncode(version)}.json`;
    const response = await sendJson(client, { url: new URL(address, base) }, versionSchema);
    if (response.kind === "failed") return response;
    if (response.kind === "json" && response.value.yanked === true) yanked.add(version);
  }
  return { kind: "yanked", versions: yanked } as const;
}
