/** crates.io: yanked versions and release dates. At most one request per second: https://crates.io/data-access */
import { percentEncode } from "../../text/values.ts";
import { Type } from "typebox";
import { latestDay } from "../../support/levels.ts";
import { messageText } from "../../support/evidence.ts";
import { sendJson } from "../http.ts";
import { lastRelease, registrySource, type SignalSource } from "../source.ts";
import { repositoryId } from "../repositories.ts";

const SECOND = 1000;

const crateSchema = Type.Object({
  crate: Type.Optional(Type.Object({ repository: Type.Optional(Type.Union([Type.String(), Type.Null()])) })),
  versions: Type.Array(
    Type.Object({
      num: Type.String(),
      yanked: Type.Optional(Type.Boolean()),
      yank_message: Type.Optional(Type.Unknown()),
      created_at: Type.Optional(Type.Unknown()),
    }),
  ),
});

export function cratesSource(base: URL): SignalSource {
  return registrySource({
    name: "crates.io",
    type: "cargo",
    concurrency: 1,
    spacing: SECOND,
    async fetchPackage(path, _versions, context) {
      const url = new URL(`api/v1/crates/${percentEncode(path)}`, base);
      const response = await sendJson(context.client, { url }, crateSchema);
      if (response.kind !== "json") return response;
      const { crate, versions } = response.value;
      const date = latestDay(versions.map(({ created_at }) => created_at));
      const repository = repositoryId(crate?.repository ?? undefined);
      return {
        kind: "read",
        readingOf(version) {
          const found = versions.find(({ num }) => num === version);
          if (found === undefined) return undefined;
          const message = messageText(found.yank_message);
          const withdrawn = found.yanked
            ? ({ statement: "version-withdrawn", url: url.href, message } as const)
            : undefined;
          return { stated: [withdrawn, lastRelease(url.href, date)], repository };
        },
      };
    },
  });
}
