/**
 * The answer of the report: its title, what to do, and for print one table row for each release cycle, with lines for a
 * signature and the name of the document on every page.
 */
import { CONDITIONS } from "../../policy/conditions.ts";
import { packageEndIn } from "../../policy/deciding.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import type { Report } from "../../model/index.ts";
import { escapeHtml as text, singleLine, truncate } from "../escape.ts";
import { adviceOn, formatComponent, formatComponentName, formatCycle, formatEndCell, STATE_WORDS } from "../labels.ts";
import { indirectRows, isIndirectHint } from "../indirect.ts";
import type { CycleRows, ReportRow, RowSet } from "../rows.ts";
import { verdictSentence } from "../verdict-sentence.ts";
import { formatUnresolved, isRun } from "../verdict.ts";

/** The described software of a single document, else its file, else the number of documents. */
export function formatSubject({ documents, failed, folders = [] }: Report): string {
  const [only] = documents;
  if (folders.length > 0)
    return folders.map(({ folder }) => (folder === "." ? "working directory" : folder)).join(", ");
  if (only === undefined || documents.length + failed.length > 1)
    return formatCount(documents.length + failed.length, "document");
  const root = only.document.components.at(0);
  return root?.kind === "root" && root.name.trim() !== "" ? formatComponentName(root) : only.file;
}

/** `web-shop 4.2.0: 4 release cycles have reached end of life.` Several documents are counted by the sentence. */
export const formatTitle = (report: Report, { rows }: RowSet): string =>
  isRun(report) ? verdictSentence(report, rows) : `${formatSubject(report)}: ${verdictSentence(report, rows)}`;

/** The longest list of things to do; the rows below contain the others. */
const MOST_ACTIONS = 12;

/** What to do about the rows that fail, and how many components each change clears. */
export function actions(report: Report, { rows }: RowSet): string {
  const failing = rows.filter(({ state }) => state === "fail");
  if (failing.length === 0) return "";
  const items = failing.slice(0, MOST_ACTIONS).map((row) => {
    const advice = adviceOn(report, row);
    const { title, cycle } = CONDITIONS[row.outcome.condition];
    const words = advice || (cycle === undefined ? title : `${title}, no upgrade is named`);
    const count = formatCount(row.findings.length, "component");
    return `<li><b>${text(subjectOf(row))}</b>: ${text(words)} <span class="soft">${advice === "" ? count : `clears ${count}`}</span></li>`;
  });
  const more = failing.length - items.length;
  const rest = more > 0 ? `<p class="soft">${formatNumber(more)} more below.</p>` : "";
  return `<section class="todo"><h2>What to do</h2><ol>\n${items.join("\n")}\n</ol>${rest}</section>`;
}

const subjectOf = (row: ReportRow): string =>
  row.assessment === undefined ? formatComponent(row) : formatCycle(row.assessment);

/** Lines to sign, and one row for each release cycle; screens show the rows that expand instead. */
export function printPart(report: Report, set: CycleRows, isWhole: boolean): string {
  const { rows, unmatched } = set;
  const indirect = isWhole ? undefined : indirectRows(report, set);
  const lines = (isWhole ? rows : rows.filter((row) => !isIndirectHint(row))).map((row) => {
    const end = row.assessment
      ? formatEndCell(row.assessment, packageEndIn(row))
      : CONDITIONS[row.outcome.condition].title;
    const cells = [
      STATE_WORDS[row.state],
      subjectOf(row),
      formatNumber(row.findings.length),
      end,
      row.state === "pass" ? "" : adviceOn(report, row),
    ];
    return `<tr class="${row.state}">${cells.map((cell) => `<td>${text(truncate(cell, 160))}</td>`).join("")}</tr>`;
  });
  const open = unmatched.map(({ reason, count }) => `<li>${text(formatUnresolved(reason, count))}</li>`);
  return `<section class="print">
<dl class="sign"><div><dt>Name</dt><dd></dd></div><div><dt>Date</dt><dd></dd></div><div><dt>Signature</dt><dd></dd></div></dl>
<h2>Release cycles</h2>
<table><thead><tr><th>Outcome</th><th>Release cycle</th><th>Components</th><th>Support</th><th>Upgrade</th></tr></thead><tbody>
${lines.join("\n")}
</tbody></table>
${indirect === undefined ? "" : `<h2>${text(indirect.heading)}</h2><ul>${indirect.lines.map(({ line }) => `<li>${text(line)}</li>`).join("\n")}</ul>`}
${open.length === 0 ? "" : `<h2>Not assessed</h2><ul>${open.join("\n")}</ul>`}
</section>`;
}

/** The margins of printed pages: the document, and the number of the page. */
export const pageRule = (report: Report): string =>
  `@page{margin:16mm 14mm;@bottom-left{content:${cssString(formatSubject(report))};font:9pt sans-serif;color:#444}@bottom-right{content:counter(page) " / " counter(pages);font:9pt sans-serif;color:#444}}`;

/** Everything but letters, digits and spaces is escaped. */
const cssString = (content: string): string =>
  `"${truncate(singleLine(content), 120).replaceAll(/[^A-Za-z0-9 ]/gu, (found) => `\\${(found.codePointAt(0) ?? 0).toString(16)} `)}"`;

export const folded = (title: string, body: string, name = ""): string =>
  body === "" ? "" : `<details class="fold ${name}"><summary>${title}</summary>\n${body}\n</details>`;
