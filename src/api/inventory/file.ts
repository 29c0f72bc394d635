/** Reads single files of a project, and the value of `--stack`. */
import { resolve, sep } from "node:path";
import { digestOf } from "../../platform/file-source.ts";
import { EolgateError } from "../../messages/error.ts";
import type { Catalogue } from "../../model/index.ts";
import { suggest } from "../../resolve/product.ts";
import { createResolver } from "../../resolve/resolve.ts";
import { inventoryKindOf, readInventory, readStack, type PinFacts } from "../../files/read.ts";
import { readInput } from "../input.ts";
import type { InventoryInput } from "./inputs.ts";
import { RelatedReader } from "./related.ts";
import { isSbomName } from "./sbom-names.ts";

/**
 * Reads one file of a project: `eolgate check Dockerfile`. Files that it refers to are read only inside the working
 * directory, or inside its own folder if it is elsewhere.
 */
export async function readInventoryFile(
  file: string,
  cwd: string,
  facts: PinFacts,
): Promise<InventoryInput | undefined> {
  const kind = inventoryKindOf(file.replaceAll("\\", "/"));
  if (kind === undefined || isSbomName(file)) return undefined;
  const path = resolve(cwd, file);
  const { bytes, digest } = await readInput(file, cwd, () => Promise.reject(new TypeError("not standard input")));
  const root = path.startsWith(resolve(cwd) + sep) ? resolve(cwd) : resolve(path, "..");
  const document = await readInventory(kind, bytes, facts, new RelatedReader(root).of(path));
  return { file, digest, document };
}

/** @throws EolgateError `usage` for an invalid pair, or for an unknown product. */
export async function readStackInput(stack: string, catalogue: Catalogue): Promise<InventoryInput> {
  const document = await readStack(stack);
  const resolve = createResolver(catalogue, document, { strict: false });
  for (const component of document.components) {
    const resolution = resolve(component);
    if (resolution.kind !== "unmatched" || resolution.reason !== "name-not-recognised") continue;
    const { name } = component;
    const suggestions = suggest(catalogue, name).slice(0, 3).join(", ");
    throw EolgateError.of("product-not-found", { name, suggestions }, { where: "--stack" });
  }
  return { file: "--stack", digest: digestOf(new TextEncoder().encode(stack)), document };
}
