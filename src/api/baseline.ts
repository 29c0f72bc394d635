/** The earlier scan that `--baseline` and `diff` compare with: a JSON report of eolgate, or an SBOM that is assessed now. */
import { createBaseline, type Baseline } from "../compare/difference.ts";
import { type FindingsSnapshot, snapshotOfReport, toFindingsSnapshot } from "../compare/finding-record.ts";
import type { DocumentReport } from "../model/index.ts";
import { toFindings } from "../policy/rows.ts";
import type { Input } from "./input.ts";
import { type DocumentContext, checkDocument } from "./check.ts";

/** One side of a comparison: its findings, and the scan if the document was assessed now. */
export interface ComparisonSide {
  readonly snapshot: FindingsSnapshot;
  readonly scan?: DocumentReport;
}

export async function readComparisonSide(input: Input, setting: DocumentContext): Promise<ComparisonSide> {
  const report = looksLikeReport(input.bytes()) ? snapshotOfReport(parse(input.bytes()), input.file) : undefined;
  if (report) return { snapshot: report };
  const scan = await checkDocument(input, setting);
  return { snapshot: toFindingsSnapshot(input.file, toFindings(scan.rows)), scan };
}

export async function readBaseline(input: Input, setting: DocumentContext): Promise<Baseline> {
  return createBaseline((await readComparisonSide(input, setting)).snapshot);
}

/** Whether the bytes start like a report of eolgate, so that a large SBOM is not parsed to find out. */
function looksLikeReport(bytes: Uint8Array): boolean {
  return /^\s*\{\s*"schema_version"/.test(new TextDecoder().decode(bytes.subarray(0, 200)));
}

/** Undefined for a malformed file, which is then read as a document, whose reader reports the location. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
