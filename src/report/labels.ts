/**
 * Findings are facts; here they become sentences, once for every format. Nothing here is escaped yet: names of
 * components come from the document, so each format passes what it prints through `escape`.
 */
import type {
  Advice,
  Assessment,
  Component,
  Condition,
  UpgradeTarget,
  End,
  LifecycleDate,
  Provenance,
  Report,
  SupportTrack,
  UnresolvedReason,
  Verdict,
  VerdictValue,
  Waiver,
} from "../core/model.ts";
import type { ReportContents, ReportRow, RowState } from "./rows.ts";

/** `12345` → `12,345`, whatever the machine's locale. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 component`, `3 components`, `2 licences`; give the plural where it is not a plain s. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : plural}`;
}

/** `2026-08-31`, or `2026-08` when the source states no day. */
export function formatDate(date: LifecycleDate): string {
  return date.precision === "month" ? date.value.slice(0, 7) : date.value;
}

/** `12 days`, `1 day`, `14 months`, `3 years`: as coarse as a reader needs. */
export function formatSpan(days: number): string {
  if (days < 120) return formatCount(days, "day");
  if (days < 730) return formatCount(Math.floor(days / 30.4375), "month");
  return formatCount(Math.floor(days / 365.25), "year");
}

/** When support ends, in two parts: `ended 2023-09-11` and `3 years ago`. */
export function formatEnd(of: Assessment): { readonly when: string; readonly distance: string } {
  const { eolDate, daysPastEol, daysUntilEol } = of;
  if (eolDate !== null && daysPastEol !== null)
    return { when: `ended ${formatDate(eolDate)}`, distance: `${formatSpan(daysPastEol)} ago` };
  if (eolDate !== null)
    return {
      when: `ends ${formatDate(eolDate)}`,
      distance: daysUntilEol === 0 ? "today" : `in ${formatSpan(daysUntilEol ?? 0)}`,
    };
  const { eol, eolNotBefore, retired, declaredBy } = of.cycle;
  if (eol.kind === "ended")
    return retired
      ? { when: "retired", distance: `by ${formatRetiredBy(declaredBy)}` }
      : { when: "ended", distance: "day not published" };
  if (eolNotBefore) return { when: "supported", distance: `not before ${formatDate(eolNotBefore)}` };
  if (of.status === "unknown") return { when: "unknown", distance: "nobody states an end" };
  return { when: "supported", distance: "no end announced" };
}

/** The catalogue says `maintainer` where it has no name. */
export const formatRetiredBy = (declaredBy = "maintainers"): string =>
  /^maintainers?$/.test(declaredBy) ? `its ${declaredBy}` : declaredBy;

/** The same for a column headed "support ends": `2023-09-11, 3 years ago`. */
export function formatEndCell(of: Assessment): string {
  const { when, distance } = formatEnd(of);
  if (of.eolDate !== null) return `${formatDate(of.eolDate)}, ${distance}`;
  return when === "retired" ? `${when} ${distance}` : when === "ended" ? `ended, ${distance}` : distance;
}

/**
 * `Node.js 16`. A line `all` holds every version and has no name of its own, and where the product's name says the
 * line already (`Jackson 2` 2.9, `RxJava 2` 2), it is not said twice.
 */
export function formatCycle({ productName, cycle }: Assessment): string {
  const { name, label, codename } = cycle;
  if (name === "all") return productName;
  if (label !== undefined && label.startsWith(productName)) return label;
  const words = productName.split(" ");
  const last = words.at(-1) ?? "";
  if (words.includes(name)) return productName;
  const said = /^\d+(?:\.\d+)*$/.test(last) && name.startsWith(`${last}.`);
  const full = said ? [...words.slice(0, -1), name].join(" ") : `${productName} ${name}`;
  return codename === undefined ? full : `${full} (${codename})`;
}

/** `free Debian LTS until 2026-08-31 by Debian`. */
export function formatTrack(track: SupportTrack): string {
  const until = track.end === null ? "with no end announced" : `until ${formatDate(track.end)}`;
  const by = track.name.includes(track.vendor) ? "" : ` by ${track.vendor}`;
  return `${track.cost} ${track.name} ${until}${by}`;
}

/** With the day at its place. */
const PROVENANCE: Readonly<Record<Provenance["source"], string>> = {
  "vendor-fetched": "read from the vendor on",
  "vendor-override": "corrected after the vendor's page on",
  "vendor-verified": "checked against the vendor's page on",
  custom: "own record of",
  upstream: "community record of",
  discrepancy: "vendor and record disagree as of",
};

