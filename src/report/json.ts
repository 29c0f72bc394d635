/**
 * The JSON report: the answer of POST /v1/sbom without a cap, and what the gate adds (published as
 * `schemas/report.schema.json`). Written piece by piece, one component a line: quick for 100,000 of them, and a diff of
 * two reports shows which component changed.
 */
import { asProductSlug } from "../core/ids.ts";
import type { Finding, Report, DocumentReport } from "../core/model.ts";
import { dependencyPaths } from "../core/sbom/graph/paths.ts";
import { notApplicable, summarize } from "../core/wire/counts.ts";
import { supportCounts } from "../core/support/counts.ts";
import { sbomResponse } from "../core/wire/sbom.ts";
import type { SbomScore } from "../core/wire/schemas.ts";
import { escapeJson as escaped } from "./escape.ts";
import { coverageObject, failedObject, frameObject } from "./json/frame.ts";
import { findingObject, isFinding, unmatchedObject, upgradeObject } from "./json/finding.ts";
import type { Reporter } from "./reporter.ts";

export const json: Reporter = (report) => {
  const frame = fields(frameObject(report));
  const [only] = report.documents;
  if (only && report.documents.length === 1 && report.failed.length === 0)
    return escaped(block([...frame, ...answerFields(report, only)]));
  const { verdict, failed } = report;
  const gate = { verdict: verdict.value, warn_days: report.policy.warnDays, reasons: verdict.reasons };
  const documents = report.documents.map((scan) => block(answerFields(report, scan)).trimEnd());
  return escaped(
    block([
      ...frame,
      ...fields({ ...totals(report), gate, coverage: coverageObject(verdict.coverage, allFindings(report)) }),
      `"documents": ${list(documents)}`,
      `"failed": ${list(failed.map((each) => JSON.stringify(failedObject(each))))}`,
    ]),
  );
};

/** What is counted over all documents, under the names of a single one. */
function totals(report: Report) {
  const findings = allFindings(report);
  const counted = findings.filter(
    ({ resolution, outcome }) => resolution.kind !== "not-applicable" && !outcome.outOfScope,
  );
  return { components: counted.length, summary: summarize(findings, report.policy) };
}

const allFindings = ({ documents }: Report): readonly Finding[] => documents.flatMap(({ findings }) => findings);

/** One document's part, field by field. */
function answerFields(report: Report, scan: DocumentReport): readonly string[] {
  const { document, findings, verdict, file, digest, gzipped } = scan;
  const { found, unmatched, leftOut } = components(report, scan);
  const matched = findings.filter(
    ({ outcome, resolution: { kind } }) => !outcome.outOfScope && (kind === "resolved" || kind === "covered"),
  );
  const answer = sbomResponse(
    { document, findings: matched, verdict, policy: report.policy, catalogue: report.catalogue },
    report.links,
  );
  const { results, informational, unmatched: _none, ...counts } = answer;
  return [
    ...fields({
      document: {
        file,
        format: document.format,
        spec_version: document.specVersion,
        digest,
        serial_number: document.serialNumber ?? null,
        generator: document.generator ?? null,
        wrappers: [...(gzipped ? ["gzip"] : []), ...document.wrappers],
        absent_elements: document.absentElements,
      },
      ...counts,
      support: supportCounts(findings),
      summary: summarize(findings, report.policy),
      components: found.length + unmatched.length,
      unmatched_count: unmatched.length,
      not_applicable: notApplicable(findings),
      out_of_scope_count: leftOut,
      coverage: coverageObject(verdict.coverage, findings),
    }),
    `"results": ${list(results.map((each) => JSON.stringify(withUpgrade(report, each))))}`,
    `"informational": ${list(informational.map((each) => JSON.stringify(each)))}`,
    `"findings": ${list(found)}`,
    `"unmatched": ${list(unmatched)}`,
  ];
}

interface Listed {
  readonly found: readonly string[];
  readonly unmatched: readonly string[];
  readonly leftOut: number;
}

/** Every component that counts, as the JSON of one of two disjoint lists. */
function components(report: Report, scan: DocumentReport): Listed {
  const paths = dependencyPaths(scan.document);
  const found: string[] = [];
  const unmatched: string[] = [];
  let leftOut = 0;
  for (const finding of scan.findings) {
    if (finding.outcome.outOfScope) leftOut += 1;
    else if (isFinding(finding)) found.push(JSON.stringify(findingObject(report, scan, finding, paths)));
    else {
      const object = unmatchedObject(report, finding);
      if (object !== null) unmatched.push(JSON.stringify(object));
    }
  }
  return { found, unmatched, leftOut };
}

function withUpgrade(report: Report, score: SbomScore) {
  const advice = report.advice?.({ product: asProductSlug(score.product), cycle: score.version });
  return advice === undefined ? score : { ...score, upgrade: upgradeObject(report, advice) };
}

const fields = (object: object): readonly string[] =>
  Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);

const block = (lines: readonly string[]): string => `{\n${lines.join(",\n")}\n}\n`;

const list = (elements: readonly string[]): string => (elements.length === 0 ? "[]" : `[\n${elements.join(",\n")}\n]`);
