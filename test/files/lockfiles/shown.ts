/** The form of packages in the tables of the lockfile tests: one line each, in the order of the file. */
import { expect } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { lineAt, refuseConflictMarkers } from "../../../src/files/errors.ts";
import { lockfileKindOf, readLockfile } from "../../../src/files/lockfiles/kinds.ts";
import type { LockfileKindName } from "../../../src/files/lockfiles/kinds.ts";

export type Files = Readonly<Record<string, string>>;

/** `line name version purl [direct] [scope] > dependencies` */
export async function packagesOf(path: string, text: string, related: Files = {}): Promise<readonly string[]> {
  const kind = kindOf(path);
  const { packages, direct } = await readLockfile(kind, text, (name) => related[name]);
  const isDirect = new Set(direct);
  return packages.map(({ id, name, version, purl, location, scope, dependsOn = [] }) =>
    [
      String(lineAt(text, location.at)),
      name,
      version ?? "(none)",
      purl ?? "(no purl)",
      ...(direct ? [isDirect.has(id) ? "direct" : "transitive"] : []),
      ...(scope ? [scope] : []),
      ...(dependsOn.length > 0 ? [`> ${dependsOn.join(", ")}`] : []),
    ].join(" "),
  );
}

/** `name: dependency range, …` of each package that states a range. */
export async function rangesOf(path: string, text: string, related: Files = {}): Promise<readonly string[]> {
  const { packages } = await readLockfile(kindOf(path), text, (name) => related[name]);
  return packages.flatMap(({ name, ranges }) =>
    ranges ? [`${name}: ${[...ranges].map(([id, range]) => `${id} ${range}`).join(", ")}`] : [],
  );
}

/** `code, line: message` of the error that the text causes. */
export async function problemOf(path: string, text: string): Promise<string> {
  const kind = kindOf(path);
  try {
    refuseConflictMarkers(text);
    await readLockfile(kind, text);
  } catch (error) {
    if (!(error instanceof EolgateError)) throw error;
    expect(error.exit).toBe(3);
    return `${error.code}, ${error.where ?? "(no line)"}: ${error.message}`;
  }
  return "read without an error";
}

function kindOf(path: string): LockfileKindName {
  const kind = lockfileKindOf(path);
  if (kind === undefined) throw new Error(`${path} is of no kind`);
  return kind;
}
