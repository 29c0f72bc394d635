/**
 * The documentation of the API, generated from the tables that the service uses: keys, limits, errors, and each route with
 * its parameters, an example request and its response.
 */
import { asList, asRecord, percentEncode } from "../../../text/values.ts";
import { errorObject } from "../../../wire/error.ts";
import { EolgateError } from "../../../messages/error.ts";
import {
  ERRORS,
  errorStatuses,
  EXAMPLE_EMAIL,
  exampleBody,
  type ExampleCycle,
  exampleValues,
  ROUTE_GROUPS,
  type RouteRow,
} from "../../http/openapi.ts";
import type { Services } from "../../services.ts";
import type { ServerSettings } from "../../http/app-context.ts";
import { layout, snippet, dataTable } from "../layout.ts";
import { type Markup, external, fragment, markup } from "../markup.ts";
import { limitCells } from "../prices.ts";
import { type Site, rootOf, routePath } from "../site.ts";
import type { Operation } from "../../../api/operations/operations.ts";
import { queryOf } from "../../http/service-operations.ts";
import type { Catalogue } from "../../../model/index.ts";

export interface Parameter {
  /** Path of the field: `products[].slug`. */
  readonly name: string;
  readonly required: boolean;
  readonly meaning: string;
}

/** The fields of an object schema, and of the objects in its arrays. */
export function fieldsOf(schema: unknown, prefix = ""): readonly Parameter[] {
  const { properties, required } = asRecord(schema);
  return Object.entries(asRecord(properties)).flatMap(([key, property]) => {
    const { description, items } = asRecord(property);
    const name = `${prefix}${key}`;
    const meaning = typeof description === "string" ? description : "";
    return [{ name, required: asList(required).includes(key), meaning }, ...fieldsOf(items, `${name}[].`)];
  });
}

export interface DocsContext {
  readonly tiers: Services["tiers"];
  readonly settings: Pick<ServerSettings, "keylessUntil" | "open">;
}

export function docsPage(site: Site, { tiers, settings }: DocsContext): string {
  const root = rootOf(site.links);
  const example = exampleOf(site.catalogue, root);
  const groups = Object.entries(ROUTE_GROUPS).map(
    ([title, rows]) =>
      markup`<h2>${title}</h2>\n${Object.entries(rows).map(([name, row]) => routeSection(name, row, example))}`,
  );
  return layout(
    {
      title: "API",
      description: "Every route of the API with its parameters, an example request, limits and errors.",
      section: "docs",
      canonical: external(site.links.docs),
      body: markup`<h1>API</h1>
<p class="lead">JSON over HTTP at <code>${root}/v1</code>. Types and the fields of the answers: <a href="${site.paths.openapi}">OpenAPI 3.0</a>.</p>
<h2>Routes</h2>
${contents()}
<h2 id="keys">Keys and limits</h2>
${keySection(settings)}
${tierTable(tiers)}
<p>A batch and an SBOM count as one request. Answers that count have the headers <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code>; the day is UTC. If an SBOM has more components than the limit, the riskiest are scored; counts, summary and verdict cover all of them.</p>
<h2 id="errors">Errors</h2>
${errors(site)}
<h2 id="mcp">Model Context Protocol</h2>
<p>The same operations are available as tools for assistants, without a key: <code>POST ${root}/mcp</code> (Streamable HTTP), or <code>eolgate mcp</code> on standard input and output.</p>
${groups}`,
    },
    site,
  );
}

function keySection({ keylessUntil, open }: DocsContext["settings"]): Markup {
  if (open) return markup`<p>This server needs no key and has no quota.</p>`;
  const instant = new Date(keylessUntil).toISOString().replace(".000Z", "Z");
  return markup`<p>Send your key as <code>X-API-Key</code>, or as <code>Authorization: Bearer</code>. A <a href="${fragment("freeKey")}">free key</a> is sent by e-mail. Until <time datetime="${instant}">${instant}</time>, requests without a key are served with the anonymous limits; after that, they are refused with status 401.</p>`;
}

function tierTable(tiers: Services["tiers"]): Markup {
  const rows = tiers.map((tier) => markup`<tr><th scope="row">${tier.name}</th>${limitCells(tier)}</tr>\n`);
  return dataTable(
    "Limits of each tier",
    ["Tier", "Requests per day", "Items in a batch", "Scored components of an SBOM"],
    rows,
  );
}

function errors({ links }: Site): Markup {
  const rows = Object.entries(ERRORS).map(
    ([status, meaning]) => markup`<tr><th scope="row">${status}</th><td>${meaning}</td></tr>\n`,
  );
  const sample = EolgateError.of(
    "ambiguous-version",
    { product: "frobos", version: "13.0", candidates: "13.0-sp1, 13.0-sp2" },
    { details: { requested_version: "13.0", candidates: ["13.0-sp1", "13.0-sp2"] } },
  );
  return markup`<p>Every error has the same form; <code>code</code> is stable, <code>where</code> and <code>hint</code> are optional.</p>
${snippet("An error", JSON.stringify(errorObject(sample, links.docs), null, 2).split("\n"))}
${dataTable("Statuses of errors", ["Status", "Meaning"], rows)}`;
}

