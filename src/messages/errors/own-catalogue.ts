/** Errors of `eolgate.catalogue.yaml`, purl maps and the documents that they include. */
import { row } from "./row.ts";

const SCHEMA = (): string => "The schema is schemas/catalogue-own.schema.json.";

export const OWN_CATALOGUE_ERRORS = {
  "own-catalogue-unreadable": row<{ role: string }>({
    kind: "config",
    message: ({ role }) => `the ${role} cannot be read`,
    hint: () => "Check the path and its permissions.",
  }),
  "own-catalogue-syntax": row<{ problem: string }>({
    kind: "config",
    message: ({ problem }) => `the file is not valid YAML: ${problem}`,
    hint: SCHEMA,
  }),
  "own-catalogue-shape": row<{ problem: string; isNumber: boolean }>({
    kind: "config",
    message: ({ problem }) => problem,
    hint: ({ isNumber }) =>
      isNumber ? "Put the name of a cycle in quotes: YAML reads 3.10 as the number 3.1." : SCHEMA(),
  }),
  "own-catalogue-include": row({
    kind: "config",
    message: () => "the included file is neither a CLE (ECMA-428) nor an OpenEoX document",
    hint: SCHEMA,
  }),
  "own-catalogue-product": row<{ slug: string }>({
    kind: "config",
    message: ({ slug }) => `no product has the slug ${slug}`,
    hint: () => "Check the slug, or add the product to the file.",
  }),
  "own-catalogue-date": row<{ product: string; cycle: string; date: string }>({
    kind: "config",
    message: ({ product, cycle, date }) => `${product}:${cycle}: ${date} is not a date`,
    hint: () => "Write it as YYYY-MM-DD or YYYY-MM.",
  }),
  "own-catalogue-purl": row<{ purl: string; problem: string }>({
    kind: "config",
    message: ({ purl, problem }) => `${purl} is not a package URL: ${problem}`,
    hint: () => "Write it as pkg:TYPE/NAMESPACE/NAME, for example pkg:maven/com.acme/billing.",
  }),
} as const;
