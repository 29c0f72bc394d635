/**
 * A version carried in a package's name (`python3.11`, `java-17-openjdk`) has to agree with the package's own version: a
 * repackaged name is the commonest way to a wrong line. The catalogue states it for the names it spells out (`cycle`);
 * for the names that upstream lists, this closed table reads it.
 */
import { isBoundary } from "./normalize-version.ts";

/** Of the whole name, by what is packaged; groups are the components of the carried version. */
export const CARRIED: Readonly<Record<string, RegExp>> = {
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

/** The version that a package's name carries. */
export function versionFromName(
  name: string,
  patterns: Readonly<Record<string, RegExp>> = CARRIED,
): string | undefined {
  for (const shape of Object.values(patterns)) {
    const match = shape.exec(name);
    if (match) return match.slice(1).join(".");
  }
  return undefined;
}

/** Whether a line and a carried version can be the same: one begins with the other, by whole components. */
export function agrees(line: string, carried: string): boolean {
  const [short, long] = line.length < carried.length ? [line, carried] : [carried, line];
  return long.startsWith(short) && isBoundary(long, short.length);
}
