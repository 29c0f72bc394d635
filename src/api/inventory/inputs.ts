/** Inputs that were read while they were collected, because the file's name decides how it is read. */
import type { FailedDocument, FolderCoverage, SbomDocument } from "../../core/model.ts";
import type { Input } from "../input.ts";

/** A file of a project, or the stack of a flag. */
export interface InventoryInput {
  /** Path as given, or `--stack`. */
  readonly file: string;
  /** `sha256:` over the bytes. */
  readonly digest: string;
  readonly document: SbomDocument;
  /** The checked folder. A single file of it need not have a verdict of its own. */
  readonly partOf?: string;
}

export type FolderInput = InventoryInput | (Input & { readonly partOf: string }) | FailedDocument;

export interface FolderContents {
  readonly inputs: readonly FolderInput[];
  readonly coverage: FolderCoverage;
}
