/** The documented Prometheus jobs, rules and metrics, assessed by Prometheus' own tool. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTelemetry } from "../../src/service/serve/ports.ts";
import { startService, stopServices } from "../service/service.ts";

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const example = (name: string): URL => new URL(`../../examples/operations/${name}`, import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "eolgate-prometheus-"));
afterAll(async () => {
  await stopServices();
  rmSync(folder, { recursive: true, force: true });
});

const promtool = (args: readonly string[], input?: string) => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8", ...(input !== undefined && { input }) });
  return { status, text: `${stdout}${stderr}` };
};

describe.skipIf(!hasPromtool)("promtool (skipped where it is not installed)", () => {
  test("loads the jobs and the rules of examples/operations", () => {
    for (const name of ["prometheus.yaml", "alerts.yaml"]) copyFileSync(example(name), join(folder, name));
    const { status, text } = promtool(["check", "config", join(folder, "prometheus.yaml")]);
    expect(status, text).toBe(0);
    expect(text).toContain("12 rules found");
  });

  test("loads the job of docs/self-hosting.md", () => {
    const page = readFileSync(new URL("../../docs/self-hosting.md", import.meta.url), "utf8");
    const [, job = ""] = /```yaml\n(scrape_configs:\n[^]*?)```/.exec(page) ?? [];
    const file = join(folder, "documented.yaml");
    writeFileSync(file, job);
    const { status, text } = promtool(["check", "config", file]);
    expect(status, text).toBe(0);
  });

  test("refuses settings that an older Prometheus does not support", () => {
    const file = join(folder, "unknown.yaml");
    writeFileSync(file, "scrape_configs:\n  - job_name: x\n    no_such_setting: 1\n");
    expect(promtool(["check", "config", file]).status).toBe(1);
  });

  test("finds no problem in the metrics of the process", async () => {
    const telemetry = createTelemetry({
      version: "1.2.3",
      catalogueDate: () => "2026-08-22",
      outbox: async () => ({ queued: 2, dead: 1, sent: 9, oldestQueuedAt: 1_000_000 }),
    });
    telemetry.observe("GET", "/v1/score/:slug", 200, 0.002);
    const { text } = promtool(["check", "metrics"], await telemetry.text());
    telemetry.close();
    // Names that prom-client gives to the metrics of Node.js itself.
    const own = text.split("\n").filter((line) => line.startsWith("eolgate_"));
    expect(own).toEqual([]);
    expect(text).not.toMatch(/error while linting/);
  });

  test("reports only one metric that is not in base units: the days that clients read", async () => {
    const service = await startService({ settings: { open: true } });
    const answer = await service.get("/v1/metrics?stack=nodejs:18,nodejs:20,nope:1");
    const { text } = promtool(["check", "metrics"], answer.body);
    expect(text.trim().split("\n")).toEqual([expect.stringMatching(/^eol_days_until_eol .*seconds/)]);
    expect(answer.body).toContain("eol_date_timestamp_seconds");
  });
});
