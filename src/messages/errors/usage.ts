/** Errors of flags, arguments and query parameters. */
import { formatNumber } from "../format.ts";
import { row } from "./row.ts";

export const USAGE_ERRORS = {
  "as-of-hosted": row({
    kind: "usage",
    message: () => "--as-of cannot be used with --api: a service always uses the current date",
    hint: () => "Omit --api to use the local catalogue, which works for any date.",
  }),
  "bad-address": row<{ from: string }>({
    kind: "usage",
    message: ({ from }) => `"${from}" is not a URL`,
    hint: () => "For example: --channel https://eol.example.com",
  }),
  "bad-api-url": row({
    kind: "usage",
    message: () => "the service address is not a valid http or https URL, or contains a user name",
    hint: () => "Use a URL such as https://eol.example.org, and set the key in EOLGATE_API_KEY.",
  }),
  "bad-event-file": row({
    kind: "usage",
    message: () => "the event file of the runner cannot be read, so the pull request is unknown",
    hint: () => "Omit the input comment, or check GITHUB_EVENT_PATH.",
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
    hint: () => "Write the number of the shard and the number of shards: --shard 2/8 is the second of eight.",
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
    message: ({ flag, reason }) => `${flag} checks documents one at a time, but ${reason}`,
    hint: () => "Use --format ndjson or table, put {document} in the paths of reports, and name files as targets.",
  }),
  "no-document": row({
    kind: "usage",
    message: () => "no SBOM given",
    hint: () => "Run: eolgate enrich FILE -o OUTPUT",
  }),
  "flags-exclusive": row<{ flag: string; other: string }>({
    kind: "usage",
    message: ({ flag, other }) => `${flag} cannot be used with ${other}`,
    hint: ({ flag }) => `Omit ${flag} or the other one.`,
  }),
  "several-outputs": row({
    kind: "usage",
    message: () => "several SBOMs cannot be written to one output",
    hint: () => "Use --in-place, or enrich one SBOM at a time.",
  }),
  "gzip-in-place": row({
    kind: "usage",
    message: () => "a gzip-compressed file cannot be enriched in place",
    hint: () => "Decompress it first, or write the plain document with -o FILE.",
  }),
  "invalid-usage": row<{ problem: string; advice: string }>({
    kind: "usage",
    message: ({ problem }) => problem,
    hint: ({ advice }) => advice,
  }),
  "journal-mismatch": row({
    kind: "usage",
    message: () => "the file belongs to a run with different settings, a different catalogue or a different date",
    hint: () => "Remove the file to start again, or use the settings of that run.",
  }),
  "journal-unreadable": row({
    kind: "usage",
    message: () => "the file is not the record of an earlier run",
    hint: () => "Name a file that does not exist; it will be created.",
  }),
  "no-email": row({
    kind: "usage",
    message: () => "--email is required",
    hint: () => "Run: eolgate keys create --email ADDRESS",
  }),
  "insecure-api-url": row({
    kind: "usage",
    message: () => "the address of the service must use https, because the API key would be sent unencrypted",
    hint: () => "Use https. Only loopback addresses such as http://127.0.0.1:8080 may use http.",
  }),
  "shard-empty": row<{ written: string; documents: number }>({
    kind: "usage",
    message: ({ written, documents }) =>
      `shard ${written} is empty: there are only ${formatNumber(documents)} documents`,
    hint: () => "Use at most as many shards as there are documents.",
  }),
  "output-is-input": row<{ role: string }>({
    kind: "usage",
    message: ({ role }) => `the output would overwrite ${role}`,
    hint: () => "Write to another file.",
  }),
  "no-working-directory": row({
    kind: "usage",
    message: () => "the working directory no longer exists",
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
    message: ({ named, product }) => `the slug is ${named}, but the purl belongs to ${product}`,
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
  "nothing-to-look-up": row({
    kind: "usage",
    message: () => "no product or package given",
    hint: () => "Pass slug:version or package URLs, or --from FILE: eolgate batch nodejs:18 python:3.9",
  }),
} as const;
