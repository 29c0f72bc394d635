/** `Cargo.lock`, versions 1 to 4. Format: https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html */
import { lockfileError, missingPackage, unknownVersion } from "./errors.ts";
import type { LockedPackage, LockfileReader } from "./lockfile.ts";
import { purlOf } from "./purl.ts";
import { keyPlace, listAt, parseToml, placedTables, stringAt, versionAt } from "./toml.ts";
import type { PlacedTable, TomlTable } from "./toml.ts";

const nameOf = (table: TomlTable): string => stringAt(table, "name") ?? "";
const versionOf = (table: TomlTable): string => stringAt(table, "version") ?? "";
const idOf = (table: TomlTable): string => `${nameOf(table)} ${versionOf(table)}`;
/** Members of the workspace and crates in its folders have no source. */
const isOwn = ({ table }: PlacedTable): boolean => stringAt(table, "source") === undefined;

export const cargoLockfile: LockfileReader = (text) => {
  const document = parseToml(text);
  const formatVersion = versionAt(document, "version") ?? "1";
  if (!/^[1-4]$/.test(formatVersion)) throw unknownVersion("Cargo.lock", formatVersion, text);
  const tables = placedTables(text, document, "package");
  const ids = new Set(tables.map(({ table }) => idOf(table)));
  const byName = new Map(tables.map(({ table }) => [nameOf(table), idOf(table)]));
  /** `foo`, `foo 1.2.3` or `foo 1.2.3 (registry+https://…)`: only as specific as needed to be unique. */
  const required = (placed: PlacedTable): readonly string[] =>
    listAt(placed.table, "dependencies").map((written) => {
      const [name = "", version] = String(written).split(" ");
      const id = version === undefined ? byName.get(name) : `${name} ${version}`;
      if (id === undefined || !ids.has(id)) throw missingPackage(String(written), text, placed.at);
      return id;
    });
  const own = new Set(tables.filter(isOwn).map(({ table }) => idOf(table)));
  const direct = tables.filter(isOwn).flatMap(required);
  return {
    formatVersion,
    packages: tables.filter((placed) => !isOwn(placed)).map((placed) => toPackage(placed, required(placed), text)),
    direct: [...new Set(direct)].filter((id) => !own.has(id)),
  };
};

function toPackage(placed: PlacedTable, dependsOn: readonly string[], text: string): LockedPackage {
  const { table, at } = placed;
  if (versionOf(table) === "") throw lockfileError("lockfile-incomplete", `${nameOf(table)} has no version`, text, at);
  return {
    id: idOf(table),
    name: nameOf(table),
    purl: purlOf("cargo", nameOf(table)),
    version: versionOf(table),
    place: keyPlace(text, placed, "version"),
    dependsOn,
  };
}
