/** The documentation of the API, generated from the tables that the service uses: keys, limits, errors, routes. */
import { errorObject } from "../../wire/error.ts";
import { EolgateError } from "../../messages/error.ts";
import { formatNumber } from "../../messages/format.ts";
import { ERRORS } from "../http/openapi.ts";
import type { Services, Tier } from "../http/services.ts";
import type { ServerSettings } from "../http/settings.ts";
import { exampleOf } from "./docs-examples.ts";
import { contents, routeSection, ROUTE_GROUPS } from "./docs-routes.ts";
import { layout, scrolling } from "./layout.ts";
import { external, fragment, markup, type Markup } from "./markup.ts";
import { snippet } from "./parts.ts";
import type { Site } from "./site.ts";
import { rootOf } from "./snippets.ts";

export interface DocsContext {
  readonly tiers: Services["tiers"];
  readonly settings: Pick<ServerSettings, "keylessUntil" | "open">;
}

export function docsPage(site: Site, { tiers, settings }: DocsContext): string {
  const root = rootOf(site.links);
  const example = exampleOf(site.catalogue, root);
  const groups = ROUTE_GROUPS.map(
    ({ title, routes }) => markup`<h2>${title}</h2>\n${routes.map(([name, row]) => routeSection(name, row, example))}`,
  );
  return layout(
    {
      title: "API",
      description: "Every route of the API with its parameters, an example request, limits and errors.",
      section: "docs",
      canonical: external(site.links.docs),
      body: markup`<h1>API</h1>
<p class="lead">JSON over HTTP at <code>${root}/v1</code>. Machine-readable description: <a href="${site.paths.openapi}">OpenAPI 3.0</a>.</p>
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

function tierTable(tiers: readonly Tier[]): Markup {
  const rows = tiers.map(
    ({ name, requestsPerDay, batchItems, sbomComponents }) =>
      markup`<tr><th scope="row">${name}</th><td>${limit(requestsPerDay)}</td><td>${limit(batchItems)}</td><td>${limit(sbomComponents)}</td></tr>\n`,
  );
  return scrolling(
    "Limits of each tier",
    markup`<table><caption class="hidden">Limits of each tier</caption><thead><tr><th scope="col">Tier</th><th scope="col">Requests per day</th><th scope="col">Items in a batch</th><th scope="col">Scored components of an SBOM</th></tr></thead><tbody>\n${rows}</tbody></table>`,
  );
}

const limit = (number: number | null): string => (number === null ? "unlimited" : formatNumber(number));

function errors({ links }: Site): Markup {
  const rows = Object.entries(ERRORS).map(
    ([status, meaning]) => markup`<tr><th scope="row">${status}</th><td>${meaning}</td></tr>\n`,
  );
  const sample = EolgateError.of(
    "ambiguous-version",
    { product: "frobos", version: "13.0", candidates: "13.0-sp1, 13.0-sp2" },
    { facts: { requested_version: "13.0", candidates: ["13.0-sp1", "13.0-sp2"] } },
  );
  return markup`<p>Every error has the same form; <code>code</code> is stable, <code>where</code> and <code>hint</code> are optional.</p>
${snippet("An error", JSON.stringify(errorObject(sample, links.docs), null, 2).split("\n"))}
${scrolling(
  "Statuses of errors",
  markup`<table><caption class="hidden">Statuses of errors</caption><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>\n${rows}</tbody></table>`,
)}`;
}
