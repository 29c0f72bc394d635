/**
 * A file that names software is judged, or counted and named as not read, whatever its name is. The tables have names and
 * kinds that projects use; the properties generate others.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { array, assert, asyncProperty, constantFrom, stringMatching, tuple, uniqueArray } from "fast-check";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { readFolder } from "../../../src/api/inventory/folder.ts";
import type { FolderContents } from "../../../src/api/input.ts";
import { type Files, writeFiles } from "../../images/build.ts";

const { facts } = loadCatalogue();

function read(files: Files): Promise<FolderContents> {
  // With a file that is always read, because a folder without any is refused.
  const folder = writeFiles(mkdtempSync(join(tmpdir(), "eolgate-silent-")), { "own/.nvmrc": "22\n", ...files });
  return readFolder(folder, folder, { facts });
}

/** File → `name version` of its components, or `not read`. */
async function answers(files: Files): Promise<ReadonlyMap<string, readonly string[]>> {
  const { inputs, coverage } = await read(files);
  const found = new Map<string, readonly string[]>();
  const pathOf = (file: string): string => file.slice(coverage.folder.length + 1);
  for (const { examples } of coverage.notRead) for (const file of examples) found.set(pathOf(file), ["not read"]);
  for (const input of inputs) {
    if (!("document" in input)) throw new Error(`${input.file} is no document`);
    found.set(
      pathOf(input.file),
      [...input.document.components].map(({ name, version = "-" }) => `${name} ${version}`),
    );
  }
  return found;
}

type Case = readonly [path: string, text: string, expected: readonly string[]];

async function expectAll(cases: readonly Case[]): Promise<void> {
  const found = await answers(Object.fromEntries(cases.map(([path, text]) => [path, text])));
  expect(cases.map(([path]) => [path, found.get(path)])).toEqual(cases.map(([path, , expected]) => [path, expected]));
}

const COMPOSE = "# database\nversion: '3'\nservices:\n  db:\n    image: mysql:5.6\n";
const COMPOSE_NAMES =
  "docker-compose.yml compose.yaml docker-compose.override.yml docker-compose-prod.yml compose-dev.yaml docker-stack.yml local.yml " +
  "docker-compose.yml.j2 docker-compose_test.yml production.yml docker_compose.yml dockercompose.yaml stack.yml deploy/swarm.yaml " +
  "docker-compose.yml.example docker-compose.dist.yml.tmpl infra/db.yml dev.docker-compose.yml docker-compose-ci portainer.template";

const DOCKERFILE = "# syntax=docker/dockerfile:1\n\nARG FLAVOUR=alpine\nFROM node:14 AS build\nRUN make\n";
const DOCKERFILE_NAMES =
  "Dockerfile Containerfile Dockerfile.prod prod.Dockerfile Dockerfile-prod Dockerfile_prod Dockerfile.j2 Dockerfile.txt docker/build.df " +
  "Containerfile-dev images/node.docker dockerfile Dockerfile.in image.tmpl";

const WORKFLOW = "on: push\njobs:\n  a:\n    container: node:14\n    steps: [{ run: make }]\n";
const LOCKFILES: Readonly<Record<string, string>> = {
  "locks/npm-6.json":
    '{\n  "name": "a",\n  "version": "1.0.0",\n  "lockfileVersion": 3,\n  "packages": {"node_modules/b": {"version": "2.0.0"}}\n}\n',
  "Gemfile.next.lock": "GEM\n  remote: https://rubygems.org/\n  specs:\n    b (2.0.0)\n\nDEPENDENCIES\n  b\n",
};

