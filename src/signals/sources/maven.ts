/**
 * Maven repositories: the relocation in the latest POM, and the date of the last release.
 * https://maven.apache.org/guides/mini/guide-relocation.html
 */
import { percentEncode } from "../../text/values.ts";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { asIsoDate, type IsoDate, isIsoDate } from "../../text/ids.ts";
import { messageText } from "../../support/evidence.ts";
import { type SignalsResponse, unusable } from "../http.ts";
import {
  lastRelease,
  type PackageResponse,
  type QueryContext,
  registrySource,
  type SignalSource,
  type StatedEvidence,
} from "../source.ts";
import { encodedPath } from "../../support/subject.ts";
import { repositoryId } from "../repositories.ts";

const LIMIT = 4 * 1024 * 1024;

export function mavenSource(base: URL): SignalSource {
  return registrySource({
    name: "maven",
    type: "maven",
    async fetchPackage(path, _versions, context): Promise<PackageResponse> {
      const artifact = path.slice(path.lastIndexOf("/") + 1);
      const folder = `${encodedPath(path.slice(0, -artifact.length - 1).replaceAll(".", "/"))}/${percentEncode(artifact)}/`;
      const metadata = await readXml(new URL(`${folder}maven-metadata.xml`, base), context);
      if (metadata.kind !== "xml") return metadata;
      const versions = childrenOf(childOf(metadata.root, "versioning", "versions"), "version");
      const latest = textOf(childOf(metadata.root, "versioning", "release")) ?? versions.at(-1);
      if (latest === undefined) return unusable("metadata without versions");
      const url = new URL(`${folder}${percentEncode(latest)}/${percentEncode(`${artifact}-${latest}.pom`)}`, base);
      const pom = await readXml(url, context);
      if (pom.kind !== "xml" && pom.kind !== "missing") return pom;
      const root = pom.kind === "xml" ? pom.root : undefined;
      const date = updatedOn(textOf(childOf(metadata.root, "versioning", "lastUpdated")));
      const stated = [relocation(root, path, url.href), lastRelease(url.href, date)];
      const reading = { stated, repository: repositoryId(textOf(childOf(root, "scm", "url"))) };
      return { kind: "read", readingOf: (version) => (versions.includes(version) ? reading : undefined) };
    },
  });
}

/** Coordinates that a relocation omits are unchanged. */
function relocation(pom: XmlElement | undefined, path: string, url: string): StatedEvidence | undefined {
  const stated = childOf(pom, "distributionManagement", "relocation");
  if (stated === undefined) return undefined;
  const at = path.lastIndexOf("/");
  const group = textOf(childOf(stated, "groupId")) ?? path.slice(0, at);
  const artifact = textOf(childOf(stated, "artifactId")) ?? path.slice(at + 1);
  // A relocation to another version of the same artifact is not a replacement.
  if (`${group}/${artifact}` === path) return undefined;
  const message = messageText(textOf(childOf(stated, "message")));
  return { statement: "package-relocated", url, replacement: `${group}:${artifact}`, message };
}

/** The date in `yyyyMMddHHmmss`, UTC. */
function updatedOn(text: string | undefined): IsoDate | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})\d*$/.exec(text ?? "") ?? [];
  const date = `${year}-${month}-${day}`;
  return isIsoDate(date) ? asIsoDate(date) : undefined;
}

type XmlResponse =
  | { readonly kind: "xml"; readonly root: XmlElement }
  | Exclude<SignalsResponse, { readonly kind: "body" }>;

async function readXml(url: URL, { client }: QueryContext): Promise<XmlResponse> {
  const response = await client.send({ url, headers: { accept: "application/xml, text/xml;q=0.9" }, limit: LIMIT });
  if (response.kind !== "body") return response;
  try {
    const { root } = parseXml(response.bytes.toString("utf8"));
    return root === null || root.name === "html" ? unusable("a page instead of XML") : { kind: "xml", root };
  } catch {
    return unusable(response.type.includes("html") ? "a page instead of XML" : "no XML");
  }
}

function childOf(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>(
    (at, name) => at?.children.find((child): child is XmlElement => child instanceof XmlElement && child.name === name),
    element,
  );
}

const childrenOf = (element: XmlElement | undefined, name: string): readonly string[] =>
  (element?.children ?? []).flatMap((child) =>
    child instanceof XmlElement && child.name === name ? [child.text.trim()] : [],
  );

function textOf(element: XmlElement | undefined): string | undefined {
  const text = element?.text.trim();
  // Properties of the POM (`${…}`) are not resolved: such text counts as absent.
  return text === undefined || text === "" || text.includes("${") ? undefined : text;
}
