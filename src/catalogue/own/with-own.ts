/** Adds the organisation's own entries to a catalogue. The modules that read them are loaded on demand. */
import { resolve } from "node:path";
import type { IsoDate } from "../../text/ids.ts";
import type { Catalogue } from "../../model/index.ts";
import { findUpwards } from "../../platform/find-upwards.ts";

export interface OwnFiles {
  /** `--own-catalogue`. Without it, `eolgate.catalogue.yaml` is looked for in `cwd` and its parents. */
  readonly own?: string | undefined;
  readonly cwd: string;
  readonly today: IsoDate;
}

/** @throws EolgateError `config` with the file and the path of the field. */
export async function withOwnEntries(catalogue: Catalogue, { own, cwd, today }: OwnFiles): Promise<Catalogue> {
  const path = own === undefined ? findUpwards(cwd, NAMES)[0] : resolve(cwd, own);
  if (path === undefined) return catalogue;
  const [{ overlay }, { readOwnCatalogue }] = await Promise.all([import("./overlay.ts"), import("./read.ts")]);
  return overlay(catalogue, await readOwnCatalogue(path, catalogue), path, today);
}

const NAMES = ["eolgate.catalogue.yaml", "eolgate.catalogue.yml", "eolgate.catalogue.json"];
