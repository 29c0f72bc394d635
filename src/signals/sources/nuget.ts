/**
 * NuGet registrations: deprecation with an alternative, and unlisted versions.
 * https://learn.microsoft.com/en-us/nuget/api/registration-base-url-resource
 */
import { percentEncode } from "../../text/values.ts";
import { Type } from "typebox";
import { latestDay } from "../../support/levels.ts";
import { messageText } from "../../support/evidence.ts";
import { type JsonResponse, sendJson, unusable } from "../http.ts";
import {
  lastRelease,
  type PackageResponse,
  type QueryContext,
  type Reading,
  registrySource,
  type SignalSource,
  type StatedEvidence,
} from "../source.ts";

/** Resource types, preferred first; only the first includes SemVer 2 versions. */
const REGISTRATIONS = ["RegistrationsBaseUrl/3.6.0", "RegistrationsBaseUrl/Versioned", "RegistrationsBaseUrl"];
/** Each page has up to 64 versions. */
const MAX_PAGES = 64;

const indexSchema = Type.Object({
  resources: Type.Array(
    Type.Object({ "@id": Type.String(), "@type": Type.Union([Type.String(), Type.Array(Type.String())]) }),
  ),
});
const leafSchema = Type.Object({
  catalogEntry: Type.Object({
    version: Type.String(),
    listed: Type.Optional(Type.Boolean()),
    published: Type.Optional(Type.Unknown()),
    deprecation: Type.Optional(
      Type.Object({
        message: Type.Optional(Type.Unknown()),
        reasons: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
        alternatePackage: Type.Optional(Type.Object({ id: Type.String() })),
      }),
    ),
  }),
});
const pageSchema = Type.Object({ items: Type.Array(leafSchema) });
const registrationSchema = Type.Object({
  items: Type.Array(Type.Object({ "@id": Type.String(), items: Type.Optional(Type.Array(leafSchema)) })),
});
type NugetEntry = Type.Static<typeof leafSchema>["catalogEntry"];

export function nugetSource(index: URL): SignalSource {
  let base: Promise<JsonResponse<URL>> | undefined;
  return registrySource({
    name: "nuget",
    type: "nuget",
    async fetchPackage(path, _versions, context): Promise<PackageResponse> {
      const registrations = await (base ??= registrationsBase(index, context));
      if (registrations.kind !== "json") return registrations;
      const url = new URL(`${percentEncode(path.toLowerCase())}/index.json`, registrations.value.href);
      const entries = await readEntries(url, context);
      if (entries.kind !== "json") return entries;
      return { kind: "read", readingOf: (version) => readVersion(entries.value, version, url.href) };
    },
  });
}

async function registrationsBase(index: URL, { client }: QueryContext): Promise<JsonResponse<URL>> {
  const response = await sendJson(client, { url: index }, indexSchema);
  if (response.kind !== "json") return response.kind === "failed" ? response : unusable("no service index");
  for (const type of REGISTRATIONS) {
    const resource = response.value.resources.find((each) => [each["@type"]].flat().includes(type));
    const url = resource && URL.canParse(resource["@id"]) ? new URL(resource["@id"]) : undefined;
    if (url?.origin === index.origin) return { kind: "json", value: withSlash(url) };
  }
  return unusable("a service index without registrations on its own host");
}

const withSlash = (url: URL): URL => (url.pathname.endsWith("/") ? url : new URL(`${url.href}/`));

/** Pages are inlined in the index, except for packages with many versions. */
async function readEntries(url: URL, { client }: QueryContext): Promise<JsonResponse<readonly NugetEntry[]>> {
  const response = await sendJson(client, { url }, registrationSchema);
  if (response.kind !== "json") return response;
  if (response.value.items.length > MAX_PAGES) return unusable(`more than ${MAX_PAGES} pages`);
  const entries: NugetEntry[] = [];
  for (const { "@id": id, items } of response.value.items) {
    const page = items === undefined ? await readPage(id, url, client) : items;
    if ("kind" in page) return page;
    entries.push(...page.map(({ catalogEntry }) => catalogEntry));
  }
  return { kind: "json", value: entries };
}

async function readPage(id: string, from: URL, client: QueryContext["client"]) {
  const url = URL.canParse(id, from.href) ? new URL(id, from.href) : undefined;
  if (url?.origin !== from.origin) return unusable("a page on another host");
  const response = await sendJson(client, { url }, pageSchema);
  return response.kind === "json" ? response.value.items : response;
}

function readVersion(entries: readonly NugetEntry[], version: string, url: string): Reading | undefined {
  const wanted = normalized(version);
  const entry = entries.find((each) => normalized(each.version) === wanted);
  if (entry === undefined) return undefined;
  const date = latestDay(entries.map(({ published }) => published));
  return {
    stated: [
      deprecation(entry, url),
      entries.every((each) => each.deprecation !== undefined) ? { statement: "package-deprecated", url } : undefined,
      entry.listed === false ? { statement: "version-unlisted", url } : undefined,
      lastRelease(url, date),
    ],
  };
}

function deprecation({ deprecation: stated }: NugetEntry, url: string): StatedEvidence | undefined {
  if (stated === undefined) return undefined;
  const message = messageText(stated.message) ?? messageText([stated.reasons ?? []].flat().join(", "));
  return { statement: "version-deprecated", url, message, replacement: stated.alternatePackage?.id };
}

/** https://learn.microsoft.com/en-us/nuget/concepts/package-versioning#normalized-version-numbers */
function normalized(version: string): string {
  const [numbers = "", ...labels] = version.toLowerCase().replace(/\+.*$/, "").split("-");
  const parts = numbers.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  while (parts.length < 3) parts.push("0");
  if (parts.length === 4 && parts[3] === "0") parts.pop();
  return [parts.join("."), ...labels].join("-");
}
