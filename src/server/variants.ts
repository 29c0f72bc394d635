/** What HTTP alone adds to a row's query: another form of the same answer. */
import { Type } from "typebox";
import { OPERATIONS, type OperationName } from "../operations/operations.ts";
import type { TObject } from "typebox";

const oneOrZero = (description: string) =>
  Type.Optional(Type.Unsafe<"0" | "1">({ type: "string", enum: ["0", "1"], description }));

export const HTTP_QUERIES = {
  batch: Type.Object({
    envelope: oneOrZero("1: an object {count, results, tier, kev_catalog, docs} in place of the array"),
  }),
  sbom: Type.Object({
    ...OPERATIONS.sbom.query.properties,
    enrich: oneOrZero("1: the answer is the submitted document with lifecycle properties in it"),
  }),
} as const satisfies Partial<Record<OperationName, TObject>>;
