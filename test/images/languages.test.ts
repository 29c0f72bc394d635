/** Packages of languages in images: from parts that the package managers wrote, and from made ones. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { deflateRawSync, deflateSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { isInstalled } from "../programs.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { IMAGE_LIMITS, type ImageLimits } from "../../src/images/limits.ts";
import { readImage } from "../../src/images/read.ts";
import { asRecord } from "../../src/text/values.ts";
import { BASE, type Files, imageOf, savedFiles, tarOf } from "./build.ts";

const CATALOGUE = loadCatalogue();
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-languages-"));
  folders.push(folder);
  return folder;
}

async function readTars(tars: readonly Uint8Array[], limits: ImageLimits = IMAGE_LIMITS) {
  const cwd = temporary();
  writeFileSync(join(cwd, "image.tar"), await tarOf(savedFiles(imageOf(tars))));
  const context = {
    cwd,
    env: {},
    facts: CATALOGUE.facts,
    purl: CATALOGUE.purl.bind(CATALOGUE),
    architecture: "x64",
  };
  const { inputs, coverage } = await readImage({ image: "docker-archive:image.tar" }, context, limits);
  const components = inputs.flatMap(({ document }) => [...document.components]);
  return { components, coverage };
}

/** The components of layers, without the system and the packages of its database. */
async function packagesIn(layers: readonly Files[], limits?: ImageLimits): Promise<readonly string[]> {
  const { components } = await readTars(await Promise.all(layers.map((files) => tarOf(files))), limits);
  return components
    .map(({ name, version, purls }) => purls[0] ?? `${name} ${version ?? ""}`.trim())
    .filter((name) => !/^(?:debian 12|pkg:deb\/)/.test(name));
}

interface ZipFile {
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly isStored?: boolean;
  /** The size that the directory states. */
  readonly stated?: number;
}

