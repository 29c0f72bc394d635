/**
 * Runs one task on one document, in a process of its own, and prints its duration in milliseconds and the peak memory.
 */
import { readFileSync } from "node:fs";
import { enrich } from "../src/enrich/enrich.ts";
import type { Enrichment, LifecycleProperties } from "../src/enrich/names.ts";
import { dependencyPaths } from "../src/sbom/graph/paths.ts";
import { parseSbom } from "../src/sbom/read.ts";
import { FileSource } from "../src/platform/file-source.ts";
import { replaceFile } from "../src/platform/replace-file.ts";

const LINE: LifecycleProperties = Object.entries({
  status: "eol",
  product: "angular",
  cycle: "14",
  eol_date: "2023-11-18",
  days_past_eol: "1099",
  purl_matched: "pkg:npm/%40angular/core",
  matched_by: "purl",
  extended_support_available: "true",
  score_url: "http://127.0.0.1:8080/score/angular/14",
  risk_score: "60",
  risk_grade: "C",
  kev_exposed: "false",
}).map(([name, value]) => ({ name: `lifecycle:${name}` as LifecycleProperties[number]["name"], value }));
const UNTRACKED: LifecycleProperties = [
  { name: "lifecycle:status", value: "not-tracked" },
  { name: "lifecycle:reason", value: "purl-not-tracked" },
];
const isTracked = (index: number): boolean => index % 20 === 7;

function enrichmentFor(count: number): Enrichment {
  return {
    components: Array.from({ length: count }, (_, index) => (isTracked(index) ? LINE : UNTRACKED)),
    summary: [{ name: "lifecycle:gate:verdict", value: "fail" }],
    asOf: "2026-11-21",
    tool: { name: "eolgate", version: "0.0.0" },
  };
}

interface Plain {
  components: { properties?: object[] }[];
  metadata: { properties?: object[] };
}

const WORK: Readonly<Record<string, (file: string) => unknown>> = {
  parse: (file) => JSON.parse(readFileSync(file, "utf8")),
  read: (file) => parseSbom(new FileSource(file)),
  "read-and-texts": (file) => {
    let length = 0;
    for (const { name, version, purls } of parseSbom(new FileSource(file)).components)
      length += name.length + (version ?? "").length + (purls[0] ?? "").length;
    return length;
  },
  "read-and-paths": (file) => {
    const document = parseSbom(new FileSource(file));
    const last = document.components.at(-1)?.bomRef ?? "";
    return dependencyPaths(document).from(last);
  },
  /** The work of a tool that parses and prints: it adds the same properties, but does not preserve the other bytes. */
  reprint: (file) => {
    const document = JSON.parse(readFileSync(file, "utf8")) as Plain;
    for (const [index, component] of document.components.entries()) {
      (component.properties ??= []).push(...(isTracked(index) ? LINE : UNTRACKED));
    }
    (document.metadata.properties ??= []).push({ name: "lifecycle:gate:verdict", value: "fail" });
    return Buffer.from(JSON.stringify(document));
  },
  enrich: (file) => {
    const document = parseSbom(readFileSync(file));
    let length = 0;
    for (const chunk of enrich(document, enrichmentFor(document.components.length)).chunks) length += chunk.length;
    return length;
  },
  "enrich-in-place": async (file) => {
    const document = parseSbom(readFileSync(file));
    await replaceFile(file, enrich(document, enrichmentFor(document.components.length)).chunks);
  },
};

const [name = "", file = ""] = process.argv.slice(2);
const begin = performance.now();
const result = await WORK[name]?.(file);
const ms = performance.now() - begin;
console.log(JSON.stringify({ ms, megabytes: process.resourceUsage().maxRSS / 1024, result: typeof result }));
