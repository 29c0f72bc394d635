/** A folder with one of each pin: every file is found, with its line; a broken one is in the report, other people's code is not. */
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { readFolder } from "../../../src/api/inventory/folder.ts";
import { lacksLockfile } from "../../../src/api/inventory/names.ts";
import { readInventoryFile, readStackInput } from "../../../src/api/inventory/file.ts";
import { walkFolder } from "../../../src/api/inventory/walk.ts";
import type { FolderInput } from "../../../src/api/input.ts";
import { asIsoDate } from "../../../src/text/ids.ts";

const AS_OF = asIsoDate("2026-11-22");

const FACTS = loadCatalogue().facts;

const LOCKFILES = ["package-lock.json", "uv.lock", "composer.lock", "Cargo.lock"];

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

/** `file:line name version`, or the file and the code of its error. */
function shown(inputs: readonly FolderInput[]): readonly string[] {
  return inputs.flatMap((input) => {
    if ("error" in input) return [`${input.file} ${input.error.code}`];
    if (!("document" in input)) return [`${input.file} SBOM`];
    return [...input.document.components].map(
      ({ span, name, version = "(none)" }) =>
        `${input.file}:${input.document.position(span.start).line} ${name} ${version}`,
    );
  });
}

/** A folder of its own with these files; a path that ends with `/` is an empty directory. */
async function folderWith(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, name, path);
    await mkdir(path.endsWith("/") ? target : dirname(target), { recursive: true });
    if (!path.endsWith("/")) await writeFile(target, text);
  }
  return name;
}

