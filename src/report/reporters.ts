/**
 * The table of report formats: the module to load, the usual extension, the media type. A new format is one file and one
 * row. Formats are loaded on demand.
 */
import type { PieceReporter, ReporterRow } from "./reporter.ts";

/** The formats by the name that `--format` takes. */
export const REPORTERS = {
  table: {
    load: async () => (await import("./table.ts")).table,
    extension: "txt",
    mediaType: "text/plain",
    summary: "for the terminal",
    recognize: /^\n {2}eolgate {2}[^\n]* \d{4}-\d{2}-\d{2}\n\n {2}(?:FAIL|WARN|PASS|NO VERDICT) /,
  },
  json: {
    load: async () => (await import("./json.ts")).json,
    loadPieces: async (): Promise<PieceReporter> => (await import("./json.ts")).jsonPieces,
    extension: "json",
    mediaType: "application/json",
    summary: "all data, with a published schema",
    recognize: /^\{\n"schema_version": "[\d.]+",\n"tool": \{"name":"eolgate"/,
    showsDigests: true,
  },
  ndjson: {
    load: async () => (await import("./ndjson.ts")).ndjson,
    extension: "ndjson",
    mediaType: "application/x-ndjson",
    summary: "one record per line: findings, documents, and a summary",
    recognize: /^\{"record":"(?:finding|document|failed|summary)",/,
    showsDigests: true,
  },
  markdown: {
    load: async () => (await import("./markdown.ts")).markdown,
    extension: "md",
    mediaType: "text/markdown",
    summary: "pull-request comment and step summary",
    recognize: /^## \S+ (?:PASS|WARN|FAIL)[^]*\n<sub>eolgate /,
  },
  html: {
    load: async () => (await import("./html.ts")).html,
    extension: "html",
    mediaType: "text/html",
    summary: "one file for browsers and print, works offline",
    recognize: /^<!doctype html>[^]*script-src 'sha256-[^]*<title>(?:PASS|WARN|FAIL)/,
    showsDigests: true,
  },
  sarif: {
    load: async () => (await import("./sarif.ts")).sarif,
    extension: "sarif",
    mediaType: "application/sarif+json",
    summary: "code-scanning views (SARIF 2.1.0)",
    recognize: /^\{\n "\$schema": [^]{1,200}"name": "eolgate"/,
    showsDigests: true,
  },
  junit: {
    load: async () => (await import("./junit.ts")).junit,
    extension: "xml",
    mediaType: "application/xml",
    summary: "test views (JUnit XML)",
    recognize: /^<\?xml [^>]*>\n<testsuites name="eolgate"/,
  },
  gitlab: {
    load: async () => (await import("./gitlab.ts")).gitlab,
    extension: "json",
    mediaType: "application/json",
    summary: "GitLab code quality",
    recognize: /^\[(?:\]\n$|\n \{\n {2}"description": .*\n {2}"check_name": "eolgate\/)/,
  },
  github: {
    load: async () => (await import("./github.ts")).github,
    extension: "txt",
    mediaType: "text/plain",
    summary: "GitHub annotations (workflow commands)",
    recognize: /^::(?:error|warning|notice) title=eolgate /,
  },
  csv: {
    load: async () => (await import("./csv.ts")).csv,
    extension: "csv",
    mediaType: "text/csv",
    summary: "every component, for spreadsheets",
    recognize: /^\uFEFF?document,state,condition,component,/,
  },
  fda: {
    load: async () => (await import("./fda.ts")).fda,
    extension: "csv",
    mediaType: "text/csv",
    summary: "level of support and end of support of every component, for the FDA (CSV)",
    recognize: /^\uFEFF?document,component,version,supplier,unique_identifier,/,
    showsDigests: true,
  },
  "fda-markdown": {
    load: async () => (await import("./fda.ts")).fdaMarkdown,
    extension: "md",
    mediaType: "text/markdown",
    summary: "the same as Markdown",
    recognize: /^# Software support of components\n\nAs of [\d-]+, by eolgate /,
    showsDigests: true,
  },
  cyclonedx: {
    load: async () => (await import("./cyclonedx.ts")).cyclonedx,
    extension: "cdx.json",
    mediaType: "application/vnd.cyclonedx+json",
    summary: "CycloneDX 1.6 of what was found, with lifecycle properties",
    recognize: /^\{\n "\$schema": [^]{1,600}"name": "eolgate"/,
    showsDigests: true,
  },
  vex: {
    load: async () => (await import("./vex.ts")).vex,
    extension: "cdx.json",
    mediaType: "application/vnd.cyclonedx+json",
    summary: "CycloneDX VEX 1.6",
    recognize: /^\{\n "\$schema": [^]{1,400}"name": "eolgate"/,
    showsDigests: true,
  },
  xeol: {
    load: async () => (await import("./xeol.ts")).xeol,
    extension: "json",
    mediaType: "application/json",
    summary: "xeol's JSON, which DefectDojo imports",
    recognize: /^\{\n "matches": \[[^]*"descriptor": \{\n {2}"name": "eolgate"/,
  },
  ics: {
    load: async () => (await import("./calendar.ts")).calendar,
    extension: "ics",
    mediaType: "text/calendar",
    summary: "upcoming failures as a calendar (with --forecast)",
    recognize: /^BEGIN:VCALENDAR\r?\nVERSION:2.0\r?\nPRODID:-\/\/eolgate\/\//,
  },
  "in-toto": {
    load: async () => (await import("./in-toto.ts")).inToto,
    extension: "intoto.json",
    mediaType: "application/vnd.in-toto+json",
    summary: "a statement about the verdict, with the last day on which it holds (in-toto Statement v1)",
    // Signed, the same beginning is in Base64.
    recognize:
      /^\{\n {2}"_type": "https:\/\/in-toto\.io\/Statement\/v1",[^]*verdict-predicate\.md#v1"|"payload": "ewogICJfdHlwZSI6ICJodHRwczovL2luLXRvdG8uaW8vU3RhdGVtZW50L3YxIiwKICAicHJlZGljYXRlVHlwZSI6ICJodHRwczovL2dpdGh1Yi5jb20vZW9sZ2F0ZS9lb2xnYXRlL2Jsb2IvbWFpbi9kb2NzL3ZlcmRpY3QtcHJlZGljYXRlLm1kI3Yx/,
    showsDigests: true,
    needsStatement: true,
  },
} as const satisfies Record<string, ReporterRow>;

/** The name of a report format. */
export type ReporterName = keyof typeof REPORTERS;
