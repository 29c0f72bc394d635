/**
 * `bun.lock`, the text lockfile of Bun: JSON with comments and trailing commas.
 * Format: https://bun.com/docs/pm/lockfile
 */
import { lockfileError, unknownVersion } from "../errors.ts";
import {
  type LockedPackage,
  type LockfileReader,
  markDevelopment,
  purlOf,
  type RequiredPackage,
  requiring,
} from "./lockfile.ts";
import { manifestOf, npmRange, type Requirement } from "./npm.ts";
import { parseJson } from "../tree/json.ts";
import { child, itemsAt, locationOf, membersAt, textAt, type TreeNode } from "../tree/tree.ts";

/** `foo/@scope/bar` → `foo`, `@scope/bar`. */
const segmentsOf = (key: string): readonly string[] => key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];

/**
 * The package to which `name` resolves inside the package at `key`: its own copy, else that of the nearest package that
 * contains it.
 */
function resolveFrom(entries: ReadonlyMap<string, unknown>, key: string, name: string): string | undefined {
  const path = [...segmentsOf(key)];
  for (;;) {
    const candidate = [...path, name].join("/");
    if (entries.has(candidate)) return candidate;
    if (path.pop() === undefined) return undefined;
  }
}

export const bunLockfile: LockfileReader = (text) => {
  const root = parseJson(text, { comments: true });
  const formatVersion = textAt(root, "lockfileVersion") ?? "";
  if (!/^[01]$/.test(formatVersion)) {
    throw unknownVersion("bun.lock", formatVersion, text, child(root, "lockfileVersion")?.at);
  }
  const entries = new Map(membersAt(root, "packages"));
  const isOwn = (key: string): boolean => /@workspace:/.test(itemsAt(entries.get(key))[0]?.text ?? "");
  const requiredBy = (requirements: readonly Requirement[], from = ""): readonly RequiredPackage[] =>
    requirements
      .flatMap(({ name, range }): readonly RequiredPackage[] => [
        [resolveFrom(entries, from, name) ?? "", npmRange(range)],
      ])
      .filter(([id]) => id !== "" && !isOwn(id));
  const idsOf = (requirements: readonly Requirement[]): readonly string[] => requiredBy(requirements).map(([id]) => id);
  const manifests = membersAt(root, "workspaces").map(([, node]) => manifestOf(node));
  const runtime = idsOf(manifests.flatMap((manifest) => manifest.runtime));
  const development = idsOf(manifests.flatMap((manifest) => manifest.development));
  const packages = [...entries]
    .filter(([key]) => !isOwn(key))
    .map(([key, node]) => toPackage(key, node, (requirements) => requiredBy(requirements, key)));
  return {
    formatVersion,
    packages: markDevelopment(packages, runtime, development),
    direct: [...new Set([...runtime, ...development])],
  };
};

type Resolve = (requirements: readonly Requirement[]) => readonly RequiredPackage[];

/** `["lodash@4.17.21", "", { dependencies }, "sha512-…"]`; repositories and folders have no version after the `@`. */
function toPackage(key: string, node: TreeNode, resolve: Resolve): LockedPackage {
  const [identity, ...rest] = itemsAt(node);
  const written = identity?.text ?? key;
  const name = written.slice(0, Math.max(written.indexOf("@", 1), 0)) || written;
  const version = written.slice(name.length + 1);
  const details = rest.find(({ members }) => members !== undefined);
  return {
    id: key,
    name,
    purl: purlOf("npm", name),
    ...(/^\d/.test(version) && { version }),
    location: locationOf(identity ?? node),
    ...requiring(resolve(manifestOf(details).runtime)),
  };
}

/** `bun.lockb` is binary; Bun writes the text form since version 1.2. */
export const bunBinaryLockfile: LockfileReader = (text) => {
  throw lockfileError(
    "lockfile-version",
    "the binary lockfile of Bun is not supported: run bun install --save-text-lockfile",
    text,
  );
};