/** A zip archive; the checksums are not set, because nothing verifies them. */
function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, isStored = false, stated } of files) {
    const bytes = Buffer.from(content);
    const data = isStored ? bytes : deflateRawSync(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(isStored ? 0 : 8, 8);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(isStored ? 0 : 8, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(stated ?? bytes.length, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt32LE(at, 42);
    parts.push(local, Buffer.from(name), data);
    directory.push(central, Buffer.from(name));
    at += 30 + Buffer.byteLength(name) + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

const pom = (group: string, name: string, version: string): ZipFile => ({
  name: `META-INF/maven/${group}/${name}/pom.properties`,
  content: `#Generated\ngroupId=${group}\nartifactId=${name}\nversion=${version}\n`,
});
const inner = (name: string, files: readonly ZipFile[], isStored = true): ZipFile => ({
  name,
  content: zip(files),
  isStored,
});

/** A program with a section of cargo-auditable. */
function rustProgram(packages: unknown): Buffer {
  const data = deflateSync(JSON.stringify({ packages }));
  const names = Buffer.from("\0.dep-v0\0.shstrtab\0");
  const bytes = Buffer.alloc(300_000);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes.set(data, 1_000);
  bytes.set(names, 100_000);
  bytes.writeBigUInt64LE(200_000n, 40);
  for (const [at, value] of [
    [58, 64],
    [60, 3],
    [62, 2],
  ] as const)
    bytes.writeUInt16LE(value, at);
  const section = (index: number, name: number, offset: number, size: number) => {
    const at = 200_000 + index * 64;
    bytes.writeUInt32LE(name, at);
    bytes.writeBigUInt64LE(BigInt(offset), at + 24);
    bytes.writeBigUInt64LE(BigInt(size), at + 32);
  };
  section(1, 1, 1_000, data.length);
  section(2, 9, 100_000, names.length);
  return bytes;
}

const length = (text: string): Buffer => Buffer.from([(text.length & 0x7f) | 0x80, text.length >> 7]);

/** A program with the build information that Go writes since 1.18. */
function goProgram(version: string, modules: string, flags = 2): Buffer {
  const bytes = Buffer.alloc(300_000);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes.set(Buffer.from("\u00ff Go buildinf:", "latin1"), 1_600);
  bytes[1_615] = flags;
  const marked = `${"0".repeat(16)}${modules}${"1".repeat(16)}`;
  bytes.set(Buffer.concat([length(version), Buffer.from(version), length(marked), Buffer.from(marked)]), 1_632);
  return bytes;
}

/** A layer with one program; the other helper writes no mode. */
async function programLayer(path: string, content: Uint8Array, mode = 0o755): Promise<Uint8Array> {
  const { packTar } = await import("modern-tar");
  return packTar([{ header: { name: path, type: "file", size: content.length, mode }, body: content }]);
}

const METADATA = "Metadata-Version: 2.1\nName: My_Package.x\nVersion: 1.2\n\nName: other\n";
const GEM = 'Gem::Specification.new do |s|\n  s.name = "rack".freeze\n  s.version = "2.2.8"\nend\n';

describe("a file of a package manager", () => {
  test.each<readonly [string, string, readonly string[]]>([
    ["app/node_modules/a/package.json", '{"name":"a","version":"1.0.0"}', ["pkg:npm/a@1.0.0"]],
    ["app/node_modules/@s/b/package.json", '{"name":"@s/b","version":"2.0.0"}', ["pkg:npm/%40s/b@2.0.0"]],
    ["app/node_modules/a/node_modules/c/package.json", '{"name":"c","version":"3.0.0"}', ["pkg:npm/c@3.0.0"]],
    ["app/node_modules/a/lib/package.json", '{"name":"inside","version":"1.0.0"}', []],
    ["app/node_modules/a/package.json", '{"name":"a"}', []],
    ["app/package.json", '{"name":"own","version":"1.0.0"}', []],
    ["usr/local/lib/python3.9/site-packages/x.dist-info/METADATA", METADATA, ["pkg:pypi/my-package-x@1.2"]],
    ["opt/x.egg-info/PKG-INFO", METADATA, ["pkg:pypi/my-package-x@1.2"]],
    ["opt/x.egg-info", METADATA, ["pkg:pypi/my-package-x@1.2"]],
    ["opt/METADATA", METADATA, []],
    ["usr/local/lib/ruby/gems/2.7.0/specifications/rack-2.2.8.gemspec", GEM, ["pkg:gem/rack@2.2.8"]],
    ["app/rack.gemspec", GEM, []],
    [
      "app/vendor/composer/installed.json",
      '{"packages":[{"name":"symfony/console","version":"v4.4.0"}]}',
      ["pkg:composer/symfony/console@4.4.0"],
    ],
    ["app/vendor/composer/installed.json", '[{"name":"a/b","version":"1.0"}]', ["pkg:composer/a/b@1.0"]],
    [
      "app/shop.deps.json",
      '{"libraries":{"shop/1.0.0":{"type":"project"},"Newtonsoft.Json/9.0.1":{"type":"package"}}}',
      ["pkg:nuget/Newtonsoft.Json@9.0.1"],
    ],
    [
      "app/shop.runtimeconfig.json",
      '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"3.1.0"}}}',
      ["dotnet 3.1.0"],
    ],
    [
      "usr/local/dotnet/shared/Microsoft.NETCore.App/5.0.17/Microsoft.NETCore.App.deps.json",
      '{"libraries":{}}',
      ["dotnet 5.0.17"],
    ],
    ["app/node_modules/broken/package.json", "{", ["package.json"]],
    ["app/vendor/composer/installed.json", '"x', ["installed.json"]],
    ["app/x.jar", "PK no archive", ["x.jar"]],
  ])("%s with %j gives %j", async (path, content, expected) => {
    expect(await packagesIn([{ [path]: content }])).toEqual(expected);
  });

  test("that cannot be read is listed with the reason and lowers the coverage", async () => {
    const { components, coverage } = await readTars([await tarOf({ "app/a.jar": "x", "app/b.war": "y" })]);
    expect(components.map(({ name, purls }) => [name, purls])).toEqual([
      ["a.jar", []],
      ["b.war", []],
    ]);
    expect(coverage.notRead).toContainEqual({
      kind: "language-packages",
      detail: "/app/a.jar (it is not a zip archive), /app/b.war (it is not a zip archive)",
    });
  });

  test("that a package of the operating system installed is not a package of a language", async () => {
    const owned = "usr/lib/python3/dist-packages/yaml.egg-info/PKG-INFO";
    const own = "usr/local/lib/python3.11/dist-packages/yaml.dist-info/METADATA";
    const lists = { "var/lib/dpkg/info/python3-yaml.list": `/.\n/${owned}\n` };
    expect(await packagesIn([{ ...BASE, ...lists, [owned]: METADATA, [own]: METADATA }])).toEqual([
      "pkg:pypi/my-package-x@1.2",
    ]);
    expect(await packagesIn([{ ...BASE, [owned]: METADATA }])).toEqual(["pkg:pypi/my-package-x@1.2"]);
    const apk = "P:py3-yaml\nV:1\nF:usr/lib/python3.11/site-packages/yaml.egg-info\nR:PKG-INFO\n";
    const path = "usr/lib/python3.11/site-packages/yaml.egg-info/PKG-INFO";
    expect(await packagesIn([{ "lib/apk/db/installed": apk, [path]: METADATA }])).toEqual(["pkg:apk/py3-yaml@1"]);
  });

  test("that a later layer removes or replaces is not read", async () => {
    const path = "app/node_modules/a/package.json";
    const first = { [path]: '{"name":"a","version":"1.0.0"}' };
    expect(await packagesIn([first, { "app/node_modules/.wh.a": "" }])).toEqual([]);
    expect(await packagesIn([first, { "app/.wh.node_modules": "" }])).toEqual([]);
    expect(await packagesIn([first, { "app/node_modules/.wh..wh..opq": "" }])).toEqual([]);
    expect(await packagesIn([first, { [path]: '{"name":"a","version":"2.0.0"}' }])).toEqual(["pkg:npm/a@2.0.0"]);
    expect(await packagesIn([first, { "app/node_modules/.wh.ab": "" }])).toEqual(["pkg:npm/a@1.0.0"]);
  });
});

describe("a Java archive", () => {
  const LEVELS = inner("BOOT-INF/lib/two.jar", [
    pom("g", "two", "2"),
    inner("lib/three.jar", [pom("g", "three", "3"), inner("lib/four-4.0.jar", [pom("g", "four", "4")])], false),
  ]);
  test.each<readonly [string, readonly ZipFile[], readonly string[]]>([
    ["with the properties of Maven", [pom("g", "a", "1")], ["pkg:maven/g/a@1"]],
    ["that contains others", [pom("g", "a", "1"), pom("g", "b", "2")], ["pkg:maven/g/a@1", "pkg:maven/g/b@2"]],
    ["without properties", [{ name: "A.class", content: "x" }], ["shop 1.0"]],
    ["to three levels", [LEVELS], ["pkg:maven/g/two@2", "pkg:maven/g/three@3", "four 4.0"]],
    ["with a broken archive in it", [{ name: "lib/x.jar", content: "x" }], ["shop-1.0.jar"]],
  ])("%s gives its packages", async (_, files, expected) => {
    expect(await packagesIn([{ "app/shop-1.0.jar": zip(files) }])).toEqual(expected);
  });

  test.each<readonly [string, Buffer]>([
    ["that is cut off", zip([pom("g", "a", "1"), pom("g", "b", "1")]).subarray(90)],
    ["that expands further than it states", zip([{ ...pom("g", "a", "1"), stated: 3 }])],
  ])("%s is listed as not read", async (_, archive) => {
    expect(await packagesIn([{ "app/x.jar": archive }])).toEqual(["x.jar"]);
  });

  test("bomb is refused", async () => {
    const bomb = zip([
      inner("a.jar", [{ name: "META-INF/maven/g/a/pom.properties", content: new Uint8Array(9_000_000) }], false),
    ]);
    expect(bomb.length).toBeLessThan(20_000);
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`app/${String(index)}.jar`, bomb]));
    await expect(packagesIn([many], { ...IMAGE_LIMITS, jarBytes: 50_000_000 })).rejects.toMatchObject({
      code: "image-limit",
      exit: 3,
    });
  });
});

describe("a program", () => {
  const MODULES =
    "path\tx\nmod\texample.com/x\t(devel)\t\ndep\tgithub.com/a/b\tv1.2.3\th1:x\ndep\tgithub.com/c/D\tv0.1.0\n=>\tgithub.com/e/f\tv0.2.0\th1:y\ndep\tgithub.com/g/h\tv0.0.0-00010101000000-000000000000\n=>\t./h\t(devel)\t\n";
  test.each<readonly [string, Buffer, number, readonly string[]]>([
    [
      "of Go",
      goProgram("go1.20.3", MODULES),
      0o755,
      ["pkg:generic/go@1.20.3", "pkg:golang/github.com/a/b@v1.2.3", "pkg:golang/github.com/e/f@v0.2.0"],
    ],
    ["of Go before 1.18", goProgram("go1.17", MODULES, 0), 0o755, ["server"]],
    ["of Go with damaged information", goProgram("go1.20", MODULES).fill(0xff, 1_632, 1_640), 0o755, ["server"]],
    ["that is not executable", goProgram("go1.20.3", MODULES), 0o644, []],
    [
      "of Rust",
      rustProgram([
        { name: "clap", version: "2.33.0" },
        { name: "cc", version: "1.0.0", kind: "build" },
      ]),
      0o755,
      ["pkg:cargo/clap@2.33.0"],
    ],
    ["of Rust with damaged information", rustProgram([]).fill(1, 1_000, 1_100), 0o755, ["server"]],
    ["without information", Buffer.concat([Buffer.from("\x7fELF"), Buffer.alloc(300_000)]), 0o755, []],
    ["that is a script", Buffer.from(`#!/bin/sh\n${" ".repeat(300_000)}`), 0o755, []],
  ])("%s", async (_, content, mode, expected) => {
    const { components } = await readTars([await programLayer("usr/local/bin/server", content, mode)]);
    expect(components.map(({ name, version, purls }) => purls[0] ?? `${name} ${version ?? ""}`.trim())).toEqual(
      expected,
    );
  });
});

/** The files below a folder as a layer, without the larger ones that list no packages. */
function layerOf(folder: string, prefix: string, wanted: RegExp): Files {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => wanted.test(path) && statSync(join(folder, path)).isFile(),
  );
  return Object.fromEntries(
    paths.map((path) => [`${prefix}/${relative(".", path)}`, new Uint8Array(readFileSync(join(folder, path)))]),
  );
}

