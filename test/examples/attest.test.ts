/** The pipelines in examples/ci that sign or attest a verdict, with stand-ins for jq and cosign. */
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { bundleFromJSON } from "@sigstore/bundle";
import { PREDICATE_TYPE } from "../../src/report/in-toto.ts";
import { actionManifest } from "../../tools/action-manifest.ts";
import { BASE, buildImage, indexOf, layoutFiles, writeFiles } from "../images/build.ts";
import { example, machine, type Machine, playAction, root } from "./machine.ts";

const open: Machine[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** `jq [-r] .member FILE`, and a `cosign` that writes its arguments, one per line. */
const JQ = `const [path, file] = process.argv.slice(2).filter((word) => word !== "-r");
const value = JSON.parse(require("node:fs").readFileSync(file, "utf8"))[path.slice(1)];
console.log(process.argv[2] === "-r" ? value : JSON.stringify(value, null, 2));`;
function on(document: string): Machine {
  const made = machine(document);
  open.push(made);
  const bin = join(made.folder, "..", "bin");
  writeFileSync(join(bin, "jq.cjs"), JQ);
  const programs = { jq: `exec "${process.execPath}" "${join(bin, "jq.cjs")}" "$@"`, cosign: `printf '%s\\n' "$@" > cosign.txt` };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return made;
}

test("GitHub: the predicate and its type are those of the statement", async () => {
  const runner = on("clean.cdx.json");
  const { steps } = parse(example("github-attest.yml")).jobs.eolgate;
  const gate = steps.find(({ id }: { id?: string }) => id === "gate");
  const predicate = steps.find(({ id }: { id?: string }) => id === "predicate");
  const attest = steps.find(({ uses = "" }: { uses?: string }) => uses.startsWith("actions/attest@"));
  const { inputs, outputs: known } = parse(actionManifest());
  for (const name of Object.keys(gate.with)) expect(Object.keys(inputs)).toContain(name);
  const { exit, outputs } = await playAction(runner, gate.with);
  expect(exit).toBe(0);
  const [, output = ""] = /^\$\{\{ steps\.gate\.outputs\.([\w-]+) \}\}$/.exec(predicate.env.STATEMENT) ?? [];
  expect(Object.keys(known)).toContain(output);
  const file = join(runner.folder, "..", "step");
  writeFileSync(file, "");
  const env = { STATEMENT: outputs.get(output) ?? "", GITHUB_OUTPUT: file };
  expect(runner.sh(predicate.run, env)).toMatchObject({ exit: 0 });
  expect(JSON.parse(runner.read(attest.with["predicate-path"]))).toMatchObject({ verdict: "pass" });
  expect(runner.read("../step")).toBe(`type=${PREDICATE_TYPE}\n`);
  expect(attest.with["predicate-type"]).toBe("${{ steps.predicate.outputs.type }}");
});

test.each([
  ["clean.cdx.json", 0],
  ["web-shop.cdx.json", 1],
] as const)("GitLab: the verdict on %s is a signed bundle, and the job exits with %d", (document, exit) => {
  const runner = on(document);
  const job = parse(example("gitlab-attest.yml"))["eolgate verdict"];
  const key = join(runner.folder, "..", "team.key");
  writeFileSync(key, generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }));
  const script = [...job.before_script, ...job.script].join("\n");
  expect(runner.sh(script, { ATTEST_KEY: key }).exit).toBe(exit);
  for (const path of job.artifacts.paths) expect(runner.read(path).length).toBeGreaterThan(100);
  expect(bundleFromJSON(JSON.parse(runner.read("verdict.sigstore.json"))).content.$case).toBe("dsseEnvelope");
  expect(runner.sh(script, { ATTEST_KEY: "missing.key" }).exit).toBe(2);
});

test("cosign: the predicate and its type are attached to the image, with the flags that are given", async () => {
  const runner = on("clean.cdx.json");
  const image = await buildImage([BASE], { env: ["NODE_VERSION=24.1.0"] });
  writeFiles(join(runner.folder, "image"), layoutFiles(indexOf([image.manifest]), [image]));
  const script = join(root, "examples/ci/cosign-attest.sh");
  const { exit, printed } = runner.sh(`sh ${script} oci:image --key cosign.key`);
  expect(exit, printed).toBe(0);
  const words = ["attest", "--yes", "--type", PREDICATE_TYPE, "--predicate", "predicate.json"];
  expect(runner.read("cosign.txt").trim().split("\n")).toEqual([...words, "--key", "cosign.key", "oci:image"]);
  expect(JSON.parse(runner.read("predicate.json"))).toMatchObject({ verdict: expect.any(String) });
});
