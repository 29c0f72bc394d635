/**
 * `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3.
 * Format: https://docs.npmjs.com/cli/configuring-npm/package-lock-json
 */
import type { ComponentScope } from "../../model/index.ts";
import { unknownVersion } from "../errors.ts";
import {
  type LockedPackage,
  type Lockfile,
  type LockfileReader,
  projectFile,
  purlOf,
  type RelatedFiles,
  type RequiredPackage,
  requiring,
  retirementIn,
} from "./lockfile.ts";
import { parseJson } from "../tree/json.ts";
import { child, locationOf, membersAt, textAt, type TreeNode } from "../tree/tree.ts";

const MODULES = "node_modules/";
const RUNTIME = ["dependencies", "optionalDependencies", "peerDependencies"];

export const npmLockfile: LockfileReader = (text, related) => {
  const root = parseJson(text);
  const version = textAt(root, "lockfileVersion") ?? (child(root, "dependencies") ? "1" : "");
  if (version === "2" || version === "3") return readPackages(root, version);
  if (version !== "1") throw unknownVersion("package-lock.json", version, text, child(root, "lockfileVersion")?.at);
  const packages = readTree(root);
  const manifest = manifestBeside(related);
  const known = new Set(packages.map(({ id }) => id));
  const direct = manifest && [...manifest.runtime, ...manifest.development].map(({ name }) => MODULES + name);
  return { formatVersion: version, packages, ...(direct && { direct: direct.filter((id) => known.has(id)) }) };
};

/** Version 2 and 3: one entry for each folder, under its path. */
function readPackages(root: TreeNode, formatVersion: string): Lockfile {
  const entries = new Map(membersAt(root, "packages"));
  const packages: LockedPackage[] = [];
  const direct = new Set<string>();
  for (const [path, node] of entries) {
    const isInstalled = path.includes(MODULES);
    const sections = isInstalled ? RUNTIME : [...RUNTIME, "devDependencies"];
    const required = sections.flatMap((section) => requiredIn(membersAt(node, section), entries, path));
    if (!isInstalled) for (const [id] of required) direct.add(id);
    if (!isInstalled || textAt(node, "link") === "true") continue;
    const name = textAt(node, "name") ?? path.slice(path.lastIndexOf(MODULES) + MODULES.length);
    packages.push(toPackage(path, name, node, required));
  }
  return { formatVersion, packages, direct: [...direct] };
}

/** The installed packages that a section names. */
function requiredIn(
  section: ReturnType<typeof membersAt>,
  installed: ReadonlyMap<string, unknown>,
  path: string,
): readonly RequiredPackage[] {
  return section.flatMap(([name, { text }]): readonly RequiredPackage[] => {
    const id = installedAt(installed, path, name);
    return id === undefined ? [] : [[id, text === undefined ? undefined : npmRange(text)]];
  });
}

/** `^1.2.0` of `npm:real@^1.2.0` and `npm:^1.2.0`. */
export const npmRange = (written: string): string => written.replace(/^npm:(?:@?[^@]+@)?/, "");

/** Finds an installed package as Node does: in the folder's modules first, then in those of each folder above. */
function installedAt(entries: ReadonlyMap<string, unknown>, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/"), 0))) {
    const candidate = folder === "" ? MODULES + name : `${folder}/${MODULES}${name}`;
    if (entries.has(candidate)) return candidate;
    if (folder === "") return undefined;
  }
}

/** Version 1: the same tree as nested objects. */
function readTree(root: TreeNode): readonly LockedPackage[] {
  const nodes = new Map<string, { readonly name: string; readonly node: TreeNode }>();
  const open: (readonly [path: string, node: TreeNode])[] = [["", root]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [parent, folder] = next;
    for (const [name, node] of membersAt(folder, "dependencies")) {
      const path = `${parent === "" ? "" : `${parent}/`}${MODULES}${name}`;
      nodes.set(path, { name, node });
      open.push([path, node]);
    }
  }
  return [...nodes].map(([path, { name, node }]) =>
    toPackage(path, name, node, requiredIn(membersAt(node, "requires"), nodes, path)),
  );
}

/** `npm:real@1.2.3` and addresses of archives and repositories take the place of a version. */
function toPackage(id: string, name: string, node: TreeNode, required: readonly RequiredPackage[]): LockedPackage {
  const written = textAt(node, "version");
  const [, real = name, version = written] = /^npm:(.+)@([^@]+)$/.exec(written ?? "") ?? [];
  const scope = scopeOf(node);
  return {
    id,
    name: real,
    purl: purlOf("npm", real),
    ...(version !== undefined && /^\d/.test(version) && { version }),
    location: locationOf(child(node, "version") ?? node),
    ...(scope && { scope }),
    ...retirementIn(node, "deprecated"),
    ...requiring(required),
  };
}

function scopeOf(node: TreeNode): ComponentScope | undefined {
  if (textAt(node, "dev") === "true") return "development";
  return textAt(node, "optional") === "true" || textAt(node, "devOptional") === "true" ? "optional" : undefined;
}

export interface Requirement {
  readonly name: string;
  readonly range: string;
}

export interface NodeManifest {
  readonly runtime: readonly Requirement[];
  readonly development: readonly Requirement[];
}

/** Reads the requirements of an object with `dependencies`, `devDependencies` and similar fields. */
export function manifestOf(node: TreeNode | undefined): NodeManifest {
  const requirements = (section: string): readonly Requirement[] =>
    membersAt(node, section).map(([name, { text = "" }]) => ({ name, range: text }));
  return { runtime: RUNTIME.flatMap(requirements), development: requirements("devDependencies") };
}

/** Reads the `package.json` in the folder of the lockfile. */
export function manifestBeside(related: RelatedFiles): NodeManifest | undefined {
  const root = projectFile(related, "package.json", parseJson);
  return root && manifestOf(root);
}
