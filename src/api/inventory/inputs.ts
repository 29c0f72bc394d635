/** Inputs that are read when they are collected, because the name of the file decides how it is read. */
import type { FailedDocument, FolderCoverage, ParsedDocument } from "../../model/index.ts";
import type { Input } from "../input.ts";

/** A file of a project, or the value of `--stack`. */
export interface InventoryInput {
  /** Path as given, or `--stack`. */
  readonly file: string;
  /** `sha256:` over the bytes. */
  readonly digest: string;
  readonly document: ParsedDocument;
  /** The checked folder that contains the file; the folder has one verdict. */
  readonly partOf?: string;
}

export type FolderInput = InventoryInput | (Input & { readonly partOf: string }) | FailedDocument;

export interface FolderContents {
  readonly inputs: readonly FolderInput[];
  readonly coverage: FolderCoverage;
}
