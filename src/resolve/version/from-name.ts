/**
 * Versions in package names (`python3.11`, `java-17-openjdk`). Such a version must agree with the package's own
 * version, because repackaged software is the most common cause of a wrong cycle. For packages that the catalogue
 * lists, its entry states the version (`cycle`); for packages from upstream, this table reads it from the name.
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

/** Whether a cycle agrees with the version in a name: one of them is a component prefix of the other. */
export function agreesWithName(cycleName: string, named: string): boolean {
  const [short, long] = cycleName.length < named.length ? [cycleName, named] : [named, cycleName];
  return long.startsWith(short) && isBoundary(long, short.length);
}
