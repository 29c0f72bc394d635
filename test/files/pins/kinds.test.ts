/**
 * One file of each kind, with the line of each pin. The purl is part of it if the table of tools or the image has one.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PIN_KINDS, pinKindOf, pinKindOfText } from "../../../src/files/pins/kinds.ts";
import type { PinKindName } from "../../../src/files/pins/kinds.ts";
import { readInventory, readStack } from "../../../src/files/read.ts";
import type { ParsedDocument } from "../../../src/model/index.ts";
import { ENVIRONMENTS, INFRASTRUCTURE, MANIFESTS, PIPELINES } from "./cases.ts";
import type { PinCase } from "./cases.ts";
import { describeWithShared } from "../../shared.ts";
import { createResolver } from "../../../src/resolve/resolve.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { asIsoDate } from "../../../src/text/ids.ts";

const AS_OF = asIsoDate("2026-11-22");

const CATALOGUE = loadCatalogue();
const FACTS = CATALOGUE.facts;

/** Only the pins of a file, even if it also lists packages. */
const readPins = (kind: PinKindName, file: Uint8Array): Promise<ParsedDocument> =>
  readInventory({ pins: kind, lockfile: undefined }, file, FACTS);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `line:column name version purl`, and the text of the span. */
function shown(document: ParsedDocument, file: Uint8Array): readonly string[] {
  return Array.from(document.components, ({ span, name, version = "(none)", purls: [purl = ""] }) => {
    const { line, column } = document.position(span.start);
    const pinned = new TextDecoder().decode(file.slice(span.start, span.end));
    return `${line}:${column} ${name} ${version} ${purl} «${pinned}»`.replace("  ", " ");
  });
}

/** A text that is no manifest. */
const OTHER = "image: postgres:9\n";

