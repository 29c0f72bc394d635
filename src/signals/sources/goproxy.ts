/**
 * The Go module proxy: the date of the latest version, and the deprecation and retractions in its go.mod.
 * https://go.dev/ref/mod#goproxy-protocol and https://go.dev/ref/mod#go-mod-file-module-deprecation
 */
import type { EvidenceSource } from "../../model/index.ts";
import { Type } from "typebox";
import { dayOf } from "../../support/days.ts";
import { messageText } from "../../support/evidence.ts";
import { sendJson } from "../http.ts";
import { encodedPath, evidenceOf, NOT_FOUND } from "../outcomes.ts";
import { type PackageResponse, registrySource } from "../per-package.ts";
import type { QueryContext, SignalSource } from "../source.ts";
import { isRetracted, readGoMod } from "./go-mod.ts";

const NAME = "goproxy" satisfies EvidenceSource;
export const GOPROXY_BASE = "https://proxy.golang.org/";

const infoSchema = Type.Object({ Version: Type.String(), Time: Type.Optional(Type.Unknown()) });

export function goproxySource(base: URL): SignalSource {
  return registrySource({
    name: NAME,
    type: "golang",
    async fetchPackage(path, versions, context): Promise<PackageResponse> {
      const module = escaped(path);
      const latest = await sendJson(context.client, { url: new URL(`${module}/@latest`, base) }, infoSchema);
      if (latest.kind !== "json") return latest;
      const known = await knownVersions(module, versions, base, context);
      if (known.kind !== "known") return known;
      const url = new URL(`${module}/@v/${escaped(latest.value.Version)}.mod`, base);
      const file = await context.client.send({ url, headers: { accept: "text/plain" }, limit: 4 * 1024 * 1024 });
      if (file.kind !== "body" && file.kind !== "missing") return file;
      const mod = readGoMod(file.kind === "body" ? file.bytes.toString("utf8") : "");
      const date = dayOf(latest.value.Time);
      const message = messageText(mod.deprecated);
      return {
        kind: "read",
        readingOf(version) {
          if (!known.versions.has(version)) return NOT_FOUND;
          const evidence = evidenceOf(NAME, context, [
            mod.deprecated === undefined
              ? undefined
              : { statement: "package-deprecated", url: url.href, ...(message !== undefined && { message }) },
            isRetracted(mod, version) ? { statement: "version-withdrawn", url: url.href } : undefined,
            date === undefined ? undefined : { statement: "last-release", url: url.href, date },
          ]);
          return { found: true, evidence };
        },
      };
    },
  });
}

async function knownVersions(module: string, versions: readonly string[], base: URL, { client }: QueryContext) {
  const known = new Set<string>();
  for (const version of versions) {
    const url = new URL(`${module}/@v/${escaped(version)}.info`, base);
    const response = await sendJson(client, { url }, infoSchema);
    if (response.kind === "failed") return response;
    if (response.kind === "json") known.add(version);
  }
  return { kind: "known", versions: known } as const;
}

/** The proxy's case encoding: `!a` for `A`. https://go.dev/ref/mod#goproxy-protocol */
const escaped = (path: string): string =>
  encodedPath(path.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`));