describe("images of parts that package managers wrote", () => {
  const root = join(import.meta.dirname, "../..");

  test.skipIf(!isInstalled("npm"))("have the packages of npm ls", async () => {
    // npm ls ends with an error where a package is not in the lockfile, and lists it all the same.
    const { stdout } = spawnSync("npm", ["ls", "--all", "--parseable", "--long"], { cwd: root, encoding: "utf8" });
    const expected = stdout.split("\n").flatMap((line) => {
      // `path:name@version`, `path:alias@npm:name@version`, with marks after a colon.
      const [, path = "", named = ""] = /^(.*?):((?:@[^/@]+\/)?[^:@]+@(?:npm:)?[^:]+)/.exec(line) ?? [];
      return path.includes("node_modules") ? [named.replace(/^.*@npm:/, "")] : [];
    });
    const files = layerOf(join(root, "node_modules"), "app/node_modules", /(?:^|\/)package\.json$/);
    const found = (await packagesIn([files])).map((purl) => decodeURIComponent(purl.replace("pkg:npm/", "")));
    const links = expected.filter((name) => name.startsWith("eolgate"));
    expect([...new Set([...found, ...links])].toSorted()).toEqual([...new Set(expected)].toSorted());
    expect(found.length).toBeGreaterThan(300);
  });

  const python = ["python3", "python"].find((name) => {
    try {
      execFileSync(name, ["-m", "pip", "--version"], { stdio: "pipe" });
      return true;
    } catch {
      return false;
    }
  });
  test.runIf(python !== undefined)("have the packages of pip list", async () => {
    const run = (...args: readonly string[]) => execFileSync(python ?? "", args, { encoding: "utf8" });
    const folder = run("-c", "import pip, os; print(os.path.dirname(os.path.dirname(pip.__file__)))").trim();
    const listed: unknown = JSON.parse(run("-m", "pip", "list", "--format", "json", "--path", folder));
    const expected = (Array.isArray(listed) ? listed : []).map((row: unknown) => {
      const { name, version } = asRecord(row);
      return `pkg:pypi/${String(name)
        .toLowerCase()
        .replaceAll(/[-_.]+/g, "-")}@${encodeURIComponent(String(version))}`;
    });
    const files = layerOf(
      folder,
      "usr/local/lib/python3/site-packages",
      /\.(?:dist-info\/METADATA|egg-info(?:\/PKG-INFO)?)$/,
    );
    // A distribution may ship the metadata of one package in both forms.
    expect([...new Set(await packagesIn([files]))].toSorted()).toEqual(expected.toSorted());
    expect(dirname(folder)).not.toBe("");
  });
});
