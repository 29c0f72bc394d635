/** The support of a release cycle on a product's page, shared by the list, the table and the timeline, and its sources. */
import type { IsoDate } from "../../../text/ids.ts";
import type { Assessment, Claim, End, KevEntry, Product, SupportTrack } from "../../../model/index.ts";
import { runningTracks } from "../../../lifecycle/support.ts";
import { formatCount, formatDay, formatNumber } from "../../../messages/format.ts";
import { formatClaimKind } from "../../../messages/provenance.ts";
import { formatEnd } from "../../../report/labels.ts";
import { date, day, definitionList, endWords, scrolling, dataTable } from "../layout.ts";
import { sameEnd } from "../../../lifecycle/ends.ts";
import { type Markup, external, link, markup } from "../markup.ts";
import type { Site } from "../site.ts";
import { CONFIDENCE_TEXTS, KEV_ENTRY_TEXTS, PROVENANCE_STATUS_TEXTS, SOURCE_TEXTS } from "../labels.ts";

/** The phase of support of a release cycle on the day of the assessment. */
export type SupportPhase = "active" | "security" | "soon" | "free" | "paid" | "ended" | "retired" | "unknown";

export const paidTrack = ({ cycle, asOf }: Assessment): SupportTrack | undefined =>
  runningTracks(cycle, asOf).find(({ cost }) => cost === "paid");

export function supportPhase(assessment: Assessment): SupportPhase {
  const { status } = assessment.support;
  if (status === "unknown") return "unknown";
  if (status === "approaching") return "soon";
  if (status === "active" && assessment.status === "eol") return "free";
  if (status === "active") return hasEnded(assessment.cycle.eoasFrom, assessment.asOf) ? "security" : "active";
  if (assessment.cycle.retired) return "retired";
  return paidTrack(assessment) ? "paid" : "ended";
}

const hasEnded = (end: End | undefined, asOf: IsoDate): boolean =>
  end?.kind === "ended" || (end?.kind === "dated" && end.date.value < asOf);

/** Whether fixes are available without a contract. */
export const isMaintained = (assessment: Assessment): boolean => {
  const phase = supportPhase(assessment);
  return phase === "active" || phase === "security" || phase === "soon" || phase === "free";
};

/** The end of support: `ends 30 Apr 2028, in 17 months`, `standard support ended; LTS until 30 Jun 2028 (free)`. */
export function supportText(assessment: Assessment): string {
  const { status, track, date } = assessment.support;
  if (track && assessment.status === "eol" && status !== "eol") return `standard support ended; ${trackText(track)}`;
  const { when, distance } = formatEnd(assessment);
  if (date !== null) return `${endWords(assessment)} ${formatDay(date)}, ${distance}`;
  return when === "supported" || when === "unknown" ? distance : `${when}, ${distance}`;
}

/** A support track without the vendor's name: `LTS until 30 Jun 2028 (free)`. */
export function trackText({ name, vendor, end, cost }: SupportTrack): string {
  const short = vendor !== "" && name.startsWith(`${vendor} `) ? name.slice(vendor.length + 1) : name;
  return `${short} ${end === null ? `(${cost}), no end announced` : `until ${formatDay(end)} (${cost})`}`;
}

/** Whether the catalogue contains only retired versions of the product, so that other versions may be supported. */
export const isRetiredOnly = ({ scope }: Product): boolean => scope === "retired-only";

/** The provenance of the date; docs/data.md describes the values. */
export function provenancePanel({ provenance }: Assessment): Markup {
  const { source, status, agreement, confidence, verifiedAt } = provenance;
  const why = confidence !== "low" ? CONFIDENCE_TEXTS[confidence] : LOW_TEXTS[status === "mismatch" ? "differ" : "old"];
  return markup`<section class="panel" aria-labelledby="provenance"><h2 id="provenance">Confidence in the date</h2>
${definitionList([
  ["Source", markup`<b>${source}</b> <span class="soft">${SOURCE_TEXTS[source]}</span>`],
  ["Checked on", verifiedAt && day(verifiedAt)],
  ["Status", markup`<b>${status}</b> <span class="soft">${PROVENANCE_STATUS_TEXTS[status]}</span>`],
  ["Agreement", markup`<b>${agreement}</b> <span class="soft">of 3 kinds of source state this date.</span>`],
  ["Confidence", markup`<b>${confidence}</b> <span class="soft">${why}</span>`],
])}</section>`;
}

/** The two reasons for a low confidence. */
const LOW_TEXTS = { differ: "Sources disagree.", old: "The only source was not checked recently." } as const;

/** The claims of all sources, including both sides of a discrepancy. */
export function claimTable({ provenance: { claims }, cycle }: Assessment): Markup {
  const rows = claims.map((claim, index) => claimRow(claim, compareClaim(claims, index, cycle.eol)));
  const table = markup`<table><caption class="hidden">What each source states</caption><thead><tr><th scope="col">Source</th><th scope="col">End of life</th><th scope="col">Compared</th><th scope="col">Kind of source</th><th scope="col">Checked on</th></tr></thead><tbody>\n${rows}</tbody></table>`;
  return markup`<section aria-labelledby="sources"><h2 id="sources">Sources of the date</h2>
${rows.length === 0 ? markup`<p>No source states an end of this release cycle.</p>` : scrolling("Sources of the end of life", table)}</section>`;
}

