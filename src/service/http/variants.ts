/** Query parameters and media types that exist only over HTTP and select another form of a response. */
import { Type } from "typebox";
import { isKeyOf } from "../../text/values.ts";
import { OPERATIONS, type Operation, type OperationName } from "../../api/operations.ts";
import type { TObject } from "typebox";

/** Clients that accept this type get the response of a batch as an object. */
export const BATCH_ENVELOPE_TYPE = "application/vnd.eolgate.batch+json";

const oneOrZero = (description: string) =>
  Type.Optional(Type.Unsafe<"0" | "1">({ type: "string", enum: ["0", "1"], description }));

export const HTTP_QUERIES = {
  batch: Type.Object({
    envelope: oneOrZero(
      "1: an object {count, results, tier, kev_catalog, docs} instead of the array; Accept: application/vnd.eolgate.batch+json has the same effect",
    ),
  }),
  sbom: Type.Object({
    ...OPERATIONS.sbom.query.properties,
    enrich: oneOrZero("1: return the submitted document with lifecycle properties"),
    signals: oneOrZero(
      "1: state the support level of each component; needs a key and a server that offers support levels (otherwise 501)",
    ),
  }),
} as const satisfies Partial<Record<OperationName, TObject>>;

/** The schema of the query over HTTP, for a row of the operations table. */
export function queryOf(name: string, row: Pick<Operation, "query">): TObject {
  return isKeyOf(HTTP_QUERIES, name) ? HTTP_QUERIES[name] : row.query;
}