const CASES: readonly PinCase[] = [
  [
    "site.conf",
    "configuration",
    'image = "node:16"\nphp_version = 7.4\n',
    ["1:10 node 16 pkg:docker/library/node@16 «node:16»", "2:15 php 7.4 pkg:generic/php@7.4 «7.4»"],
  ],
  ["Earthfile", "earthfile", "VERSION 0.8\nFROM node:16\n", ["2:6 node 16 pkg:docker/library/node@16 «node:16»"]],
  [".drone.yml", "pipeline", "steps:\n  - image: node:16\n", ["2:12 node 16 pkg:docker/library/node@16 «node:16»"]],
  [
    "cloudbuild.yaml",
    "cloudbuild",
    "steps:\n  - name: node:16\n",
    ["2:11 node 16 pkg:docker/library/node@16 «node:16»"],
  ],
  [
    ".pre-commit-config.yaml",
    "pre-commit",
    "default_language_version:\n  python: python3.8\n",
    ["2:11 python 3.8 pkg:generic/python@3.8 «python3.8»"],
  ],
  [
    "k/kustomization.yaml",
    "kustomization",
    "images:\n- name: redis\n  newTag: '6.0'\n",
    ["3:11 redis 6.0 pkg:docker/library/redis@6.0 «'6.0'»"],
  ],
  [
    "web.container",
    "quadlet",
    "[Container]\nImage=redis:6.0\n",
    ["2:7 redis 6.0 pkg:docker/library/redis@6.0 «redis:6.0»"],
  ],
  ["netlify.toml", "netlify", '[build.environment]\nNODE_VERSION = "16"\n', ["2:17 node 16 pkg:generic/node@16 «16»"]],
  ["system.properties", "system.properties", "java.runtime.version=11\n", ["1:22 java 11 «11»"]],
  [".fvmrc", "fvmrc", '{"flutter": "3.7.0"}', ['1:13 flutter 3.7.0 «"3.7.0"»']],
  ["build.sbt", "sbt", 'scalaVersion := "2.12.10"\n', ["1:18 scala 2.12.10 «2.12.10»"]],
  ...PIPELINES,
  ...ENVIRONMENTS,
  ...INFRASTRUCTURE,
  ...MANIFESTS,
  [".nvmrc", "nvmrc", "v18.17.0\n", ["1:1 node 18.17.0 pkg:generic/node@18.17.0 «v18.17.0»"]],
  [
    "app/.nvmrc",
    "nvmrc",
    "# ours\nlts/hydrogen # until spring\n",
    ["2:1 node lts/hydrogen pkg:generic/node@lts%2Fhydrogen «lts/hydrogen»"],
  ],
  [".nvmrc", "nvmrc", "lts/unheard\n", ["1:1 node lts/unheard pkg:generic/node@lts%2Funheard «lts/unheard»"]],
  [".nvmrc", "nvmrc", "lts/*\n", ["1:1 node (none) pkg:generic/node «lts/*»"]],
  [".node-version", "node-version", "20.x\n", ["1:1 node 20 pkg:generic/node@20 «20.x»"]],
  [
    ".python-version",
    "python-version",
    "3.11.4\npypy3.9-7.3.12\n3.13-dev\n",
    [
      "1:1 python 3.11.4 pkg:generic/python@3.11.4 «3.11.4»",
      "2:1 pypy 3.9-7.3.12 «pypy3.9-7.3.12»",
      "3:1 python 3.13 pkg:generic/python@3.13 «3.13-dev»",
    ],
  ],
  [".ruby-version", "ruby-version", "ruby-3.2.2", ["1:1 ruby 3.2.2 pkg:generic/ruby@3.2.2 «ruby-3.2.2»"]],
  [".ruby-version", "ruby-version", "jruby-9.4.0.0\n", ["1:1 jruby 9.4.0.0 «jruby-9.4.0.0»"]],
  [".go-version", "go-version", "1.22.3\n", ["1:1 go 1.22.3 pkg:generic/go@1.22.3 «1.22.3»"]],
  [".java-version", "java-version", "temurin-17.0.8+7\n", ["1:1 eclipse-temurin 17.0.8+7 «temurin-17.0.8+7»"]],
  [".php-version", "php-version", "8.1\n", ["1:1 php 8.1 pkg:generic/php@8.1 «8.1»"]],
  [
    ".terraform-version",
    "terraform-version",
    "latest:^1.5\n",
    ["1:1 terraform ^1.5 pkg:generic/terraform@%5E1.5 «latest:^1.5»"],
  ],
  [
    ".tool-versions",
    "tool-versions",
    "# asdf\r\nnodejs 18.17.0 20.5.1\r\n\r\njava corretto-17.0.8\r\nerlang 26.0.2\r\nelixir 1.15.4-otp-26\r\nunheard 1.0 # of\r\nruby path:/opt/ruby\r\n",
    [
      "2:8 node 18.17.0 pkg:generic/node@18.17.0 «18.17.0»",
      "2:16 node 20.5.1 pkg:generic/node@20.5.1 «20.5.1»",
      "4:6 amazon-corretto 17.0.8 «corretto-17.0.8»",
      "5:8 erlang 26.0.2 pkg:generic/erlang@26.0.2 «26.0.2»",
      "6:8 elixir 1.15.4-otp-26 pkg:generic/elixir@1.15.4-otp-26 «1.15.4-otp-26»",
      "7:9 unheard 1.0 «1.0»",
    ],
  ],
  [
    ".sdkmanrc",
    "sdkmanrc",
    "# SDKMAN\njava=17.0.8-tem\ngradle=7.6\n",
    ["2:6 eclipse-temurin 17.0.8 «17.0.8-tem»", "3:8 gradle 7.6 «7.6»"],
  ],
  ["runtime.txt", "runtime.txt", "python-3.9.18\n", ["1:1 python 3.9.18 pkg:generic/python@3.9.18 «python-3.9.18»"]],
  [
    "mise.toml",
    "mise.toml",
    `[env]\nX = "20"\n\n[tools]\nnode = "20"\npython = ["3.11", "3.12"]\nterraform = { version = "1.5.7", postinstall = "x" }\n"npm:prettier" = "3.1.0"\n`,
    [
      "5:9 node 20 pkg:generic/node@20 «20»",
      "6:12 python 3.11 pkg:generic/python@3.11 «3.11»",
      "6:20 python 3.12 pkg:generic/python@3.12 «3.12»",
      "7:26 terraform 1.5.7 pkg:generic/terraform@1.5.7 «1.5.7»",
      "8:19 prettier 3.1.0 pkg:npm/prettier@3.1.0 «3.1.0»",
    ],
  ],
  [".mise.toml", "mise.toml", `[settings]\nx = true\n`, []],
  [
    "rust-toolchain.toml",
    "rust-toolchain",
    `[toolchain]\nchannel = "1.70.0"\n`,
    ["2:12 rust 1.70.0 pkg:generic/rust@1.70.0 «1.70.0»"],
  ],
  ["rust-toolchain", "rust-toolchain", "stable\n", ["1:1 rust (none) pkg:generic/rust «stable»"]],
  [
    "package.json",
    "package.json",
    `{\n\t"name": "app",\n\t"engines": {\n\t\t"node": ">=18 <21",\n\t\t"npm": "9"\n\t},\n\t"volta": { "node": "18.17.0" },\n\t"packageManager": "pnpm@8.6.0+sha256.abc",\n\t"dependencies": { "node": "1" }\n}\n`,
    [
      `4:11 node >=18 <21 pkg:generic/node@%3E%3D18%20%3C21 «">=18 <21"»`,
      `7:21 node 18.17.0 pkg:generic/node@18.17.0 «"18.17.0"»`,
      `8:20 pnpm 8.6.0 pkg:npm/pnpm@8.6.0 «"pnpm@8.6.0+sha256.abc"»`,
    ],
  ],
  [
    "package.json",
    "package.json",
    `{"devEngines":{"runtime":{"name":"node","version":"22.x","onFail":"error"}}}`,
    [`1:51 node 22 pkg:generic/node@22 «"22.x"»`],
  ],
  [
    "composer.json",
    "composer.json",
    `{\n  "require": { "php": "^8.1", "ext-json": "*" },\n  "config": { "platform": { "php": "8.1.27" } }\n}\n`,
    [`2:23 php ^8.1 pkg:generic/php@%5E8.1 «"^8.1"»`, `3:36 php 8.1.27 pkg:generic/php@8.1.27 «"8.1.27"»`],
  ],
  [
    "global.json",
    "global.json",
    `{\n  // pinned\n  "sdk": { "version": "6.0.400", "rollForward": "latestFeature" }\n}\n`,
    [`3:23 dotnet 6.0.400 «"6.0.400"»`],
  ],
  [
    "go.mod",
    "go.mod",
    "module example.org/app\n\ngo 1.21\n\ntoolchain go1.21.6\n",
    ["5:13 go 1.21.6 pkg:generic/go@1.21.6 «1.21.6»"],
  ],
  ["go.mod", "go.mod", "module example.org/app\n\ngo 1.19\n", ["3:4 go 1.19 pkg:generic/go@1.19 «1.19»"]],
  [
    "Gemfile",
    "Gemfile",
    `source "https://rubygems.org"\nruby "3.0.6"\ngem "ruby", "1"\n`,
    ["2:7 ruby 3.0.6 pkg:generic/ruby@3.0.6 «3.0.6»"],
  ],
  ["Gemfile", "Gemfile", `ruby file: ".ruby-version"\n`, []],
  [
    "gradle/wrapper/gradle-wrapper.properties",
    "gradle-wrapper",
    "distributionUrl=https\\://services.gradle.org/distributions/gradle-7.6.1-bin.zip\n",
    ["1:67 gradle 7.6.1 «7.6.1»"],
  ],
  [
    ".mvn/wrapper/maven-wrapper.properties",
    "maven-wrapper",
    "distributionUrl=https://repo.example.org/org/apache/maven/apache-maven/3.8.6/apache-maven-3.8.6-bin.zip\n",
    ["1:91 maven 3.8.6 «3.8.6»"],
  ],
  [
    "pom.xml",
    "pom.xml",
    `<?xml version="1.0"?>\r\n<project>\r\n  <parent>\r\n    <groupId>org.springframework.boot</groupId>\r\n    <artifactId>spring-boot-starter-parent</artifactId>\r\n    <version>2.7.18</version>\r\n  </parent>\r\n  <properties>\r\n    <java.version>11</java.version>\r\n    <maven.compiler.release>\${java.version}</maven.compiler.release>\r\n  </properties>\r\n</project>\r\n`,
    [
      "6:5 spring-boot-starter-parent 2.7.18 pkg:maven/org.springframework.boot/spring-boot-starter-parent@2.7.18 «<version>2.7.18</version>»",
      "9:5 java 11 «<java.version>11</java.version>»",
    ],
  ],
  [
    "pom.xml",
    "pom.xml",
    `<project><build><plugins><plugin><artifactId>maven-toolchains-plugin</artifactId><configuration><toolchains>\n<jdk><version>17</version><vendor>temurin</vendor></jdk></toolchains></configuration></plugin></plugins></build></project>`,
    ["2:6 eclipse-temurin 17 «<version>17</version>»"],
  ],
  [
    "build.gradle.kts",
    "gradle",
    `plugins {\n  id("org.springframework.boot") version "2.7.1"\n}\n// jvmToolchain(8)\njava { toolchain {\n  languageVersion.set(JavaLanguageVersion.of(17))\n  vendor.set(JvmVendorSpec.ADOPTIUM)\n} }\n`,
    [
      "2:43 org.springframework.boot 2.7.1 pkg:maven/org.springframework.boot/spring-boot@2.7.1 «2.7.1»",
      "6:46 eclipse-temurin 17 «17»",
    ],
  ],
  ["build.gradle", "gradle", "sourceCompatibility = JavaVersion.VERSION_1_8\n", ["1:43 java 1.8 «1_8»"]],
  [
    "Dockerfile",
    "Dockerfile",
    `# syntax=docker/dockerfile:1\nARG NODE=18 FLAVOUR="alpine"\nFROM --platform=$BUILDPLATFORM node:\${NODE}-\${FLAVOUR} AS build\nRUN <<EOF\nFROM nothing:1\nEOF\nFROM build AS test\nFROM \\\n  ghcr.io/org/app:1.2@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nCOPY --from=nginx:1.22 /etc /etc\nCOPY --from=build /a /b\nFROM scratch\nFROM debian\nFROM redis:\${UNKNOWN}\nFROM \${BASE}\n`,
    [
      "3:32 node 18-alpine pkg:docker/library/node@18-alpine «node:${NODE}-${FLAVOUR}»",
      "3:32 alpine (none) «node:${NODE}-${FLAVOUR}»",
      "9:3 app 1.2 pkg:docker/org/app@1.2?repository_url=ghcr.io «ghcr.io/org/app:1.2@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef»",
      "10:13 nginx 1.22 pkg:docker/library/nginx@1.22 «nginx:1.22»",
      "13:6 debian (none) pkg:docker/library/debian «debian»",
      "14:6 redis ${UNKNOWN} pkg:docker/library/redis@%24%7BUNKNOWN%7D «redis:${UNKNOWN}»",
      "15:6 ${BASE} (none) «${BASE}»",
    ],
  ],
  [
    "docker/api.Dockerfile",
    "Dockerfile",
    "from python:3.8-slim-buster\n",
    [
      "1:6 python 3.8-slim-buster pkg:docker/library/python@3.8-slim-buster «python:3.8-slim-buster»",
      "1:6 debian buster «python:3.8-slim-buster»",
    ],
  ],
  [
    "compose.prod.yaml",
    "compose",
    `services:\n  db:\n    image: postgres:12\n  cache:\n    image: "redis:\${REDIS_TAG:-6.2}-alpine"\n  web:\n    build: .\nx-image:\n  image: nothing:1\n`,
    [
      "3:12 postgres 12 pkg:docker/library/postgres@12 «postgres:12»",
      `5:12 redis 6.2-alpine pkg:docker/library/redis@6.2-alpine «"redis:\${REDIS_TAG:-6.2}-alpine"»`,
      `5:12 alpine (none) «"redis:\${REDIS_TAG:-6.2}-alpine"»`,
    ],
  ],
  [
    "deploy/app.yaml",
    "kubernetes",
    `apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      initContainers:\n        - name: wait\n          image: busybox:1.36\n      containers:\n        - image: registry.k8s.io/ingress-nginx/controller:v1.8.0\n---\napiVersion: v1\nkind: ConfigMap\ndata:\n  image: nothing:1\n`,
    [
      "8:18 busybox 1.36 pkg:docker/library/busybox@1.36 «busybox:1.36»",
      "10:18 controller 1.8.0 pkg:docker/ingress-nginx/controller@1.8.0?repository_url=registry.k8s.io «registry.k8s.io/ingress-nginx/controller:v1.8.0»",
    ],
  ],
  [
    "chart/templates/app.yaml",
    "kubernetes",
    `apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - image: {{ .Values.image }}\n`,
    [],
  ],
  ["settings.yaml", "kubernetes", OTHER, []],
  [
    ".github/workflows/ci.yml",
    "workflow",
    `on: push
jobs:
  test:
    runs-on: ubuntu-20.04
    strategy:
      matrix:
        node: [16, "18.x"]
        include:
          - node: lts/*
    container: node:14-alpine
    services:
      db:
        image: mysql:5.7
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - uses: actions/setup-python@v5
        with:
          python-version: 3.10
      - uses: actions/setup-java@v4
        with: { distribution: zulu, java-version: "11" }
      - uses: actions/setup-dotnet@v4
        with:
          dotnet-version: |
            6.0.x
            8.0.x
      - uses: hashicorp/setup-terraform@v3
        with:
          terraform_version: \${{ env.TF }}
  deploy:
    runs-on: ubuntu-latest
    steps:
      - run: make
`,
    [
      "4:14 ubuntu 20.04 «ubuntu-20.04»",
      "4:14 ubuntu-20.04 ubuntu-20.04 pkg:generic/github-hosted-runner@ubuntu-20.04 «ubuntu-20.04»",
      "7:16 node 16 pkg:generic/node@16 «16»",
      `7:20 node 18 pkg:generic/node@18 «"18.x"»`,
      "9:19 node (none) pkg:generic/node «lts/*»",
      "10:16 node 14-alpine pkg:docker/library/node@14-alpine «node:14-alpine»",
      "10:16 alpine (none) «node:14-alpine»",
      "13:16 mysql 5.7 pkg:docker/library/mysql@5.7 «mysql:5.7»",
      "15:15 actions/checkout v4 pkg:githubactions/actions/checkout@v4 «actions/checkout@v4»",
      "16:15 actions/setup-node v4 pkg:githubactions/actions/setup-node@v4 «actions/setup-node@v4»",
      "19:15 actions/setup-python v5 pkg:githubactions/actions/setup-python@v5 «actions/setup-python@v5»",
      "21:27 python 3.1 pkg:generic/python@3.1 «3.10»",
      "22:15 actions/setup-java v4 pkg:githubactions/actions/setup-java@v4 «actions/setup-java@v4»",
      `23:51 azul-zulu 11 «"11"»`,
      "24:15 actions/setup-dotnet v4 pkg:githubactions/actions/setup-dotnet@v4 «actions/setup-dotnet@v4»",
      "27:13 dotnet 6.0 «6.0.x»",
      "28:13 dotnet 8.0 «8.0.x»",
      "29:15 hashicorp/setup-terraform v3 pkg:githubactions/hashicorp/setup-terraform@v3 «hashicorp/setup-terraform@v3»",
      "31:30 terraform ${{ env.TF }} pkg:generic/terraform@%24%7B%7B%20env.TF%20%7D%7D «${{ env.TF }}»",
      "33:14 ubuntu (none) «ubuntu-latest»",
    ],
  ],
  [
    "action.yml",
    "workflow",
    `name: x\nruns:\n  using: node16\n  main: index.js\n`,
    ["3:10 node16 16 pkg:generic/github-actions-runtime@16 «node16»"],
  ],
];

