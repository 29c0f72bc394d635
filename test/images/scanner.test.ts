/** External scanners: their arguments and their failures. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { type ScannerName, scanImage } from "../../src/images/scanner.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-scanner-"));

/** An environment with a fake scanner, which prints its arguments as the version of a component, or runs `script`. */
function withScanner(name: string, script?: string): Record<string, string> {
  const programs = mkdtempSync(join(tmpdir(), "eolgate-scanner-"));
  const bom = `{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{"type":"library","name":"x","version":"%s"}]}`;
  writeFileSync(join(programs, name), `#!/bin/sh\n${script ?? `printf '${bom}' "$*"`}\n`);
  chmodSync(join(programs, name), 0o755);
  return { PATH: [programs, process.env["PATH"] ?? ""].join(delimiter) };
}

async function argumentsOf(scanner: ScannerName, image: string, platform?: string): Promise<string | undefined> {
  const { inputs } = await scanImage(scanner, { image, platform }, { cwd: folder, env: withScanner(scanner) });
  return inputs[0]?.document.components.at(0)?.version;
}

test.each<readonly [ScannerName, string, string | undefined, string]>([
  ["syft", "debian:12", undefined, "scan registry:debian:12 --quiet --output cyclonedx-json"],
  [
    "syft",
    "docker://debian",
    "linux/arm64",
    "scan registry:debian --quiet --output cyclonedx-json --platform linux/arm64",
  ],
  ["syft", "docker-daemon:shop", undefined, "scan docker:shop --quiet --output cyclonedx-json"],
  ["syft", "oci:a", undefined, `scan oci-dir:${join(folder, "a")} --quiet --output cyclonedx-json`],
  ["syft", "oci-archive:-a", undefined, `scan oci-archive:${join(folder, "-a")} --quiet --output cyclonedx-json`],
  ["trivy", "debian:12", undefined, "image --quiet --format cyclonedx --image-src remote debian:12"],
  ["trivy", "docker-daemon:shop", undefined, "image --quiet --format cyclonedx --image-src docker shop"],
  ["trivy", "docker-archive:a.tar", undefined, `image --quiet --format cyclonedx --input ${join(folder, "a.tar")}`],
])("%s is started for %s with platform %s", async (scanner, image, platform, expected) => {
  expect(await argumentsOf(scanner, image, platform)).toBe(expected);
});

describe("external scanner", () => {
  test.each<readonly [string, Record<string, string>, string]>([
    ["is not installed", { PATH: folder }, "not-installed 2"],
    ["fails", withScanner("syft", "echo 'no such image' >&2; exit 1"), "scanner-failed 5: no such image"],
    ["fails without a message", withScanner("syft", "exit 3"), "scanner-failed 5: exit code 3"],
    ["writes text instead of an SBOM", withScanner("syft", "echo text"), "not-json 3"],
    ["writes nothing", withScanner("syft", "true"), "empty-document 3"],
  ])("%s", async (_, env, expected) => {
    const error = await scanImage("syft", { image: "debian" }, { cwd: folder, env }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(EolgateError);
    const { code, exit, message } = error as EolgateError;
    const reason = code === "scanner-failed" ? `: ${message.split(": ").at(-1) ?? ""}` : "";
    expect(`${code} ${String(exit)}${reason}`).toBe(expected);
  });

  test.each(["--output=x", "-h", "Debian", "docker-daemon:-v"])("is not started for %j", async (image) => {
    const scan = scanImage("syft", { image }, { cwd: folder, env: withScanner("syft") });
    await expect(scan).rejects.toMatchObject({ code: "invalid-value" });
  });

  test("is listed in the coverage", async () => {
    const { coverage } = await scanImage("trivy", { image: "debian" }, { cwd: folder, env: withScanner("trivy") });
    expect(coverage).toMatchObject({ platform: null, evidence: [{ kind: "scanner", source: "trivy", components: 1 }] });
  });
});
