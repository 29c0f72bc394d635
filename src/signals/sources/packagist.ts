/** Packagist: abandoned packages and their replacements. https://packagist.org/apidoc#get-package-data */
import type { EvidenceSource } from "../../core/model.ts";
import { Type } from "typebox";
import { latestDay } from "../../core/support/days.ts";
import { sendJson } from "../json.ts";
import { encodedPath, evidenceOf, NOT_FOUND, type Reading, type Stated } from "../outcomes.ts";
import { registrySource } from "../per-package.ts";
import { repositoryId } from "../repositories.ts";
import type { AskContext, SignalSource } from "../source.ts";

const NAME = "packagist" satisfies EvidenceSource;
export const PACKAGIST_BASE = "https://repo.packagist.org/";

/**
 * A minified list: an entry contains only what differs from the one before. Only fields that every version has of its own
 * and the first entry's are read, so nothing has to be expanded.
 */
const entrySchema = Type.Object({
  version: Type.Optional(Type.String()),
  time: Type.Optional(Type.Unknown()),
  abandoned: Type.Optional(Type.Unknown()),
  source: Type.Optional(Type.Unknown()),
});
const answerSchema = Type.Object({ packages: Type.Record(Type.String(), Type.Array(entrySchema)) });
type Entry = Type.Static<typeof entrySchema>;

export function packagistSource(base: URL): SignalSource {
  return registrySource({
    name: NAME,
    type: "composer",
    async look(path, _versions, context) {
      const name = path.toLowerCase();
      const url = new URL(`p2/${encodedPath(name)}.json`, base);
      const response = await sendJson(context.client, { url }, answerSchema);
      if (response.kind !== "json") return response;
      const { packages } = response.value;
      const entries = Object.hasOwn(packages, name) ? (packages[name] ?? []) : [];
      return { kind: "read", of: (version) => readVersion(entries, version, url.href, context) };
    },
  });
}

function readVersion(entries: readonly Entry[], version: string, url: string, context: AskContext): Reading {
  if (!entries.some((entry) => plain(entry.version) === plain(version))) return NOT_FOUND;
  const date = latestDay(entries.map(({ time }) => time));
  const evidence = evidenceOf(NAME, context, [
    abandonment(entries[0]?.abandoned, url),
    date === undefined ? undefined : { statement: "last-release", url, date },
  ]);
  const repository = repositoryId(sourceAddress(entries[0]?.source));
  return { found: true, evidence, ...(repository !== undefined && { repository }) };
}

/** A tag may start with a `v` that the version leaves out. */
const plain = (text: string | undefined): string | undefined => text?.replace(/^v(?=\d)/i, "").toLowerCase();

/** `true`, or the name of the replacement. */
function abandonment(stated: unknown, url: string): Stated | undefined {
  if (typeof stated === "string" && stated !== "" && stated.length <= 200)
    return { statement: "package-abandoned", url, replacement: stated };
  return stated === true ? { statement: "package-abandoned", url } : undefined;
}

function sourceAddress(source: unknown): string | undefined {
  if (typeof source !== "object" || source === null || !("url" in source)) return undefined;
  return typeof source.url === "string" ? source.url : undefined;
}
