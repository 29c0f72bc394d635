/** Errors of forms that people send to the service, and of the lists in them. */
import { row } from "./row.ts";

export const FORM_ERRORS = {
  "empty-list": row({
    kind: "usage",
    message: () => "the list is empty",
    hint: () => "Write one product and version on each line, for example nodejs 18.",
  }),
  "list-entry": row<{ entry: string }>({
    kind: "usage",
    message: ({ entry }) => `${entry} is not a product with a version`,
    hint: () => "Write one product and version on each line, for example nodejs 18.",
  }),
  "list-product": row<{ name: string; suggestions: string }>({
    kind: "usage",
    message: ({ name }) => `the catalogue has no product ${name}, or several`,
    hint: ({ suggestions }) => (suggestions === "" ? "Search for the product first." : `Did you mean ${suggestions}?`),
  }),
  "foreign-form": row({
    kind: "forbidden",
    message: () => "the form was sent by a page of another origin",
    hint: () => "Open the form on this service and send it from there.",
  }),
  "not-followable": row<{ purl: string }>({
    kind: "usage",
    message: ({ purl }) => `${purl} belongs to no release cycle and cannot be followed`,
    hint: () => "Only packages of public registries with a version can be followed.",
  }),
  "not-a-form": row({
    kind: "usage",
    message: () => "the body is not a form",
    hint: () => "Send multipart/form-data or application/x-www-form-urlencoded with the fields of the page's form.",
  }),
  "nothing-enriched": row<{ reason: string }>({
    kind: "usage",
    message: ({ reason }) => `there is no enriched document: ${reason}`,
  }),
  "empty-form": row({
    kind: "usage",
    message: () => "neither a file nor a list was given",
    hint: () => "Choose a file, or write one product and version on each line.",
  }),
} as const;