/** `read from the vendor on 2026-08-20, 2 sources agree`. */
export function formatProvenance({ source, status, agreement, verifiedAt, confidence }: Provenance): string {
  const from =
    verifiedAt === null ? PROVENANCE[source].replace(/ (?:on|of|as of)$/, "") : `${PROVENANCE[source]} ${verifiedAt}`;
  const agree = source !== "discrepancy" && agreement > 1 ? `${agreement} sources agree` : `${confidence} confidence`;
  return [from, agree, ...(status === "fallback" ? ["feed not read lately"] : [])].join(", ");
}

/** The same for a narrow column: `vendor ×2`, `community`, `disputed`. */
export function sourceCell({ source, status, agreement }: Provenance): string {
  const agree = source !== "discrepancy" && agreement > 1 ? ` ×${agreement}` : "";
  return `${SHORT_PROVENANCE[source]}${agree}${status === "fallback" ? ", old" : ""}`;
}

const SHORT_PROVENANCE: Readonly<Record<Provenance["source"], string>> = {
  "vendor-fetched": "vendor",
  "vendor-override": "corrected",
  "vendor-verified": "verified",
  custom: "own record",
  upstream: "community",
  discrepancy: "disputed",
};

/** What the maintainers of a condition would say of it, after a count: `3 lines past end of life`. */
export const CONDITION_TITLES: Readonly<Record<Condition, string>> = {
  none: "supported",
  eol: "past end of life",
  approaching: "near end of life",
  retired: "retired by maintainers",
  superseded: "superseded by a newer line",
  score: "risk score at or above the limit",
  kev: "past end of life and known to be exploited",
  unknown: "end of life unknown",
  untracked: "not in the catalogue",
  license: "with a denied licence",
  "ended-early": "dropped early by the distribution",
  "declared-mismatch": "with another end stated in the document",
};

export const REASON_WORDS: Readonly<Record<UnresolvedReason, string>> = {
  "purl-not-tracked": "package not in the catalogue",
  "purl-invalid": "package URL cannot be read",
  "name-not-recognised": "no package URL, name not recognised",
  "name-matching-off": "no package URL, name matching is off",
  "name-conflict": "CPE or publisher of another vendor",
  "model-not-tracked": "AI model not in the catalogue",
  "no-version": "no usable version",
  "version-not-tracked": "version of no known release cycle",
  "newer-than-catalogue": "newer than the catalogue",
  "cycle-not-recorded": "only retired versions of the product are recorded",
  "version-ambiguous": "version of several release cycles",
  "version-conflict": "version and package URL disagree",
  "version-is-range": "a range, not a version",
  "distro-unknown": "release of the distribution not known",
  "distro-conflict": "contradictory evidence of the distribution release",
  "distro-package-unknown": "not a known package of its distribution",
  "module-stream-unknown": "module stream not known",
  "alternative-version-unknown": "support period of this alternative version not recorded",
};

/** `430 components, 12 files, 2 data sets`; the described software is what the document is about, and not said. */
export function formatContents({ components, besides: { file, data } }: ReportContents): string {
  return [
    formatCount(components, "component"),
    ...(file > 0 ? [formatCount(file, "file")] : []),
    ...(data > 0 ? [formatCount(data, "data set")] : []),
  ].join(", ");
}

/** `express 4.18.1`, `@angular/core 15.2.0 and 13 more`, `412 packages`. */
export function formatComponent({ findings, covered }: ReportRow): string {
  const [finding] = findings;
  if (finding === undefined) return "";
  if (covered > 1) return formatCount(findings.length, "package");
  const named = formatComponentName(finding.component);
  return findings.length === 1 ? named : `${named} and ${count(findings.length - 1)} more`;
}

/** `@angular/core 15.2.0`. A name that is missing, or no text, is said to be: a gap is read over. */
export function formatComponentName({ group, name, version }: Component): string {
  const called = name.trim() === "" ? "(no name)" : name;
  return `${group ? `${group}/` : ""}${called}${version === undefined ? "" : ` ${version}`}`;
}

/** `accepted until 2026-12-01 by Ada: the rewrite lands in autumn`. */
export function formatWaiver({ expires, approvedBy, reason }: Waiver): string {
  return `accepted until ${expires}${approvedBy === undefined ? "" : ` by ${approvedBy}`}: ${reason}`;
}

