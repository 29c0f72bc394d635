/** `kubectl get pods -A -o json | eolgate check -`: what runs in a cluster, from standard input and from files. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommand } from "../fake-io.ts";

const catalogue = join(fileURLToPath(new URL("../../..", import.meta.url)), "test/fixtures/catalogue.json");
const DIGEST = `sha256:${"a".repeat(64)}`;

const pod = (namespace: string, name: string, image: string, imageID?: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: `${name}-5d4f-x`,
    namespace,
    labels: { "pod-template-hash": "5d4f" },
    ownerReferences: [{ kind: "ReplicaSet", name: `${name}-5d4f`, controller: true }],
  },
  spec: { containers: [{ name: "app", image }] },
  ...(imageID !== undefined && { status: { containerStatuses: [{ name: "app", imageID }] } }),
});
const PODS = [
  pod("shop", "web", "node:16", `docker.io/library/node@${DIGEST}`),
  pod("shop", "own", "registry.example.com/team/own:1"),
];
const LIST = JSON.stringify({ apiVersion: "v1", items: PODS, kind: "List" }, null, 2);
const YAML = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: 'node:16'}]}\n";

const folder = (files: Readonly<Record<string, string>> = {}): string => {
  const cwd = mkdtempSync(join(tmpdir(), "eolgate-pods-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
};
const check = (cwd: string, stdin: string, ...args: readonly string[]) =>
  runCommand(["check", ...args, "--catalogue", catalogue, "--as-of", "2026-08-22"], { cwd, stdin });

interface Shown {
  readonly document: { readonly file: string };
  readonly subject: { readonly name: string; readonly image_digest: string | null };
  readonly labels: Readonly<Record<string, string>>;
}
const documentsOf = (out: string) =>
  (JSON.parse(out) as { documents: readonly Shown[] }).documents.map(({ document, subject, labels }) => [
    document.file,
    subject.name,
    subject.image_digest,
    labels,
  ]);

const expected = (file: string) => [
  [`${file} (Deployment web, shop, app)`, "node:16", DIGEST, { namespace: "shop", owner: "Deployment/web" }],
  [
    `${file} (Deployment own, shop, app)`,
    "registry.example.com/team/own:1",
    null,
    { namespace: "shop", owner: "Deployment/own" },
  ],
];

test("images of Pods are documents with the namespace and the owner as labels", async () => {
  const { exit, out } = await check(folder(), LIST, "-", "--format", "json");
  expect([exit, documentsOf(out)]).toEqual([1, expected("<stdin>")]);
});

test("a file is read in the same way, also in a run over many, and has labels of its path", async () => {
  const cwd = folder({ "eu.json": LIST, "us.json": LIST });
  const { out } = await check(cwd, "", "eu.json", "--format", "json", "--label", "cluster={file}");
  const labelled = (documentsOf(out)[0] ?? [])[3];
  expect(labelled).toEqual({
    namespace: "shop",
    owner: "Deployment/web",
    cluster: "eu.json",
  });
  const fleet = await check(cwd, "", "eu.json", "us.json", "--jobs", "1", "--format", "ndjson");
  const files = fleet.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { record: string; file: string })
    .flatMap(({ record, file }) => (record === "document" ? [file] : []));
  expect(files).toEqual([...expected("eu.json"), ...expected("us.json")].map(([file]) => file));
});

test("images that are not known do not hide those that fail", async () => {
  const known = JSON.stringify({ apiVersion: "v1", items: PODS.slice(0, 1), kind: "List" });
  const unknown = JSON.stringify({ apiVersion: "v1", items: PODS.slice(1), kind: "List" });
  expect((await check(folder(), known, "-")).exit).toBe(1);
  expect((await check(folder(), unknown, "-")).exit).toBe(6);
});

describe("standard input", () => {
  test.each([
    ["a manifest", YAML, 1, /Node\.js 16/],
    ["an empty list", '{"apiVersion": "v1", "kind": "PodList", "items": []}', 3, /has no components/],
    ["a damaged list", `${LIST}]`, 3, /kubernetes|JSON/],
  ])("with %s", async (_, stdin, exit, text) => {
    const result = await check(folder(), stdin, "-");
    expect(result.exit).toBe(exit);
    expect(`${result.out}${result.err}`).toMatch(text);
  });
});

test("the file is not overwritten", async () => {
  const { exit, err } = await check(folder({ "pods.json": LIST }), "", "pods.json", "-o", "pods.json");
  expect([exit, err]).toEqual([2, expect.stringContaining("would overwrite a document")]);
});
