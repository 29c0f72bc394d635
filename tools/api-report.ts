/**
 * The report of the public types: `npm run api:report` writes test/library/library.api.md, `npm run api:check` compares
 * the file.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitDeclarations, extractTypes } from "./public-types.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const REPORT = "library.api.md";
const isCheck = process.argv.includes("--check");

/** @returns The report, with every type that an exported one refers to. */
function reportOf(folder: string): string {
  extractTypes(folder, {
    apiReport: {
      enabled: true,
      reportFolder: folder,
      reportTempFolder: join(folder, "temp"),
      reportFileName: REPORT,
      includeForgottenExports: true,
    },
    dtsRollup: { enabled: false },
  });
  return readFileSync(join(folder, REPORT), "utf8");
}

/** Names of exported declarations without a docstring. */
const undocumentedIn = (report: string): readonly string[] =>
  [...report.matchAll(/\(undocumented\)\nexport (?:\w+ )+?(\w+)\b(?=[\s<(:=])/g)].map(([, name = ""]) => name);

const folder = mkdtempSync(join(tmpdir(), "eolgate-api-"));
try {
  await emitDeclarations(folder);
  const current = reportOf(folder);
  const file = join(root, "test/library", REPORT);
  if (!isCheck) writeFileSync(file, current);
  else if (readFileSync(file, "utf8") !== current) {
    process.stderr.write("test/library/library.api.md differs from the public types. Run: npm run generate\n");
    process.exitCode = 1;
  }
  const undocumented = undocumentedIn(current);
  if (undocumented.length > 0) {
    process.stderr.write(`public declarations without a docstring: ${undocumented.join(", ")}\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