describe("kinds by content", () => {
  test("reads a compose file by any name", () =>
    expectAll(COMPOSE_NAMES.split(" ").map((path) => [path, COMPOSE, ["mysql 5.6"]])));

  test("reads a Dockerfile by any name", () =>
    expectAll(DOCKERFILE_NAMES.split(" ").map((path) => [path, DOCKERFILE, ["node 14"]])));

  test("reads pipelines, manifests and lockfiles by any name", () =>
    expectAll([
      [".gitea/workflows/ci.yml", WORKFLOW, ["node 14"]],
      [".forgejo/workflows/ci.yaml", WORKFLOW, ["node 14"]],
      ["ci/reusable.yml", WORKFLOW, ["node 14"]],
      ["ci/templates/build.yml", "stages: [a]\nbuild:\n  image: node:14\n  script: [make]\n", ["node 14"]],
      [
        "build/job.yaml",
        "jobs:\n- job: a\n  container: node:14\n  pool: { vmImage: x }\n  steps: []\n",
        ["node 14", "x -"],
      ],
      [
        "Earthfile",
        "VERSION 0.8\nbuild:\n  FROM node:14\nall:\n  FROM +build\n  WITH DOCKER --pull mysql:5.6\n",
        ["node 14", "mysql 5.6"],
      ],
      ["scripts/release.groovy", "pipeline {\n  agent { docker { image 'node:14' } }\n}\n", ["node 14"]],
      [
        "pods.json",
        '{"apiVersion":"v1","kind":"List","items":[{"spec":{"containers":[{"image":"mysql:5.6"}]}}]}',
        ["mysql 5.6"],
      ],
      [
        "stack.json",
        '{"Resources":{"F":{"Type":"AWS::Lambda::Function","Properties":{"Runtime":"nodejs14.x"}}}}',
        ["aws-lambda nodejs14.x"],
      ],
      ...Object.entries(LOCKFILES).map(([path, text]): Case => [path, text, ["b 2.0.0"]]),
    ]));

  test("reads a manifest behind others, and not one that is a picture or a program", async () => {
    const definitions = `${"# definitions\n".repeat(2000)}apiVersion: v1\nkind: CustomResourceDefinition\n---\n`;
    const pod = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: mysql:5.6\n";
    const found = await answers({
      "all.yaml": definitions + pod,
      "a.png": DOCKERFILE,
      "b.ts": COMPOSE,
      "c.md": DOCKERFILE,
    });
    expect([...found]).toEqual([
      ["all.yaml", ["mysql 5.6"]],
      ["own/.nvmrc", ["node 22"]],
    ]);
  });

  test("does not take texts for kinds that they only resemble", async () => {
    const found = await answers({
      "template.yml": "Resources: none\n",
      "notes.cfg": "From here on, images are described.\n",
      README: "FROM the beginning of time\nRUN away\n",
      "locale.json": '{"image": "Picture", "services": "Services", "on": "On", "jobs": "Jobs"}',
      "symfony.yaml": "services:\n  app.mailer:\n    class: Mailer\n",
      binary: "FROM node:14\n\0",
    });
    expect([...found]).toEqual([["own/.nvmrc", ["node 22"]]]);
  });

  test("reads a Dockerfile and a compose file by names that nobody listed", async () => {
    const word = stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
    const name = tuple(word, array(constantFrom("dev", "x1", "yml", "yaml", "conf", "j2"), { maxLength: 2 }));
    await assert(
      asyncProperty(uniqueArray(name, { minLength: 8, maxLength: 8, selector: ([first]) => first }), async (names) => {
        const paths = names.map(([first, ends]) => [first, ...ends].join("."));
        await expectAll([
          ...paths.map((path): Case => [`a/${path}`, DOCKERFILE, ["node 14"]]),
          ...paths.map((path): Case => [`b/${path}`, COMPOSE, ["mysql 5.6"]]),
        ]);
      }),
      { numRuns: 20 },
    );
  });
});

