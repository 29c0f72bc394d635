/** Adds the organisation's own entries to a catalogue. The modules that read them are loaded on demand. */
import { relative, resolve } from "node:path";
import type { IsoDate } from "../../text/ids.ts";
import type { Catalogue } from "../../model/index.ts";
import type { RepositoryFiles } from "../../platform/repository-files.ts";

export interface OwnFiles {
  /** `--own-catalogue`. Without it, `search` looks for `eolgate.catalogue.yaml` in `cwd` and its parents. */
  readonly own?: string | undefined;
  readonly search: boolean;
  readonly cwd: string;
  readonly today: IsoDate;
  /** Where it is found and read. */
  readonly files: RepositoryFiles;
}

/** @throws EolgateError `config` with the file and the path of the field. */
export async function withOwnEntries(catalogue: Catalogue, options: OwnFiles): Promise<Catalogue> {
  const { own, search, cwd, today, files } = options;
  const found = own === undefined && search ? (await files.find(cwd, NAMES))[0] : own;
  const path = found && resolve(cwd, found);
  if (path === undefined) return catalogue;
  const [{ overlay }, { readOwnCatalogue }] = await Promise.all([import("./overlay.ts"), import("./read.ts")]);
  // Reports contain the path, and they are the same in every checkout.
  const shown = relative(cwd, path);
  return contributedBy(
    overlay(catalogue, await readOwnCatalogue(path, catalogue, files), shown, today),
    { file: shown, found: own === undefined },
    catalogue,
  );
}

/** Marks a new catalogue as one that a file of the checked repository made from `below`. */
export function contributedBy(
  changed: Catalogue,
  { file, found }: { readonly file: string; readonly found: boolean },
  below: Catalogue,
): Catalogue {
  const { files = [], found: isFound = false, below: lowest = below } = below.contributed ?? {};
  const contributed = { files: [...files, file], found: found || isFound, below: lowest };
  return Object.assign(changed, { contributed });
}

const NAMES = ["eolgate.catalogue.yaml", "eolgate.catalogue.yml", "eolgate.catalogue.json"];
