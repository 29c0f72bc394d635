/**
 * Reads files of a project that name its runtimes and packages: version pins, lockfiles and build files. Each one
 * becomes a document.
 */
import type { CatalogueFacts, ParsedDocument } from "../model/index.ts";
import { inventoryDocument, type InventoryContents } from "./document.ts";
import { lockfileKindOf, readLockfile, type LockfileKindName } from "./lockfiles/kinds.ts";
import { pinKindOf, pinsOf, type PinKindName } from "./pins/kinds.ts";
import { stackPins } from "./pins/pin.ts";
import { refuseConflictMarkers } from "./errors.ts";
import { type RelatedFiles } from "./lockfiles/lockfile.ts";

/**
 * The readers of a file. A file may contain both pins and packages (`go.mod` has a toolchain and modules); at least one
 * is set.
 */
export interface InventoryKind {
  readonly pins: PinKindName | undefined;
  readonly lockfile: LockfileKindName | undefined;
}

export type PinFacts = Pick<CatalogueFacts, "tools">;

/** Returns the readers of a file at a path (with `/`), by its name alone. */
export function inventoryKindOf(path: string): InventoryKind | undefined {
  const kind = { pins: pinKindOf(path), lockfile: lockfileKindOf(path) };
  return kind.pins === undefined && kind.lockfile === undefined ? undefined : kind;
}

/** Extensions of all kinds of inputs, SBOMs and files that are only named; a file without one may be an input, too. */
const EXTENSIONS = new Set(
  (
    "att bazel bicep bom bzlmod cabal cdx cfg config container containerfile csproj docker dockerfile ear exs freeze fsproj gemspec gradle " +
    "gz hcl in intoto jar jenkinsfile json jsonc jsonld kts lock lockb locked lockfile mod nix pod properties props rdf resolved " +
    "sbom sbt spdx spdx3 sum swift tar targets tf toml txt vbproj war whl work xml yaml yml"
  ).split(" "),
);

/** Whether a file can be an input, by a cheap test of its name: most files of a project are not. */
export function mayBeInput(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return true;
  return (
    EXTENSIONS.has(name.slice(dot + 1).toLowerCase()) ||
    /^(?:docker|container|jenkins)file|^(?:setup|conanfile)\.py$/i.test(name)
  );
}

/** The name under which reports count a kind. */
export const inventoryKindName = ({ pins, lockfile }: InventoryKind): string => lockfile ?? pins ?? "";

/**
 * Reads a file as a document.
 * @param facts The names of tools, from the catalogue.
 * @param related Reads the files that this one refers to. Without it, their content is unknown.
 * @throws EolgateError `input` with the line, for a file that cannot be read completely
 */
export function readInventory(
  kind: InventoryKind,
  bytes: Uint8Array,
  facts: PinFacts,
  related: RelatedFiles = () => undefined,
): Promise<ParsedDocument> {
  return inventoryDocument(bytes, (text) => contentsOf(kind, text, { facts, related }));
}

async function contentsOf(
  { pins, lockfile }: InventoryKind,
  text: string,
  { facts, related }: { readonly facts: PinFacts; readonly related: RelatedFiles },
): Promise<InventoryContents> {
  refuseConflictMarkers(text);
  const pinned = pins === undefined ? [] : await pinsOf(pins, text, { names: facts.tools, related });
  if (lockfile === undefined) return { format: "pins", specVersion: pins ?? "", entries: pinned };
  const { formatVersion, packages, direct } = await readLockfile(lockfile, text, related);
  return {
    format: "lockfile",
    specVersion: formatVersion === "" ? lockfile : `${lockfile} ${formatVersion}`,
    entries: [...pinned, ...packages],
    ...(direct && { direct }),
  };
}

/**
 * Reads the value of `--stack`, such as `nodejs:18,python:3.11`, as a document.
 * @throws EolgateError `usage`
 */
export function readStack(stack: string): Promise<ParsedDocument> {
  return inventoryDocument(new TextEncoder().encode(stack), async (text) => ({
    format: "pins",
    specVersion: "stack",
    entries: stackPins(text),
  }));
}
