/**
 * The npm registry. The abbreviated metadata lists deprecated versions; the full metadata has release dates and is read
 * only when needed. https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
 */
import { Type } from "typebox";
import { asRecord } from "../../text/values.ts";
import { dayOf, latestDay } from "../../support/levels.ts";
import { messageText } from "../../support/evidence.ts";
import { type JsonResponse, sendJson } from "../http.ts";
import {
  lastRelease,
  type PackageResponse,
  type QueryContext,
  type Reading,
  registrySource,
  type SignalSource,
} from "../source.ts";
import { repositoryId } from "../repositories.ts";

const ABBREVIATED = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

const documentSchema = Type.Object({
  versions: Type.Optional(Type.Record(Type.String(), Type.Object({ deprecated: Type.Optional(Type.Unknown()) }))),
  time: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  repository: Type.Optional(Type.Unknown()),
});
type Document = Type.Static<typeof documentSchema>;

/** The registry of a package: a scope can have its own. */
export interface NpmRegistry {
  readonly base: URL;
  readonly authorization?: string;
}
export type NpmRegistries = (path: string) => NpmRegistry;

export function npmSource(registries: NpmRegistries): SignalSource {
  return registrySource({
    name: "npm",
    type: "npm",
    async fetchPackage(path, versions, context): Promise<PackageResponse> {
      const registry = registries(path);
      const url = new URL(path.replaceAll("/", "%2f"), registry.base);
      const short = await read(url, registry, ABBREVIATED, context);
      if (short.kind !== "json") return short;
      const isEnough =
        short.value.time !== undefined || versions.every((version) => isDeprecated(short.value, version));
      const response = isEnough ? short : await read(url, registry, "application/json", context);
      if (response.kind !== "json") return response;
      return { kind: "read", readingOf: (version) => readVersion(response.value, version, url.href) };
    },
  });
}

function read(
  url: URL,
  { authorization }: NpmRegistry,
  accept: string,
  { client }: QueryContext,
): Promise<JsonResponse<Document>> {
  const credentials = authorization === undefined ? {} : { credentials: { authorization } };
  return sendJson(client, { url, headers: { accept }, ...credentials }, documentSchema);
}

/** An empty text marks a withdrawn deprecation. */
function isDeprecated({ versions = {} }: Document, version: string): boolean {
  const stated = Object.hasOwn(versions, version) ? versions[version]?.deprecated : undefined;
  return stated === true || (typeof stated === "string" && stated !== "");
}

function readVersion(document: Document, version: string, url: string): Reading | undefined {
  const { versions = {}, time } = document;
  // Without this version, the registry's package may be another one with the same name (a private package).
  if (!Object.hasOwn(versions, version)) return undefined;
  const names = Object.keys(versions);
  const message = messageText(versions[version]?.deprecated);
  const released = isRegistryTime(time) ? latestDay(names.map((name) => time[name])) : undefined;
  return {
    stated: [
      isDeprecated(document, version) ? { statement: "version-deprecated", url, message } : undefined,
      names.every((name) => isDeprecated(document, name)) ? { statement: "package-deprecated", url } : undefined,
      lastRelease(url, released),
    ],
    repository: repositoryId(repositoryAddress(document.repository)),
  };
}

/**
 * The npm registry gives the dates of creation and of the last change. Some mirrors omit these, and their date of a
 * version is the date of the copy, so it is not used as a release date.
 */
function isRegistryTime(time: Document["time"]): time is NonNullable<Document["time"]> {
  return dayOf(time?.["created"]) !== undefined && dayOf(time?.["modified"]) !== undefined;
}

/** `repository` is a text, or an object with a `url`. */
function repositoryAddress(stated: unknown): string | undefined {
  if (typeof stated === "string") return /^[\w.-]+\/[\w.-]+$/.test(stated) ? `github:${stated}` : stated;
  const { url } = asRecord(stated);
  return typeof url === "string" ? repositoryAddress(url) : undefined;
}
