/** Errors with exit code 3: of documents, folders, lockfiles and images. */
import { problems, row } from "./row.ts";
import { formatCount } from "../format.ts";
import { pageAddress } from "../pages.ts";

const AGAIN = "Generate the file again with its package manager";

export const INPUT_ERRORS = {
  unreadable: problems("input", {
    meaning: "a file, a folder or the standard input cannot be read, or changed while it was read",
    advice: "Check the path and the permissions. The message names the cause.",
  }),
  "no-file": row<{ pattern: string }>("input", {
    message: ({ pattern }) => `no file matches ${pattern}`,
    hint: () => "Quote the pattern, and check that it is relative to the working directory.",
  }),
  "nothing-to-check": row<{ unread: string; excluded?: number }>("input", {
    message: ({ excluded = 0 }) =>
      excluded > 0
        ? `nothing is left to read: ${formatCount(excluded, "file or folder", "files and folders")} excluded`
        : "the folder has no SBOM, no lockfile and no version pin",
    hint: ({ unread, excluded = 0 }) =>
      excluded > 0
        ? "Check the patterns of exclude."
        : `${pageAddress("inputs.md")} lists the files that are read.${unread === "" ? "" : ` Found, but not supported: ${unread}.`}`,
    docs: { advice: "[Inputs](inputs.md) lists the files that are read." },
  }),
  "empty-document": row("input", {
    message: () => "the document is empty",
    hint: () => "Check that the generator of the document completed.",
  }),
  "no-components": problems("empty", {
    meaning: "the document has no components, or the image has nothing that can be checked",
    advice: "Check how the document was generated, or accept it with `--allow-empty`.",
    hint: "Check how the document was generated, or accept it with --allow-empty.",
    httpHint: "Check how the document was generated.",
  }),
  truncated: row<{ what: string }>("input", {
    message: ({ what }) => `the document is incomplete: ${what}`,
    hint: () => "The file was cut off while it was written or copied. Generate it again.",
  }),
  "missing-element": row<{ id: string }>("input", {
    message: ({ id }) =>
      `the document is incomplete: a relationship names ${JSON.stringify(id)}, which it does not contain`,
    hint: () => "A part was left out or cut off. Generate the document again.",
  }),
  "not-json": row<{ problem: string; advice: string | undefined }>("input", {
    message: ({ problem }) => `the document is not JSON: it ${problem}`,
    hint: ({ advice }) => advice,
    docs: { advice: "Check that the file is complete and in a [supported format](inputs.md#sboms)." },
  }),
  "not-xml": problems("input", {
    meaning: "the document is not well-formed XML, or has a DOCTYPE, which can define entities",
    advice: "Generate the document again.",
  }),
  "not-tag-value": row<{ what: string }>("input", {
    message: ({ what }) => `the document is not SPDX tag-value: ${what}`,
    hint: () => "Enclose values of several lines in <text> and </text>.",
  }),
  "invalid-encoding": problems("input", {
    meaning: "the file is not UTF-8 or UTF-16 text",
    advice: "Convert the file to UTF-8 or create it again.",
    hint: "Convert the file to UTF-8 or create it again.",
  }),
  "duplicate-key": row<{ what: string }>("input", {
    message: ({ what }) => `the document is ambiguous: ${what} occurs twice in the same place`,
    hint: () => "Programs disagree on which value to use. Remove one of them.",
  }),
  "two-formats": row<{ what: string }>("input", {
    message: ({ what }) => `the document is ambiguous: ${what} belongs to a different format than the rest`,
    hint: () => "Pass one document per file, without parts of other formats.",
  }),
  "wrong-type": row<{ name: string; expected: string; found: string }>("input", {
    message: ({ name, expected, found }) => `${name} must be ${expected}, found ${found}`,
    hint: () => "Correct the document, or generate it again.",
  }),
  "not-sbom": row<{ problem: string; advice: string }>("input", {
    message: ({ problem }) => `the document is not an SBOM: ${problem}`,
    hint: ({ advice }) => advice,
    docs: { advice: "Pass a CycloneDX or SPDX document. [Inputs](inputs.md#sboms) lists the formats." },
  }),
  "unsupported-format": problems("input", {
    meaning: "the document is in a known format that is not supported",
    advice: "Convert it to CycloneDX or SPDX. [Inputs](inputs.md#sboms) lists the formats.",
  }),
  "unsupported-version": problems("input", {
    meaning: "the version of the document's or lockfile's format is missing or not supported",
    advice: "[Inputs](inputs.md) lists the supported versions of each format.",
  }),
  "bad-envelope": row<{ problem: string }>("input", {
    message: ({ problem }) => problem,
    docs: {
      meaning: "the envelope (DSSE, in-toto, GitHub export) is damaged or contains no SBOM",
      advice: "Extract the SBOM from its envelope, or create the envelope again.",
    },
  }),
  "not-valid": row<{ schema: string; problem: string; advice: string }>("input", {
    message: ({ schema, problem }) => `the document does not conform to the ${schema} schema: ${problem}`,
    hint: ({ advice }) => advice,
    docs: { advice: "Correct the document at the position in the message, or omit `--validate`." },
  }),
  "bad-statement": problems("input", {
    meaning:
      "the file is not a signed statement about a verdict: it is damaged, not signed, signed with a certificate, or of another tool",
    advice: "Create it with `eolgate check --report in-toto=FILE --attest-key KEY`.",
    hint: "Create it with: eolgate check --report in-toto=FILE --attest-key KEY",
  }),
  "bad-signature": problems("input", {
    meaning: "the statement is not signed with the key, or was changed after it was signed",
    advice: "Do not use the statement. Check that `--key` names the public key of whoever signed it.",
    hint: "Do not use the statement. Check that --key names the public key of whoever signed it.",
  }),
  "other-subject": row<{ digest: string; about: string }>("input", {
    message: ({ digest }) => `the statement is not about ${digest}`,
    hint: ({ about }) => `It is about ${about}.`,
    docs: {
      meaning: "the statement is about another artefact",
      advice: "Check the artefact, or verify its statement.",
    },
  }),
  "not-enrichable": problems("input", {
    meaning: "documents of this format or in this envelope cannot be enriched; they can be checked",
    advice: "Create or convert the document as the hint states, and enrich that.",
  }),
  signed: row("input", {
    message: () => "the document is signed, and enrichment would break the signature",
    hint: () => "Enrich the document before signing it, or use --break-signature and sign it again.",
    httpHint: "Enrich the document before signing it.",
  }),
  "too-large": problems("too-large", {
    meaning: "a file, a folder, a value in a document or the work for it exceeds a limit",
    advice: "Split it, or exclude files with `--exclude`. The message names the limit.",
  }),
  "too-deep": problems("too-large", {
    meaning: "the document is nested too deeply",
    advice: "Generate the document again. SBOMs do not need so many levels.",
  }),
  "lockfile-broken": problems("input", {
    meaning: "the lockfile is damaged or truncated, has merge conflicts, or is not in the format of its name",
    advice: `${AGAIN}, or exclude it with \`--exclude\`.`,
    hint: `${AGAIN}, or exclude it with --exclude.`,
  }),
  "pin-file-broken": row<{ why: string }>("input", {
    message: ({ why }) => why,
    hint: () => "Correct the file, or exclude it with --exclude.",
    docs: { meaning: "the file with a version pin cannot be parsed" },
  }),
  "bad-baseline": row<{ problem: string }>("input", {
    message: ({ problem }) => `the baseline is not a valid report: ${problem}`,
    hint: () => "Create it again with: eolgate check … --report json=FILE",
  }),
  "invalid-import": problems("input", {
    meaning: "the file to import is not an export of a store or of support signals; nothing was imported",
    advice: "Create it again with `eolgate db export` or `eolgate signals export -o FILE`.",
  }),
  "image-archive": row<{ part?: "package database of the image"; why: string }>("input", {
    message: ({ part, why }) => `the ${part ?? "image"} cannot be read: ${why}`,
    hint: ({ part }) =>
      part === undefined
        ? "Create the image or archive again."
        : `Check an SBOM of the image instead. ${pageAddress("images.md")} lists the formats that are read.`,
    docs: {
      meaning: "the image, its archive or its package database cannot be read",
      advice: "Create the image again, or check an SBOM of it. [Images](images.md) lists the formats that are read.",
    },
  }),
  "image-layer": row<{ why: string }>("input", {
    message: ({ why }) => `a layer of the image cannot be read: ${why}`,
    hint: () => "Check an SBOM of the image instead, or build the image again.",
  }),
  "image-limit": row<{ what: string; limit: number }>("too-large", {
    message: ({ what, limit }) => `the image is refused: ${what}, more than the limit of ${limit}`,
    hint: () => `Check an SBOM of the image instead. ${pageAddress("images.md")} lists the limits.`,
  }),
  "github-not-found": problems("input", {
    meaning: "GitHub has no such repository, ref or owner, or the token has no access to it",
    advice: "Check the name and the ref. Private repositories need a token in `GITHUB_TOKEN` or `GH_TOKEN`.",
  }),
} as const;
