/** Parts of the score card: the sources of the date, extended support, known exploited vulnerabilities. */
import { sameEnd } from "../../../lifecycle/ends.ts";
import { runningTracks } from "../../../lifecycle/support.ts";
import type { Assessment, End, KevEntry, Product, Claim, SupportTrack } from "../../../model/index.ts";
import { formatCount, formatNumber } from "../../../messages/format.ts";
import { scrolling } from "../layout.ts";
import { external, link, markup, type Markup } from "../markup.ts";
import { date, day, definitionList } from "../parts.ts";
import type { Site } from "../site.ts";
import { CONFIDENCE_TEXTS, KEV_ENTRY_TEXTS, KIND_TEXTS, PROVENANCE_STATUS_TEXTS, SOURCE_TEXTS } from "../labels.ts";

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
  const { source, url, end, kind, basis, copied, quarantined, reason, retrievedAt } = claim;
  const how = [
    KIND_TEXTS[kind],
    ...(basis === "rule" ? ["derived from the vendor's rule"] : []),
    ...(copied ? ["copied from the vendor's page"] : []),
    ...(quarantined ? ["not used, because it moves the end by years"] : []),
  ].join("; ");
  return markup`<tr${compared === "used" && markup` class="served"`}><th scope="row">${link(source, external(url))}</th><td>${endOf(end)}</td><td>${compared}</td><td>${how}${reason !== undefined && markup`<br><span class="soft">${reason}</span>`}</td><td>${day(retrievedAt)}</td></tr>\n`;
}

function endOf(end: End): Markup | string {
  switch (end.kind) {
    case "dated":
      return date(end.date);
    case "ended":
      return "ended, date not published";
    case "open":
      return "no end announced";
    case "unknown":
      return "no statement";
  }
}

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
${scrolling(
  "Table of support tracks",
  markup`<table><caption class="hidden">Support tracks beyond the standard end</caption><thead><tr><th scope="col">Track</th><th scope="col">By</th><th scope="col">Cost</th><th scope="col">Until</th><th scope="col">Today</th></tr></thead><tbody>\n${rows}</tbody></table>`,
)}</section>`;
}

function trackRow({ name, vendor, cost, end, url }: SupportTrack, today: string): Markup {
  const target = url === undefined ? null : external(url);
  return markup`<tr><th scope="row">${link(name, target)}</th><td>${vendor || "not stated"}</td><td>${cost}</td><td>${end === null ? "no end announced" : date(end)}</td><td>${today}</td></tr>\n`;
}

/** @param max maximum number of entries; the product's page shows all */
export function exploitedPanel({ paths, catalogue }: Site, { kev, slug }: Product, max = Infinity): Markup | null {
  if (kev === undefined) return null;
  const shown = kev.entries.slice(0, max);
  const more = kev.entries.length - shown.length;
  return markup`<section aria-labelledby="exploited"><h2 id="exploited">Known to be exploited</h2>
<p>${formatCount(kev.entries.length, "entry", "entries")} of CISA's catalogue ${catalogue.metadata.kevVersion}; ${KEV_ENTRY_TEXTS[kev.basis]}.</p>
${scrolling(
  "Known exploited vulnerabilities",
  markup`<table><caption class="hidden">Known exploited vulnerabilities, newest first</caption><thead><tr><th scope="col">Vulnerability</th><th scope="col">Listed on</th><th scope="col">Used by ransomware</th><th scope="col">Why it counts</th></tr></thead><tbody>\n${shown.map(entryRow)}</tbody></table>`,
)}
${more > 0 && markup`<p><a href="${paths.exploited(slug)}">${formatNumber(more)} older ones</a></p>`}</section>`;
}

function entryRow({ cve, added, ransomware, basis }: KevEntry): Markup {
  const target = /^CVE-\d{4}-\d{4,}$/.test(cve) ? external(`https://nvd.nist.gov/vuln/detail/${cve}`) : null;
  return markup`<tr><th scope="row">${link(cve, target)}</th><td>${day(added)}</td><td>${ransomware ? "yes" : "not known"}</td><td>${KEV_ENTRY_TEXTS[basis]}</td></tr>\n`;
}
