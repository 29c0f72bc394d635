/** The sections of the API documentation: parameters, an example request and the response of each route. */
import { OPERATIONS, type Operation } from "../../api/operations.ts";
import { errorStatuses } from "../http/openapi.ts";
import { SERVICE_OPERATIONS } from "../http/service-operations.ts";
import { queryOf } from "../http/variants.ts";
import { curlLines, type Example } from "./docs-examples.ts";
import { fieldsOf, type Field } from "./fields.ts";
import { scrolling } from "./layout.ts";
import { fragment, markup, type Markup } from "./markup.ts";
import { snippet } from "./parts.ts";

type Row = Operation & { readonly described?: Operation["body"] };

export interface RouteGroup {
  readonly title: string;
  readonly routes: readonly (readonly [name: string, row: Row])[];
}

export const ROUTE_GROUPS: readonly RouteGroup[] = [
  { title: "Lifecycle data", routes: Object.entries<Row>(OPERATIONS) },
  { title: "Keys, watch lists, files", routes: Object.entries<Row>(SERVICE_OPERATIONS) },
];

export const formatPath = ({ path }: Operation): string => path.replaceAll(/:(\w+)/g, "{$1}");

export function contents(): Markup {
  const items = ROUTE_GROUPS.flatMap(({ routes }) =>
    routes.map(
      ([name, row]) =>
        markup`<li><a href="${fragment(name)}"><code>${row.method} ${formatPath(row)}</code></a> <span class="soft">${row.summary}</span></li>\n`,
    ),
  );
  return markup`<ul class="contents">${items}</ul>`;
}

export function routeSection(name: string, row: Row, example: Example): Markup {
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
${lines.length > 0 && snippet(`Request: ${summary}`, lines)}
${answer(name, row)}
<p class="soft">Errors: ${errorStatuses(name, row).join(", ")}</p></section>\n`;
}

function parameterTable(name: string, row: Row): Markup | null {
  const body = row.described ?? row.body;
  const rows = [
    ...parameterRows("path", fieldsOf(row.params)),
    ...parameterRows("query", fieldsOf(queryOf(name, row))),
    ...(body === undefined || body === "document" ? [] : parameterRows("body", fieldsOf(body))),
  ];
  const document = body === "document" && markup`<p>The body is a CycloneDX or SPDX document in JSON.</p>`;
  if (rows.length === 0) return document || null;
  return markup`${document}${scrolling(
    `Parameters of ${row.method} ${formatPath(row)}`,
    markup`<table><caption class="hidden">Parameters</caption><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`,
  )}`;
}

function parameterRows(location: string, fields: readonly Field[]): readonly Markup[] {
  return fields.map(
    ({ name, type, required, meaning }) =>
      markup`<tr><th scope="row"><code>${name}</code></th><td>${location}</td><td>${type}${required ? "" : ", optional"}</td><td>${meaning}</td></tr>\n`,
  );
}

/** The fields of the response, collapsed. The OpenAPI description is complete. */
function answer(name: string, { answer: schema, path }: Row): Markup | null {
  if (schema === "text") return markup`<p class="soft">Returns text in the exposition format of Prometheus.</p>`;
  if (schema === "document")
    return markup`<p class="soft">Returns the submitted document with lifecycle properties.</p>`;
  const rows = fieldsOf(schema, "", 1).map(
    (field) =>
      markup`<tr><th scope="row"><code>${field.name}</code></th><td>${field.type}</td><td>${field.meaning}</td></tr>\n`,
  );
  if (rows.length === 0) return null;
  return markup`<details><summary>Fields of the answer</summary>${scrolling(
    `Fields of the answer of ${path} (${name})`,
    markup`<table><caption class="hidden">Fields of the answer</caption><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`,
  )}</details>`;
}
