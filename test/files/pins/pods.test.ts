/** What runs in a cluster: each image of each workload, with its namespace, its owner and the manifest that runs. */
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { readRunning } from "../../../src/files/read.ts";
import { showsWorkloads } from "../../../src/api/inventory/names.ts";
import { EolgateError } from "../../../src/messages/error.ts";

const FACTS = loadCatalogue().facts;
const A = `sha256:${"a".repeat(64)}`;
const B = `sha256:${"b".repeat(64)}`;

/** `namespace owner container image digest: line name version`, for each image. */
async function shown(text: string): Promise<readonly string[]> {
  const running = await readRunning(new TextEncoder().encode(text), FACTS);
  return running.map(([{ namespace = "-", owner, container, image, digest = "-" }, document]) => {
    const components = Array.from(
      document.components,
      ({ name, version = "-", span }) => `${String(document.position(span.start).line)} ${name} ${version}`,
    );
    return `${namespace} ${owner} ${container} ${image} ${digest.slice(0, 9)}: ${components.join(", ")}`;
  });
}

interface PodOptions {
  readonly name?: string;
  readonly owner?: readonly [kind: string, name: string];
  readonly hash?: string;
  readonly image?: string;
  readonly imageID?: string;
}

const pod = ({ name = "web-1", owner, hash, image = "node:16", imageID }: PodOptions) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name,
    namespace: "shop",
    uid: "1",
    ...(hash !== undefined && { labels: { "pod-template-hash": hash } }),
    ...(owner && { ownerReferences: [{ kind: owner[0], name: owner[1], controller: true }] }),
  },
  spec: { containers: [{ name: "app", image }] },
  status: { containerStatuses: [{ name: "app", ...(imageID !== undefined && { imageID }) }] },
});

const list = (...items: readonly unknown[]): string => JSON.stringify({ apiVersion: "v1", items, kind: "List" });
const one = (options: PodOptions) => shown(list(pod(options)));
const workload = (kind: string, spec: object) => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "web", uid: "1" },
  spec,
});
const TEMPLATE = { template: { spec: { containers: [{ name: "app", image: "node:16" }] } } };

describe("the owner of a Pod", () => {
  test.each<[string, PodOptions, string]>([
    ["itself", {}, "Pod/web-1"],
    ["a Deployment", { owner: ["ReplicaSet", "web-5d4f"], hash: "5d4f" }, "Deployment/web"],
    ["a ReplicaSet without the hash of a Deployment", { owner: ["ReplicaSet", "web-5d4f"] }, "ReplicaSet/web-5d4f"],
    ["a ReplicaSet with another hash", { owner: ["ReplicaSet", "web-5d4f"], hash: "77" }, "ReplicaSet/web-5d4f"],
    ["a StatefulSet", { owner: ["StatefulSet", "db"] }, "StatefulSet/db"],
    ["a Job", { owner: ["Job", "backup-29000000"] }, "Job/backup-29000000"],
    ["the node of a static Pod", { owner: ["Node", "host"] }, "Pod/web-1"],
  ])("is %s", async (_, options, owner) => {
    expect(await one(options)).toEqual([`shop ${owner} app node:16 -: 1 node 16`]);
  });
});

describe("the digest of an image", () => {
  test.each<[string, string]>([
    [`docker.io/library/node@${A}`, "sha256:aa"],
    [`docker-pullable://node@${A}`, "sha256:aa"],
    // The id of a configuration.
    [A, "-"],
    ["", "-"],
    ["node:16", "-"],
  ])("of %s is %s", async (imageID, digest) => {
    expect(await one({ imageID })).toEqual([`shop Pod/web-1 app node:16 ${digest}: 1 node 16`]);
  });

  test("does not replace the tag: an image without one has no version", async () => {
    const image = `node@${B}`;
    expect(await one({ image, imageID: `node@${B}` })).toEqual([`shop Pod/web-1 app ${image} sha256:bb: 1 node -`]);
  });
});

test("Pods of a workload with the same image are one entry, and two manifests are two", async () => {
  const web = (name: string, digest: string) =>
    pod({ name, owner: ["ReplicaSet", "web-1"], hash: "1", imageID: `node@${digest}` });
  expect(await shown(list(web("a", A), web("b", A), web("c", B), workload("Deployment", TEMPLATE)))).toEqual([
    "shop Deployment/web app node:16 sha256:aa: 1 node 16",
    "shop Deployment/web app node:16 sha256:bb: 1 node 16",
    // In no namespace, so it is another workload.
    "- Deployment/web app node:16 -: 1 node 16",
  ]);
  const template = { ...workload("Deployment", TEMPLATE), metadata: { name: "web", namespace: "shop" } };
  expect(await shown(list(template, web("a", A)))).toEqual(["shop Deployment/web app node:16 sha256:aa: 1 node 16"]);
});

