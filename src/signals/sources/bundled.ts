/** The list of newest versions in the package: no network, the same answer on every machine. */
import { leadingNumbers } from "../../resolve/version/parse.ts";
import type { NewestVersion } from "../../model/index.ts";
import type { PackageSubject } from "../../support/subject.ts";
import type { IsoDate } from "../../text/ids.ts";
import { encodedPath, type SignalAnswer, type SignalSource } from "../source.ts";

/** Reads the list; the caller gives it, because the list lies beside the catalogue. */
export interface NewestVersions {
  readonly listedOn: IsoDate;
  find(type: string, path: string): Omit<NewestVersion, "behind"> | undefined;
}

/** Where people can see the versions of a package. */
const PAGES: Readonly<Record<string, string>> = {
  npm: "https://www.npmjs.com/package/",
  pypi: "https://pypi.org/project/",
};

export function bundledSource(versions: NewestVersions): SignalSource {
  return {
    name: "bundled",
    id: "bundled",
    stage: "versions",
    accepts: (subject) => subject.package !== undefined && Object.hasOwn(PAGES, subject.package.type),
    async *query(subjects) {
      for (const { key, package: subject } of subjects)
        if (subject !== undefined) yield { key, answer: answerOf(subject, versions) };
    },
  };
}

function answerOf({ type, path, version }: PackageSubject, { listedOn, find }: NewestVersions): SignalAnswer {
  const newest = find(type, path);
  const behind = newest && majorsBehind(version, newest.version);
  if (newest === undefined || behind === undefined) return { retrievedAt: listedOn, found: false, evidence: [] };
  const url = `${PAGES[type] ?? ""}${encodedPath(path)}`;
  const evidence = { source: "bundled", statement: "newest-version", url, retrievedAt: listedOn } as const;
  return { retrievedAt: listedOn, found: true, evidence: [{ ...evidence, newest: { ...newest, behind } }] };
}

/**
 * Majors from one version to a newer one; minors while both majors are 0. 0 where the version is not older. Undefined where
 * one of them has no numbers.
 */
export function majorsBehind(version: string, newest: string): number | undefined {
  const [from, to] = [leadingNumbers(version), leadingNumbers(newest)];
  const [major, newestMajor] = [from[0], to[0]];
  if (major === undefined || newestMajor === undefined) return undefined;
  if (newestMajor > 0) return Math.max(0, newestMajor - major);
  return major > 0 ? 0 : Math.max(0, (to[1] ?? 0) - (from[1] ?? 0));
}
