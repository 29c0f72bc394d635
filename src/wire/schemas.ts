/**
 * The schemas of all wire objects. They validate and serialise answers, describe them (OpenAPI, MCP), and give the
 * static types. Only the server, MCP and the remote client load this file. The conversion functions next to it import
 * only types, so that the command line starts without TypeBox.
 */
export * from "./schemas/lifecycle.ts";
export * from "./schemas/products.ts";
export * from "./schemas/sbom.ts";
export * from "./schemas/service.ts";
export type { Wire } from "./schemas/types.ts";
