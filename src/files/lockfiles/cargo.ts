/** `Cargo.lock`, versions 1 to 4. Format: https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html */
import { lockfileError, missingPackage, unknownVersion } from "../errors.ts";
import { type LockedPackage, type LockfileReader, purlOf } from "./lockfile.ts";
import { parseToml } from "../tree/toml.ts";
import { child, itemsAt, locationOf, textAt, type TreeNode } from "../tree/tree.ts";

const nameOf = (table: TreeNode): string => textAt(table, "name") ?? "";
const versionOf = (table: TreeNode): string => textAt(table, "version") ?? "";
const idOf = (table: TreeNode): string => `${nameOf(table)} ${versionOf(table)}`;
/** Members of the workspace and crates in its folders have no source. */
const isOwn = (table: TreeNode): boolean => textAt(table, "source") === undefined;

export const cargoLockfile: LockfileReader = (text) => {
  const document = parseToml(text);
  const formatVersion = textAt(document, "version") ?? "1";
  if (!/^[1-4]$/.test(formatVersion)) throw unknownVersion("Cargo.lock", formatVersion, text);
  const tables = itemsAt(document, "package");
  const ids = new Set(tables.map((table) => idOf(table)));
  const byName = new Map(tables.map((table) => [nameOf(table), idOf(table)]));
  /** `foo`, `foo 1.2.3` or `foo 1.2.3 (registry+https://…)`: only as specific as needed to be unique. */
  const required = (table: TreeNode): readonly string[] =>
    itemsAt(table, "dependencies").map(({ text: written = "" }) => {
      const [name = "", version] = written.split(" ");
      const id = version === undefined ? byName.get(name) : `${name} ${version}`;
      if (id === undefined || !ids.has(id)) throw missingPackage(written, text, table.at);
      return id;
    });
  const own = new Set(tables.filter(isOwn).map((table) => idOf(table)));
  const direct = tables.filter(isOwn).flatMap(required);
  return {
    formatVersion,
    packages: tables.filter((table) => !isOwn(table)).map((table) => toPackage(table, required(table), text)),
    direct: [...new Set(direct)].filter((id) => !own.has(id)),
  };
};

function toPackage(table: TreeNode, dependsOn: readonly string[], text: string): LockedPackage {
  if (versionOf(table) === "")
    throw lockfileError("lockfile-incomplete", `${nameOf(table)} has no version`, text, table.at);
  return {
    id: idOf(table),
    name: nameOf(table),
    purl: purlOf("cargo", nameOf(table)),
    version: versionOf(table),
    location: locationOf(child(table, "version") ?? table),
    dependsOn,
  };
}
