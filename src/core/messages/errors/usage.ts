/** Errors of flags, arguments and query parameters. */
import { formatNumber } from "../format.ts";
import { row } from "./row.ts";

export const USAGE_ERRORS = {
  "as-of-hosted": row({
    kind: "usage",
    message: () => "--as-of cannot be used with --api: a service always answers for the current day",
    hint: () => "Omit --api to use the local catalogue for any day.",
  }),
  "bad-address": row<{ from: string }>({
    kind: "usage",
    message: ({ from }) => `"${from}" is not a URL`,
    hint: () => "For example: --from https://eol.example.com",
  }),
  "bad-api-url": row({
    kind: "usage",
    message: () => "the service address is not an http or https URL without a user name",
    hint: () => "Use a URL such as https://eol.example.org, and set the key in EOLGATE_API_KEY.",
  }),
  "bad-event-file": row({
    kind: "usage",
    message: () => "the runner's event file cannot be read, so the pull request is not known",
    hint: () => "Leave the input comment out, or check GITHUB_EVENT_PATH.",
  }),
  "bad-flag": row<{ name: string; message: string }>({
    kind: "usage",
    message: ({ name, message }) => `${name} ${message}`,
  }),
  "bad-input": row<{ value: string }>({
    kind: "usage",
    message: ({ value }) => `the input must be true or false, not "${value}"`,
  }),
  "bad-jobs": row<{ written: string }>({
    kind: "usage",
    message: ({ written }) => `"${written}" is not a number of jobs`,
    hint: () => "Use a whole number from 1 to 256: --jobs 4",
  }),
  "bad-shard": row<{ written: string }>({
    kind: "usage",
    message: ({ written }) => `"${written}" is not a shard`,
    hint: () => "Write its number and how many there are: --shard 2/8 is the second of eight.",
  }),
  "bad-top": row<{ written: string }>({
    kind: "usage",
    message: ({ written }) => `"${written}" is not a number of rows`,
    hint: () => "Use a whole number above 0: --top 20",
  }),
  "empty-stack": row({
    kind: "usage",
    message: () => "the stack has no slug:version pair",
    hint: () => "For example ?stack=nodejs:20,python:3.12",
  }),
  "fleet-unsuitable": row<{ flag: string; reason: string }>({
    kind: "usage",
    message: ({ flag, reason }) => `${flag} works on one document after the other, and ${reason}`,
    hint: () => "Use --format ndjson or table, reports with {document} in their path, and files as targets.",
  }),
  "gzip-in-place": row({
    kind: "usage",
    message: () => "a gzip-compressed file cannot be enriched in place",
    hint: () => "Decompress it first, or write the plain document with -o FILE.",
  }),
  "journal-mismatch": row({
    kind: "usage",
    message: () => "the run that this file belongs to had other settings, another catalogue, or another day",
    hint: () => "Remove the file to start again, or repeat the run with the same settings.",
  }),
  "journal-unreadable": row({
    kind: "usage",
    message: () => "the file is not the record of an earlier run",
    hint: () => "Name a file that does not exist yet; it is created.",
  }),
  "no-email": row({
    kind: "usage",
    message: () => "--email is required",
    hint: () => "Run: eolgate keys create --email ADDRESS",
  }),
  "insecure-api-url": row({
    kind: "usage",
    message: () => "the address of the service must use https: the API key and the answers would travel unprotected",
    hint: () => "http is accepted for loopback addresses only, for example http://127.0.0.1:8080.",
  }),
  "shard-empty": row<{ written: string; documents: number }>({
    kind: "usage",
    message: ({ written, documents }) => `part ${written} has no document: there are only ${formatNumber(documents)}`,
    hint: () => "Use at most as many parts as there are documents.",
  }),
  "output-is-input": row<{ role: string }>({
    kind: "usage",
    message: ({ role }) => `the output would overwrite ${role}`,
    hint: () => "Write to another file.",
  }),
  "no-working-directory": row({
    kind: "usage",
    message: () => "the working directory does not exist any more",
    hint: () => "Change to a directory that exists and run the command again.",
  }),
  "no-input": row({
    kind: "usage",
    message: () => "no input given",
    hint: () => "Set one of the inputs path, image, sbom or stack.",
  }),
  "no-product": row({
    kind: "usage",
    message: () => "the item has neither slug nor purl",
  }),
  "no-schema": row<{ format: string; specVersion: string }>({
    kind: "usage",
    message: ({ format, specVersion }) =>
      `${format} ${specVersion} documents cannot be validated; only CycloneDX documents can`,
  }),
  "no-template": row({
    kind: "usage",
    message: () => "the format template needs a template file",
    hint: () => "Add --template FILE.",
  }),
  "no-token": row({
    kind: "usage",
    message: () => "a pull request comment needs a token",
    hint: () => "Set github-token to ${{ github.token }} and grant the permission pull-requests: write.",
  }),
  "one-place-twice": row({
    kind: "usage",
    message: () => "two reports have the same output file",
    hint: () => "Use a different path for each report.",
  }),
  "send-sbom-needed": row({
    kind: "usage",
    message: () => "this command would send the document to the service",
    hint: () => "Allow that with --send-sbom.",
  }),
  "slug-purl-mismatch": row<{ named: string; product: string }>({
    kind: "usage",
    message: ({ named, product }) => `slug is ${named} but purl belongs to ${product}`,
  }),
  "stack-pair": row<{ pair: string }>({
    kind: "usage",
    message: ({ pair }) => `${pair} is not a product:version pair`,
    hint: () => "Separate pairs with commas: --stack nodejs:18,python:3.11",
  }),
  "too-many-pairs": row<{ count: number; maxPairs: number }>({
    kind: "usage",
    message: ({ count, maxPairs }) => `the stack has ${count} pairs, more than the limit of ${maxPairs}`,
  }),
  "unknown-format": row<{ name: string; formats: string }>({
    kind: "usage",
    message: ({ name }) => `unknown report format "${name}"`,
    hint: ({ formats }) => `Use one of ${formats}.`,
  }),
  "unknown-shell": row<{ shell: string }>({
    kind: "usage",
    message: ({ shell }) => `no completion script for the shell "${shell}"`,
    hint: () => "Use bash, zsh or fish.",
  }),
  "bad-date": row<{ value: string }>({
    kind: "usage",
    message: ({ value }) => `"${value}" is not a date`,
    hint: () => "Write it as YYYY-MM-DD, for example 2026-12-31.",
  }),
  "bad-variable": row<{ problem: string; advice: string }>({
    kind: "usage",
    message: ({ problem }) => problem,
    hint: ({ advice }) => advice,
  }),
  "bad-report": row<{ value: string }>({
    kind: "usage",
    message: ({ value }) => `"${value}" is not FORMAT=PATH`,
    hint: () => "For example: --report json=eolgate.json",
  }),
  "bad-span": row<{ value: string; advice: string }>({
    kind: "usage",
    message: ({ value }) => `"${value}" is not a period`,
    hint: ({ advice }) => advice,
  }),
  "bad-waiver": row<{ problem: string; advice: string | undefined }>({
    kind: "usage",
    message: ({ problem }) => problem,
    hint: ({ advice }) => advice,
  }),
  "not-hosted": row<{ flag: string }>({
    kind: "usage",
    message: ({ flag }) => `${flag} cannot be used with --send-sbom: the service applies its own policy`,
    hint: () => "Without --send-sbom the whole policy applies, and only slugs and versions leave the machine.",
  }),
  "not-hosted-format": row<{ format: string }>({
    kind: "usage",
    message: ({ format }) => `--send-sbom supports the formats table and json, not ${format}`,
  }),
  "nothing-to-look-up": row({
    kind: "usage",
    message: () => "nothing to look up",
    hint: () => "Pass slug:version or package URLs, or --from FILE: eolgate batch nodejs:18 python:3.9",
  }),
} as const;
