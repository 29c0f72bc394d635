/** Packagist: abandoned packages and their replacements. https://packagist.org/apidoc#get-package-data */
import { Type } from "typebox";
import { asRecord } from "../../text/values.ts";
import { latestDay } from "../../support/levels.ts";
import { sendJson } from "../http.ts";
import { lastRelease, type Reading, registrySource, type SignalSource, type StatedEvidence } from "../source.ts";
import { encodedPath } from "../../support/subject.ts";
import { repositoryId } from "../repositories.ts";

/**
 * The list is minified: an entry contains only the fields that differ from the previous entry. It is not expanded here,
 * because only the first entry and fields that differ in every version are read.
 */
const entrySchema = Type.Object({
  version: Type.Optional(Type.String()),
  time: Type.Optional(Type.Unknown()),
  abandoned: Type.Optional(Type.Unknown()),
  source: Type.Optional(Type.Unknown()),
});
const answerSchema = Type.Object({ packages: Type.Record(Type.String(), Type.Array(entrySchema)) });
type PackagistEntry = Type.Static<typeof entrySchema>;

export function packagistSource(base: URL): SignalSource {
  return registrySource({
    name: "packagist",
    type: "composer",
    async fetchPackage(path, _versions, context) {
      const name = path.toLowerCase();
      const url = new URL(`p2/${encodedPath(name)}.json`, base);
      const response = await sendJson(context.client, { url }, answerSchema);
      if (response.kind !== "json") return response;
      const { packages } = response.value;
      const entries = Object.hasOwn(packages, name) ? (packages[name] ?? []) : [];
      return { kind: "read", readingOf: (version) => readVersion(entries, version, url.href) };
    },
  });
}

function readVersion(entries: readonly PackagistEntry[], version: string, url: string): Reading | undefined {
  if (!entries.some((entry) => normalized(entry.version) === normalized(version))) return undefined;
  const date = latestDay(entries.map(({ time }) => time));
  return {
    stated: [abandonment(entries[0]?.abandoned, url), lastRelease(url, date)],
    repository: repositoryId(sourceAddress(entries[0]?.source)),
  };
}

/** Tags may start with a `v`. */
const normalized = (text: string | undefined): string | undefined => text?.replace(/^v(?=\d)/i, "").toLowerCase();

/** @param stated `true`, or the name of the replacement */
function abandonment(stated: unknown, url: string): StatedEvidence | undefined {
  if (typeof stated === "string" && stated !== "" && stated.length <= 200)
    return { statement: "package-abandoned", url, replacement: stated };
  return stated === true ? { statement: "package-abandoned", url } : undefined;
}

function sourceAddress(source: unknown): string | undefined {
  const { url } = asRecord(source);
  return typeof url === "string" ? url : undefined;
}
