/**
 * A component in one scan: its identity, its cycle and its outcome. Two scans are compared by these records, which come
 * from findings or from a JSON report. Of a report, only the fields that a comparison needs are read.
 */
import { cycleKey } from "../text/ids.ts";
import type { AssessedComponent, Condition, Finding, RuleOutcome, Severity } from "../model/index.ts";
import { purlKey } from "../resolve/purl/key.ts";
import { dayOf } from "../wire/lifecycle.ts";
import { EolgateError } from "../messages/error.ts";
import { CONDITION_ORDER } from "../policy/conditions.ts";
import { asRecord, isRecord } from "../text/values.ts";

/** What a comparison needs of one component in a scan. */
export interface FindingRecord {
  /** Its identity without version and location: the purl without its version, else group and name. */
  readonly component: string;
  /** With its group: `@angular/core`. */
  readonly name: string;
  readonly version: string | null;
  readonly purl: string | null;
  /** `nodejs:16`: the cycle that decided. */
  readonly cycle: string | null;
  /** The end of the support of that cycle that counts, YYYY-MM-DD. */
  readonly end: string | null;
  /** Decided by the release of its distribution and not by a cycle of its own. */
  readonly byDistro: boolean;
  readonly verdict: Severity;
  readonly condition: Condition;
  /** Fails or warns without a waiver. */
  readonly active: boolean;
}

/** The findings of one scan. */
export interface FindingsSnapshot {
  /** The document or report, as given. */
  readonly file: string;
  readonly records: readonly FindingRecord[];
}

/** Components that are not expected to have a cycle are left out of a comparison. */
export function toFindingsSnapshot(file: string, findings: readonly Finding[]): FindingsSnapshot {
  const counted = findings.filter(
    ({ resolution, outcome }) => resolution.kind !== "not-applicable" && outcome.outOfScope !== true,
  );
  return { file, records: counted.map((finding) => toFindingRecord(finding, finding.outcome)) };
}

export function toFindingRecord({ component, resolution }: AssessedComponent, ruleOutcome: RuleOutcome): FindingRecord {
  const { assessment, severity, condition, baselined } = ruleOutcome;
  return {
    component: componentKey(component),
    name: fullName(component),
    version: component.version ?? null,
    purl: component.purls[0] ?? null,
    ...decidingCycle(resolution, assessment),
    end: dayOf(assessment?.support.date),
    verdict: baselined ? "fail" : severity,
    condition,
    active: isActive(ruleOutcome),
  };
}

const isActive = ({ severity, waived }: RuleOutcome): boolean => severity !== "pass" && waived === undefined;

/** The cycle that decides, and whether it is that of the distribution instead of the component's own. */
function decidingCycle(
  resolution: AssessedComponent["resolution"],
  assessment: RuleOutcome["assessment"],
): Pick<FindingRecord, "cycle" | "byDistro"> {
  const own = resolution.kind === "resolved" ? resolution.releaseCycle : undefined;
  const releaseCycle = assessment?.releaseCycle ?? (resolution.kind === "distro-maintained" ? resolution.by : own);
  if (releaseCycle === undefined) return { cycle: null, byDistro: false };
  return { cycle: cycleKey(releaseCycle), byDistro: own === undefined || cycleKey(own) !== cycleKey(releaseCycle) };
}

export const fullName = ({ group, name }: Pick<ComponentIdentity, "group" | "name">): string =>
  group === undefined || group === "" ? name : `${group}/${name}`;

/** The identity of a component. Names are empty in some real documents; then only the location is left. */
export interface ComponentIdentity {
  readonly name: string;
  readonly group?: string | undefined;
  readonly purls: readonly string[];
  readonly pointer: string;
}

export function componentKey(component: ComponentIdentity): string {
  const { name, purls, pointer } = component;
  for (const text of purls) {
    const purl = purlKey(text);
    if (purl.kind === "purl") return `pkg:${purl.key}`;
  }
  if (name === "") return `at ${pointer}`;
  return `name ${fullName(component)}`;
}

type ReportObject = Readonly<Record<string, unknown>>;

/**
 * Reads the findings of a JSON report. `file` is its name for errors. Undefined when the value is not a JSON report; it
 * may be an SBOM.
 * @throws EolgateError `input` (`bad-baseline`) with the JSON pointer of the field
 */
