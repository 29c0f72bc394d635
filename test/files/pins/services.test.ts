/** Files of build services and platforms, computed values, and what one file reads of its neighbours. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../cli/fake-io.ts";
import { type Files, writeFiles } from "../../images/build.ts";

interface JsonDocument {
  readonly findings: readonly {
    readonly name: string;
    readonly version: string | null;
    readonly product: string;
    readonly cycle: string;
  }[];
  readonly unmatched: readonly {
    readonly component: string;
    readonly version: string | null;
    readonly reason: string;
  }[];
}
interface JsonReport {
  readonly documents: readonly JsonDocument[];
  readonly folders: readonly { readonly not_read: readonly { readonly kind: string; readonly reason: string }[] }[];
  readonly failed: readonly { readonly file: string; readonly code: string }[];
}

async function check(files: Files) {
  const cwd = writeFiles(mkdtempSync(join(tmpdir(), "eolgate-services-")), files);
  const { out, exit } = await runCommand(["check", ".", "--format", "json", "--as-of", "2026-11-23"], { cwd });
  if (out === "") return { exit, found: [], unread: [], failed: [] };
  const { documents, folders, failed } = JSON.parse(out) as JsonReport;
  const found = documents.flatMap(({ findings, unmatched }) => [
    ...findings.map(({ name, version, product, cycle }) => `${name} ${version ?? "-"} → ${product}:${cycle}`),
    ...unmatched.map(({ component, version, reason }) => `${component} ${version ?? "-"} ? ${reason}`),
  ]);
  return {
    exit,
    found,
    unread: folders.flatMap((folder) => folder.not_read.map(({ kind, reason }) => `${kind} ${reason}`)),
    failed: failed.map(({ code }) => code),
  };
}

const POD = (image: string): string =>
  `{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: "${image}"}]}}\n`;
const TF = "main.tf";
const UBUNTU_18 = ["ubuntu 18.04 → ubuntu:18.04", "ubuntu-18.04 ubuntu-18.04 → azure-pipelines-agent:ubuntu-18.04"];

describe("a file of a build service or a platform", () => {
  test.each<readonly [string, string, readonly string[]]>([
    [
      "bitbucket-pipelines.yml",
      "image: node:16\npipelines:\n  default:\n    - step:\n        image: { name: python:3.7 }\n",
      ["node 16 → nodejs:16", "python 3.7 → python:3.7"],
    ],
    [".drone.yml", "steps:\n  - name: a\n    image: golang:1.18\n", ["golang 1.18 → go:1.18"]],
    [".woodpecker/test.yaml", "steps:\n  a:\n    image: ruby:2.7\n", ["ruby 2.7 → ruby:2.7"]],
    [".cirrus.yml", "task:\n  container:\n    image: php:7.4\n", ["php 7.4 → php:7.4"]],
    [
      ".buildkite/pipeline.yml",
      "steps:\n  - plugins:\n      - docker#v5:\n          image: node:18\n",
      ["node 18 → nodejs:18"],
    ],
    [
      "cloudbuild.yaml",
      "steps:\n  - name: node:14\n  - name: gcr.io/project/of-ours\n",
      ["node 14 → nodejs:14", "of-ours - ? purl-not-tracked"],
    ],
    [
      ".pre-commit-config.yaml",
      "default_language_version:\n  python: python3.8\nrepos: []\n",
      ["python 3.8 → python:3.8"],
    ],
    [
      "kustomization.yaml",
      "images:\n  - name: web\n    newName: nginx\n    newTag: 1.20-alpine\n  - name: redis\n    newTag: '6.0'\n",
      ["nginx 1.20-alpine → nginx:1.20", "redis 6.0 → redis:6.0"],
    ],
    [
      "kustomization.yaml",
      "images:\n  - name: web\n    newName: nginx\n  - name: redis\n    digest: sha256:0123456789abcdef0123456789abcdef\n  - name: alone\n  - { name: mysql, newTag: '' }\n",
      ["nginx - ? no-version", "redis - ? no-version", "mysql - ? no-version"],
    ],
    [
      ".semaphore/semaphore.yml",
      "agent:\n  machine:\n    type: e1\n    os_image: ubuntu2004\nblocks:\n  - agent: { machine: { os_image: macos-xcode15 } }\n",
      ["ubuntu 20.04 → ubuntu:20.04", "macos-xcode15 - ? name-not-recognised"],
    ],
    [
      ".cirrus.yml",
      "freebsd_instance:\n  image_family: freebsd-13-2-snap\na_task:\n  compute_engine_instance: { image_family: debian-11 }\nb_task:\n  gce_instance: { image_family: ubuntu-2204-lts }\nc_task:\n  gce_instance: { image_family: of-ours-12 }\n",
      [
        "freebsd 13.2 → freebsd:13.2",
        "debian 11 → debian:11",
        "ubuntu 22.04 → ubuntu:22.04",
        "of-ours-12 - ? name-not-recognised",
      ],
    ],
    [
      ".pre-commit-config.yaml",
      "repos:\n  - hooks:\n      - { id: black, language_version: python3.8 }\n      - { id: eslint, language: node, language_version: 16.14.0 }\n      - { id: prettier, language_version: 14.0.0 }\n      - { id: flake8, language_version: system }\n",
      [
        "python 3.8 → python:3.8",
        "node 16.14.0 → nodejs:16",
        "language_version of prettier 14.0.0 ? name-not-recognised",
      ],
    ],
    [
      "netlify.toml",
      '[context.production.environment]\nNODE_VERSION = "16"\n[context."branch/a".environment]\nPYTHON_VERSION = "3.8"\nOTHER = "1"\n',
      ["node 16 → nodejs:16", "python 3.8 → python:3.8"],
    ],
    ["app.yaml", POD("node:16"), ["node 16 → nodejs:16"]],
    ["template.yaml", POD("node:16"), ["node 16 → nodejs:16"]],
    [
      "app/buildspec.yml",
      "phases:\n  install:\n    runtime-versions:\n      nodejs: 18\n      java: corretto8\n      golang: latest\n    commands: ['python: 3.7']\nother:\n  runtime-versions: { ruby: 2.7 }\n",
      ["node 18 → nodejs:18", "amazon-corretto 8 → amazon-corretto:8", "go - ? no-version"],
    ],
    [
      "Dockerfile",
      "FROM gcr.io/distroless/nodejs18-debian12:nonroot\nFROM gcr.io/distroless/nodejs24-debian13\nFROM gcr.io/distroless/java17-debian12\n",
      [
        "nodejs18-debian12 nonroot → nodejs:18",
        "debian 12 → debian:12",
        "nodejs24-debian13 - → nodejs:24",
        "debian 13 → debian:13",
        "java17-debian12 - → debian:12",
        "debian 12 → debian:12",
      ],
    ],
    ["docker_build_buildspec.yaml", "phases: { build: { runtime-versions: { php: 7.4 } } }\n", ["php 7.4 → php:7.4"]],
    [".bazelversion", "6.4.0\n", ["bazel 6.4.0 → bazel:6"]],
    [".bazelversion", "6.x\n", ["bazel 6 → bazel:6"]],
    [".azdo/pipelines/azure-dev.yml", "pool: { vmImage: ubuntu-18.04 }\n", UBUNTU_18],
    [".azure-pipelines/a/b.yml", "pool: { vmImage: ubuntu-18.04 }\n", UBUNTU_18],
    [
      ".circleci/config.yml",
      "jobs: { a: { docker: [image: 'postgres:<< parameters.tag >>', image: '<< parameters.image >>'] } }\n",
      ["postgres << parameters.tag >> ? computed-value", "<< parameters.image >> - ? computed-value"],
    ],
    [
      ".devcontainer.json",
      '{"features": {"ghcr.io/devcontainers/features/dotnet:2": {"version": "none", "dotnetRuntimeVersions": "6.0, 10.0", "aspNetCoreRuntimeVersions": "8.0"}, "ghcr.io/devcontainers/features/node:1": {"version": "22", "additionalVersions": "18,18.20.1", "nodeGypDependencies": true}}}',
      [
        "dotnet 6.0 → dotnet:6",
        "dotnet 10.0 → dotnet:10",
        "dotnet 8.0 → dotnet:8",
        "node 22 → nodejs:22",
        "node 18 → nodejs:18",
        "node 18.20.1 → nodejs:18",
      ],
    ],
    ["web.container", "[Container]\nImage=docker.io/library/postgres:11\n", ["postgres 11 → postgresql:11"]],
    ["netlify.toml", '[build.environment]\n  NODE_VERSION = "16"\n  OTHER = "1"\n', ["node 16 → nodejs:16"]],
    ["system.properties", "java.runtime.version=8\n", ["java 8 ? version-ambiguous"]],
    [".fvmrc", '{"flutter": "3.7.0"}', ["flutter 3.7.0 ? name-not-recognised"]],
    ["project/build.properties", "sbt.version=1.5.0\n", ["sbt 1.5.0 ? name-not-recognised"]],
    ["build.sbt", 'scalaVersion := "2.12.10"\n', ["scala 2.12.10 → scala:2.12"]],
    ["go.work", "go 1.18\n\nuse ./a\n", ["go 1.18 → go:1.18"]],
    [
      "packages.config",
      '<packages><package id="EntityFramework" version="5.0.0" /></packages>',
      ["EntityFramework 5.0.0 → entity-framework-6:5.0"],
    ],
  ])("%s", async (path, text, expected) => {
    const { found } = await check({ [path]: text });
    expect(found.filter((each) => !each.startsWith("alpine"))).toEqual(expected);
  });

  test.each<readonly [string, string, string]>([
    [".terraform.lock.hcl", "", ".terraform.lock.hcl not-supported"],
    ["Pulumi.yaml", "name: a\n", "Pulumi projects not-supported"],
    ["main.bicep", "", "Bicep files not-supported"],
    ["image.pkr.hcl", "", "Packer templates not-supported"],
    ["vercel.json", "{}", "vercel.json not-supported"],
    ["appveyor.yml", "image: x\n", "AppVeyor pipelines not-supported"],
    ["deno.lock", "{}", "deno.lock not-supported"],
    ["environment.yml", "name: a\n", "conda environments not-supported"],
    ["conda-lock.yml", "version: 1\n", "conda environments not-supported"],
    ["pixi.lock", "version: 5\n", "conda environments not-supported"],
    ["Vagrantfile", "", "Vagrant and molecule not-supported"],
    ["app.yaml", "runtime: custom\n", "App Engine services not-supported"],
    ["app.json", '{"stack": "heroku-20"}', "Heroku stacks not-supported"],
    ["requirements.in", "flask\n", "requirements.in no-lockfile"],
    ["MODULE.bazel", "", "Bazel modules not-supported"],
    ["WORKSPACE", "", "Bazel modules not-supported"],
    ["shell.nix", "", "Nix files not-supported"],
    ["cdk.json", "{}", "AWS CDK apps not-supported"],
    ["setup.py", "setup(install_requires=[])\n", "setup.py no-lockfile"],
  ])("%s is named as not read", async (path, text, expected) => {
    expect((await check({ [path]: text, ".nvmrc": "24\n" })).unread).toEqual([expected]);
  });

  test.each([
    "application.yaml",
    "app.yaml",
    "app.json",
    "Bicep.txt",
    "setup.cfg",
    "container.txt",
    "my-environment.yaml",
    "pulumi.txt",
    "vercel.jsonc",
    "azdo/pipelines/a.yml",
    "BUILD.bazel",
    "my-cdk.json",
  ])("%s is none of them", async (path) => {
    const { found, unread } = await check({ [path]: "title: a\n", ".nvmrc": "24\n" });
    expect([found, unread]).toEqual([["node 24 → nodejs:24"], []]);
  });

  test.each([
    ["bitbucket-pipelines.yml", "image: [\n"],
    ["netlify.toml", "[build\n"],
    [".fvmrc", "{"],
    ["packages.config", "<packages>"],
    [".drone.yml", "steps: [\n"],
    [".woodpecker/a.yml", "steps: [\n"],
    [".buildkite/pipeline.yml", "steps: [\n"],
    [".cirrus.yml", "task: [\n"],
    [".semaphore/semaphore.yml", "agent: [\n"],
    ["cloudbuild.yaml", "steps: [\n"],
    [".pre-commit-config.yaml", "repos: [\n"],
    ["kustomization.yaml", "images: [\n"],
    ["Chart.yaml", "dependencies: [\n"],
  ])("%s that cannot be parsed is an error", async (path, text) => {
    const { exit, failed } = await check({ [path]: text, ".nvmrc": "24\n" });
    expect([exit, failed.length]).toEqual([3, 1]);
  });
});

describe("values that another place states", () => {
  test.each<readonly [string, Files, readonly string[]]>([
    [
      "a merge key of compose",
      { "compose.yml": "x-db: &db\n  image: postgres:11\nservices:\n  a:\n    <<: *db\n  b:\n    <<: *db\n" },
      ["postgres 11 → postgresql:11"],
    ],
    [
      "properties of Gradle: of the folder, else of the one above, and of none",
      {
        "gradle.properties": "boot=2.5.0\nkotlin = 1.6.21\n#spring=5.2.1\n",
        "build.gradle":
          'plugins { id "org.springframework.boot" version "${boot}" }\ndependencies { api "org.springframework:spring-core:$spring" }\n',
        "app/gradle.properties": "boot=2.7.1\n",
        "app/build.gradle.kts":
          'plugins { id("org.springframework.boot") version "$boot" }\ndependencies { implementation("org.jetbrains.kotlin:kotlin-stdlib:$kotlin") }\n',
        "a/b/c/d/build.gradle":
          'dependencies { implementation group: "org.jetbrains.kotlin", name: "kotlin-stdlib", version: kotlin }\n',
      },
      [
        "org.jetbrains.kotlin:kotlin-stdlib ${kotlin} ? computed-value",
        "org.springframework.boot 2.7.1 → spring-boot:2.7",
        "org.jetbrains.kotlin:kotlin-stdlib 1.6.21 → kotlin:1.6",
        "org.springframework.boot 2.5.0 → spring-boot:2.5",
        "org.springframework:spring-core ${spring} ? computed-value",
      ],
    ],
    [
      "variables of compose: of the file .env, which overrides defaults, and of none",
      {
        "a/.env": `EMPTY=\nPG=11 # old\nexport NODE="node:16"\nTWO="17 alpine"\n`,
        "a/compose.yml":
          'services:\n  a: { image: "postgres:${PG}" }\n  b: { image: $NODE }\n  c: { image: "redis:${EMPTY:-5.0}" }\n  d: { image: "ruby:${PG:-2.7}" }\n  e: { image: "$OTHER" }\n  f: { image: "python:$OTHER" }\n  g: { image: "mysql:${PG:?not set}" }\n  h: { image: "mysql:${EMPTY:?not set}" }\n  i: { image: "mysql:${EMPTY?not set}" }\n  j: { image: "mysql:$TWO" }\n',
        "compose.yml": 'services:\n  a: { image: "mysql:${PG}" }\n',
      },
      [
        "node 16 → nodejs:16",
        "postgres 11 → postgresql:11",
        "node 16 → nodejs:16",
        "redis 5.0 → redis:5.0",
        "ruby 11 ? newer-than-catalogue",
        "$OTHER - ? computed-value",
        "python $OTHER ? computed-value",
        "mysql 11 ? newer-than-catalogue",
        "mysql ${EMPTY:?not set} ? computed-value",
        "mysql: - ? no-version",
        "mysql $TWO ? computed-value",
        "mysql ${PG} ? computed-value",
      ],
    ],
    [
      "a merge key that the service overrides",
      { "compose.yml": "x-db: &db\n  image: postgres:11\nservices:\n  a:\n    <<: *db\n    image: postgres:17\n" },
      ["postgres 17 → postgresql:17"],
    ],
    [
      "a list of merge keys, the first of which wins",
      {
        "compose.yml":
          "x-a: &a {image: 'redis:6.0'}\nx-b: &b {image: 'redis:5.0'}\nservices:\n  a:\n    <<: [*a, *b]\n",
      },
      ["redis 6.0 → redis:6.0"],
    ],
    [
      "an alias of CircleCI",
      { ".circleci/config.yml": "x: &img\n  image: node:16\njobs:\n  a:\n    docker:\n      - *img\n" },
      ["node 16 → nodejs:16"],
    ],
    ["a manifest of Kubernetes in flow style", { "pod.yaml": POD("node:16") }, ["node 16 → nodejs:16"]],
    [
      "a manifest beside texts with braces",
      {
        "pod.yaml": `${POD("node:16")}---\napiVersion: v1\nkind: ConfigMap\ndata:\n  alert: "{{ $labels.instance }} is down"\n`,
        "b.yaml": `${POD("node:{{ .tag }}")}---\n${POD("redis:6.0")}`,
        "template.yaml": `{{- if .on }}\n${POD("node:14")}{{- end }}\n`,
      },
      ["redis 6.0 → redis:6.0", "node 16 → nodejs:16", "node 14 → nodejs:14"],
    ],
    [
      "a manifest without a kind",
      { "pod.yaml": "{apiVersion: v1, image: 'node:16'}\n", ".nvmrc": "24\n" },
      ["node 24 → nodejs:24", "node 16 → nodejs:16"],
    ],
    [
      "the empty tag of a chart",
      {
        "chart/values.yaml": "image:\n  repository: postgres\n  tag: ''\n",
        "chart/Chart.yaml": "apiVersion: v2\nappVersion: '11'\n",
      },
      ["postgres 11 → postgresql:11"],
    ],
    [
      "the charts that a chart needs",
      {
        "Chart.yaml":
          "apiVersion: v2\ndependencies:\n  - name: postgresql\n    version: 10.3.11\n    repository: https://charts.test\n",
      },
      ["postgresql 10.3.11 ? purl-not-tracked"],
    ],
    [
      "docker of an agent of Jenkins",
      { Jenkinsfile: "pipeline { agent { docker 'node:16' } }\n" },
      ["node 16 → nodejs:16"],
    ],
    [
      "a plug-in of Gradle in settings",
      { "settings.gradle": "pluginManagement { plugins { id 'org.springframework.boot' version '2.5.0' } }\n" },
      ["org.springframework.boot 2.5.0 → spring-boot:2.5"],
    ],
    [
      "literal dependencies of Gradle",
      {
        "build.gradle.kts":
          'dependencies { implementation("org.springframework.boot:spring-boot:2.5.0"); testImplementation("a.b:c") }\n',
      },
      ["org.springframework.boot:spring-boot 2.5.0 → spring-boot:2.5"],
    ],
    [
      "dependencies of Gradle in map notation",
      {
        "build.gradle":
          "dependencies {\n  implementation group: 'org.springframework.boot', name: 'spring-boot', version: '2.5.0'\n  exclude group: 'a', module: 'b'\n}\ngroup = 'a'\nversion = '1.0'\n",
        "b/build.gradle.kts":
          'dependencies {\n  api(version = "2.5.0", name = "spring-boot", group = "org.springframework.boot")\n  api(group = "a", name = "b")\n}\n',
      },
      [
        "org.springframework.boot:spring-boot 2.5.0 → spring-boot:2.5",
        "org.springframework.boot:spring-boot 2.5.0 → spring-boot:2.5",
      ],
    ],
    [
      "a bill of materials of Gradle",
      {
        "build.gradle":
          'dependencyManagement { imports { mavenBom "org.springframework.boot:spring-boot-dependencies:2.5.0" } }\n',
      },
      ["org.springframework.boot:spring-boot-dependencies 2.5.0 → spring-boot:2.5"],
    ],
    [
      "versions of Gradle that are computed",
      {
        "build.gradle":
          "dependencies {\n  api 'org.springframework.boot:spring-boot:$v'\n  api \"org.springframework.boot:spring-boot:${x.y}\"\n  api 'org.springframework.boot:spring-boot:' + z\n  api 'org.springframework.boot:spring-boot:2.' + z\n  api group: 'org.springframework.boot', name: 'spring-boot', version: libs.h\n  api 'org.springframework.boot:spring-boot:'\n}\n",
      },
      ["${v}", "${x.y}", "${…}", "${…}", "${libs.h}"].map(
        (version) => `org.springframework.boot:spring-boot ${version} ? computed-value`,
      ),
    ],
    [
      "inputs of toolchain actions",
      {
        ".github/workflows/a.yml":
          "jobs:\n  a:\n    steps:\n      - { uses: azure/setup-kubectl@v4, with: { version: v1.24.0 } }\n      - { uses: azure/setup-helm@v4, with: { version: v3.9.0, token: '1.0' } }\n      - { uses: subosito/flutter-action@v2, with: { flutter-version: 2.10.5, channel: stable } }\n      - { uses: dtolnay/rust-toolchain@master, with: { toolchain: 1.60.0 } }\n      - { uses: of-ours/setup-helm@v4, with: { version: v2.16.0 } }\n",
      },
      [
        "azure/setup-kubectl v4 → github-actions-runtime:20",
        "kubernetes 1.24.0 → kubernetes:1.24",
        "azure/setup-helm v4 → github-actions-runtime:20",
        "helm 3.9.0 → helm:3",
        "rust 1.60.0 → rust:1.60",
        "subosito/flutter-action v2 ? purl-not-tracked",
        "flutter 2.10.5 ? name-not-recognised",
        "dtolnay/rust-toolchain master ? purl-not-tracked",
        "of-ours/setup-helm v4 ? purl-not-tracked",
      ],
    ],
    [
      "the distribution of a Java",
      {
        "action.yml": `runs:\n  using: composite\n  steps:\n${["adopt", "adopt-openj9", "temurin", "of-ours"]
          .map((name) => `    - { uses: actions/setup-java@v5, with: { distribution: ${name}, java-version: '11' } }\n`)
          .join("")}`,
      },
      [
        "adoptopenjdk 11 → adoptopenjdk:all",
        "adoptopenjdk 11 → adoptopenjdk:all",
        "eclipse-temurin 11 → eclipse-temurin:11",
        "of-ours 11 ? name-not-recognised",
      ],
    ],
    [
      "the reference of a toolchain action",
      { ".github/workflows/a.yml": "jobs:\n  a:\n    steps:\n      - uses: dtolnay/rust-toolchain@1.70.0\n" },
      ["rust 1.70.0 → rust:1.70", "dtolnay/rust-toolchain 1.70.0 ? purl-not-tracked"],
    ],
  ])("%s", async (_, files, expected) => {
    const { found } = await check(files);
    expect(found.filter((each) => !each.includes("actions/setup-java"))).toEqual(expected);
  });

  test("aliases that stand for billions of values are refused", async () => {
    const lines = Array.from(
      { length: 12 },
      (_, index) => `x${String(index + 1)}: &x${String(index + 1)} [${`*x${String(index)}, `.repeat(9)}]`,
    );
    const { exit, failed } = await check({ "compose.yml": `x0: &x0 [a, b]\n${lines.join("\n")}\n`, ".nvmrc": "24\n" });
    expect([exit, failed]).toEqual([3, ["pin-file-broken"]]);
  });
  test.each([".env", "gradle.properties", "system.properties", "Gemfile", "rust-toolchain", "requirements.txt"])(
    "blank lines of %s take no more time than others",
    async (name) => {
      const start = performance.now();
      await check({
        "compose.yml": 'services: { a: { image: "postgres:$PG" } }\n',
        "build.gradle": 'dependencies { api "org.springframework:spring-core:$spring" }\n',
        [name]: "\n".repeat(200_000),
      });
      expect(performance.now() - start).toBeLessThan(3000);
    },
  );
});

describe("Terraform", () => {
  const rds = (version: string): string =>
    `resource "aws_db_instance" "a" {\n  engine = "postgres"\n  engine_version = ${version}\n}\n`;
  test.each<readonly [string, Files, readonly string[]]>([
    [
      "a default in another file",
      { [TF]: rds("var.pg"), "variables.tf": 'variable "pg" {\n  type = string\n  default = "11"\n}\n' },
      ["amazon-rds-postgresql 11 → amazon-rds-postgresql:11"],
    ],
    [
      "a local of a variable",
      { [TF]: `locals {\n  pg = var.pg\n}\nvariable "pg" { default = "11" }\n${rds("local.pg")}` },
      ["amazon-rds-postgresql 11 → amazon-rds-postgresql:11"],
    ],
    [
      "a value of the module over the default",
      { [TF]: rds("var.pg"), "variables.tf": 'variable "pg" { default = "11" }\n', "terraform.tfvars": 'pg = "17"\n' },
      ["amazon-rds-postgresql 17 → amazon-rds-postgresql:17"],
    ],
    [
      "a variable without a value",
      { [TF]: rds("var.pg"), "variables.tf": 'variable "pg" {}\n' },
      ["amazon-rds-postgresql ${var.pg} ? computed-value"],
    ],
    [
      "an attribute of another resource as the value",
      {
        [TF]: `${rds('"11"')}resource "aws_rds_cluster_instance" "i" {\n  engine = aws_db_instance.a.engine\n  engine_version = aws_db_instance.a.engine_version\n}\n`,
      },
      ["amazon-rds-postgresql 11 → amazon-rds-postgresql:11", "amazon-rds-postgresql 11 → amazon-rds-postgresql:11"],
    ],
    [
      "a name with underscores that is computed",
      {
        [TF]: 'resource "aws_eks_cluster" "a" {\n  version = var.kubernetes_version\n}\nresource "google_cloudfunctions_function" "b" {\n  runtime = "python37"\n}\n',
      },
      [
        "google-cloud-functions-python 3.7 → google-cloud-functions-python:3.7",
        "amazon-eks ${var.kubernetes_version} ? computed-value",
      ],
    ],
    [
      "a number",
      { [TF]: 'resource "aws_eks_cluster" "a" {\n  version = 1.30 # ours\n}\n' },
      ["amazon-eks 1.30 → amazon-eks:1.30"],
    ],
    [
      "no value",
      { [TF]: rds("null"), "b.tf": 'resource "aws_eks_cluster" "a" {\n  version = "1.30"\n}\n' },
      ["amazon-eks 1.30 → amazon-eks:1.30"],
    ],
    [
      "a version without an engine",
      {
        [TF]: 'resource "aws_elasticache_replication_group" "a" { engine_version = "5.0.6" }\nlocals { engine_version = "1" }\n',
      },
      ["aws_elasticache_replication_group 5.0.6 ? name-not-recognised"],
    ],
    [
      "an engine that is computed",
      { [TF]: 'resource "aws_db_instance" "a" {\n  engine = var.engine\n  engine_version = "11"\n}\n' },
      ["${var.engine} 11 ? computed-value"],
    ],
    [
      "a product that is computed",
      { [TF]: 'resource "google_sql_database_instance" "a" {\n  database_version = data.a.b\n}\n' },
      ["${data.a.b} - ? computed-value"],
    ],
    [
      "values before comments",
      {
        [TF]: `${rds('"11" // ours')}${rds('"11" # "17"')}${rds('"11" /* "17" */')}`,
        "b.tf": 'terraform { required_version = "= 0.14.5" } // "x"\n',
      },
      [
        "terraform = 0.14.5 → terraform:0.14.5",
        ...["11", "11", "11"].map((each) => `amazon-rds-postgresql ${each} → amazon-rds-postgresql:11`),
      ],
    ],
    [
      "a block behind a string with the signs of a comment",
      { [TF]: `locals { a = "https://a.test/*" }\n${rds('"11"')}locals { b = "*/" }\n` },
      ["amazon-rds-postgresql 11 → amazon-rds-postgresql:11"],
    ],
    [
      "no lines of a heredoc",
      {
        [TF]: `resource "aws_instance" "a" {\n  user_data = <<-EOF\n    cluster_version = "1.20"\n    engine_version = "9"\n  EOF\n}\n${rds('"11"')}`,
      },
      ["amazon-rds-postgresql 11 → amazon-rds-postgresql:11"],
    ],
    [
      "a block on one line",
      { [TF]: 'terraform { required_version = "= 0.14.5" }\n' },
      ["terraform = 0.14.5 → terraform:0.14.5"],
    ],
    [
      "Cloud SQL, which is not recorded",
      { [TF]: 'resource "google_sql_database_instance" "a" {\n  database_version = "POSTGRES_9_6"\n}\n' },
      ["google-cloud-sql-postgres 9.6 ? name-not-recognised"],
    ],
    [
      "Cloud Functions",
      {
        [TF]: 'resource "google_cloudfunctions_function" "a" {\n  runtime = "nodejs14"\n}\nresource "google_cloudfunctions_function" "b" {\n  runtime = "python37"\n}\n',
      },
      [
        "google-cloud-functions-nodejs 14 → google-cloud-functions-nodejs:14",
        "google-cloud-functions-python 3.7 → google-cloud-functions-python:3.7",
      ],
    ],
    [
      "app services",
      {
        [TF]: 'resource "azurerm_linux_web_app" "a" {\n  site_config {\n    application_stack {\n      node_version = "16-lts"\n    }\n  }\n}\n',
      },
      ["azure-app-service-nodejs 16 → azure-app-service-nodejs:16"],
    ],
    [
      "an attribute of another resource",
      {
        [TF]: 'resource "other" "a" {\n  runtime = "nodejs14"\n  database_version = "MYSQL_5_7"\n}\nterraform { required_version = "~> 1.14.0" }\n',
      },
      ["terraform ~> 1.14.0 → terraform:1.14"],
    ],
  ])("%s", async (_, files, expected) => {
    expect((await check(files)).found).toEqual(expected);
  });

  test.each([
    ["data.aws_rds_engine_version.a.version", undefined],
    ['"${data.x.version}"', "${data.x.version}"],
    ['lookup(var.versions, "pg")', undefined],
    ['var.old ? "11" : "17"', undefined],
    ['coalesce(\n    var.pg,\n    "11"\n  )', undefined],
    ['"${var.major}.4"', undefined],
    ['"11.${var.minor}"', undefined],
    ["local.versions[0]", undefined],
    ["module.db.version", undefined],
    ["var.pg # the newest", "${var.pg}"],
  ])("the expression %j is a computed value", async (expression, shown) => {
    const [component = "", ...others] = (await check({ [TF]: rds(expression) })).found;
    expect([component.endsWith(" ? computed-value"), others]).toEqual([true, []]);
    if (shown !== undefined) expect(component).toBe(`amazon-rds-postgresql ${shown} ? computed-value`);
  });
});

