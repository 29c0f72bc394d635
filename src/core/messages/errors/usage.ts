/** Error codes: usage. */
import { row } from "./row.ts";

export const USAGE_ERRORS = {
  "as-of-hosted": row({
    kind: "usage",
    message: () => "--as-of cannot be used with --api: a service answers for its own day",
    hint: () => "Without --api the local catalogue answers for any day.",
  }),
  "bad-address": row<{ from: string }>({
    kind: "usage",
    message: ({ from }) => `"${from}" is no address`,
    hint: () => "For example: --from https://eol.example.com",
  }),
  "bad-api-url": row({
    kind: "usage",
    message: () => "the address of the service is not an http or https URL without a user name",
    hint: () => "For example --api https://eol.example.org; the key goes into EOLGATE_API_KEY.",
  }),
  "bad-flag": row<{ name: string; message: string }>({
    kind: "usage",
    message: ({ name, message }) => `${name} ${message}`,
  }),
  "bad-input": row<{ said: string }>({
    kind: "usage",
    message: ({ said }) => `the input takes true or false, not "${said}"`,
  }),
  "empty-stack": row({
    kind: "usage",
    message: () => "stack holds no slug:version pair",
    hint: () => "For example ?stack=nodejs:20,python:3.12",
  }),
  "gzip-in-place": row({
    kind: "usage",
    message: () => "a gzip file cannot be enriched in place",
    hint: () => "Unpack it first, or write the plain document with -o FILE.",
  }),
  "no-email": row({
    kind: "usage",
    message: () => "whom is the key for?",
    hint: () => "eolgate keys create --email ADDRESS",
  }),
  "no-input": row({
    kind: "usage",
    message: () => "nothing to judge",
    hint: () => "Give the input sbom, scan or stack.",
  }),
  "no-product": row({
    kind: "usage",
    message: () => "neither slug nor purl is given",
  }),
  "no-schema": row<{ format: string; specVersion: string }>({
    kind: "usage",
    message: ({ format, specVersion }) =>
      `there is no schema here to validate ${format} ${specVersion} against, only those of CycloneDX`,
  }),
  "no-template": row({
    kind: "usage",
    message: () => "the format template needs a template",
    hint: () => "Name its file: --template FILE.",
  }),
  "no-token": row({
    kind: "usage",
    message: () => "a comment needs a token",
    hint: () => "Give github-token: ${{ github.token }} and the permission pull-requests: write.",
  }),
  "one-place-twice": row({
    kind: "usage",
    message: () => "two reports go to the same file",
    hint: () => "Give each a path of its own.",
  }),
  "send-sbom-needed": row({
    kind: "usage",
    message: () => "this asks the service to read the document, and documents stay on this machine",
    hint: () => "--send-sbom allows it.",
  }),
  "slug-purl-mismatch": row<{ named: string; product: string }>({
    kind: "usage",
    message: ({ named, product }) => `slug names ${named}, purl names ${product}`,
  }),
  "stack-pair": row<{ pair: string }>({
    kind: "usage",
    message: ({ pair }) => `${pair} is no pair of product and version`,
    hint: () => "Write pairs with a comma between them: --stack nodejs:18,python:3.11",
  }),
  "too-many-pairs": row<{ length: number; maxPairs: number }>({
    kind: "usage",
    message: ({ length, maxPairs }) => `stack holds ${length} pairs, more than ${maxPairs}`,
  }),
  "unknown-format": row<{ name: string; Object: string }>({
    kind: "usage",
    message: ({ name }) => `there is no format "${name}"`,
    hint: ({ Object }) => `Formats: ${Object}.`,
  }),
  "unknown-shell": row<{ shell: string }>({
    kind: "usage",
    message: ({ shell }) => `there is no completion for "${shell}"`,
    hint: () => "Shells: bash, zsh, fish.",
  }),
} as const;