export function snapshotOfReport(value: unknown, file: string): FindingsSnapshot | undefined {
  if (!isRecord(value) || typeof value["schema_version"] !== "string" || !isRecord(value["tool"])) return undefined;
  if (!value["schema_version"].startsWith("1."))
    throw broken(file, "/schema_version", `reports of version ${value["schema_version"]} are not supported`);
  const byDistro = isRecord(value["policy"]) && value["policy"]["distro_packages"] === "distro";
  const records = listAt(value["documents"], "/documents", file).flatMap((document, index) =>
    findingsOf(document, { file, path: `/documents/${index}`, byDistro }),
  );
  return { file, records };
}

interface ReportContext {
  readonly file: string;
  readonly path: string;
  /** The report's policy assesses distribution packages by the release of their distribution. */
  readonly byDistro: boolean;
}

function findingsOf(document: unknown, context: ReportContext): readonly FindingRecord[] {
  const { file, path } = context;
  const fields = recordAt(document, path, file);
  const ends = new Map<string, string | null>();
  for (const score of listAt(fields["results"], `${path}/results`, file).filter(isRecord))
    ends.set(`${String(score["product"])}:${String(score["version"])}`, textOf(score["support_end_date"]));
  const lists = ["findings", "unmatched"].flatMap((name) =>
    listAt(fields[name], `${path}/${name}`, file).map((each, index) => [`${path}/${name}/${index}`, each] as const),
  );
  return lists.map(([at, each]) => findingRecord(recordAt(each, at, file), at, ends, context));
}

function findingRecord(
  fields: ReportObject,
  at: string,
  ends: ReadonlyMap<string, string | null>,
  context: ReportContext,
): FindingRecord {
  const { maintained, cycle } = cyclesOf(fields, context);
  const outcome = asRecord(fields["outcome"]);
  const verdict = verdictOf(outcome["severity"], `${at}/outcome/severity`, context.file);
  return {
    ...identityOf(fields, at),
    version: textOf(fields["version"]),
    cycle,
    end: textOf(outcome["support_end_date"]) ?? (cycle === null ? null : (ends.get(cycle) ?? null)),
    byDistro: cycle !== null && cycle === maintained,
    verdict,
    condition: conditionOf(outcome["condition"], `${at}/outcome/condition`, context.file),
    active: verdict !== "pass" && !isRecord(fields["waiver"]),
  };
}

function identityOf(fields: ReportObject, at: string): Pick<FindingRecord, "component" | "name" | "purl"> {
  const name = textOf(fields["name"]) ?? textOf(fields["component"]) ?? "";
  const purl = textOf(fields["purl"]);
  const group = textOf(fields["group"]) ?? undefined;
  const pointer = textOf(fields["pointer"]) ?? at;
  return {
    component: componentKey({ name, group, purls: purl === null ? [] : [purl], pointer }),
    name: fullName({ name, group }),
    purl,
  };
}

/** `maintained`: the cycle of the distribution that maintains the component. */
function cyclesOf(fields: ReportObject, { byDistro }: ReportContext) {
  const maintained = byDistro || fields["distro_maintained"] === true ? cycleOf(fields["maintained_by"]) : null;
  return { maintained, cycle: maintained ?? cycleOf(fields) };
}

function cycleOf(value: unknown): string | null {
  if (!isRecord(value) || typeof value["product"] !== "string" || typeof value["cycle"] !== "string") return null;
  return `${value["product"]}:${value["cycle"]}`;
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const VERDICTS: readonly Severity[] = ["pass", "warn", "fail"];

/** An unresolved component to which no rule applied has no outcome: it passed. */
function verdictOf(value: unknown, at: string, file: string): Severity {
  const verdict = VERDICTS.find((word) => word === (value ?? "pass"));
  if (verdict === undefined) throw broken(file, at, `expected a verdict, found ${JSON.stringify(value)}`);
  return verdict;
}

function conditionOf(value: unknown, at: string, file: string): Condition {
  const condition = CONDITION_ORDER.find((word) => word === (value ?? "none"));
  if (condition === undefined) throw broken(file, at, `expected a condition, found ${JSON.stringify(value)}`);
  return condition;
}

function recordAt(value: unknown, at: string, file: string): ReportObject {
  if (isRecord(value)) return value;
  throw broken(file, at, "expected an object");
}

function listAt(value: unknown, at: string, file: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw broken(file, at, "expected a list");
}

const broken = (file: string, at: string, message: string): EolgateError =>
  EolgateError.of("bad-baseline", { problem: message }).at(`${file}: ${at === "" ? "/" : at}`);
