/**
 * CycloneDX VEX 1.6: one entry for each cycle that fails, warns or is waived, as CWE-1104 (use of unmaintained third-party
 * components), with the components it affects. The end of support is a risk and no exploit, so its state is `in_triage`;
 * `exploitable` are versions with a known exploited vulnerability. Components are referred to in the checked document by
 * BOM-Link (https://cyclonedx.org/capabilities/bomlink/) where it can be linked to, and repeated here where it cannot.
 */
import { cycleKey } from "../text/ids.ts";
import * as Enums from "@cyclonedx/cyclonedx-library/Enums";
import * as Models from "@cyclonedx/cyclonedx-library/Models";
import * as Types from "@cyclonedx/cyclonedx-library/Types";
import { percentEncode } from "../text/values.ts";
import type { Assessment, Component, Report } from "../model/index.ts";
import { noteProperties, newBom, toComponent, toProperties, writeBom } from "./cyclonedx/bom.ts";
import { singleLine, safeUrl } from "./escape.ts";
import { fingerprints, pointerOf } from "./locations.ts";
import type { Reporter } from "./reporter.ts";
import { reportRows, type ReportRow, type ScanRows } from "./rows.ts";
import { ruleId } from "./sarif.ts";
import { exploitationNote, formatEnd, formatOutcome, formatWaiver, adviceOn } from "./labels.ts";
import { formatProvenance } from "../messages/provenance.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { packageEndIn } from "../policy/deciding.ts";

export const vex: Reporter = (report) => {
  const bom = newBom(report, "vex");
  bom.metadata.properties = toProperties([
    { name: "eolgate:verdict", value: report.verdict.value },
    { name: "eolgate:catalogue", value: report.catalogue.date },
    ...noteProperties(report),
  ]);
  for (const scan of reportRows(report)) addScan(report, scan, bom);
  // Vulnerabilities keep the order of the rows.
  return writeBom(bom, { sortLists: false, ...(bom.vulnerabilities.size === 0 && { vulnerabilities: [] }) });
};

function addScan(report: Report, { scan, rows }: ScanRows, { components, vulnerabilities }: Models.Bom): void {
  const fingerprint = fingerprints();
  const link = bomLinks(scan);
  for (const row of rows.filter(({ state }) => state !== "pass")) {
    const refs = row.findings.map((finding) => {
      const linked = link(finding.component);
      if (linked !== undefined) return linked;
      const ref = fingerprint(finding, `${scan.file}|${ruleId(row)}`);
      components.add(repeated(scan.file, finding.component, ref));
      return ref;
    });
    vulnerabilities.add(vulnerability(report, row, refs));
  }
}

/** BOM-Links to the components of a document; undefined for one that has no bom-ref of its own. */
function bomLinks({ document }: ScanRows["scan"]): (component: Component) => string | undefined {
  const { format, serialNumber: serial, documentVersion = 1, components } = document;
  const uuid = /^urn:uuid:([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/i.exec(serial ?? "")?.[1];
  if (format !== "CycloneDX" || uuid === undefined) return () => undefined;
  const uses = new Map<string, number>();
  for (const { bomRef } of components) if (bomRef !== undefined) uses.set(bomRef, (uses.get(bomRef) ?? 0) + 1);
  // A bom-ref that occurs twice does not identify a component.
  return ({ bomRef }) =>
    bomRef !== undefined && uses.get(bomRef) === 1
      ? `urn:cdx:${uuid}/${documentVersion}#${percentEncode(bomRef.toWellFormed())}`
      : undefined;
}

function repeated(file: string, component: Component, ref: string): Models.Component {
  const pointer = pointerOf(component);
  return toComponent(component, ref, [
    { name: "eolgate:document", value: file },
    ...(pointer === null ? [] : [{ name: "eolgate:pointer", value: pointer }]),
    ...(component.bomRef === undefined ? [] : [{ name: "eolgate:bom-ref", value: component.bomRef }]),
  ]);
}

const { Vulnerability } = Models;

function vulnerability(report: Report, row: ReportRow, refs: readonly string[]) {
  const made = row.assessment === undefined ? withoutCycle(report, row) : ofCycle(report, row, row.assessment);
  made.cwes = new Types.CweRepository([1104]);
  made.description = singleLine(formatOutcome(row, report.policy.warnDays));
  made.analysis = analysis(row);
  // Not a `BomLinkElement`, which throws for a UUID in capital letters.
  made.affects = new Vulnerability.AffectRepository(
    refs.map((ref) => new Vulnerability.Affect(new Models.BomRef(ref))),
  );
  return made;
}

const withoutCycle = ({ tool }: Report, row: ReportRow) =>
  new Vulnerability.Vulnerability({
    id: `EOL:${ruleId(row)}`,
    source: new Vulnerability.Source({ name: tool.name }),
    detail: singleLine(CONDITIONS[row.outcome.condition].title),
  });

function ofCycle(report: Report, row: ReportRow, assessment: Assessment) {
  const { outcome, findings } = row;
  const { releaseCycle, provenance } = assessment;
  const dateSource = safeUrl(provenance.url ?? "");
  const detail = [
    // The packages of a row that their distribution dropped have ends of their own.
    ...(packageEndIn(row) ? [] : [`Support ${Object.values(formatEnd(assessment)).join(", ")}`]),
    `date: ${formatProvenance(provenance)}`,
    ...exploitationNote(findings, report.policy),
  ];
  return new Vulnerability.Vulnerability({
    id: `EOL:${cycleKey(releaseCycle)}:${outcome.condition}`,
    source: source(report, report.links.scoreCard(releaseCycle)),
    ratings: new Vulnerability.RatingRepository([rating(report, assessment)]),
    detail: singleLine(detail.join("; ")),
    recommendation: singleLine(adviceOn(report, row)) || undefined,
    advisories: new Vulnerability.AdvisoryRepository(
      dateSource === null ? [] : [new Vulnerability.Advisory(dateSource, { title: "Source of the end-of-life date" })],
    ),
  });
}

const source = ({ tool }: Report, page: string) =>
  new Vulnerability.Source({ name: tool.name, url: safeUrl(page) ?? undefined });

const rating = (report: Report, { score, band, gradeLabel }: Assessment) =>
  new Vulnerability.Rating({
    source: source(report, report.links.methodology),
    score,
    severity: Enums.Vulnerability.Severity[band],
    method: Enums.Vulnerability.RatingMethod.Other,
    justification: `EOL risk score, 0 to 100: ${gradeLabel}`,
  });

const { AnalysisState, AnalysisResponse, AnalysisResponseRepository } = Enums.Vulnerability;

function analysis({ state, outcome }: ReportRow) {
  const made = new Vulnerability.Analysis({
    state: outcome.condition === "kev" ? AnalysisState.Exploitable : AnalysisState.InTriage,
  });
  if (state === "waived" && outcome.waived) {
    made.response = new AnalysisResponseRepository([AnalysisResponse.WillNotFix]);
    made.detail = singleLine(formatWaiver(outcome.waived));
  } else if (state === "fail") made.response = new AnalysisResponseRepository([AnalysisResponse.Update]);
  return made;
}