const formatPath = ({ path }: Operation): string => path.replaceAll(/:(\w+)/g, "{$1}");

function contents(): Markup {
  const items = Object.values(ROUTE_GROUPS).flatMap((rows) =>
    Object.entries(rows).map(
      ([name, row]) =>
        markup`<li><a href="${fragment(name)}"><code>${row.method} ${formatPath(row)}</code></a> <span class="soft">${row.summary}</span></li>\n`,
    ),
  );
  return markup`<ul class="contents">${items}</ul>`;
}

function routeSection(name: string, row: RouteRow, example: Example): Markup {
  const { method, summary, access, tool, cached } = row;
  const lines = curlLines(name, row, example);
  const notes = [
    access === "counted" ? "Needs a key, counts towards the quota" : "Needs no key",
    ...(cached ? ["answers with an ETag"] : []),
    ...(tool === undefined ? [] : [`MCP tool ${tool}`]),
  ];
  return markup`<section class="route" id="${name}" aria-labelledby="${`${name}-title`}"><h3 id="${`${name}-title`}"><span class="${`method ${method}`}">${method}</span> <code>${formatPath(row)}</code></h3>
<p><b>${summary}.</b> <span class="soft">${notes.join("; ")}.</span></p>
${parameterTable(name, row)}
${lines.length > 0 && snippet(`Request: ${method} ${formatPath(row)}`, lines)}
<p class="soft">Errors: ${errorStatuses(name, row).join(", ")}</p></section>\n`;
}

function parameterTable(name: string, row: RouteRow): Markup | null {
  const body = row.described ?? row.body;
  const rows = [
    ...parameterRows("path", fieldsOf(row.params)),
    ...parameterRows("query", fieldsOf(queryOf(name, row))),
    ...(body === undefined || body === "document" ? [] : parameterRows("body", fieldsOf(body))),
  ];
  const document = body === "document" && markup`<p>The body is a CycloneDX or SPDX document in JSON.</p>`;
  if (rows.length === 0) return document || null;
  return markup`${document}${dataTable(`Parameters of ${row.method} ${formatPath(row)}`, ["Parameter", "In", "Meaning"], rows, "Parameters")}`;
}

const parameterRows = (location: string, fields: readonly Parameter[]): readonly Markup[] =>
  fields.map(
    ({ name, required, meaning }) =>
      markup`<tr><th scope="row"><code>${name}</code></th><td>${location}${required ? "" : ", optional"}</td><td>${meaning}</td></tr>\n`,
  );

// Example requests for each route. Tests send them unchanged.

/** A release cycle of the served catalogue, and the address of this server. */
export interface Example extends ExampleCycle {
  readonly root: string;
}

/** An example with Node.js, which most readers know; if the catalogue does not have it, with the first product. */
export function exampleOf(catalogue: Catalogue, root: string): Example {
  const product = catalogue.product("nodejs") ?? catalogue.product(catalogue.slugs()[0] ?? "");
  const cycle = product?.cycles.find(({ lts }) => lts) ?? product?.cycles[0];
  return { root, slug: product?.slug ?? "nodejs", version: cycle?.name ?? "" };
}

/** The lines of a shell command. Empty for the webhook, which only Stripe calls. */
export function curlLines(name: string, row: Operation, example: Example): readonly string[] {
  if (name === "webhook") return [];
  const key = row.access === "counted" ? ` -H "X-API-Key: $EOLGATE_API_KEY"` : "";
  const target = `${key} ${quoted(`${example.root}${routePath(row.path, exampleValues(row, example))}${queryOfExample(name, row, example)}`)}`;
  if (name === "watch") {
    return [
      `jq -n --arg email ${EXAMPLE_EMAIL} --slurpfile sbom bom.json '{email: $email, sbom: $sbom[0]}' |`,
      `  curl${target} --json @-`,
    ];
  }
  if (row.body === "document") {
    return [`curl${target} --json @bom.json${row.answer === "document" ? " -o bom.enriched.json" : ""}`];
  }
  const body = exampleBody(name, example);
  return [`curl${target}${body === undefined ? "" : ` --json ${quoted(JSON.stringify(body))}`}`];
}

function queryOfExample(name: string, row: Operation, example: Example): string {
  const values: Readonly<Record<string, string>> = exampleValues(row, example);
  const [first] = queryOf(name, row).required ?? [];
  return first === undefined ? "" : `?${first}=${percentEncode(values[first] ?? "").replaceAll("%3A", ":")}`;
}

/** Quotes text for a POSIX shell. */
const quoted = (text: string): string => (/^[\w:/.,@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
