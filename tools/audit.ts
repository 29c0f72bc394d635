/**
 * Fails if a dependency has a known vulnerability of severity high or critical. If the registry does not answer, the
 * audit is reported as skipped, or as failed with --required.
 * Run: npm run audit [-- --required]
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

interface Audit {
  readonly error?: { readonly summary?: string };
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly isDirect: boolean }>>;
}

export interface AuditResult {
  readonly outcome: "passed" | "failed" | "skipped";
  readonly text: string;
}

/** Reads the answer of `npm audit --json`. An answer that is not JSON, or has no list, is not an audit. */
export function auditResult(output: string): AuditResult {
  const audit = parseAudit(output);
  if (audit?.vulnerabilities === undefined) {
    const reason = [audit?.error?.summary, audit?.message].find(Boolean) ?? "npm gave no result";
    return { outcome: "skipped", text: `audit: skipped: ${reason}` };
  }
  const severe = Object.entries(audit.vulnerabilities).filter(([, { severity }]) =>
    /^(?:high|critical)$/.test(severity),
  );
  if (severe.length === 0)
    return { outcome: "passed", text: "audit: no known vulnerability of severity high or critical" };
  const list = severe.map(([name, { severity }]) => `  ${name} (${severity})`).join("\n");
  return {
    outcome: "failed",
    text: `audit: ${severe.length} vulnerable packages; run "npm audit" for details\n${list}`,
  };
}

/** A workflow command; its line breaks must be escaped. */
export const warning = (text: string): string =>
  `::warning::${text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`;

function parseAudit(output: string): Audit | undefined {
  try {
    const audit: unknown = JSON.parse(output);
    return typeof audit === "object" && audit !== null ? audit : undefined;
  } catch {
    return undefined;
  }
}

if (process.argv[1] === import.meta.filename) {
  const { stdout } = spawnSync("npm audit --json", {
    cwd: join(import.meta.dirname, ".."),
    encoding: "utf8",
    shell: true,
  });
  const { outcome, text } = auditResult(stdout);
  process.stdout.write(`${text}\n`);
  // GitHub shows the warning on the page of the run.
  if (outcome === "skipped" && process.env["GITHUB_ACTIONS"] === "true") process.stdout.write(`${warning(text)}\n`);
  const required = process.argv.includes("--required");
  process.exitCode = outcome === "failed" || (outcome === "skipped" && required) ? 1 : 0;
}
