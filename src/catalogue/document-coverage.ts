/** How many packages of real documents the catalogue resolves: measured by `bench/document-verdicts.ts`. */
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { readPackageFile } from "../platform/package-files.ts";
import { DOCUMENT_COVERAGE } from "./places.ts";

const DocumentCoverage = Type.Object({
  measured_on: Type.String(),
  documents: Type.Integer(),
  distinct_purls: Type.Integer(),
  /** Share with a release cycle of their own, in percent. */
  by_cycle: Type.Number(),
  /** The same with packages that a distribution maintains. */
  with_distributions: Type.Number(),
});
export type DocumentCoverage = Static<typeof DocumentCoverage>;

/** The measurement that is part of the package; null if it is missing. */
export function documentCoverage(): DocumentCoverage | null {
  try {
    const value: unknown = JSON.parse(readPackageFile(DOCUMENT_COVERAGE).toString("utf8"));
    return Value.Check(DocumentCoverage, value) ? value : null;
  } catch {
    return null;
  }
}
