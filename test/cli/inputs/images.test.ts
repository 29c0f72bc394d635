/** `eolgate check --image`: the report, the exit codes and the built command. */
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { runCommand } from "../fake-io.ts";
import { attestation, BASE, buildImage, type Files, indexOf, layoutFiles, writeFiles } from "../../images/build.ts";
import { contentOf, type FakeRegistry, startRegistry } from "../../images/fake-registry.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const catalogue = join(root, "test/fixtures/catalogue.json");
const folder = (): string => mkdtempSync(join(tmpdir(), "eolgate-image-command-"));

const registries: FakeRegistry[] = [];
afterEach(async () => {
  await Promise.all(registries.splice(0).map((registry) => registry.close()));
});

async function writeLayout(layers: readonly Files[], env: readonly string[] = []): Promise<string> {
  const image = await buildImage(layers, { env });
  return writeFiles(folder(), { ...prefixed(layoutFiles(indexOf([image.manifest]), [image]), "image") });
}
const prefixed = (files: Files, name: string): Files =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${name}/${path}`, content]));

const check = (cwd: string, ...args: readonly string[]) =>
  runCommand(["check", ...args, "--catalogue", catalogue, "--as-of", "2026-08-22"], {
    cwd,
    env: { COLUMNS: "120", DOCKER_CONFIG: cwd, DOCKER_HOST: `unix://${cwd}/none.sock`, PATH: cwd },
  });
const withoutDigests = (text: string): string => text.replaceAll(/sha256:[0-9a-f]{64}/g, "sha256:…");