test("all kinds of containers are read, and models in their arguments", async () => {
  const containers = (name: string, image: string, more = {}) => [{ name, image, ...more }];
  const spec = {
    initContainers: containers("init", "python:3.8"),
    containers: containers("app", "node:16", { args: ["--model gpt-4-0314"] }),
    ephemeralContainers: containers("debug", "alpine:3.14"),
  };
  expect(await shown(list({ kind: "Pod", metadata: { name: "web", namespace: "shop" }, spec }))).toEqual([
    "shop Pod/web init python:3.8 -: 1 python 3.8",
    "shop Pod/web app node:16 -: 1 node 16, 1 gpt-4-0314 -",
    "shop Pod/web debug alpine:3.14 -: 1 alpine 3.14",
  ]);
});

describe("a list has", () => {
  test.each<[string, object]>([
    ["Deployment", TEMPLATE],
    ["StatefulSet", TEMPLATE],
    ["DaemonSet", TEMPLATE],
    ["ReplicaSet", { ...TEMPLATE, replicas: 1 }],
    ["Job", TEMPLATE],
    ["CronJob", { jobTemplate: { spec: TEMPLATE } }],
    ["Service", TEMPLATE],
  ])("a %s", async (kind, spec) => {
    expect(await shown(list(workload(kind, spec)))).toEqual([`- ${kind}/web app node:16 -: 1 node 16`]);
  });

  test("no earlier revision of a Deployment", async () => {
    expect(await shown(list(workload("ReplicaSet", { ...TEMPLATE, replicas: 0 })))).toEqual([]);
  });

  test("items without a kind, if the list has one", async () => {
    const { spec, metadata } = pod({});
    const text = JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata: {}, items: [{ metadata, spec }] });
    expect(await shown(text)).toEqual(["shop Pod/web-1 app node:16 -: 1 node 16"]);
  });
});

const YAML = `apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: grüße-1
    namespace: shop
    ownerReferences:
    - controller: true
      kind: ReplicaSet
      name: web-1
    labels:
      pod-template-hash: "1"
  spec:
    containers:
    - image: node:16
      name: app
  status:
    containerStatuses:
    - imageID: docker.io/library/node@${A}
      name: app
kind: List
`;

test("YAML is read like JSON, and each image has its line", async () => {
  expect(await shown(YAML)).toEqual(["shop Deployment/web app node:16 sha256:aa: 16 node 16"]);
  expect(await shown(JSON.stringify(pod({}), null, 1))).toEqual(["shop Pod/web-1 app node:16 -: 13 node 16"]);
});

test.each([
  ["a manifest", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: node:16}]}\n"],
  ["an empty list", list()],
  ["a list of other objects", list({ kind: "ConfigMap", data: { image: "node:16" } })],
  ["a list without text in it", list(null, 1, { kind: 1, metadata: [], spec: { containers: {} } })],
  ["a container without an image", list(workload("Pod", { containers: [{ name: "a" }, { image: " " }, null] }))],
])("%s has none", async (_, text) => {
  expect(await shown(text)).toEqual([]);
});

test("a damaged text is refused with its line", async () => {
  await expect(shown(`${YAML}a: [`)).rejects.toThrow(EolgateError);
  await expect(shown('{"kind": "List", "items": [')).rejects.toThrow(EolgateError);
});

describe("the beginning of", () => {
  test.each([
    ["a list", list(pod({})), true],
    ["a list in YAML", YAML, true],
    ["a typed list", '{"kind":"PodList","apiVersion":"v1"}', true],
    ["a manifest", "---\napiVersion: apps/v1\nkind: Deployment\n", true],
    ["an SBOM", '{"bomFormat": "CycloneDX", "metadata": {"kind": "Pod"}}', false],
    ["other objects", list({ kind: "ConfigMap" }), false],
    ["a kind with a longer name", '{"kind": "PodDisruptionBudget", "apiVersion": "v1"}', false],
  ])("%s shows workloads: %#", (_, text, expected) => {
    expect(showsWorkloads(text)).toBe(expected);
  });
});
