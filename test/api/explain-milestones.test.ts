/** What `explain` prints about the days of a source, in the bundled catalogue. */
import { expect, test } from "vitest";
import { runCommand } from "../cli/fake-io.ts";

const stepsOf = async (subject: string): Promise<readonly string[]> => {
  const { out, exit } = await runCommand(["explain", subject, "--format", "json", "--as-of", "2026-11-22"], {
    cwd: "/",
  });
  expect(exit).toBe(0);
  const { steps } = JSON.parse(out) as { steps: readonly { step: string; detail: string }[] };
  return steps.map(({ step, detail }) => `${step}: ${detail}`);
};

test.each([
  ["aws-lambda:nodejs20.x", "gate-end: the field eoas of the record"],
  ["amazon-rds-mysql:8.4.6", "milestone: service-end"],
  ["nodejs:20", "gate-end: the field eol of the record; its label names fixes of vulnerabilities"],
  ["iphone:17", "no source states what the day means"],
  ["urllib3:1.26", "gate-end: own record"],
])("%s: %s", async (subject, expected) => {
  expect((await stepsOf(subject)).filter((step) => step.includes(expected))).toHaveLength(1);
});
