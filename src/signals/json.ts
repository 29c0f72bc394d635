/** JSON responses of signal sources, validated against a schema. */
import type { Static, TSchema } from "typebox";
import { Check } from "typebox/value";
import type { SignalsClient, SignalsRequest, SignalsResponse } from "./http.ts";

export type JsonResponse<T> =
  | { readonly kind: "json"; readonly value: T }
  | Exclude<SignalsResponse, { readonly kind: "body" }>;

/** Send a request and parse the JSON response. A response that does not match the schema is a failure of the source. */
export async function sendJson<S extends TSchema>(
  client: SignalsClient,
  request: SignalsRequest,
  schema: S,
): Promise<JsonResponse<Static<S>>> {
  const response = await client.send(request);
  if (response.kind !== "body") return response;
  const value = parse(response.bytes);
  if (value === undefined) return unusable(response.type.includes("html") ? "a page instead of data" : "no JSON");
  return Check(schema, value) ? { kind: "json", value } : unusable("JSON of another shape");
}

function parse(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return value;
  } catch {
    return undefined;
  }
}

export const unusable = (what: string): Exclude<SignalsResponse, { readonly kind: "body" }> => ({
  kind: "failed",
  reason: "source-unavailable",
  detail: `it sends ${what}`,
});
