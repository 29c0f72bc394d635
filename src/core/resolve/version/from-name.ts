/**
 * Versions in package names (`python3.11`, `java-17-openjdk`). Such a version has to agree with the package's own version:
 * a repackaged name is the most common way to a wrong cycle. The catalogue states it for the names that it lists
 * (`cycle`); for names that come from upstream, this closed table reads it.
 */
import { isBoundary } from "./parse.ts";

/** Patterns for the whole name, by what is packaged; groups are the components of the version. */
export const NAMED_VERSIONS: Readonly<Record<string, RegExp>> = {
  python: /^python(\d)\.(\d+)$/,
  // Red Hat's modules: python39 is 3.9.
  "python-module": /^python(\d)(\d+)$/,
  nodejs: /^nodejs(\d\d)$/,
  dotnet: /^dotnet-sdk-(\d+)\.(\d+)$/,
  "java-1": /^java-1\.(\d)\.0-(?:openjdk|alibaba-dragonwell)(?:-.+)?$/,
  java: /^java-(\d\d)-openjdk(?:-.+)?$/,
  "bellsoft-java": /^bellsoft-java(\d+)(?:-.+)?$/,
  liberica: /^liberica(\d+)j[dr]k?e?(?:full|lite)?$/,
  "liberica-jdk": /^bellsoft\.libericajdk\.(\d+)$/,
};

/** The version in the name of a package; undefined when it has none. */
export function versionFromName(
  name: string,
  patterns: Readonly<Record<string, RegExp>> = NAMED_VERSIONS,
): string | undefined {
  for (const pattern of Object.values(patterns)) {
    const match = pattern.exec(name);
    if (match) return match.slice(1).join(".");
  }
  return undefined;
}

/** Whether a cycle and the version in a name can be the same: one is a component prefix of the other. */
export function agreesWithName(cycleName: string, named: string): boolean {
  const [short, long] = cycleName.length < named.length ? [cycleName, named] : [named, cycleName];
  return long.startsWith(short) && isBoundary(long, short.length);
}
