/** The components of a row of the HTML report: all of them with `--verbose`, otherwise the first ones. */
import { formatCount, formatList, formatNumber } from "../../messages/format.ts";
import type { Finding } from "../../model/index.ts";
import { escapeHtml as text } from "../escape.ts";
import { formatComponentName } from "../labels.ts";

export interface ComponentContext {
  /** List every component, with its package URL. */
  readonly details: boolean;
  /** Names of the components that introduce this one, from the root on; empty when the document does not state them. */
  readonly introducedBy: (finding: Finding) => readonly string[];
  /** File and line; empty if the section is about one document. */
  readonly location: (finding: Finding) => string;
}

/**
 * Without `--verbose`, up to `MAX_LISTED` components are listed one by one. Of more components, the first `MAX_NAMED`
 * are named.
 */
const MAX_LISTED = 6;
const MAX_NAMED = 40;

export const isListed = (findings: readonly Finding[], details: boolean): boolean =>
  details || findings.length <= MAX_LISTED;

export function componentList(findings: readonly Finding[], count: number, context: ComponentContext): string {
  if (!isListed(findings, context.details)) return namesOnly(findings, count);
  return `<ul class="parts">\n${findings.map((finding) => componentItem(finding, context)).join("\n")}\n</ul>`;
}

function componentItem(finding: Finding, { details, introducedBy, location }: ComponentContext): string {
  const { component, resolution } = finding;
  const path = introducedBy(finding).map((name) => text(name));
  const candidates = resolution.kind === "unmatched" ? (resolution.candidates ?? []) : [];
  const purl = details ? component.purls[0] : undefined;
  const facts = [
    ...[location(finding)].filter((place) => place !== "").map((place) => text(place)),
    ...(purl === undefined ? [] : [text(purl)]),
    ...(candidates.length === 0 ? [] : [text(`matches ${formatList(candidates)}`)]),
    ...(path.length === 0 ? [] : [`introduced by ${path.join(" › ")}`]),
  ];
  const notes = facts.length === 0 ? "" : ` <span class="soft">${facts.join(" · ")}</span>`;
  return `<li><code>${text(formatComponentName(component))}</code>${notes}</li>`;
}

function namesOnly(findings: readonly Finding[], count: number): string {
  const names = findings
    .slice(0, MAX_NAMED)
    .map(({ component }) => `<code>${text(formatComponentName(component))}</code>`);
  const more = count > names.length ? ` and ${formatNumber(count - names.length)} more` : "";
  return `<p>${formatCount(count, "component")}: ${names.join(", ")}${more}</p>`;
}