describe("pin files", () => {
  test.each(CASES)("%s (%s) %#", async (path, kind, text, expected) => {
    expect(pinKindOf(path) ?? pinKindOfText(text)).toBe(text === OTHER ? "configuration" : kind);
    const file = bytes(text);
    expect(shown(await readPins(kind, file), file)).toEqual(expected);
  });

  test("has a case for every kind of file", () => {
    expect([...new Set(CASES.map(([, kind]) => kind))].toSorted()).toEqual(Object.keys(PIN_KINDS).toSorted());
  });

  test.each([
    "src/index.ts",
    "Dockerfiles/readme.txt",
    "src/dockerfile.ts",
    "Dockerfile.md",
    "package-lock.json",
    "mynvmrc",
    "composer.json.bak",
  ])("does not recognize %s as a pin file", (path) => {
    expect(pinKindOf(path)).toBeUndefined();
  });

  test("returns a document whose components are addressed by line", async () => {
    const document = await readPins("tool-versions", bytes("nodejs 18 20\npython 3.11\n"));
    expect(document).toMatchObject({ format: "pins", specVersion: "tool-versions", signed: false, wrappers: [] });
    expect(Array.from(document.components, ({ pointer }) => pointer)).toEqual(["/lines/1", "/lines/1/1", "/lines/2"]);
  });

  test("columns are correct after a byte order mark and multi-byte characters", async () => {
    const file = bytes(`\uFEFF# für später\n18\n`);
    expect(shown(await readPins("nvmrc", file), file)).toEqual(["2:1 node 18 pkg:generic/node@18 «18»"]);
    const inline = bytes(`\uFEFF{"name":"é😀","engines":{"node":"18"}}`);
    expect(shown(await readPins("package.json", inline), inline)).toEqual([`1:33 node 18 pkg:generic/node@18 «"18"»`]);
  });

  test.each([
    ["package.json", `{"engines": {`],
    ["composer.json", `{"require": }`],
    ["mise.toml", `[tools\n`],
    ["pom.xml", `<project><properties>`],
    ["compose", `services:\n\t- x: [`],
  ] as const)("refuses a malformed %s with an error", async (kind, text) => {
    await expect(readPins(kind, bytes(text))).rejects.toThrow(
      expect.objectContaining({ kind: "input", code: "pin-file-broken" }),
    );
  });

  test("refuses a file that is not text", async () => {
    await expect(readPins("nvmrc", new Uint8Array([0xff, 0xfe, 0x31]))).rejects.toThrow(
      expect.objectContaining({ code: "invalid-encoding" }),
    );
  });

  test("names from a file never change the prototype", async () => {
    const { components } = await readPins("tool-versions", bytes("constructor 1\n__proto__ 2\ntoString 3\n"));
    const names = Array.from(components, ({ name }) => name);
    expect(names).toEqual(["constructor", "__proto__", "toString"]);
  });
});

