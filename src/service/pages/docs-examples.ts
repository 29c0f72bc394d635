/** Example requests for each route. Tests send them unchanged. */
import type { Catalogue } from "../../model/index.ts";
import type { Operation } from "../../api/operations.ts";
import { routePath } from "./snippets.ts";

/** A release cycle of the served catalogue, and the address of this server. */
export interface Example {
  readonly root: string;
  readonly slug: string;
  readonly version: string;
}

/** An example with Node.js, which most readers know; if the catalogue does not have it, with the first product. */
export function exampleOf(catalogue: Catalogue, root: string): Example {
  const product = catalogue.product("nodejs") ?? catalogue.product(catalogue.slugs()[0] ?? "");
  const cycle = product?.cycles.find(({ lts }) => lts) ?? product?.cycles[0];
  return { root, slug: product?.slug ?? "nodejs", version: cycle?.name ?? "" };
}

const EMAIL = "you@example.org";

/** JSON bodies by the name of their row. */
export function exampleBody(name: string, { slug, version }: Example): object | undefined {
  switch (name) {
    case "batch":
      return { products: [{ slug, version }, { purl: "pkg:npm/express@4.17.1" }] };
    case "freeKey":
    case "recoverKeys":
      return { email: EMAIL };
    case "checkout":
      return { tier: "starter" };
    default:
      return undefined;
  }
}

/** The lines of a shell command. Empty for the webhook, which only Stripe calls. */
export function curlLines(name: string, row: Operation, example: Example): readonly string[] {
  if (name === "webhook") return [];
  const key = row.access === "counted" ? ` -H "X-API-Key: $EOLGATE_API_KEY"` : "";
  const target = `${key} ${quoted(`${example.root}${routePath(row.path, { ...example })}${queryOfExample(name, example)}`)}`;
  if (name === "watch") {
    return [
      `jq -n --arg email ${EMAIL} --slurpfile sbom bom.json '{email: $email, sbom: $sbom[0]}' |`,
      `  curl${target} --json @-`,
    ];
  }
  if (row.body === "document") {
    return [`curl${target} --json @bom.json${row.answer === "document" ? " -o bom.enriched.json" : ""}`];
  }
  const body = exampleBody(name, example);
  return [`curl${target}${body === undefined ? "" : ` --json ${quoted(JSON.stringify(body))}`}`];
}

const queryOfExample = (name: string, { slug, version }: Example): string =>
  name === "metrics" ? `?stack=${encodeURIComponent(slug)}:${encodeURIComponent(version)}` : "";

/** Quotes text for a POSIX shell. */
const quoted = (text: string): string => (/^[\w:/.,@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