describe("folder", () => {
  test("reads each pin with its file and line", async () => {
    const { inputs } = await readFolder("project", folder, { facts: FACTS });
    expect(shown(inputs)).toEqual([
      "project/.github/workflows/ci.yml:4 actions/setup-node v4",
      "project/.github/workflows/ci.yml:6 node 16",
      "project/.go-version:1 go 1.20.1",
      "project/.java-version:1 java 17.0.2",
      "project/.mvn/wrapper/maven-wrapper.properties:1 maven 3.6.3",
      "project/.node-version:1 node 18",
      "project/.nvmrc:1 node lts/hydrogen",
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

  test("reports a malformed file and reads the others", async () => {
    const { inputs } = await readFolder("broken", folder, { facts: FACTS });
    expect(inputs.map((input) => [input.file, "error" in input ? input.error.code : "read"])).toEqual([
      ["broken/.nvmrc", "read"],
      ["broken/package.json", "pin-file-broken"],
    ]);
  });

  test.each([
    ["bare", "nothing-to-check", "bare"],
    ["absent", "unreadable", "absent"],
  ])("%s gives no result: %s", async (name, code, where) => {
    await expect(readFolder(name, folder, { facts: FACTS })).rejects.toMatchObject({
      kind: "input",
      code,
      where: expect.stringContaining(where),
    });
  });

  test("reads SBOMs, lockfiles and pins together", async () => {
    const name = await folderWith("mixed", {
      "bom.json": '{"bomFormat":"CycloneDX"}',
      "docs/app.spdx.json": "{}",
      "api/Gemfile.lock": "GEM\n  specs:\n    rails (6.1.7)\n\nDEPENDENCIES\n  rails\n",
      "api/.ruby-version": "2.7.8\n",
      "data.json": "{}",
    });
    const { inputs, coverage } = await readFolder(name, folder, { facts: FACTS });
    expect(shown(inputs)).toEqual([
      "mixed/api/.ruby-version:1 ruby 2.7.8",
      "mixed/api/Gemfile.lock:3 rails 6.1.7",
      "mixed/bom.json SBOM",
      "mixed/docs/app.spdx.json SBOM",
    ]);
    expect(coverage.read).toEqual([
      { kind: "ruby-version", files: 1 },
      { kind: "Gemfile.lock", files: 1 },
      { kind: "SBOM", files: 2 },
    ]);
  });

  test("skips what .gitignore and the exclusions match, and counts it", async () => {
    const name = await folderWith("ignored", {
      ".gitignore": "/build\n*.local\n.python-version\n",
      ".nvmrc": "18\n",
      "build/.nvmrc": "8\n",
      "app/.gitignore": "generated/\n!keep.local\n",
      "app/generated/.nvmrc": "8\n",
      "app/build/.nvmrc": "20\n",
      "app/.python-version": "3.6\n",
      "app/image.local": "",
      "old/.nvmrc": "8\n",
      "node_modules/x/.nvmrc": "8\n",
    });
    const exclude = { base: join(folder, name), patterns: ["/old"] };
    const { inputs, coverage } = await readFolder(name, folder, { facts: FACTS, exclude });
    expect(shown(inputs)).toEqual(["ignored/.nvmrc:1 node 18", "ignored/app/build/.nvmrc:1 node 20"]);
    expect(coverage.notRead).toEqual([
      { kind: "python-version", reason: "omitted", count: 1, examples: ["ignored/app/.python-version"] },
    ]);
    expect(coverage.skipped).toEqual({
      directories: [{ name: "node_modules", count: 1 }],
      gitIgnored: 4,
      excluded: 1,
      links: 0,
    });
  });

  test.runIf(process.platform === "linux").each([
    ["build/\n", [], ["Build/Dockerfile"]],
    ["Build/\n", [], ["build/Dockerfile"]],
    ["*/\n", [], []],
    ["[\n", [], ["Build/Dockerfile", "build/Dockerfile"]],
    ["", ["BUILD/", "build/"], ["Build/Dockerfile"]],
  ])("matches %j of .gitignore and the exclusions %j with case", async (gitignore, exclude, expected) => {
    const root = await mkdtemp(join(tmpdir(), "eolgate-case-"));
    try {
      await mkdir(join(root, ".git"));
      await writeFile(join(root, ".gitignore"), gitignore);
      for (const name of ["Build", "build"]) {
        await mkdir(join(root, name));
        await writeFile(join(root, name, "Dockerfile"), "FROM node:8\n");
      }
      expect(walkFolder(root, { base: root, patterns: exclude }).files.filter((path) => path.includes("/"))).toEqual(
        expected,
      );
    } finally {
      await rm(root, { recursive: true });
    }
  });

  test("applies the .gitignore of the enclosing repository", async () => {
    await folderWith("repository", {
      ".git/": "",
      ".gitignore": "tmp/\n",
      "app/tmp/.nvmrc": "8\n",
      "app/.nvmrc": "18\n",
    });
    const { inputs } = await readFolder("repository/app", folder, { facts: FACTS });
    expect(shown(inputs)).toEqual(["repository/app/.nvmrc:1 node 18"]);
  });

  test("never follows a symbolic link", async () => {
    const name = await folderWith("linked", { ".nvmrc": "18\n", "in/x": "" });
    await folderWith("outside", { "Directory.Packages.props": "<Project/>", ".nvmrc": "8\n" });
    await symlink("../outside", join(folder, name, "elsewhere"));
    await symlink("../../outside/.nvmrc", join(folder, name, "in", ".node-version"));
    const { inputs, coverage } = await readFolder(name, folder, { facts: FACTS });
    expect([shown(inputs), coverage.skipped.links]).toEqual([["linked/.nvmrc:1 node 18"], 2]);
  });

  test("never reads a parent folder outside of it", async () => {
    const name = await folderWith("outer/inner", {
      "pom.xml":
        "<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent>\n" +
        "<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${v}</version></dependency></dependencies></project>",
    });
    const parent = "<project><artifactId>p</artifactId><properties><v>1.0</v></properties></project>";
    await folderWith("outer", { "pom.xml": parent });
    expect(shown((await readFolder(name, folder, { facts: FACTS })).inputs)).toContain(
      "outer/inner/pom.xml:2 g:a (none)",
    );
    expect(shown((await readFolder("outer", folder, { facts: FACTS })).inputs)).toContain(
      "outer/inner/pom.xml:2 g:a 1.0",
    );
  });

  test.each(["package.json", "web/pyproject.toml", "composer.json", "Cargo.toml"])(
    "%s may have dependencies if its content is not known",
    (path) => {
      expect(lacksLockfile(path, new Set(), () => undefined)).toBe(true);
      expect(lacksLockfile(path, new Set(LOCKFILES), () => undefined)).toBe(false);
    },
  );

  test("lists a manifest that is too large to be searched for dependencies", async () => {
    const name = await folderWith("large", { "composer.json": '{"name":"large"}' });
    await truncate(join(folder, name, "composer.json"), 17 * 1024 * 1024);
    const { coverage } = await readFolder(name, folder, { facts: FACTS });
    expect(coverage.notRead).toContainEqual({
      kind: "composer.json",
      reason: "no-lockfile",
      count: 1,
      examples: ["large/composer.json"],
    });
  });

  test("lists skipped files and manifests without a lockfile", async () => {
    const name = await folderWith("unread", {
      ".nvmrc": "18\n",
      "ios/Podfile.lock": "PODS:\n",
      "lib/app.jar": "",
      "web/package.json": '{"dependencies":{"express":"^4"}}',
      "web/plain/package.json": '{"name":"plain"}',
      "locked/package-lock.json": '{"lockfileVersion":3,"packages":{}}',
      "locked/app/package.json": '{"dependencies":{"express":"^4"}}',
    });
    const { coverage } = await readFolder(name, folder, { facts: FACTS });
    expect(coverage.notRead).toEqual([
      { kind: "Podfile.lock", reason: "not-supported", count: 1, examples: ["unread/ios/Podfile.lock"] },
      { kind: "Java archives", reason: "not-supported", count: 1, examples: ["unread/lib/app.jar"] },
      { kind: "package.json", reason: "no-lockfile", count: 1, examples: ["unread/web/package.json"] },
    ]);
  });

  test.skipIf(process.getuid?.() === 0)("reports a folder that cannot be read", async () => {
    const name = await folderWith("closed", { ".nvmrc": "18\n", "secret/.nvmrc": "8\n" });
    await chmod(join(folder, name, "secret"), 0);
    const { inputs } = await readFolder(name, folder, { facts: FACTS });
    await chmod(join(folder, name, "secret"), 0o755);
    expect(shown(inputs)).toEqual(["closed/secret folder-unreadable", "closed/.nvmrc:1 node 18"]);
  });
});

describe("single file", () => {
  test("is recognized by its name", async () => {
    await folderWith("single", { Dockerfile: "FROM node:16\n", "bom.json": "{}" });
    const input = await readInventoryFile("single/Dockerfile", folder, FACTS);
    expect([...(input?.document.components ?? [])].map(({ name, version }) => `${name} ${version}`)).toEqual([
      "node 16",
    ]);
    expect(await readInventoryFile("single/bom.json", folder, FACTS)).toBeUndefined();
  });
});

describe("product stack", () => {
  const catalogue = loadCatalogue({
    env: {},
    path: fileURLToPath(new URL("../../fixtures/catalogue.json", import.meta.url)),
  });

  test("is read as one document", async () => {
    const { file, digest, document } = await readStackInput("nodejs:18,python:3.11", catalogue, AS_OF);
    expect([file, digest().slice(0, 7), document.components.length]).toEqual(["--stack", "sha256:", 2]);
  });

  test("refuses an unknown product with a suggestion", async () => {
    await expect(readStackInput("python:3.13,pyhton:3.9", catalogue, AS_OF)).rejects.toMatchObject({
      exit: 2,
      code: "product-not-found",
      message: expect.stringMatching(/^product "pyhton" not found; did you mean .*python/),
    });
  });
});
