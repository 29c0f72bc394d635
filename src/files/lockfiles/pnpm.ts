/**
 * `pnpm-lock.yaml`, versions 5 to 9. The key of a package contains its name, its version and its peers.
 * Format: https://github.com/pnpm/spec/tree/master/lockfile
 */
import { lockfileError, missingPackage, unknownVersion } from "../errors.ts";
import {
  type LockedPackage,
  type LockfileReader,
  markDevelopment,
  purlOf,
  retirementIn,
  uniqueById,
} from "./lockfile.ts";
import { child, membersAt, textAt, type TreeNode } from "../tree/tree.ts";
import { parseYaml } from "../tree/yaml.ts";

const REQUIRED = ["dependencies", "optionalDependencies"];

interface Key {
  readonly name: string;
  readonly version: string;
}

/** `/foo/1.0.0_peer` (or with its registry before it), `/foo@1.0.0(peer)` or `foo@1.0.0(peer)`; undefined for addresses of archives and repositories. */
function parseKey(key: string, major: number): Key | undefined {
  const plain = key.replace(/\(.*$/, "").replace(/^(?:\/|[\w-]+(?:\.[\w-]+)+\/(?=(?:@[^/]+\/)?[^/@]+\/\d))/, "");
  const pattern =
    major < 6
      ? /^(?<name>(?:@[^/]+\/)?[^/@]+)\/(?<version>\d[^_/]*)/
      : /^(?<name>(?:@[^/]+\/)?[^/@]+)@(?<version>\d.*)$/;
  const { name, version } = pattern.exec(plain)?.groups ?? {};
  return name === undefined || version === undefined ? undefined : { name, version };
}

const idOf = ({ name, version }: Key): string => `${name}@${version}`;

export const pnpmLockfile: LockfileReader = (text) => {
  const root = parseYaml(text);
  const formatVersion = textAt(root, "lockfileVersion") ?? "";
  const major = Number(/^(\d+)(?:\.\d+)?$/.exec(formatVersion)?.[1] ?? 0);
  if (major < 5 || major > 9 || major === 8) {
    throw unknownVersion("pnpm-lock.yaml", formatVersion, text, child(root, "lockfileVersion")?.at);
  }
  const reader = new PnpmReader(root, major, text);
  return { formatVersion, ...reader.read() };
};

class PnpmReader {
  private readonly root: TreeNode;
  private readonly major: number;
  private readonly text: string;
  private readonly entries: ReadonlyMap<string, TreeNode>;
  private readonly ids: ReadonlySet<string>;
  private readonly snapshots = new Map<string, readonly TreeNode[]>();

  constructor(root: TreeNode, major: number, text: string) {
    this.root = root;
    this.major = major;
    this.text = text;
    this.entries = new Map(membersAt(root, "packages"));
    this.ids = new Set([...this.entries.keys()].map((key) => this.idOfKey(key)));
    for (const [key, node] of membersAt(root, "snapshots")) {
      const id = this.idOfKey(key);
      this.snapshots.set(id, [...(this.snapshots.get(id) ?? []), node]);
    }
  }

  read(): { readonly packages: readonly LockedPackage[]; readonly direct: readonly string[] } {
    const importers = membersAt(this.root, "importers").map(([, node]) => node);
    const projects = importers.length > 0 ? importers : [this.root];
    const runtime = projects.flatMap((project) => REQUIRED.flatMap((section) => this.required(project, section)));
    const development = projects.flatMap((project) => this.required(project, "devDependencies"));
    const packages = uniqueById([...this.entries].map(([key, node]) => this.toPackage(key, node)));
    if (packages.length === 0 && runtime.length + development.length > 0) {
      throw lockfileError("lockfile-incomplete", "the file ends before its packages", this.text, this.text.length);
    }
    return {
      packages: markDevelopment(packages, runtime, development),
      direct: [...new Set([...runtime, ...development])],
    };
  }

  /** Ids of what a project or package requires; links inside the repository are code of the project. */
  private required(node: TreeNode | undefined, section: string): readonly string[] {
    return membersAt(node, section).flatMap(([name, value]) => {
      const written = value.text ?? textAt(value, "version") ?? "";
      return /^(?:link|workspace):/.test(written) ? [] : this.idsFor(name, written, value.at);
    });
  }

  private idsFor(name: string, written: string, at: number): readonly string[] {
    const bare = this.major < 6 ? written.replace(/_.*$/, "") : written.replace(/\(.*$/, "");
    const aliased = parseKey(bare, this.major);
    const candidates = [...(aliased ? [idOf(aliased)] : []), `${name}@${bare}`, bare, written];
    const id = candidates.find((candidate) => this.ids.has(candidate));
    // Folders, archives and repositories have several spellings, so only a version of a registry must have an entry.
    if (id === undefined && /^\d/.test(bare)) throw missingPackage(`${name} ${written}`, this.text, at);
    return id === undefined ? [] : [id];
  }

  private idOfKey(key: string): string {
    const parsed = parseKey(key, this.major);
    return parsed ? idOf(parsed) : key.replace(/\(.*$/, "");
  }

  private toPackage(key: string, node: TreeNode): LockedPackage {
    const parsed = parseKey(key, this.major);
    const name = textAt(node, "name") ?? parsed?.name;
    const version = textAt(node, "version") ?? parsed?.version;
    return {
      id: this.idOfKey(key),
      ...(name === undefined ? { name: key } : { name, purl: purlOf("npm", name) }),
      version,
      location: { at: this.placeOfKey(key, node), length: key.length },
      dependsOn: this.dependenciesOf(key, node),
      ...retirementIn(node, "deprecated"),
    };
  }

  /** In version 9, the graph is a separate section with an entry for each set of peers. */
  private dependenciesOf(key: string, node: TreeNode): readonly string[] {
    const graph = this.major < 9 ? [node] : (this.snapshots.get(this.idOfKey(key)) ?? []);
    return [...new Set(graph.flatMap((each) => REQUIRED.flatMap((section) => this.required(each, section))))];
  }

  /** The key precedes its block. */
  private placeOfKey(key: string, node: TreeNode): number {
    const at = this.text.lastIndexOf(key, node.at);
    return at === -1 ? node.at : at;
  }
}
