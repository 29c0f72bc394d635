/**
 * Verdict, counts and coverage of every document in a folder, for a comparison before and after a change:
 *
 *   node bench/document-verdicts.ts FOLDER > before.json
 *   node bench/document-verdicts.ts FOLDER before.json
 *
 * The first form prints JSON. The second prints a Markdown table of the documents whose results differ from
 * `before.json`, followed by the number of changes from each answer for a component to another one.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const AS_OF = "2026-11-22";
const main = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const start = `const { main } = await import(${JSON.stringify(main)}); process.exitCode = await main(process);`;

interface DocumentResult {
  readonly exit: number;
  readonly verdict: string;
  readonly components: number;
  /** Conditions with their counts, for example `fail eol 12`. */
  readonly reasons: readonly string[];
  readonly coverage: number;
  /** Per component pointer: its identifier and the answer. */
  readonly answers: Readonly<Record<string, readonly [identifier: string, answer: string]>>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the report is JSON of another process, read loosely on purpose
type Json = Record<string, any>;

/** The answer for one component in a few words, without the evidence. */
function findingAnswer(finding: Json): string {
  const outcome = finding["outcome"] ?? {};
  const distro = finding["maintained_by"];
  const own = finding["distro_maintained"] === true ? "package" : `${finding["product"]}:${finding["cycle"]}`;
  const by = distro ? ` by ${distro.product}:${distro.cycle}` : "";
  const how = finding["version_matched_by"] === "older" ? " (older)" : "";
  return `${own}${how}${by} → ${outcome["severity"] ?? outcome["verdict"] ?? "?"} ${outcome["condition"] ?? ""}`;
}

function readReport(report: Json, exit: number): DocumentResult {
  const { gate = {}, coverage = {}, components = 0 } = report;
  return {
    exit,
    verdict: gate.verdict ?? "none",
    components,
    reasons: (gate.reasons ?? []).map(
      (each: Json) => `${each["severity"] ?? each["verdict"]} ${each["condition"]} ${each["count"]}`,
    ),
    coverage: coverage.percent ?? 0,
    answers: Object.fromEntries([
      ...(report["findings"] ?? []).map(answerOfFinding),
      ...(report["unmatched"] ?? []).map(answerOfUnmatched),
    ]),
  };
}

type Answer = readonly [pointer: string, answer: readonly [identifier: string, answer: string]];

const answerOfFinding = (finding: Json): Answer => [
  finding["pointer"],
  [finding["purl"] ?? `${finding["name"]}@${finding["version"]}`, findingAnswer(finding)],
];
const answerOfUnmatched = ({ pointer, purl, component, name, version, reason }: Json): Answer => [
  pointer,
  [purl ?? `${component ?? name}@${version}`, `unresolved ${reason}`],
];

function check(file: string): DocumentResult {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", start, "-", "check", file, "--format", "json", "--as-of", AS_OF],
    { encoding: "utf8", maxBuffer: 1 << 30 },
  );
  let report: Json = {};
  try {
    report = JSON.parse(stdout);
  } catch {
    // No report: the document could not be read, as the exit code shows.
  }
  return readReport(report, status ?? -1);
}

function collect(folder: string): Record<string, DocumentResult> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  return Object.fromEntries(files.map((file) => [relative(folder, file), check(file)]));
}

/**
 * The number of distinct versioned purls, and how many of them have a cycle of their own or are assessed by their
 * distribution.
 */
function distinctCoverage(results: Record<string, DocumentResult>): readonly [number, number, number] {
  const purls = new Map<string, string>();
  for (const { answers } of Object.values(results))
    for (const [identifier, answer] of Object.values(answers))
      if (identifier.startsWith("pkg:") && !purls.get(identifier)?.includes(":")) purls.set(identifier, answer);
  const values = [...purls.values()];
  const own = values.filter((answer) => !answer.startsWith("unresolved") && !answer.startsWith("package")).length;
  const distribution = values.filter((answer) => answer.startsWith("package")).length;
  return [purls.size, own, own + distribution];
}

const describe = ({ exit, verdict, components, reasons, coverage }: DocumentResult): string =>
  `${verdict} (${exit}), ${components} components, ${coverage} %${reasons.length > 0 ? `, ${reasons.join(", ")}` : ""}`;

type Results = Record<string, DocumentResult>;

function printDifference(before: Results, after: Results): void {
  const pairs = Object.entries(after).flatMap(([file, now]) => {
    const then = before[file];
    return then ? [{ file, earlier: then, now }] : [];
  });
  console.log("| document | before | after |\n|---|---|---|");
  for (const { file, earlier, now } of pairs)
    if (describe(earlier) !== describe(now)) console.log(`| ${file} | ${describe(earlier)} | ${describe(now)} |`);
  printChanges(pairs.flatMap(({ earlier, now }) => changesOf(earlier, now)));
  printCoverage("before", before);
  printCoverage("after", after);
}

interface Change {
  readonly kind: string;
  readonly example: string;
}

function changesOf({ answers: before }: DocumentResult, { answers: after }: DocumentResult): readonly Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((pointer) => {
    const [identifier, was] = before[pointer] ?? [after[pointer]?.[0] ?? "", "absent"];
    const is = after[pointer]?.[1] ?? "absent";
    return was === is ? [] : [{ kind: `${was}  ⇒  ${is}`, example: identifier }];
  });
}

function printChanges(changes: readonly Change[]): void {
  console.log("\n| components | change | example |\n|---|---|---|");
  const groups = [...Map.groupBy(changes, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length);
  for (const [kind, group] of groups) console.log(`| ${group.length} | ${kind} | ${group[0]?.example} |`);
}

function printCoverage(label: string, results: Results): void {
  const [all, own, both] = distinctCoverage(results);
  const percent = (part: number) => `${((part * 100) / all).toFixed(1)} %`;
  console.log(
    `\n${label}: ${all} distinct purls, ${percent(own)} by cycle, ${percent(both)} with distribution packages`,
  );
}

const [folder, earlier] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node bench/document-verdicts.ts FOLDER [BEFORE.json]");
const results = collect(folder);
if (earlier === undefined) console.log(JSON.stringify(results, null, 1));
else printDifference(JSON.parse(readFileSync(earlier, "utf8")), results);
