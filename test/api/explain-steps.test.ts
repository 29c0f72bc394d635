/** What `explain` prints about the days of a source in the bundled catalogue, and about a package that it does not have. */
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

test.each([
  ["pkg:npm/semver@5.7.2", /^outdated, newest version \d+\.\d+\.\d+, \d+ major versions? ahead \(bundled, checked on /],
  ["pkg:npm/express-session@1.17.0", /^on the newest major version, newest version 1\.\d+\.\d+ \(bundled, checked on /],
  ["pkg:npm/%40types/node@18.0.0", /^unknown, type declarations/],
  ["pkg:npm/no-such-package-of-eolgate@1.0.0", /^unknown, no source was queried$/],
  ["pkg:maven/no.such/artifact@1.0", /^unknown, no source was queried$/],
])("states what the list of newest versions has of %s, and how to add it", async (subject, level) => {
  const steps = await stepsOf(subject);
  expect(steps.find((step) => step.startsWith("support-level: "))?.slice(15)).toMatch(level);
  expect(steps.filter((step) => step.startsWith("to-add-it: "))).toHaveLength(1);
});

test("states no level of the list for a package that the catalogue has", async () =>
  expect(
    (await stepsOf("pkg:npm/lodash@4.17.21")).filter((step) => /^(?:support-level|to-add-it): /.test(step)),
  ).toEqual([]));