/** Compares a claim with the effective end. "used" is shown only if the sources do not agree. */
function compareClaim(claims: readonly Claim[], index: number, effective: End): string {
  const isAgreed = claims.length > 1 && claims.every(({ end }) => end.kind === "unknown" || sameEnd(end, effective));
  const end = claims[index]?.end ?? effective;
  if (index === 0 && !isAgreed) return "used";
  return sameEnd(end, effective) ? "agrees" : end.kind === "unknown" ? "no statement" : "differs";
}

function claimRow(claim: Claim, compared: string): Markup {
  const { source, url, end, reason, retrievedAt } = claim;
  const how = formatClaimKind(claim);
  return markup`<tr${compared === "used" && markup` class="served"`}><th scope="row">${link(source, external(url))}</th><td>${endText(end, STATEMENT)}</td><td>${compared}</td><td>${how}${reason !== undefined && markup`<br><span class="soft">${reason}</span>`}</td><td>${day(retrievedAt)}</td></tr>\n`;
}

/** @param texts of an end without a date, and of an end that is not known */
export const endText = (end: End, texts: { readonly ended: string; readonly unknown: string }): Markup | string =>
  end.kind === "dated" ? date(end.date) : { ...texts, open: "no end announced" }[end.kind];
const STATEMENT = { ended: "ended, date not published", unknown: "no statement" };

/** Current and ended support tracks. */
export function tracksPanel({ cycle, asOf }: Assessment): Markup | null {
  const running = runningTracks(cycle, asOf);
  const ended = cycle.tracks.filter((track) => !running.includes(track));
  if (running.length + ended.length === 0) return null;
  const rows = [
    ...running.map((track) => trackRow(track, "active")),
    ...ended.map((track) => trackRow(track, "ended")),
  ];
  return markup`<section aria-labelledby="tracks"><h2 id="tracks">Extended support</h2>
<p class="soft">Status and score refer to the end of standard support. While extended support is available, the fourth factor is 0, and a policy can accept it.</p>
${dataTable("Table of support tracks", ["Track", "By", "Cost", "Until", "Today"], rows, "Support tracks beyond the standard end")}</section>`;
}

function trackRow({ name, vendor, cost, end, url }: SupportTrack, today: string): Markup {
  const target = url === undefined ? null : external(url);
  return markup`<tr><th scope="row">${link(name, target)}</th><td>${vendor || "not stated"}</td><td>${cost}</td><td>${end === null ? "no end announced" : date(end)}</td><td>${today}</td></tr>\n`;
}

/** Entries of the product, on the card of a release cycle at most `max` of them, with the fix in this cycle. */
export function exploitedPanel(
  { paths, catalogue }: Site,
  { kev, slug }: Product,
  { max, cycle }: { readonly max: number; readonly cycle?: string } = { max: Infinity },
): Markup | null {
  if (kev === undefined) return null;
  const shown = kev.entries.slice(0, max);
  const more = kev.entries.length - shown.length;
  return markup`<section aria-labelledby="exploited"><h2 id="exploited">Known to be exploited</h2>
<p>${formatCount(kev.entries.length, "entry", "entries")} of CISA's catalogue ${catalogue.metadata.kevVersion}; ${KEV_ENTRY_TEXTS[kev.basis]}.</p>
${dataTable(
  "Known exploited vulnerabilities",
  ["Vulnerability", "Listed on", "Used by ransomware", "Fixed in", "Why it counts"],
  shown.map((entry) => entryRow(entry, cycle)),
  "Known exploited vulnerabilities, newest first",
)}
${more > 0 && markup`<p><a href="${paths.exploited(slug)}">${formatNumber(more)} older ones</a></p>`}</section>`;
}

/** The first fixed version of the cycle; without one, those of all affected cycles. */
function fixText(versions: KevEntry["versions"], cycle: string | undefined): string {
  if (versions === undefined) return "not known";
  if (cycle !== undefined && !versions.cycles.includes(cycle)) return "not affected";
  const fixes = (cycle === undefined ? versions.cycles : [cycle]).map((name) => versions.fixedIn[name]);
  const known = [...new Set(fixes.filter((fix) => fix !== undefined))];
  if (known.length === 0) return "no fix known";
  return known.length > MOST_FIXES ? `${known.slice(0, MOST_FIXES).join(", ")} …` : known.join(", ");
}

const MOST_FIXES = 4;

function entryRow({ cve, added, ransomware, basis, versions }: KevEntry, cycle: string | undefined): Markup {
  const target = /^CVE-\d{4}-\d{4,}$/.test(cve) ? external(`https://nvd.nist.gov/vuln/detail/${cve}`) : null;
  return markup`<tr><th scope="row">${link(cve, target)}</th><td>${day(added)}</td><td>${ransomware ? "yes" : "not known"}</td><td>${fixText(versions, cycle)}</td><td>${KEV_ENTRY_TEXTS[basis]}</td></tr>\n`;
}