describe("--stack", () => {
  test("reads pairs of product and version", async () => {
    const document = await readStack("nodejs:18, python@3.11");
    expect([...document.components].map(({ name, version, purls }) => [name, version, purls])).toEqual([
      ["nodejs", "18", []],
      ["python", "3.11", []],
    ]);
    expect([...document.components].map(({ span }) => document.position(span.start).column)).toEqual([1, 12]);
  });

  test.each(["nodejs", "nodejs:", ":18", "nodejs:18,", "a:b:c"])("refuses %s as a pair", async (stack) => {
    await expect(readStack(stack)).rejects.toThrow(
      expect.objectContaining({ kind: "usage", code: "invalid-value", where: "--stack" }),
    );
  });
});

describeWithShared("codenames of Node.js", "upstream/feeds/nodejs-schedule.json", (url) => {
  test("resolves every codename of the Node.js schedule to its release line", async () => {
    const schedule = JSON.parse(readFileSync(url, "utf8")) as Readonly<Record<string, { codename?: string }>>;
    const named = Object.entries(schedule).flatMap(([line, { codename }]) =>
      codename ? [[line.slice(1), codename]] : [],
    );
    const resolved = await Promise.all(
      named.map(async ([, codename = ""]) => {
        const document = await readPins("nvmrc", bytes(`lts/${codename.toLowerCase()}`));
        const resolve = createResolver(CATALOGUE, document, { strict: false, asOf: AS_OF });
        return Array.from(document.components, (component) => resolve(component));
      }),
    );
    expect(resolved.flat()).toMatchObject(
      named.map(([line]) => ({ kind: "resolved", releaseCycle: { product: "nodejs", cycle: line } })),
    );
  });
});
