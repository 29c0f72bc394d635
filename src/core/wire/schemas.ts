/**
 * Every shape on the wire, once: the schemas that validate, serialise and describe (OpenAPI, MCP), and the static
 * types made from them. Only the server, MCP and the remote client load this file; the mapping functions next to it take
 * types alone, so the command line starts without TypeBox.
 */
export * from "./schemas/advice.ts";
export * from "./schemas/lifecycle.ts";
export * from "./schemas/products.ts";
export * from "./schemas/sbom.ts";
export * from "./schemas/service.ts";
export type { Wire } from "./schemas/types.ts";
