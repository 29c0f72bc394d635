/**
 * The Go module proxy: the date of the latest version, and the deprecation and retractions in its go.mod.
 * https://go.dev/ref/mod#goproxy-protocol and https://go.dev/ref/mod#go-mod-file-module-deprecation
 */
import { Type } from "typebox";
import { dayOf } from "../../support/levels.ts";
import { messageText } from "../../support/evidence.ts";
import { sendJson } from "../http.ts";
import { lastRelease, type PackageResponse, type QueryContext, registrySource, type SignalSource } from "../source.ts";
import { encodedPath } from "../../support/subject.ts";

const infoSchema = Type.Object({ Version: Type.String(), Time: Type.Optional(Type.Unknown()) });

export function goproxySource(base: URL): SignalSource {
  return registrySource({
    name: "goproxy",
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
          if (!known.versions.has(version)) return undefined;
          return {
            stated: [
              mod.deprecated === undefined ? undefined : { statement: "package-deprecated", url: url.href, message },
              isRetracted(mod, version) ? { statement: "version-withdrawn", url: url.href } : undefined,
              lastRelease(url.href, date),
            ],
          };
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

// Reads deprecation and retractions from a go.mod file. https://go.dev/ref/mod#go-mod-file

export interface GoMod {
  /** The text after `Deprecated:`, possibly empty; absent if the module is not deprecated. */
  readonly deprecated?: string;
  /** Intervals of retracted versions, both ends included. */
  readonly retracted: readonly (readonly [low: string, high: string])[];
}

export function readGoMod(text: string): GoMod {
  const lines = text.split(/\r?\n/);
  const deprecated = deprecation(lines);
  return { retracted: retractions(lines), ...(deprecated !== undefined && { deprecated }) };
}

export const isRetracted = ({ retracted }: GoMod, version: string): boolean =>
  retracted.some(([low, high]) => compareSemver(version, low) >= 0 && compareSemver(version, high) <= 0);

/** Negative if `a` is the lower semantic version; build metadata does not count. https://semver.org/#spec-item-11 */
function compareSemver(a: string, b: string): number {
  const [one, other] = [semverParts(a), semverParts(b)];
  const order = compareIdentifiers(one.numbers, other.numbers);
  if (order !== 0 || one.preRelease === undefined || other.preRelease === undefined)
    return order || Number(other.preRelease !== undefined) - Number(one.preRelease !== undefined);
  return compareIdentifiers(one.preRelease, other.preRelease);
}

function semverParts(version: string) {
  const [, numbers = "", preRelease] = /^v?([^-+]*)(?:-([^+]*))?/.exec(version) ?? [];
  return { numbers: numbers.split("."), preRelease: preRelease?.split(".") };
}

/** Numbers are lower than text; the shorter of two lists that begin alike is lower. */
function compareIdentifiers(a: readonly string[], b: readonly string[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === one) continue;
    if (other === undefined) return 1;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(one) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return a.length - b.length;
}

/** From a paragraph of the comment before the module line, or from the comment at its end. */
function deprecation(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => /^module\s/.test(line));
  if (at < 0) return undefined;
  const trailing = /\/\/\s*(.*)$/.exec(lines[at] ?? "")?.[1];
  const before: string[] = [];
  for (let line = at - 1; line >= 0 && /^\s*\/\//.test(lines[line] ?? ""); line -= 1)
    before.unshift((lines[line] ?? "").replace(/^\s*\/\/\s?/, "").trim());
  const paragraphs = [...before.join("\n").split(/\n\s*\n/), trailing ?? ""];
  const stated = paragraphs
    .map((paragraph) => paragraph.trim())
    .find((paragraph) => paragraph.startsWith("Deprecated:"));
  return stated?.replace(/^Deprecated:\s*/, "").replaceAll("\n", " ");
}

function retractions(lines: readonly string[]): GoMod["retracted"] {
  const ranges: (readonly [string, string])[] = [];
  let block = false;
  for (const line of lines) {
    const code = line.replace(/\/\/.*$/, "").trim();
    if (/^retract\s*\($/.test(code)) block = true;
    else if (code === ")") block = false;
    else {
      const stated = block ? code : /^retract\s+(.+)$/.exec(code)?.[1];
      const range = stated === undefined ? undefined : rangeOf(stated);
      if (range !== undefined) ranges.push(range);
    }
  }
  return ranges;
}

function rangeOf(text: string): readonly [string, string] | undefined {
  const [, low, high] = /^\[\s*(v[^\s,\]]+)\s*,\s*(v[^\s,\]]+)\s*\]$/.exec(text) ?? [];
  if (low !== undefined && high !== undefined) return [low, high];
  return /^v\S+$/.test(text) ? [text, text] : undefined;
}
