/** What was read, by kind of input, and what was not: the part of the coverage that the verdict cannot count. */
import type { DocumentReport, FolderCoverage, Report } from "../core/model.ts";

/** Files of one kind over the whole run. */
export interface InputKind {
  /** `package-lock.json`, `Dockerfile`, `CycloneDX`. */
  readonly kind: string;
  readonly files: number;
  readonly assessed: number;
  readonly notAssessed: number;
}

/** By kind, most components first; files without any component are counted where a folder was walked. */
export function inputKinds({ documents, folders = [] }: Report): readonly InputKind[] {
  const kinds = new Map<string, { files: number; assessed: number; notAssessed: number }>();
  const at = (kind: string) => {
    const known = kinds.get(kind) ?? { files: 0, assessed: 0, notAssessed: 0 };
    kinds.set(kind, known);
    return known;
  };
  for (const each of documents) {
    const counts = at(kindOf(each));
    counts.files += 1;
    counts.assessed += each.verdict.coverage.assessed;
    counts.notAssessed += each.verdict.coverage.notAssessed;
  }
  for (const { kind, files } of folders.flatMap(({ read }) => read)) {
    if (kind !== "SBOM") at(kind).files = Math.max(at(kind).files, files);
  }
  const total = ({ assessed, notAssessed }: Omit<InputKind, "kind">): number => assessed + notAssessed;
  return [...kinds].map(([kind, counts]) => ({ kind, ...counts })).sort((one, other) => total(other) - total(one));
}

/** The kind of a project's file without the version of its format; of an SBOM its format. */
function kindOf({ document: { format, specVersion } }: DocumentReport): string {
  return format === "pins" || format === "lockfile" ? (specVersion.split(" ")[0] ?? "") : format;
}

export interface SkippedEntries {
  readonly directories: readonly { readonly name: string; readonly count: number }[];
  readonly gitIgnored: number;
  readonly excluded: number;
  readonly links: number;
}

/** Over all folders. */
export function skippedEntries(folders: readonly FolderCoverage[]): SkippedEntries {
  const directories = new Map<string, number>();
  const counts = { gitIgnored: 0, excluded: 0, links: 0 };
  for (const { skipped } of folders) {
    for (const { name, count } of skipped.directories) directories.set(name, (directories.get(name) ?? 0) + count);
    counts.gitIgnored += skipped.gitIgnored;
    counts.excluded += skipped.excluded;
    counts.links += skipped.links;
  }
  return { directories: [...directories].map(([name, count]) => ({ name, count })), ...counts };
}
