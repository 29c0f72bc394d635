/**
 * THE MAIN PATH. Bytes in, a report out; each step is one call into its room, in the order in which one would tell it:
 * read, resolve, assess, judge, report.
 */
import { EolgateError } from "../core/errors.ts";
import { exitFor, reportableVerdict } from "../core/policy/exit.ts";
import { evaluatePolicy, mergeVerdicts } from "../core/policy/evaluate.ts";
import { daysBetween } from "../core/lifecycle/days.ts";
import type {
  Assessment,
  AssessedComponent,
  Component,
  FailedDocument,
  CycleRef,
  Report,
  Resolution,
  SbomDocument,
  DocumentReport,
} from "../core/model.ts";
import { createResolver } from "../core/resolve/resolve.ts";
import { openSbom } from "../core/sbom/open.ts";
import { reportSupplements, type SupplementOptions } from "./supplements.ts";
import { collectFailure } from "./failed-document.ts";
import type { Input } from "./input.ts";
import type { InventoryInput } from "./inventory/inputs.ts";

/** Everything that a scan rests on besides the documents. */
export interface CheckContext extends SupplementOptions {
  readonly tool: Report["tool"];
  readonly links: Report["links"];
  readonly settings?: Report["settings"];
  /** What became of the folders that were named, for the report. */
  readonly folders?: Report["folders"];
  /** Local or remote: one assessment for each line asked, in that order. */
  readonly assessCycles: (lines: readonly CycleRef[]) => Promise<readonly Assessment[]>;
}

/** What one document needs of it. */
export type DocumentContext = Pick<CheckContext, "catalogue" | "policy" | "asOf" | "assessCycles" | "baseline">;

/** An input, one that was read on the way, or the reason why it could not be read. */
export type CheckInput = Input | InventoryInput | FailedDocument;

export async function checkDocuments(attempts: readonly CheckInput[], setting: CheckContext): Promise<Report> {
  const outcomes = [];
  for (const attempt of attempts)
    outcomes.push(
      "error" in attempt ? attempt : await collectFailure(attempt.file, () => checkDocument(attempt, setting)),
    );
  return toReport(outcomes, setting);
}

export async function checkDocument(input: Input | InventoryInput, setting: DocumentContext): Promise<DocumentReport> {
  const { catalogue, policy, asOf, assessCycles, baseline } = setting;
  const document = "document" in input ? input.document : await openSbom(input.bytes);
  if (isEmpty(document) && !policy.allowEmpty) throw empty(document);
  const { strict, distroPackages } = policy;
  const resolve = createResolver(catalogue, document, { strict, asOf, distroPackages });
  const resolutions = document.components.map((component) => resolve(component));
  const lines = linesOf(resolutions);
  const assessments = await assessCycles([...lines.values()]);
  const candidates = toCandidates(document.components, resolutions, keyed(lines, assessments));
  const { findings, verdict } = evaluatePolicy(candidates, policy, asOf, baseline?.known);
  const partOf = "partOf" in input ? { partOf: input.partOf } : {};
  const gzipped = "gzipped" in input && input.gzipped;
  return {
    file: input.file,
    get digest() {
      return input.digest;
    },
    gzipped,
    document,
    findings,
    verdict,
    ...partOf,
  };
}

function toReport(outcomes: readonly (DocumentReport | FailedDocument)[], setting: CheckContext): Report {
  const { catalogue, policy, asOf, tool, links, settings, folders = [] } = setting;
  const scans = outcomes.filter((outcome) => "document" in outcome);
  const failed = outcomes.filter((outcome) => "error" in outcome);
  const found = mergeVerdicts(scans.map((each) => each.verdict));
  const exit = exitFor(scans, failed, found, policy);
  return {
    tool,
    asOf,
    policy,
    ...(settings && { settings }),
    catalogue: { ...catalogue.metadata, ageDays: daysBetween(catalogue.metadata.date, asOf) },
    documents: scans,
    failed,
    ...(folders.length > 0 && { folders }),
    verdict: reportableVerdict(found, exit),
    exit,
    ...reportSupplements(scans, setting),
    links,
  };
}

const keyOf = (line: CycleRef): string => `${line.product}:${line.cycle}`;

/** Every line that some component belongs to or is maintained by, once. */
function linesOf(resolutions: readonly Resolution[]): ReadonlyMap<string, CycleRef> {
  const lines = new Map<string, CycleRef>();
  for (const resolution of resolutions) {
    if (resolution.kind === "covered") lines.set(keyOf(resolution.by), resolution.by);
    if (resolution.kind !== "resolved") continue;
    lines.set(keyOf(resolution.releaseCycle), resolution.releaseCycle);
    if (resolution.maintainedBy) lines.set(keyOf(resolution.maintainedBy), resolution.maintainedBy);
  }
  return lines;
}

const keyed = (
  lines: ReadonlyMap<string, CycleRef>,
  assessments: readonly Assessment[],
): ReadonlyMap<string, Assessment> =>
  new Map([...lines.keys()].flatMap((key, index) => (assessments[index] ? [[key, assessments[index]]] : [])));

function toCandidates(
  components: readonly Component[],
  resolutions: readonly Resolution[],
  assessed: ReadonlyMap<string, Assessment>,
): readonly AssessedComponent[] {
  return components.map((component, index) => toCandidate(component, resolutions[index], assessed));
}

function toCandidate(
  component: Component,
  resolution: Resolution | undefined,
  assessed: ReadonlyMap<string, Assessment>,
): AssessedComponent {
  if (resolution === undefined) throw new TypeError(`no resolution for ${component.pointer}`);
  if (resolution.kind !== "resolved" && resolution.kind !== "covered") return { component, resolution };
  const assessment = assessed.get(keyOf(resolution.kind === "covered" ? resolution.by : resolution.releaseCycle));
  const maintainer =
    resolution.kind === "resolved" && resolution.maintainedBy
      ? assessed.get(keyOf(resolution.maintainedBy))
      : undefined;
  return { component, resolution, ...(assessment && { assessment }), ...(maintainer && { maintainer }) };
}

/** A document that names only what it describes, a VEX for example, lists no components. */
const isEmpty = ({ components }: SbomDocument): boolean => components.every(({ kind }) => kind === "root");

const empty = (document: SbomDocument): EolgateError =>
  EolgateError.of("no-components", { format: document.format, specVersion: document.specVersion });
