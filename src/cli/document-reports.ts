/** Reports that are written for each document: `--report html=reports/{document}.html`. */
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { documentReports } from "../api/check.ts";
import { EolgateError } from "../messages/error.ts";
import type { Report } from "../model/index.ts";
import { writeOutput } from "../platform/replace-file.ts";
import { REPORTERS, type ReporterName } from "../report/reporters.ts";
import type { Invocation } from "./command.ts";
import type { Settings } from "./config.ts";
import { reportOptions } from "./output.ts";

/** A report for each document; the path contains `{document}`. */
export interface DocumentReportFile {
  readonly format: ReporterName;
  readonly path: string;
}

const PLACEHOLDER = "{document}";

export const isPerDocument = ({ path }: DocumentReportFile): boolean => path.includes(PLACEHOLDER);

/**
 * Writes the reports of each document, and creates their folders.
 * @throws EolgateError `not-written`
 */
export async function writeDocumentReports(
  { io }: Invocation,
  settings: Settings,
  files: readonly DocumentReportFile[],
  report: Report,
): Promise<void> {
  if (files.length === 0) return;
  const options = await reportOptions(io, settings, true);
  for (const single of documentReports(report)) {
    for (const { format, path } of files) {
      const reporter = await REPORTERS[format].load();
      const target = resolve(io.cwd, documentPath(path, single.documents[0]?.file ?? ""));
      await mkdir(dirname(target), { recursive: true }).catch(() => undefined);
      await writeOutput(target, reporter(single, options));
    }
  }
}

/** `reports/{document}.html` and `../api/bom.json` → `reports/api/bom.json.html`: a report never leaves its folder. */
export function documentPath(path: string, file: string): string {
  const inside = file
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .map((part) => part.replaceAll(/[<>:"|?*\p{Cc}]/gu, "_"));
  return path.replaceAll(PLACEHOLDER, inside.join("/"));
}

/** Throws `invalid-usage` when two documents would be written to one path. */
export function refuseSharedPaths(files: readonly DocumentReportFile[], documents: readonly string[]): void {
  for (const { path } of files) {
    const seen = new Set<string>();
    for (const document of documents) {
      const target = documentPath(path, document);
      if (seen.has(target))
        throw EolgateError.of(
          "invalid-usage",
          { problem: "two reports have the same output file", advice: "Use a different path for each report." },
          { where: target },
        );
      seen.add(target);
    }
  }
}
