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

  test("evaluates the rules of a stack over a day on which a status changes", async () => {
    const stack = "python:3.10,nodejs:18,nodejs:18.20.8,nope:1";
    const days = await Promise.all(
      ["2026-10-31", "2026-11-01"].map(async (day) => {
        const service = await startService({ at: `${day}T12:00:00Z`, settings: { open: true } });
        const { body } = await service.get(`/v1/metrics?stack=${stack}`);
        const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
        return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]));
      }),
    );
    const values = (series: string): string => days.map((day) => (day.has(series) ? `${day.get(series)}x23` : "_x23")).join(" ");
    const names = [...new Set(days.flatMap((day) => [...day.keys()]))];
    const past = (day: number): readonly string[] =>
      [...(days[day] ?? [])].filter(([name, value]) => name.startsWith("eol_past_eol") && value === "1").map(([name]) => name);
    expect([past(0).length, past(1).length]).toEqual([2, 3]);
    // The identity of a series does not change with its status.
    const identities = days.map((day) => [...day.keys()].filter((name) => name.startsWith("eol_past_eol")));
    expect(identities[0]).toEqual(identities[1]);
    const exposed = (name: string): boolean => days[1]?.get(name.replace("eol_past_eol", "eol_kev_exposed")) === "1";
    const alertOf = (name: string, text: string, severity: string) => {
      const labels = Object.fromEntries([...name.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value]));
      const version = labels["requested_version"] ?? labels["version"];
      return { exp_labels: { ...labels, severity }, exp_annotations: { summary: `${labels["product"]} ${version} ${text}` } };
    };
    const ended = "has reached end of life";
    const at = (hour: number, alertname: string, exp_alerts: readonly object[]) => ({ eval_time: `${hour}h`, alertname, exp_alerts });
    const expected = [23, 47].flatMap((hour, day) => [
      at(hour, "PastEndOfLife", past(day).map((name) => alertOf(name, ended, "warning"))),
      at(
        hour,
        "ExploitedAndUnsupported",
        past(day).filter(exposed).map((name) => alertOf(name, `${ended} and has known exploited vulnerabilities`, "critical")),
      ),
      at(hour, "EndOfLifeInSight", day === 1 ? [] : [alertOf('{product="python",version="3.10"}', "reaches its end of life in 0 days", "info")]),
      at(hour, "StackNotAnswered", [
        {
          exp_labels: { product: "nope", version: "1", reason: "product-not-found", severity: "warning" },
          exp_annotations: { summary: "nope 1 could not be judged: product-not-found" },
        },
      ]),
    ]);
    copyFileSync(example("alerts.yaml"), join(folder, "alerts.yaml"));
    const input = names.map((series) => ({ series, values: values(series) }));
    const suite = { rule_files: ["alerts.yaml"], tests: [{ interval: "1h", input_series: input, alert_rule_test: expected }] };
    const file = join(folder, "rules-test.json");
    writeFileSync(file, JSON.stringify(suite));
    const { status, text } = promtool(["test", "rules", file]);
    expect(status, text).toBe(0);
  });

  test("reports only one metric that is not in base units: the days that clients read", async () => {
    const service = await startService({ settings: { open: true } });
    const answer = await service.get("/v1/metrics?stack=nodejs:18,nodejs:20,nope:1");
    const { text } = promtool(["check", "metrics"], answer.body);
    expect(text.trim().split("\n")).toEqual([expect.stringMatching(/^eol_days_until_eol .*seconds/)]);
    expect(answer.body).toContain("eol_date_timestamp_seconds");
  });
});