const PG = ["postgres 9.6"];
const NODE = ["node 14"];
/** Kinds without a reader of their own, one example each. */
const CONFIGURATION: readonly Case[] = [
  ["tekton.yaml", "apiVersion: tekton.dev/v1\nkind: Task\nspec:\n  steps:\n  - image: node:14\n", NODE],
  [
    "argo.yaml",
    "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n  templates:\n  - script: { image: node:14 }\n",
    NODE,
  ],
  [
    "flux.yaml",
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  chart: { spec: { chart: redis, version: 10.1.0 } }\n",
    ["redis 10.1.0"],
  ],
  [
    "app.yaml",
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source: { chart: redis, targetRevision: 10.1.0 }\n",
    ["redis 10.1.0"],
  ],
  ["helmfile.yaml", "releases:\n- name: cache\n  chart: bitnami/redis\n  version: 10.1.0\n", ["redis 10.1.0"]],
  [
    "pg.yaml",
    "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nspec: { imageName: ghcr.io/cloudnative-pg/postgresql:11.2 }\n",
    ["postgresql 11.2"],
  ],
  ["ecs.json", '{"family":"a","containerDefinitions":[{"name":"db","image":"postgres:9.6"}]}', PG],
  ["play.yml", "- hosts: all\n  tasks:\n  - docker_container: { name: db, image: 'postgres:9.6' }\n", PG],
  ["group_vars/all.yml", "postgresql_version: 9.6\napp_version: 3.1\n", ["postgresql 9.6"]],
  ["defaults.yml", "nodejs_version: '14.x'\nphp_versions: ['7.4', '8.0']\n", ["node 14", "php 7.4", "php 8.0"]],
  ["fly.toml", 'app = "a"\n[build]\nimage = "postgres:9.6"\n', PG],
  ["render.yaml", "services:\n- type: web\n  envVars:\n  - key: NODE_VERSION\n    value: 14.17.0\n", ["node 14.17.0"]],
  ["databases.yml", "databases:\n- name: db\n  postgresMajorVersion: '12'\n", ["postgresql 12"]],
  ["Dockerrun.aws.json", '{"AWSEBDockerrunVersion":"1","Image":{"Name":"node:14"}}', NODE],
  ["docker-bake.hcl", 'target "a" {\n  contexts = { base = "docker-image://node:14" }\n}\n', NODE],
  ["bake-args.hcl", 'target "a" {\n  args = { NODE_VERSION = "14" }\n}\n', NODE],
  ["job.nomad", 'job "db" {\n  # image = "mysql:5.6"\n  config { image = "postgres:9.6" }\n}\n', PG],
  ["devbox.json", '{"packages": ["nodejs@14", "python@3.8"]}', ["node 14", "python 3.8"]],
  [
    "concourse.yml",
    "jobs:\n- plan:\n  - config: { image_resource: { source: { repository: node, tag: '14' } } }\n",
    NODE,
  ],
  ["copilot/manifest.yml", "image:\n  location: postgres:9.6\n", PG],
  ["wercker.yml", "box: node:14\n", NODE],
  [".platform.app.yaml", "type: 'php:7.4'\nrelationships: { db: 'db:mysql' }\n", ["php 7.4"]],
  [".ddev/config.yaml", "php_version: '7.4'\ndatabase: { type: mysql, version: '5.7' }\n", ["php 7.4", "mysql 5.7"]],
  [".gitpod.yml", "image: node:14\n", NODE],
  ["werf.yaml", "image: a\nfrom: node:14\n", NODE],
  ["apprunner.yaml", "runtime: python3\nruntime-version: 3.7\n", ["python 3"]],
  ["app-engine.yaml", "runtime: python37\n", ["python 3.7"]],
  ["host/functions.yml", "functions:\n  a: { runtime: go116 }\n", ["go 1.16"]],
  ["serverless.yml", "provider: { name: google, runtime: nodejs14 }\n", NODE],
  [
    "kops.yaml",
    "apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nspec: { kubernetesVersion: 1.19.0 }\n",
    ["kubernetes 1.19.0"],
  ],
  ["rke.yml", "kubernetes_version: v1.18.3-rancher2-2\n", ["kubernetes v1.18.3-rancher2-2".replace(" v", " ")]],
  ["codeship-services.yml", "db:\n  image: postgres:9.6\n", PG],
  ["buddy.yml", "- pipeline: a\n  docker_image_name: node\n  docker_image_tag: '14'\n", NODE],
  ["screwdriver.yaml", "jobs:\n  a:\n    image: node:14\n", NODE],
  ["molecule.yml", "platforms:\n- image: node:14\n", NODE],
  ["values-schema.json5", "{ // default\n  image: 'node:14',\n}\n", NODE],
  ["deploy.jsonnet", "{ local x = 1,\n  image: 'node:14',\n}\n", NODE],
  ["deploy.cue", 'container: {\n\timage: "node:14"\n}\n', NODE],
  [".env.example", "NODE_VERSION=14\nPORT=80\n", NODE],
  ["deploy.conf", "image = node:14\n", NODE],
  [
    "templates/pod.yaml",
    "apiVersion: v1\nkind: Pod\n{{- if .x }}\nspec:\n  containers:\n  - image: node:14\n{{- end }}\n",
    NODE,
  ],
  ["compose.tmpl", "{% if db %}\nservices:\n  db:\n    image: postgres:9.6\n{% endif %}\n", PG],
  [
    "pods.list.json",
    '{"apiVersion":"v1","kind":"PodList","items":[{"spec":{"containers":[{"image":"node:14"}]},"status":{"containerStatuses":[{"image":"node:14"}]}}]}',
    NODE,
  ],
];

