/** Specification 2.7: what a client is told when there is no answer. */
import type { Fault } from "../errors.ts";
import type { ErrorObject } from "./schemas.ts";

/** A bug's own words may hold paths or secrets: the client gets a sentence, the log gets the rest. */
export function errorObject(fault: Fault, docs: string): ErrorObject {
  if (fault.kind === "internal") return { error: "Internal error", docs, code: "internal" };
  return {
    error: fault.message,
    docs,
    code: fault.code,
    ...(fault.where === undefined ? {} : { where: fault.where }),
    ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    ...fault.facts,
  };
}
