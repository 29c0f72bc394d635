/** A folder with one of each pin: every file is found, with its line; a broken one is in the report, other people's code is not. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PIN_KINDS, pinKindOf } from "../../src/core/inventory/pins/kinds.ts";
import { readPinned, readStackInput } from "../../src/api/pins.ts";

const FILES: Readonly<Record<string, string>> = {
  ".nvmrc": "lts/hydrogen\n",
  ".node-version": "18\n",
  ".python-version": "3.8\n",
  ".ruby-version": "2.7.8\n",
  ".go-version": "1.20.1\n",
  ".java-version": "17.0.2\n",
  ".php-version": "8.0\n",
  ".terraform-version": "1.5.7\n",
  ".sdkmanrc": "# env\njava=11.0.2-tem\n",
  "runtime.txt": "python-3.9.1\n",
  "rust-toolchain.toml": `[toolchain]\nchannel = "1.60"\n`,
  "gradle/wrapper/gradle-wrapper.properties":
    "distributionBase=X\ndistributionUrl=https\\://mirror.example/gradle-7.4-bin.zip\n",
  ".mvn/wrapper/maven-wrapper.properties": "distributionUrl=https://mirror.example/apache-maven-3.6.3-bin.zip\n",
  ".tool-versions": "# tools\nnodejs 16.20.0\n",
  "mise.toml": `[tools]\npython = "3.9"\n`,
  "package.json": `{\n  "engines": { "node": ">=16" }\n}\n`,
  "backend/go.mod": "module x\n\ngo 1.20\n",
  "backend/Dockerfile": "ARG TAG=3.9\nFROM python:$TAG\n",
  "compose.yaml": "services:\n  db:\n    image: postgres:11\n",
  "composer.json": `{"require":{"php":"8.0.*"}}`,
  Gemfile: `ruby "3.0.0"\n`,
  "pom.xml": "<project><properties>\n<java.version>8</java.version></properties></project>",
  "build.gradle": "java { toolchain { languageVersion = JavaLanguageVersion.of(11) } }\n",
  "global.json": `{"sdk":{"version":"6.0.400"}}`,
  "k8s/app.yaml": "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - image: nginx:1.20\n",
  ".github/workflows/ci.yml":
    "jobs:\n  a:\n    steps:\n      - uses: actions/setup-node@v4\n        with:\n          node-version: 16\n",
  "README.md": "FROM node:8\n",
  "empty/package.json": `{"name":"x"}\n`,
  "node_modules/dep/package.json": `{"engines":{"node":"8"}}`,
  "vendor/dep/Dockerfile": "FROM node:8\n",
};

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "eolgate-pins-"));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, "project", path)), { recursive: true });
    await writeFile(join(folder, "project", path), text);
  }
  await symlink("..", join(folder, "project", "around"));
  await mkdir(join(folder, "broken"));
  await writeFile(join(folder, "broken", "package.json"), `{"engines":`);
  await writeFile(join(folder, "broken", ".nvmrc"), "18\n");
  await mkdir(join(folder, "bare"));
  await writeFile(join(folder, "bare", "README.md"), "nothing\n");
});
afterAll(async () => rm(folder, { recursive: true }));

describe("check --scan", () => {
  test("the folder has one of each", () => {
    const kinds = Object.keys(FILES).flatMap((path) => pinKindOf(path) ?? []);
    expect([...new Set(kinds)].toSorted()).toEqual(Object.keys(PIN_KINDS).toSorted());
  });
  test("finds each pin with its file and line", async () => {
    const inputs = await readPinned("project", folder);
    const found = inputs.flatMap((input) =>
      "document" in input
        ? input.document.components.map(
            ({ span, name, version = "(none)" }) =>
              `${input.file}:${input.document.position(span.start).line} ${name} ${version}`,
          )
        : [`${input.file} ${input.error.code}`],
    );
    expect(found).toEqual([
      "project/.github/workflows/ci.yml:6 node 16",
      "project/.go-version:1 go 1.20.1",
      "project/.java-version:1 java 17.0.2",
      "project/.mvn/wrapper/maven-wrapper.properties:1 maven 3.6.3",
      "project/.node-version:1 node 18",
      "project/.nvmrc:1 node 18",
      "project/.php-version:1 php 8.0",
      "project/.python-version:1 python 3.8",
      "project/.ruby-version:1 ruby 2.7.8",
      "project/.sdkmanrc:2 eclipse-temurin 11.0.2",
      "project/.terraform-version:1 terraform 1.5.7",
      "project/.tool-versions:2 node 16.20.0",
      "project/Gemfile:1 ruby 3.0.0",
      "project/backend/Dockerfile:2 python 3.9",
      "project/backend/go.mod:3 go 1.20",
      "project/build.gradle:1 java 11",
      "project/compose.yaml:3 postgres 11",
      "project/composer.json:1 php 8.0",
      "project/global.json:1 dotnet 6.0.400",
      "project/gradle/wrapper/gradle-wrapper.properties:2 gradle 7.4",
      "project/k8s/app.yaml:5 nginx 1.20",
      "project/mise.toml:2 python 3.9",
      "project/package.json:2 node >=16",
      "project/pom.xml:2 java 8",
      "project/runtime.txt:1 python 3.9.1",
      "project/rust-toolchain.toml:2 rust 1.60",
    ]);
  });

  test("a broken file is in the report and keeps no other from its answer", async () => {
    const inputs = await readPinned("broken", folder);
    expect(inputs.map((input) => [input.file, "error" in input ? input.error.code : "read"])).toEqual([
      ["broken/.nvmrc", "read"],
      ["broken/package.json", "pin-file-broken"],
    ]);
  });

  test.each([
    ["bare", "no-pins"],
    ["absent", "unreadable"],
  ])("%s is no answer: %s", async (name, code) => {
    await expect(readPinned(name, folder)).rejects.toMatchObject({ kind: "input", code, where: name });
  });
});

test("a stack is one document", async () => {
  const { file, digest, document } = await readStackInput("nodejs:18,python:3.11");
  expect([file, digest.slice(0, 7), document.components.length]).toEqual(["--stack", "sha256:", 2]);
});