/** What softens or details a ruling: the licence, the support track, the baseline, the waiver. */
export function formatNote({ outcome, findings }: ReportRow): readonly string[] {
  const licenses = outcome.condition === "license" ? (findings[0]?.component.licenses ?? []) : [];
  return [
    ...(licenses.length === 0 ? [] : [licenses.join(", ")]),
    ...(outcome.track ? [formatTrack(outcome.track)] : []),
    ...(outcome.baselined ? ["known from the baseline"] : []),
    ...(outcome.waived ? [formatWaiver(outcome.waived)] : []),
  ];
}

/** `move to Node.js 22 (until 2027-04-30)`; empty when there is nothing better. */
export function formatAdvice(advice: Advice | undefined, of: Assessment | undefined): string {
  const successor = advice?.successor ?? of?.cycle.successor;
  const product = of?.productName ?? "";
  const steps = [
    ...(advice?.nearest ? [`move to ${destinationWords(product, advice.nearest)}`] : []),
    ...(advice?.longTerm
      ? [`${advice.nearest ? "or " : "move to "}${destinationWords(product, advice.longTerm)}`]
      : []),
    ...(successor === undefined ? [] : [`replaced by ${successor}`]),
  ];
  return steps.join(", ");
}

function destinationWords(product: string, { releaseCycle, eol, lts }: UpgradeTarget): string {
  return `${product} ${releaseCycle.cycle}${lts ? " LTS" : ""} ${untilWords(eol)}`;
}

function untilWords(eol: End): string {
  return eol.kind === "dated" ? `(until ${formatDate(eol.date)})` : "(no end announced)";
}

/** The verdict in one sentence: `2 components past end of life, 1 with a denied licence`. */
export function formatVerdict(report: Report): string {
  const { value, reasons, coverage } = report.verdict;
  if (value === "none") return report.exit.why;
  const led = reasons.filter((reason) => reason.verdict === value && reason.condition !== "none");
  if (led.length > 0) return led.map(reasonWords).join(", ");
  if (coverage.assessed === 0) return "nothing could be judged";
  return `${formatCount(coverage.assessed, "component")} judged, none against the policy`;
}

/** The first names what is counted: `3 components past end of life, 1 with a denied licence`. */
function reasonWords({ condition, count: n }: Verdict["reasons"][number], index: number): string {
  return `${index === 0 ? formatCount(n, "component") : count(n)} ${CONDITION_TITLES[condition]}`;
}

/** `4 × package not in the catalogue`. */
export function formatUnresolved(reason: UnresolvedReason, number: number): string {
  return `${count(number)} × ${REASON_WORDS[reason]}`;
}

export const STATE_WORDS: Readonly<Record<RowState, string>> = {
  fail: "fails",
  warn: "warns",
  waived: "waived",
  pass: "passes",
};

export const VERDICT_TITLES: Readonly<Record<VerdictValue, string>> = {
  fail: "FAIL",
  warn: "WARN",
  pass: "PASS",
  none: "NO VERDICT",
};

/** `8.0 %` is a share; `100 %` is all. */
export function formatPercent(percent: number): string {
  return `${percent === 100 || percent === 0 ? percent : percent.toFixed(1)} %`;
}

export function formatCatalogue({ date, ageDays, origin, kevVersion }: Report["catalogue"]): string {
  return `${date}, ${formatAge(ageDays)}, ${origin}, KEV ${kevVersion}`;
}

/**
 * The configuration file with the fields that it sets, and the origin of a day that is not the clock's; undefined when
 * neither is in force.
 */
export function formatSettings({ settings, asOf }: Pick<Report, "settings" | "asOf">): string | undefined {
  if (settings === undefined) return undefined;
  const { configFile, given } = settings;
  const prefix = `${configFile}: `;
  const fields = given.flatMap(({ origin }) => (origin.startsWith(prefix) ? origin.slice(prefix.length) : []));
  const parts = [
    ...(configFile === null ? [] : [fields.length === 0 ? configFile : `${configFile} (${fields.join(", ")})`]),
    ...(settings.asOf === "clock" ? [] : [`day ${asOf} set by ${settings.asOf}`]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** Negative when an earlier day is checked on purpose. */
function formatAge(ageDays: number): string {
  if (ageDays === 0) return "read on this day";
  return ageDays > 0 ? `${formatCount(ageDays, "day")} old` : `read ${formatCount(-ageDays, "day")} after this day`;
}
