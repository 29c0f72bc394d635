/** Reads single files of a project, and the value of `--stack`. */
import { dirname, resolve, sep } from "node:path";
import { digestOf } from "../../platform/file-source.ts";
import { EolgateError } from "../../messages/error.ts";
import type { Catalogue } from "../../model/index.ts";
import type { IsoDate } from "../../text/ids.ts";
import { createAssessContext } from "../../resolve/answer.ts";
import { suggest } from "../../resolve/product.ts";
import {
  type InventoryKind,
  type PinFacts,
  inventoryKindOf,
  readInventory,
  readRunning,
  readStack,
  shownText,
} from "../../files/read.ts";
import { type Input, type InventoryInput, readInput } from "../input.ts";
import { isSbomName } from "./names.ts";
import { readFileSync, realpathSync } from "node:fs";
import { readBeginning } from "../../platform/bounded-file.ts";
import { requireFile } from "../../platform/file-status.ts";
import type { RelatedFiles } from "../../files/lockfiles/lockfile.ts";

/**
 * Reads one file of a project: `eolgate check Dockerfile`. Files that it refers to are read only inside the working
 * directory, or inside its own folder if it is elsewhere.
 */
export async function readInventoryFile(
  file: string,
  cwd: string,
  facts: PinFacts,
  kind = kindOfFile(file, cwd),
): Promise<InventoryInput | undefined> {
  if (kind === undefined) return undefined;
  const path = resolve(cwd, file);
  const { bytes, digest } = await readInput(file, cwd, () => Promise.reject(new TypeError("not standard input")));
  const root = path.startsWith(resolve(cwd) + sep) ? resolve(cwd) : resolve(path, "..");
  const related = new RelatedReader(root).of(path);
  const reread = (text: Uint8Array) => readInventory(kind, text, facts, related);
  return { file, digest, document: await reread(bytes()), reread };
}

/**
 * Reads what runs in a cluster, from the answer of `kubectl get -o json` or `-o yaml`: a document for each image of each
 * workload, with its namespace and owner as labels, which together have one verdict. Undefined for a manifest.
 */
export async function readCluster(
  { file, digest, bytes }: Input,
  facts: PinFacts,
): Promise<readonly InventoryInput[] | undefined> {
  const images = await readRunning(bytes(), facts);
  const used = new Map<string, number>();
  const inputs = images.map(([{ namespace, owner, container, image, digest: imageDigest }, document]) => {
    // A slash would be a folder in the paths of reports: {document}.
    const name = [owner.replace("/", " "), namespace ?? [], container].flat().join(", ").replaceAll(/[\\/]/g, "_");
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return {
      file: `${file} (${name}${count === 1 ? "" : `, ${count}`})`,
      digest,
      document,
      partOf: file,
      path: file,
      subject: { name: image, ...(imageDigest !== undefined && { imageDigest }) },
      labels: { ...(namespace !== undefined && { namespace }), owner },
    };
  });
  return inputs.length === 0 ? undefined : inputs;
}

/** Reads a manifest of Kubernetes from standard input. */
export const readManifest = async ({ file, digest, bytes }: Input, facts: PinFacts): Promise<InventoryInput> => ({
  file,
  digest,
  document: await readInventory({ pins: "kubernetes", lockfile: undefined }, bytes(), facts),
});

/** The readers of a named file; undefined for an SBOM, and for a file that none reads. */
export const kindOfFile = (file: string, cwd: string): InventoryKind | undefined =>
  isSbomName(file) ? undefined : inventoryKindOf(file.replaceAll("\\", "/"), () => beginningOf(resolve(cwd, file)));

/** The beginning of a file as text; undefined if it cannot be read, or is no text. */
export function beginningOf(path: string): string | undefined {
  try {
    return shownText(readBeginning(path));
  } catch {
    return undefined;
  }
}

/** @throws EolgateError `usage` for an invalid pair, or for an unknown product. */
export async function readStackInput(stack: string, catalogue: Catalogue, asOf: IsoDate): Promise<InventoryInput> {
  const document = await readStack(stack);
  const { resolve } = createAssessContext(catalogue, { document, strict: false, asOf });
  for (const component of document.components) {
    const resolution = resolve(component);
    if (resolution.kind !== "unmatched" || resolution.reason !== "name-not-recognised") continue;
    const { name } = component;
    const suggestions = suggest(catalogue, name).slice(0, 3).join(", ");
    throw EolgateError.of("product-not-found", { name, suggestions }).at("--stack");
  }
  return { file: "--stack", digest: () => digestOf(new TextEncoder().encode(stack)), document };
}

/** Maximum size in bytes; real manifests are far smaller. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads files relative to another file. Files outside the root are not read, after resolving symbolic links. Each file
 * is read once, because projects share their parents.
 */
export class RelatedReader {
  private readonly root: string;
  private readonly texts = new Map<string, string | undefined>();

  /** `root` must exist. */
  constructor(root: string) {
    this.root = realpathSync(root);
  }

  /** The reader for files relative to the file at `path`. */
  of(path: string): RelatedFiles {
    const folder = dirname(path);
    return (name) => {
      const target = resolve(folder, name);
      if (!this.texts.has(target)) this.texts.set(target, this.read(target));
      return this.texts.get(target);
    };
  }

  private read(path: string): string | undefined {
    try {
      const real = realpathSync(path);
      const isInside = real.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep);
      const { size } = requireFile(real);
      return isInside && size <= MAX_BYTES ? readFileSync(real, "utf8").replace(/^\uFEFF/, "") : undefined;
    } catch {
      return undefined;
    }
  }
}
