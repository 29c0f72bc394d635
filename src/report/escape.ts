/**
 * Escapes text of a document for each output format. A name in an SBOM is hostile: it may hold terminal escapes, workflow
 * commands, HTML, spreadsheet formulas. One function per target; no format writes such text any other way.
 */

/**
 * What a reader cannot see, or what moves what he sees: controls, format characters (bidirectional marks, zero widths,
 * tags), line and paragraph separators, lone surrogates, non-characters. XML 1.0 forbids a part of the same set.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Names longer than this are cut in formats for people; a document may contain a string of 100 MB. */
const LONGEST = 300;

/** Every unseen character as a visible one: `\n`, `\u{202e}`. Never changes what can be seen. */
function visible(text: string): string {
  return text.replace(UNSEEN, (found) => SHORT[found] ?? `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The first `length` UTF-16 units, with an ellipsis when something was cut; never half a character. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.max(length - 1, 0);
  const half = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? 1 : 0;
  return `${text.slice(0, end - half)}…`;
}

/** Cut before its ending, which stays whole as long as it fits: `org.springframework.boot/spring-b… 2.7.18`. */
export function truncateName(text: string, ending: string, length: number): string {
  if (text.length <= length || ending === "" || !text.endsWith(ending) || ending.length > length - 4)
    return truncate(text, length);
  return `${truncate(text.slice(0, -ending.length), length - ending.length)}${ending}`;
}

/** One line for people: cut, and nothing in it that is not shown. */
export function singleLine(text: string): string {
  return visible(truncate(text, LONGEST));
}

/**
 * For a terminal or a build log. Runners read commands from logs: `::set-output` at the start of a line, `##[` and
 * `##vso[` anywhere in it (actions/runner ActionCommand, azure-pipelines-agent); both lose the mark that makes them one,
 * the first after each space, because long lines are wrapped there.
 */
export function escapeTerminal(text: string): string {
  return singleLine(text)
    .replace(/(^|\s):(?=:)/g, "$1\\u{3a}")
    .replace(/##(?=\[|vso\[|teamcity\[)/gi, "#\\u{23}");
}

const HTML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For HTML text and for attribute values in quotes. */
export function escapeHtml(text: string): string {
  return singleLine(text).replace(/[&<>"']/g, (found) => HTML[found] ?? found);
}

/** For XML 1.0 text and attribute values: characters that XML forbids are shown, not dropped. */
export function escapeXml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (found) => HTML[found] ?? found);
}

/**
 * For running Markdown text of GitHub, GitLab and Bitbucket: no markup, no HTML, no mention, no reference, no automatic
 * link, no table border.
 */
export function escapeMarkdown(text: string): string {
  return singleLine(text)
    .replace(/[\\`*_{}[\]<>~&$]/g, "\\$&")
    .replace(/^(\s*)([-+=#]|\d+(?=[.)](?:\s|$)))/, (_, space: string, mark: string) => `${space}${listMark(mark)}`)
    .replace(/([@#:])(?=\S)/g, "$1&#8203;")
    .replace(/\bwww(?=\.)/gi, "$&&#8203;")
    .replaceAll("|", "&#124;");
}

/** What would open a list, a heading or a quote at the start of a block. */
const listMark = (mark: string): string => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`);

/**
 * For Markdown as a code span, also inside a table: nothing in it is markup, a mention or a link. Table rows are split
 * at bars before spans are read, and readers disagree on escaped ones, so a bar is shown like an unseen character.
 */
export function escapeMarkdownCode(text: string): string {
  const shown = singleLine(text);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = shown.startsWith("`") || shown.endsWith("`") || shown.trim() === "" ? " " : "";
  return `${fence}${pad}${shown.replaceAll("|", "\\u{7c}")}${pad}${fence}`;
}

/** The message of a GitHub workflow command (actions/toolkit `escapeData`), over text made visible before. */
export function escapeWorkflowData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A property of a GitHub workflow command (actions/toolkit `escapeProperty`). */
export function escapeWorkflowProperty(text: string): string {
  return escapeWorkflowData(singleLine(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * One CSV field (RFC 4180). A field that a spreadsheet would compute gets a leading apostrophe (OWASP, CSV injection),
 * also in the full-width forms that some accept.
 */
export function escapeCsv(text: string): string {
  const shown = visible(text);
  const computed = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20|%]/.test(shown) ? `'${shown}` : shown;
  return /[",;]/.test(computed) ? `"${computed.replaceAll('"', '""')}"` : computed;
}

/** A label value of the Prometheus text format. */
export function escapeLabel(text: string): string {
  return visible(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}

/** Unseen characters that `JSON.stringify` leaves raw: a terminal obeys some of them when JSON is printed to it. */
const UNSEEN_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON text with unseen characters written as `\uXXXX`: the same value, nothing for a terminal to obey. */
export function escapeJson(text: string): string {
  return text.replace(UNSEEN_IN_JSON, (found) => found.split("").map(escapedUnit).join(""));
}

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A web address that may become a link: http or https, without credentials, fully encoded; else null, and no link is
 * made. The characters that stay are those of RFC 3986 that no target of ours reads as its own.
 */
export function safeUrl(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || text.length > 2000 || !URL.canParse(text)) return null;
  const parsed = new URL(text);
  if (parsed.username !== "" || parsed.password !== "") return null;
  return parsed.href.replace(/[^A-Za-z0-9\-/#&.:=?%@~_]/g, (found) =>
    [...new TextEncoder().encode(found)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