/** What is named, because its images are computed or started by commands. */
const NAMED: readonly (readonly [path: string, text: string])[] = [
  [
    "templates/app.yaml",
    'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: "{{ .Values.image }}:{{ .Values.tag }}"\n',
  ],
  ["run.sh", "docker run --rm node:14 npm test\n"],
  ["Makefile", "test:\n\tpodman run mysql:5.6\n"],
  ["build.gradle.kts.tpl", 'image = "${registry}/base"\n'],
  ["inventory.json", '{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [{"name": "node:14"}]}'],
  ["stack.ini", "image = registry.example.org/team/base\n"],
];

describe("configuration without a reader of its own", () => {
  test.each(CONFIGURATION)("%s", (...each) => expectAll([each]));
  test.each(NAMED)("%s is named as not read", (path, text) => expectAll([[path, text, ["not read"]]]));

  test("is not read where a value is something else", async () => {
    const found = await answers({
      "hosts.yml": "cache: redis:6379\nweb: nginx:80\n",
      "picture.json":
        '{"image": "logo.png", "images": ["a.svg"], "ratio": "16:9", "image_url": "https://example.org/a:1"}',
      "release.toml": 'version = "1.2"\napi_version = "2"\nschema_version = "1"\n',
      "post.yaml": "title: The image of the city\nimage: cover\ndate: 2020-01-01 10:20\n",
      "package.nls.json": '{"name": "redis", "version": "3.0.0"}',
    });
    expect([...found]).toEqual([["own/.nvmrc", ["node 22"]]]);
  });

  test("finds images and versions under names and in kinds that nobody listed", async () => {
    const word = stringMatching(/^[a-z]{3,8}$/);
    const form = constantFrom<(key: string) => string>(
      (key) => `${key}:\n  - x: 1\n    image: postgres:9.6\n`,
      (key) => `{"${key}": {"image": "postgres:9.6"}}`,
      (key) => `[${key}]\nimage = "postgres:9.6"\n`,
      (key) => `${key} "a" {\n  image = "postgres:9.6"\n}\n`,
      (key) => `${key}:\n  image:\n    repository: postgres\n    tag: "9.6"\n`,
      (key) => `{% if ${key} %}\n${key}:\n  base_image: postgres:9.6\n{% endif %}\n`,
      (key) => `# ${key}\ndocker run postgres:9.6\n`,
    );
    const file = tuple(word, constantFrom("", ".yml", ".json", ".toml", ".conf", ".hcl", ".x", ".tpl"), form);
    await assert(
      asyncProperty(uniqueArray(file, { minLength: 10, maxLength: 10, selector: ([name]) => name }), async (files) => {
        const texts = files.map(([name, end, text]) => [`${name}${end}`, text(name)] as const);
        const found = await answers(Object.fromEntries(texts));
        const silent = texts.filter(([path]) => !["postgres 9.6", "not read"].includes(found.get(path)?.[0] ?? ""));
        // The first three files of one reason are named, the others are counted.
        expect(silent.filter(([, text]) => !text.includes("docker run"))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
