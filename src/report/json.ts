/**
 * The JSON report: what the gate decided, and for each document the answer of POST /v1/sbom without a cap (published as
 * `schemas/report.schema.json`). Written piece by piece, one component a line: quick for 100,000 of them, and a diff of
 * two reports shows which component changed.
 */
import { hasCycle } from "../resolve/unresolved.ts";
import { asProductSlug } from "../text/ids.ts";
import type { ComponentRows, DocumentReport, Finding, EvaluatedComponent, Report } from "../model/index.ts";
import { findingAt, evaluatedOf } from "../policy/rows.ts";
import { dependencyPaths } from "../sbom/graph/paths.ts";
import { countComponents, notApplicable, summarize } from "../wire/counts.ts";
import { supportCounts } from "../support/levels.ts";
import { sbomResponse } from "../wire/sbom.ts";
import type { SbomScore } from "../wire/schemas.ts";
import { escapeJson as escaped } from "./escape.ts";
import { coverageObject, failedObject, frameObject, subjectObject } from "./json/frame.ts";
import { findingObject, isFinding, upgradeObject } from "./json/finding.ts";
import { unmatchedElements } from "./json/unmatched-list.ts";
import type { Reporter } from "./reporter.ts";

export const json: Reporter = (report) => {
  const decoder = new TextDecoder();
  return Array.from(jsonPieces(report), (piece) => (typeof piece === "string" ? piece : decoder.decode(piece))).join(
    "",
  );
};

/** The same text in pieces: of a million components it would be longer than a string may be. Bytes are UTF-8. */
export function* jsonPieces(report: Report): Generator<string | Uint8Array> {
  let held = "";
  for (const part of parts(report)) {
    const isText = typeof part === "string";
    if (isText) held += part;
    if (isText && held.length < PIECE) continue;
    yield escaped(held);
    held = "";
    if (!isText) yield part;
  }
  yield escaped(held);
}

/** UTF-16 units after which a piece ends. */
const PIECE = 65_536;

/** A part of the text; bytes are escaped already. */
type Part = string | Uint8Array;
/** A member of an object as text, or in parts. */
type Member = string | Iterable<Part>;

function* parts(report: Report): Generator<Part> {
  yield* block([...fields(frameObject(report)), ...documentFields(report)]);
  yield "\n";
}

function documentFields(report: Report): readonly Member[] {
  const { verdict, failed } = report;
  const gate = { verdict: verdict.value, warn_days: report.policy.warnDays, reasons: verdict.reasons };
  return [
    ...fields({ ...totals(report), gate, coverage: coverageObject(verdict.coverage, evaluatedOf(report.documents)) }),
    list("documents", report.documents, (scan) => block(answerFields(report, scan))),
    list("failed", failed, (each) => JSON.stringify(failedObject(each))),
  ];
}

/** What is counted over all documents, under the names of a single one. */
function totals({ documents, policy }: Report) {
  const evaluatedComponents = evaluatedOf(documents);
  return { components: countComponents(evaluatedComponents), summary: summarize(evaluatedComponents, policy) };
}

function answerFields(report: Report, scan: DocumentReport): readonly Member[] {
  const { document, rows, verdict, file, digest, gzipped } = scan;
  const evaluatedComponents = rows.counts();
  const { found, unmatched, outOfScope } = listed(rows);
  const matched = found.filter(({ resolution }) => hasCycle(resolution));
  const answer = sbomResponse(
    { document, findings: matched, verdict, policy: report.policy, catalogue: report.catalogue },
    report.links,
  );
  const { results, informational, unmatched: _none, ...counts } = answer;
  const paths = dependencyPaths(document);
  return [
    ...fields({
      document: {
        file,
        format: document.format,
        spec_version: document.specVersion,
        digest: digest(),
        serial_number: document.serialNumber ?? null,
        generator: document.generator ?? null,
        wrappers: [...(gzipped ? ["gzip"] : []), ...document.wrappers],
        absent_elements: document.absentElements,
      },
      subject: subjectObject(scan.subject),
      labels: scan.labels,
      ...counts,
      support: supportCounts(evaluatedComponents),
      summary: summarize(evaluatedComponents, report.policy),
      components: found.length + unmatched.length,
      unmatched_count: unmatched.length,
      not_applicable: notApplicable(evaluatedComponents),
      out_of_scope_count: outOfScope,
      coverage: coverageObject(verdict.coverage, evaluatedComponents),
    }),
    list("results", results, (each) => JSON.stringify(withUpgrade(report, each))),
    list("informational", informational, (each) => JSON.stringify(each)),
    list("findings", found, (finding) => JSON.stringify(findingObject(report, scan, finding, paths))),
    elements("unmatched", unmatched.length, unmatchedElements(report, rows, unmatched)),
  ];
}

interface Listed {
  readonly found: readonly Finding[];
  /** Indexes of components. */
  readonly unmatched: readonly number[];
  readonly outOfScope: number;
}

/** Every component that counts, in one of two disjoint lists. */
function listed(rows: ComponentRows<EvaluatedComponent>): Listed {
  const found: Finding[] = [];
  const unmatched: number[] = [];
  let outOfScope = 0;
  for (let index = 0; index < rows.length; index++) {
    const evaluated = rows.at(index);
    if (evaluated.outcome.outOfScope) outOfScope += 1;
    else if (isFinding(rows.component(index), evaluated)) found.push(findingAt(rows, index));
    else if (evaluated.resolution.kind === "unmatched") unmatched.push(index);
  }
  return { found, unmatched, outOfScope };
}

function withUpgrade(report: Report, score: SbomScore) {
  const advice = report.advice?.({ product: asProductSlug(score.product), cycle: score.version });
  return advice === undefined ? score : { ...score, upgrade: upgradeObject(report, advice) };
}

const fields = (object: object): readonly string[] =>
  Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);

function* block(members: readonly Member[]): Generator<Part> {
  yield "{\n";
  for (const [index, member] of members.entries()) {
    if (index > 0) yield ",\n";
    if (typeof member === "string") yield member;
    else yield* member;
  }
  yield "\n}";
}

/** An element becomes text when it is its turn. */
function list<T>(name: string, values: readonly T[], write: (value: T) => Member): Generator<Part> {
  return elements(name, values.length, separated(values, write));
}

function* separated<T>(values: readonly T[], write: (value: T) => Member): Generator<Part> {
  for (const [index, value] of values.entries()) {
    const member = write(value);
    yield index > 0 ? ",\n" : "\n";
    if (typeof member === "string") yield member;
    else yield* member;
  }
}

function* elements(name: string, count: number, parts: Iterable<Part>): Generator<Part> {
  yield `"${name}": [`;
  yield* parts;
  yield count === 0 ? "]" : "\n]";
}
