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