describe("computed values", () => {
  test.each<readonly [string, string, readonly string[]]>([
    ["Dockerfile", "ARG TAG\nFROM node:${TAG}\n", ["node ${TAG} ? computed-value"]],
    ["Dockerfile", "ARG IMAGE\nFROM ${IMAGE}\n", ["${IMAGE} - ? computed-value"]],
    ["Dockerfile", "ARG TAG=16\nFROM node:${TAG}\n", ["node 16 → nodejs:16"]],
    [
      ".github/workflows/a.yml",
      "jobs:\n  a:\n    runs-on: ${{ inputs.os }}\n",
      ["${{ inputs.os }} - ? computed-value"],
    ],
    ["compose.yml", "services:\n  a:\n    image: nobody-knows\n", ["nobody-knows - ? purl-not-tracked"]],
  ])("in %s %#", async (path, text, expected) => {
    expect((await check({ [path]: text })).found).toEqual(expected);
  });
});

test.each([
  ["5", "oracle-jdk:5"],
  ["9", "azul-zulu:9"],
  ["10", "azul-zulu:10"],
])("of the ended builds of Java %s, those of a recorded cycle are named", async (version, cycle) => {
  expect((await check({ ".java-version": version })).found).toEqual([`java ${version} → ${cycle}`]);
});

test.each([
  [".java-version", "9", true],
  [".java-version", "22", true],
  [".java-version", "17", false],
  [".sdkmanrc", "java=22.0.1-tem", false],
  [".python-version", "2", false],
])(
  "%s with %s: a report states that the builds of every vendor have ended only where none is named",
  async (path, text, isAny) => {
    const cwd = writeFiles(mkdtempSync(join(tmpdir(), "eolgate-builds-")), { [path]: text });
    for (const format of ["table", "markdown", "html"]) {
      const { out } = await runCommand(["check", ".", "--format", format, "--as-of", "2026-11-23"], { cwd });
      expect(out.includes("the builds of every vendor have ended")).toBe(isAny);
    }
  },
);
