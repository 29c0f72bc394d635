/**
 * Escapes text of a document for each output format. A name in an SBOM is untrusted: it may contain terminal escapes,
 * workflow commands, HTML or spreadsheet formulas. There is one function for each target; formats write such text only
 * through it.
 */

/**
 * Characters that are invisible or that change how other text is shown: controls, format characters (bidirectional
 * marks, zero widths, tags), line and paragraph separators, lone surrogates, non-characters. XML 1.0 forbids some of
 * them.
 */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Longer texts are truncated in formats for people; a document may contain a string of 100 MB. A sentence about three
 * exploited vulnerabilities is shorter.
 */
const MAX_TEXT_LENGTH = 1000;

/** Replaces each invisible character by a visible escape: ` `, `\u{202e}`. Visible characters are not changed. */
function visible(text: string): string {
  return text.replace(INVISIBLE, (found) => SHORT[found] ?? `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Truncates a text to `length` UTF-16 units with an ellipsis, without splitting a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.max(length - 1, 0);
  const half = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? 1 : 0;
  return `${text.slice(0, end - half)}…`;
}

/** One line for people: truncated, with invisible characters made visible. */
export function singleLine(text: string): string {
  return visible(truncate(text, MAX_TEXT_LENGTH));
}

/**
 * For a terminal or a build log. Runners read commands from logs: `::set-output` at the start of a line, `##[` and
 * `##vso[` anywhere in it (actions/runner ActionCommand, azure-pipelines-agent); in both, the character that makes them
 * a command is escaped; the first one after every space, because long lines are wrapped there.
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

/** For XML 1.0 text and attribute values: characters that XML forbids are made visible, not removed. */
export function escapeXml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (found) => HTML[found] ?? found);
}

/**
 * For Markdown text of GitHub, GitLab and Bitbucket: no markup, HTML, mention, reference, automatic link or table
 * border takes effect.
 */
export function escapeMarkdown(text: string): string {
  return singleLine(text)
    .replace(/[\\`*_{}[\]<>~&$]/g, "\\$&")
    .replace(/^(\s*)([-+=#]|\d+(?=[.)](?:\s|$)))/, (_, space: string, mark: string) => `${space}${listMark(mark)}`)
    .replace(/([@#:])(?=\S)/g, "$1&#8203;")
    .replace(/\bwww(?=\.)/gi, "$&&#8203;")
    .replaceAll("|", "&#124;");
}

/** Escapes the start of a list, a heading or a quote. */
const listMark = (mark: string): string => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`);

/**
 * For Markdown as a code span, also inside a table: nothing in it is markup, a mention or a link. Table rows are split
 * at bars before spans are read, and Markdown parsers disagree on escaped ones, so a bar is written like an invisible
 * character.
 */
export function escapeMarkdownCode(text: string): string {
  const shown = singleLine(text);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = shown.startsWith("`") || shown.endsWith("`") || shown.trim() === "" ? " " : "";
  return `${fence}${pad}${shown.replaceAll("|", "\\u{7c}")}${pad}${fence}`;
}

/**
 * The message of a GitHub workflow command (actions/toolkit `escapeData`). `text` must be one that `singleLine`
 * returned.
 */
export function escapeWorkflowData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A property of a GitHub workflow command (actions/toolkit `escapeProperty`). */
export function escapeWorkflowProperty(text: string): string {
  return escapeWorkflowData(singleLine(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * One CSV field (RFC 4180). A field that a spreadsheet would compute gets a leading apostrophe (OWASP, CSV injection),
 * including the full-width forms that some spreadsheets accept.
 */
export function escapeCsv(text: string): string {
  const shown = visible(text);
  const computed = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20|%]/.test(shown) ? `'${shown}` : shown;
  return /[",;]/.test(computed) ? `"${computed.replaceAll('"', '""')}"` : computed;
}

/**
 * Invisible characters that `JSON.stringify` does not escape. Terminals interpret some of them when JSON is printed.
 */
const INVISIBLE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Writes invisible characters in JSON text as `\uXXXX`. The value stays the same, and a terminal interprets nothing.
 */
export function escapeJson(text: string): string {
  return text.replace(INVISIBLE_IN_JSON, (found) => found.split("").map(escapedUnit).join(""));
}

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A web address that may become a link: http or https, without credentials, fully encoded; else null. Characters are
 * kept if RFC 3986 allows them and no output format treats them as special.
 */
export function safeUrl(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || text.length > 2000 || !URL.canParse(text)) return null;
  const parsed = new URL(text);
  if (parsed.username !== "" || parsed.password !== "") return null;
  return parsed.href.replace(/[^A-Za-z0-9\-/#&.:=?%@~_]/g, (found) =>
    [...new TextEncoder().encode(found)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