describe("report of an image", () => {
  test("contains the findings, their evidence and what was not read", async () => {
    const cwd = await writeLayout([BASE], ["NODE_VERSION=16.20.0"]);
    const { exit, out } = await check(cwd, "--image", "oci:image");
    expect(exit).toBe(1);
    expect(out).toMatch(/FAIL[^]*Node\.js 16\.20\.0 +oci:image:\/config\/Env\/NODE_VERSION +2023-09-11/);
    expect(withoutDigests(out).replaceAll(/\s+/g, " ")).toContain(
      "inputs oci:image (linux/amd64, sha256:…): the operating system in /etc/os-release, 2 packages in /var/lib/dpkg/status, runtimes in the environment (NODE_VERSION)",
    );
  });

  test("contains the evidence in JSON and in Markdown", async () => {
    const cwd = await writeLayout([BASE], ["NODE_VERSION=16.20.0"]);
    const { out } = await check(cwd, "--image", "oci:image", "--format", "json", "--report", "markdown=report.md");
    const { images } = JSON.parse(out) as { images: unknown[] };
    expect(images).toMatchObject([
      {
        image: "oci:image",
        platform: "linux/amd64",
        evidence: [
          { kind: "operating-system", source: "etc/os-release", components: 1 },
          { kind: "packages", source: "var/lib/dpkg/status", components: 2 },
          { kind: "runtimes", source: "NODE_VERSION", components: 1 },
        ],
        not_read: [],
      },
    ]);
  });

  test("lists an attached SBOM with its unverified signature", async () => {
    const image = await buildImage([BASE]);
    const bom = {
      bomFormat: "CycloneDX",
      specVersion: "1.5",
      components: [{ type: "library", name: "x", version: "1" }],
    };
    const attached = attestation(bom);
    const annotations = {
      "vnd.docker.reference.type": "attestation-manifest",
      "vnd.docker.reference.digest": image.manifest.digest,
    };
    const files = layoutFiles(indexOf([image.manifest, { ...attached.manifest, annotations }]), [image, attached]);
    const { out } = await check(writeFiles(folder(), prefixed(files, "image")), "--image", "oci:image");
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "an SBOM attached in its index (1 component; its signature is not verified)",
    );
  });

  test("hostile names in an image cannot write control sequences to the terminal", async () => {
    const status = "Package: a\u001b[2Jb\nVersion: 1\u0007\n";
    const cwd = await writeLayout([{ ...BASE, "var/lib/dpkg/status": status }]);
    const { out, err } = await check(cwd, "--image", "oci:image", "--verbose");
    expect([out.includes("\u001b[2J"), err.includes("\u001b[2J"), out.includes("\u0007")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("supports an image together with other targets", async () => {
    const cwd = await writeLayout([BASE]);
    writeFileSync(join(cwd, ".nvmrc"), "16\n");
    const { exit, out } = await check(cwd, ".nvmrc", "--image", "oci:image");
    expect([exit, out.includes("Node.js 16"), out.includes("oci:image")]).toEqual([1, true, true]);
  });
});

describe("exit codes", () => {
  test.each<readonly [string, readonly string[], number, string]>([
    ["a malformed reference", ["--image", "Shop"], 2, "not an image reference"],
    ["a flag without an image", ["--platform", "linux/amd64"], 2, "--platform has no effect without an image"],
    ["a missing layout", ["--image", "oci:none"], 3, "a file is missing"],
    ["a registry that does not answer", ["--image", "127.0.0.1:1/a"], 5, "did not answer"],
    ["a daemon that does not answer", ["--image", "docker-daemon:a"], 5, "did not answer"],
  ])("for %s", async (_, args, code, message) => {
    const { exit, out, err } = await check(folder(), ...args);
    expect([exit, err.includes(message), out]).toEqual([code, true, ""]);
  });

  test.each([
    [["--image", "oci:image"], 3],
    [["--image", "oci:image", "--allow-empty"], 0],
  ])("an image without components, with %j, gives exit code %i", async (args, code) => {
    const { exit, err } = await check(await writeLayout([{ app: "x" }]), ...args);
    expect(exit).toBe(code);
    if (code === 3) expect(err).toContain("it has no operating system, no packages, no runtime and no SBOM");
  });

  test("a damaged image next to a valid one is reported with exit code 3", async () => {
    const cwd = await writeLayout([BASE], ["NODE_VERSION=16.20.0"]);
    const { exit, out, err } = await check(cwd, "--image", "oci:image", "--image", "oci:none");
    expect([exit, out.includes("Node.js 16"), err.includes("oci:none")]).toEqual([3, true, true]);
  });

  test("a configuration file cannot contain an image", async () => {
    const cwd = await writeLayout([BASE]);
    writeFileSync(join(cwd, "eolgate.config.yaml"), "image: [evil.example.com/a]\n");
    const { exit, err } = await check(cwd, "--image", "oci:image");
    expect([exit, err.includes("image")]).toEqual([2, true]);
  });
});

test("opens no connection without --image", async () => {
  const registry = await startRegistry({ parts: [], tags: {} });
  registries.push(registry);
  const cwd = folder();
  writeFileSync(join(cwd, "Dockerfile"), `FROM ${registry.host}/shop:1.0\nFROM node:16\n`);
  expect([(await check(cwd, "Dockerfile")).exit, registry.requests]).toEqual([1, []]);
  const { exit, err } = await check(cwd, "--image", `${registry.host}/shop:1.0`);
  expect([exit, err.includes("the registry has no image shop:1.0"), registry.requests.length]).toEqual([5, true, 1]);
});

describe.skipIf(!existsSync(join(root, "dist/command")))("built command", () => {
  function runBuilt(args: readonly string[], env: Record<string, string>): Promise<{ exit: number; text: string }> {
    return new Promise((resolve) => {
      const options = { env: { ...env, COLUMNS: "120" }, cwd: folder() };
      const child = execFile(process.execPath, [join(root, "bin/eolgate.js"), ...args], options, (_, out, err) =>
        resolve({ exit: child.exitCode ?? -1, text: out + err }),
      );
    });
  }
  /** Writes an executable script and returns its folder. */
  const writeProgram = (name: string, script: string): string => {
    const programs = folder();
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
    return programs;
  };
  const PATH = process.env["PATH"] ?? "";

  test("starts a credential helper and never prints its secret", async () => {
    const registry = await startRegistry(
      contentOf(await buildImage([BASE], { env: ["NODE_VERSION=16.20.0"] })),
      (request, response) => {
        if (request.headers.authorization === `Basic ${Buffer.from("u:s3cret").toString("base64")}`) return false;
        response.writeHead(401, { "www-authenticate": 'Basic realm="x"' });
        response.end();
        return true;
      },
    );
    registries.push(registry);
    const programs = writeProgram("docker-credential-test", `echo '{"Username":"u","Secret":"s3cret"}'`);
    writeFileSync(join(programs, "config.json"), '{"credsStore":"test"}');
    const env = { PATH: [programs, PATH].join(delimiter), DOCKER_CONFIG: programs };
    const result = await runBuilt(["check", "--image", `${registry.host}/shop:1.0`, "--format", "json"], env);
    expect([result.exit, result.text.includes("NODE_VERSION"), result.text.includes("s3cret")]).toEqual([
      1,
      true,
      false,
    ]);
  });
});
