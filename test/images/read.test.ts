/** Components of images that are read from folders and archives. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { IMAGE_LIMITS, type ImageLimits } from "../../src/images/limits.ts";
import { readImage } from "../../src/images/read.ts";
import {
  attestation,
  BASE,
  type BuildOptions,
  buildImage,
  type BuiltImage,
  digest,
  type Files,
  imageOf,
  indexOf,
  layoutFiles,
  OS_RELEASE,
  savedFiles,
  STATUS,
  tarOf,
  writeFiles,
} from "./build.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";

const CATALOGUE = loadCatalogue();
const FACTS = CATALOGUE.facts;
const PURL = CATALOGUE.purl.bind(CATALOGUE);
const folder = (): string => mkdtempSync(join(tmpdir(), "eolgate-image-"));
const context = (cwd: string) => ({ cwd, env: {}, facts: FACTS, purl: PURL, architecture: "x64" });

interface ReadOptions {
  readonly platform?: string;
  readonly limits?: ImageLimits;
  readonly image?: string;
}

function readLayout(files: Files, { image = "oci:.", platform, limits }: ReadOptions = {}) {
  return readImage({ image, platform }, context(writeFiles(folder(), files)), limits);
}

const without = (files: Files, path: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));

const layoutOf = (image: BuiltImage): Files => layoutFiles(indexOf([image.manifest]), [image]);

async function componentsOf(layers: readonly Files[], options?: BuildOptions): Promise<readonly string[]> {
  const { inputs } = await readLayout(layoutOf(await buildImage(layers, options)));
  return inputs.flatMap(({ document }) =>
    [...document.components].map(({ name, version, purls }) => purls[0] ?? `${name} ${version ?? ""}`.trim()),
  );
}

async function errorOf(step: Promise<unknown>): Promise<string> {
  try {
    await step;
  } catch (cause) {
    if (cause instanceof EolgateError) return `${cause.code} ${String(cause.exit)}`;
    throw cause;
  }
  return "no error";
}

const PACKAGES = [
  "debian 12",
  "pkg:deb/debian/openssl@3.0.11-1~deb12u2?arch=amd64&distro=debian-12",
  "pkg:deb/debian/perl-base@5.36.0-7%2Bdeb12u1?arch=amd64&distro=debian-12&upstream=perl",
];

describe("layers", () => {
  test.each<readonly [string, readonly Files[], readonly string[]]>([
    ["one layer", [BASE], PACKAGES],
    ["a second layer without packages", [BASE, { "opt/app": "x" }], PACKAGES],
    ["a later layer that replaces a file", [{ "etc/os-release": "ID=alpine\nVERSION_ID=3.18.4\n" }, BASE], PACKAGES],
    ["a whiteout that removes a file", [BASE, { "var/lib/dpkg/.wh.status": "" }], ["debian 12"]],
    ["a whiteout that removes a folder with its content", [BASE, { "var/.wh.lib": "" }], ["debian 12"]],
    ["an opaque folder that hides lower layers", [BASE, { "var/lib/dpkg/.wh..wh..opq": "" }], ["debian 12"]],
    [
      "an opaque folder with files of its own layer, which are kept",
      [BASE, { "var/lib/dpkg/status": "", "var/lib/dpkg/.wh..wh..opq": "" }],
      ["debian 12"],
    ],
    [
      "a whiteout and the same file in one layer, which keeps the file",
      [BASE, { ...BASE, "etc/.wh.os-release": "" }],
      PACKAGES,
    ],
    ["metadata of a storage driver, which is not a whiteout", [BASE, { "etc/.wh..wh.os-release": "" }], PACKAGES],
    [
      "a symbolic link inside the root",
      [{ "usr/lib/os-release": OS_RELEASE, "etc/os-release -> ../usr/lib/os-release": "" }],
      ["debian 12"],
    ],
    [
      "an absolute link, which is resolved inside the root",
      [{ "opt/release": OS_RELEASE, "etc/os-release -> /opt/release": "" }],
      ["debian 12"],
    ],
    [
      "a link above the root, which is resolved inside the root",
      [{ "opt/release": OS_RELEASE, "etc/os-release -> ../../../../../opt/release": "" }],
      ["debian 12"],
    ],
    [
      "a folder that is a link to another path",
      [{ "srv/dpkg/status": STATUS, "var/lib/dpkg -> ../../srv/dpkg": "", "etc/os-release": OS_RELEASE }],
      PACKAGES,
    ],
    [
      "links to links",
      [
        {
          "data/lib/dpkg/status": STATUS,
          "more/lib -> ../data/lib": "",
          "var -> more": "",
          "etc/os-release": OS_RELEASE,
        },
      ],
      PACKAGES,
    ],
    [
      "a file below a link of a lower layer",
      [{ "usr/lib/": "", "lib -> usr/lib": "" }, { "lib/apk/db/installed": "P:musl\nV:1.2.4-r2\n" }],
      ["pkg:apk/musl@1.2.4-r2"],
    ],
    [
      "a hard link to a wanted file",
      [{ "usr/lib/os-release": OS_RELEASE, "etc/os-release => usr/lib/os-release": "" }],
      ["debian 12"],
    ],
    [
      "a hard link to a file that is not wanted by itself",
      [{ "objects/1f": STATUS, "var/lib/dpkg/status => objects/1f": "", "etc/os-release": OS_RELEASE }],
      PACKAGES,
    ],
    ["a folder that replaces a file", [BASE, { "etc/os-release/": "" }], PACKAGES.slice(1).map(withoutSystem)],
    [
      "paths with leading dots and slashes",
      [{ "./etc/os-release": OS_RELEASE, "/var/lib/dpkg/status": STATUS }],
      PACKAGES,
    ],
    [
      "one file for each package",
      [{ ...BASE, "var/lib/dpkg/status": "", "var/lib/dpkg/status.d/tzdata": "Package: tzdata\nVersion: 2024a\n" }],
      ["debian 12", "pkg:deb/debian/tzdata@2024a?distro=debian-12"],
    ],
    ["checksums next to such files", [{ "var/lib/dpkg/status.d/a.md5sums": "0 x" }], []],
  ])("with %s are read", async (_, layers, expected) => {
    expect(await componentsOf(layers)).toEqual(expected);
  });

  function withoutSystem(purl: string): string {
    return purl.replace("debian/", "").replace("&distro=debian-12", "");
  }

  test.each([
    ["a link to itself", { "etc/os-release -> os-release": "" }],
    ["links in a circle", { "etc -> var": "", "var -> etc": "" }],
    ["a link to a file that does not exist", { "etc/os-release -> /nowhere": "" }],
  ])("with %s have no components", async (_, files) => {
    expect(await componentsOf([files])).toEqual([]);
  });

  test.each([
    ["gzip", (tar: Uint8Array) => gzipSync(tar)],
    ["zstd", (tar: Uint8Array) => zstdCompressSync(tar)],
    ["nothing", (tar: Uint8Array) => tar],
    [
      "gzip in two members",
      (tar: Uint8Array) => Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]),
    ],
  ])("compressed with %s are read", async (_, compress) => {
    expect(await componentsOf([BASE], { compress })).toEqual(PACKAGES);
  });
});

describe("runtimes in the environment", () => {
  test.each([
    ["NODE_VERSION=18.19.0", "pkg:generic/node@18.19.0"],
    ["PYTHON_VERSION=3.9.18", "pkg:generic/python@3.9.18"],
    ["JAVA_VERSION=jdk-17.0.10+7", "java 17.0.10+7"],
    ["PHP_VERSION=8.0.30", "pkg:generic/php@8.0.30"],
    ["RUBY_VERSION=2.7.8", "pkg:generic/ruby@2.7.8"],
    ["GOLANG_VERSION=1.20.3", "pkg:generic/go@1.20.3"],
    ["REDIS_VERSION=5.0.14", "redis 5.0.14"],
    ["PG_VERSION=9.6.24-1.pgdg90+1", "postgresql 9.6.24"],
    ["MARIADB_VERSION=1:10.2.44+maria~bionic", "mariadb 10.2.44"],
    ["CADDY_VERSION=v1.0.5", "caddy 1.0.5"],
    ["MONGO_VERSION=4.2.0~rc8", "mongodb 4.2.0"],
    ["PG_MAJOR=12", "postgresql 12"],
    ["TOMCAT_VERSION=8.0.53", "tomcat 8.0.53"],
    ["NGINX_VERSION=1.18.0", "nginx 1.18.0"],
    ["DOTNET_VERSION=5.0.17", "dotnet 5.0.17"],
    ["MYSQL_MAJOR=5.7", "mysql 5.7"],
    ["RABBITMQ_VERSION=3.8.34", "rabbitmq 3.8.34"],
  ])("%s gives the component %s", async (variable, expected) => {
    expect(await componentsOf([{}], { env: ["PATH=/bin", variable] })).toEqual([expected]);
  });

  test.each([
    "NODE_VERSION=",
    "NODE_VERSION",
    "NODE_VERSION=lts",
    "NODE_VERSION=$X",
    "OTHER_VERSION=1.2",
    "MY_NODE_VERSION=16",
    "node_version=16",
  ])("%s does not contain a version", async (variable) => {
    expect(await componentsOf([{}], { env: [variable] })).toEqual([]);
  });

  test("the more exact of two variables of a product decides", async () => {
    expect(await componentsOf([{}], { env: ["PG_MAJOR=12", "PG_VERSION=12.9-1.pgdg110+1"] })).toEqual([
      "postgresql 12.9",
    ]);
  });
});

describe("the product of an image", () => {
  const BASE_NAME = "org.opencontainers.image.base.name";
  async function productsOf(tags: readonly string[], options: BuildOptions, files: Files = {}) {
    const cwd = folder();
    writeFileSync(join(cwd, "image.tar"), await tarOf(savedFiles(await buildImage([files], options), tags)));
    const { inputs, coverage } = await readImage({ image: "docker-archive:image.tar" }, context(cwd));
    const components = inputs.flatMap(({ document }) => [...document.components]);
    return [components.map(({ name, version }) => `${name} ${version ?? ""}`.trim()), coverage.evidence] as const;
  }

  test.each<readonly [string, readonly string[], BuildOptions, Files, readonly string[]]>([
    ["its tag", ["redis:5.0.14-alpine"], {}, {}, ["redis 5.0.14-alpine"]],
    ["its tag on a known system", ["redis:5.0.14-alpine"], {}, BASE, ["redis 5.0.14-alpine"]],
    ["the tag of a known system", ["debian:11"], {}, BASE, []],
    ["the tag of a system without os-release", ["debian:11"], {}, {}, ["debian 11"]],
    ["a tag that names two products", ["wordpress:5.8-php7.4"], {}, {}, ["wordpress 5.8-php7.4", "php 7.4"]],
    ["latest", ["redis:latest"], {}, {}, []],
    ["a repository of the user", ["shop:5.0"], {}, {}, []],
    ["a text that is no reference", ["<none>:<none>"], {}, {}, []],
    ["the package in its name", ["registry.access.redhat.com/ubi8/nodejs-12:1-70"], {}, BASE, ["nodejs 12"]],
    ["its name without os-release", ["registry.redhat.io/ubi9/php-80:1"], {}, {}, ["php 8.0", "rhel 9"]],
    ["a name without a recorded period", ["registry.redhat.io/ubi8/perl-530:1"], {}, BASE, []],
    ["a name of another registry", ["example.com/ubi8/nodejs-12:1"], {}, {}, []],
    ["its base", ["shop:5.0"], { labels: { [BASE_NAME]: "docker.io/library/node:14" } }, {}, ["node 14"]],
    ["a base without a tag", ["shop:5.0"], { labels: { [BASE_NAME]: "docker.io/library/node" } }, {}, []],
  ])("is read from %s", async (_, tags, options, files, expected) => {
    const [found] = await productsOf(tags, options, files);
    expect(found.filter((name) => !/^(?:debian 12|openssl|perl-base)/.test(name))).toEqual(expected);
  });

  test("is named as evidence", async () => {
    const [, evidence] = await productsOf(["redis:5.0.14", "shop:1"], {});
    expect(evidence).toEqual([{ kind: "reference", source: "redis:5.0.14", components: 1 }]);
  });
});

describe("archives", () => {
  const writeArchive = async (files: Files, compress: (tar: Uint8Array) => Uint8Array = (tar) => tar) => {
    const cwd = folder();
    writeFileSync(join(cwd, "image.tar"), compress(await tarOf(files)));
    return cwd;
  };
  const namesIn = async (image: string, cwd: string) => {
    const { inputs, coverage } = await readImage({ image }, context(cwd));
    return { names: inputs.flatMap(({ document }) => [...document.components].map(({ name }) => name)), coverage };
  };

  test.each([
    ["without compression", (tar: Uint8Array) => tar],
    ["with gzip", (tar: Uint8Array) => gzipSync(tar)],
  ])("reads an OCI archive %s", async (_, compress) => {
    const image = await buildImage([BASE]);
    const cwd = await writeArchive(layoutOf(image), compress);
    const { names, coverage } = await namesIn("oci-archive:image.tar", cwd);
    expect(names).toEqual(["debian", "openssl", "perl-base"]);
    expect(coverage).toMatchObject({ platform: "linux/amd64", digest: image.manifest.digest });
  });

  test("reads an archive of docker save, whose manifest is its last file", async () => {
    const image = await buildImage([BASE, { "srv/dpkg": "x" }]);
    const { names, coverage } = await namesIn("docker-archive:image.tar", await writeArchive(savedFiles(image)));
    expect(names).toEqual(["debian", "openssl", "perl-base"]);
    expect(coverage.digest).toBe(image.config);
  });

  test("reads the archive again for the target of a link", async () => {
    const image = await buildImage([{ "opt/release": OS_RELEASE, "etc/os-release -> /opt/release": "" }]);
    const { names } = await namesIn("docker-archive:image.tar", await writeArchive(savedFiles(image)));
    expect(names).toEqual(["debian"]);
  });

  test("reads a layer that docker save writes as a link to another one", async () => {
    const image = await buildImage([BASE]);
    const files = Object.entries(savedFiles(image)).map(([path, content]) =>
      path === "layer-0/layer.tar" ? ["shared/layer.tar", content] : [path, content],
    );
    const cwd = await writeArchive({ ...Object.fromEntries(files), "layer-0/layer.tar -> ../shared/layer.tar": "" });
    expect((await namesIn("docker-archive:image.tar", cwd)).names).toHaveLength(3);
  });

  test.each([
    ["docker-archive:image.tar:shop:1.0", "no error"],
    ["docker-archive:image.tar:1.0", "no error"],
    ["docker-archive:image.tar:shop:2.0", "image-choice 2"],
    ["docker-archive:missing.tar", "image-archive 3"],
    ["oci-archive:image.tar", "image-archive 3"],
  ])("reading %s gives: %s", async (image, expected) => {
    const cwd = await writeArchive(savedFiles(await buildImage([BASE])));
    expect(await errorOf(readImage({ image }, context(cwd)))).toBe(expected);
  });

  test.each<readonly [string, (files: Files) => Files]>([
    ["without a manifest", (files) => without(files, "manifest.json")],
    ["with a manifest that is not a list", (files) => ({ ...files, "manifest.json": "{}" })],
    ["without its layer", (files) => without(files, "layer-0/layer.tar")],
    ["with a layer that is not an archive", (files) => ({ ...files, "layer-0/layer.tar": "text".repeat(500) })],
  ])("refuses an archive %s", async (_, change) => {
    const cwd = await writeArchive(change(savedFiles(await buildImage([BASE]))));
    expect(await errorOf(readImage({ image: "docker-archive:image.tar" }, context(cwd)))).toMatch(/ 3$/);
  });

  test("requires a name for an archive of two images", async () => {
    const [one, two] = [await buildImage([BASE]), await buildImage([{}])];
    const manifest = [savedFiles(one), savedFiles(two, ["other:2.0"])].flatMap(
      (files) => JSON.parse(String(files["manifest.json"])) as unknown[],
    );
    const cwd = await writeArchive({
      ...savedFiles(two),
      ...savedFiles(one),
      "manifest.json": JSON.stringify(manifest),
    });
    expect(await errorOf(readImage({ image: "docker-archive:image.tar" }, context(cwd)))).toBe("image-choice 2");
  });
});

describe("platforms", () => {
  const images = () =>
    Promise.all([
      buildImage([{ "etc/os-release": "ID=debian\nVERSION_ID=11\n" }], { architecture: "amd64" }),
      buildImage([{ "etc/os-release": "ID=debian\nVERSION_ID=12\n" }], {
        architecture: "arm64",
        variant: "v8",
      }),
      buildImage([{ "etc/os-release": "ID=debian\nVERSION_ID=10\n" }], {
        architecture: "arm",
        variant: "v6",
      }),
      buildImage([{ "etc/os-release": "ID=debian\nVERSION_ID=9\n" }], {
        architecture: "arm",
        variant: "v7",
      }),
    ]);

  test.each([
    [undefined, "11"],
    ["linux/amd64", "11"],
    ["linux/x86_64", "11"],
    ["linux/arm64", "12"],
    ["linux/aarch64", "12"],
    ["linux/arm64/v8", "12"],
    ["linux/arm", "9"],
    ["linux/arm/v6", "10"],
  ])("%s selects Debian %s", async (platform, version) => {
    const all = await images();
    const files = layoutFiles(indexOf(all.map(({ manifest }) => manifest)), all);
    const { inputs } = await readLayout(files, platform === undefined ? {} : { platform });
    expect(inputs[0]?.document.components.at(0)?.version).toBe(version);
  });

  test.each([
    ["linux/s390x", "image-platform-missing 2"],
    ["linux/arm/v5", "image-platform-missing 2"],
    ["windows/amd64", "image-platform-missing 2"],
    ["linux", "invalid-value 2"],
    ["linux/amd64/v1/x", "invalid-value 2"],
    ["../x/y", "invalid-value 2"],
  ])("refuses the platform %s with %s", async (platform, expected) => {
    const all = await images();
    const files = layoutFiles(indexOf(all.map(({ manifest }) => manifest)), all);
    expect(await errorOf(readLayout(files, { platform }))).toBe(expected);
  });

  test("refuses the only image when its platform is not the requested one", async () => {
    expect(await errorOf(readLayout(layoutOf(await buildImage([BASE])), { platform: "linux/arm64" }))).toBe(
      "image-platform-missing 2",
    );
  });

  test("reports Windows without opening its layers", async () => {
    const image = await buildImage([{ "Files/x": "" }], { os: "windows", osVersion: "10.0.17763.5329" });
    const { inputs, coverage } = await readLayout(layoutOf(image));
    expect(inputs[0]?.document.components).toMatchObject([{ kind: "operating-system", name: "windows" }]);
    expect(coverage.notRead.map(({ kind }) => kind)).toContain("file-system");
  });
});

describe("image names in a layout", () => {
  const named = (image: BuiltImage, name: string) => ({
    ...image.manifest,
    annotations: { "org.opencontainers.image.ref.name": name },
  });

  test.each([
    ["oci:.:1.0", "no error"],
    ["oci:.:2.0", "no error"],
    ["oci:.:3.0", "image-choice 2"],
    ["oci:.", "image-choice 2"],
    ["oci:nowhere", "image-archive 3"],
  ])("reading %s gives: %s", async (image, expected) => {
    const [one, two] = [await buildImage([BASE]), await buildImage([{}], { env: ["NODE_VERSION=18.0.0"] })];
    const files = layoutFiles(indexOf([named(one, "1.0"), named(two, "2.0")]), [one, two]);
    expect(await errorOf(readLayout(files, { image }))).toBe(expected);
  });
});

describe("damaged images", () => {
  const errorAfter = async (change: (files: Record<string, string | Uint8Array>, image: BuiltImage) => void) => {
    const image = await buildImage([BASE]);
    const files = { ...layoutOf(image) };
    change(files, image);
    return errorOf(readLayout(files));
  };
  const blob = (name: string): string => `blobs/${name.replace(":", "/")}`;

  test.each<readonly [string, (files: Record<string, string | Uint8Array>, image: BuiltImage) => void, string]>([
    ["a changed manifest", (files, { manifest }) => (files[blob(manifest.digest)] = "{}"), "image-archive 3"],
    ["a changed configuration", (files, { config }) => (files[blob(config)] = "{}"), "image-archive 3"],
    ["a changed layer", (files, { layers }) => (files[blob(layers[0] ?? "")] = gzipSync("x")), "image-archive 3"],
    [
      "a truncated layer",
      (files, { layers, blobs }) => (files[blob(layers[0] ?? "")] = blobs.get(layers[0] ?? "")?.subarray(0, 90) ?? ""),
      "image-archive 3",
    ],
    ["no layer", (files, { layers }) => delete files[blob(layers[0] ?? "")], "image-archive 3"],
    ["no index", (files) => delete files["index.json"], "image-archive 3"],
    ["an index that is not JSON", (files) => (files["index.json"] = "<html>"), "image-archive 3"],
    [
      "an index with an invalid digest",
      (files) => (files["index.json"] = '{"manifests":[{"digest":"x","size":1}]}'),
      "image-archive 3",
    ],
    ["an index without images", (files) => (files["index.json"] = '{"manifests":[]}'), "image-archive 3"],
  ])("with %s are refused", async (_, change, expected) => {
    expect(await errorAfter(change)).toBe(expected);
  });

  test.each<readonly [string, (tar: Uint8Array) => Uint8Array, BuildOptions, string]>([
    ["a truncated tar archive", (tar) => tar.subarray(0, 1000), {}, "image-layer 3"],
    [
      "a header with a wrong checksum",
      (tar) => tar.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
      {},
      "image-layer 3",
    ],
    ["text instead of a tar archive", () => new TextEncoder().encode("text ".repeat(400)), {}, "image-layer 3"],
    ["truncated gzip data", (tar) => tar, { compress: (tar) => gzipSync(tar).subarray(0, 60) }, "image-layer 3"],
    [
      "data after the gzip data",
      (tar) => tar,
      { compress: (tar) => Buffer.concat([gzipSync(tar), Buffer.alloc(600_000, 7)]) },
      "image-layer 3",
    ],
    [
      "truncated zstd data",
      (tar) => tar,
      { compress: (tar) => zstdCompressSync(tar).subarray(0, 60) },
      "image-layer 3",
    ],
    ["xz", (tar) => tar, { compress: () => Buffer.from("fd377a585a0000", "hex") }, "image-layer 3"],
    ["content that differs from the configuration", (tar) => tar, { diffIds: [digest("other")] }, "image-archive 3"],
    ["a number of layers that differs from the configuration", (tar) => tar, { diffIds: [] }, "image-archive 3"],
  ])("refuses a layer with %s", async (_, change, options, expected) => {
    const image = imageOf([change(await tarOf(BASE))], options);
    expect(await errorOf(readLayout(layoutOf(image)))).toBe(expected);
  });
});

describe("limits", () => {
  const zeros = (bytes: number) =>
    tarOf({ "opt/zeros": new Uint8Array(bytes), "etc/os-release": OS_RELEASE }).then((tar) =>
      imageOf([tar], { compress: (raw) => gzipSync(raw, { level: constants.Z_BEST_COMPRESSION }) }),
    );
  const withLimits = (change: Partial<ImageLimits>): ImageLimits => ({ ...IMAGE_LIMITS, ...change });

  test.each<readonly [string, Partial<ImageLimits>]>([
    ["a layer with too high a compression ratio", { ratioFromBytes: 100_000 }],
    ["too many bytes in total", { totalBytes: 100_000 }],
    ["a package database that is too large", { fileBytes: 50 }],
    ["package databases that are too large together", { keptBytes: 50 }],
    ["too many entries", { entries: 1 }],
    ["too many kept entries", { keptEntries: 0 }],
    ["too many layers", { layers: 0 }],
    ["a manifest that is too large", { manifestBytes: 50 }],
  ])("refuse %s", async (_, change) => {
    const files = layoutOf(await zeros(1_000_000));
    expect(await errorOf(readLayout(files, { limits: withLimits(change) }))).toBe("image-limit 3");
  });

  test("allow any compression ratio for a small layer", async () => {
    expect(await errorOf(readLayout(layoutOf(await zeros(1_000_000))))).toBe("no error");
  });

  test("refuse an archive with too high a compression ratio", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "bomb.tar.gz"), gzipSync(await tarOf({ zeros: new Uint8Array(3_000_000) })));
    const reading = readImage(
      { image: "docker-archive:bomb.tar.gz" },
      context(cwd),
      withLimits({ ratioFromBytes: 100_000 }),
    );
    expect(await errorOf(reading)).toBe("image-limit 3");
  });
});

describe("attached SBOMs in an index", () => {
  const BOM = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    components: [
      { type: "library", name: "express", version: "4.18.2", purl: "pkg:npm/express@4.18.2" },
      {
        type: "library",
        name: "openssl",
        version: "3.0.11-1~deb12u2",
        purl: "pkg:deb/debian/openssl@3.0.11-1~deb12u2?arch=amd64&distro=debian-12",
      },
    ],
  };
  const statement = (subject: string, predicateType = "https://cyclonedx.org/bom", predicate: unknown = BOM) => ({
    _type: "https://in-toto.io/Statement/v1",
    predicateType,
    subject: [{ name: "image", digest: { sha256: subject.slice(7) } }],
    predicate,
  });
  const envelope = (value: unknown) => ({
    payloadType: "application/vnd.in-toto+json",
    payload: Buffer.from(JSON.stringify(value)).toString("base64"),
    signatures: [],
  });

  /** Reads an image with one attestation. @param subject changes the digest that the attestation is about */
  async function read(content: (image: string) => unknown, subject = (image: string) => image) {
    const image = await buildImage([BASE]);
    const attached = attestation(content(image.manifest.digest));
    const annotations = {
      "vnd.docker.reference.type": "attestation-manifest",
      "vnd.docker.reference.digest": subject(image.manifest.digest),
    };
    const index = indexOf([image.manifest, { ...attached.manifest, annotations }]);
    const { inputs, coverage } = await readLayout(layoutFiles(index, [image, attached]));
    return {
      names: inputs.map(({ document }) => [...document.components].map(({ name }) => name)),
      gaps: coverage.notRead.map(({ kind }) => kind),
    };
  }

  test.each<readonly [string, (image: string) => unknown]>([
    ["a statement", (image) => statement(image)],
    ["a signed statement", (image) => envelope(statement(image))],
    [
      "a Sigstore bundle",
      (image) => ({
        mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
        dsseEnvelope: envelope(statement(image)),
      }),
    ],
    ["a document without a statement", () => BOM],
  ])("%s is assessed, and its packages are assessed once", async (_, content) => {
    expect(await read(content)).toEqual({
      names: [
        ["express", "openssl"],
        ["debian", "perl-base"],
      ],
      gaps: [],
    });
  });

  test.each([
    ["without its distribution", "pkg:deb/debian/openssl@3.0.11-1~deb12u2"],
    ["of another distribution", "pkg:deb/debian/openssl@3.0.11-1~deb12u2?distro=debian-13"],
    ["in another version", "pkg:deb/debian/openssl@3.0.9?distro=debian-12"],
    ["with an invalid escape", "pkg:deb/debian/openssl@3.0.11-1~deb12u2%?distro=debian-12"],
  ])("a package that the SBOM lists %s is also assessed from the database", async (_, purl) => {
    const { names } = await read(() => ({ ...BOM, components: [{ type: "library", name: "openssl", purl }] }));
    expect(names).toEqual([["openssl"], ["debian", "openssl", "perl-base"]]);
  });

  test.each<readonly [string, (image: string) => unknown, readonly string[]]>([
    ["a statement about another image", () => statement(digest("other")), ["foreign-attestation"]],
    ["provenance", (image) => statement(image, "https://slsa.dev/provenance/v1", {}), []],
    ["a predicate that is not an SBOM", (image) => statement(image, "https://spdx.dev/Document", {}), ["attachment"]],
    ["Syft's own format", () => ({ artifacts: [], descriptor: {} }), ["attachment"]],
    ["text", () => new TextEncoder().encode("no sbom"), ["attachment"]],
  ])("%s is not assessed", async (_, content, gaps) => {
    expect(await read(content)).toEqual({ names: [["debian", "openssl", "perl-base"]], gaps });
  });

  test.each([
    ["is in the index of the archive", false],
    ["is in a nested index that also lists a platform without content", true],
  ])("assesses the SBOM of a docker save archive when it %s", async (_, isNested) => {
    const image = await buildImage([BASE]);
    const attached = attestation(statement(image.manifest.digest));
    const annotations = {
      "vnd.docker.reference.type": "attestation-manifest",
      "vnd.docker.reference.digest": image.manifest.digest,
    };
    const absent = {
      ...image.manifest,
      digest: digest("absent"),
      platform: { os: "linux", architecture: "arm64" },
    };
    const inner = indexOf([absent, image.manifest, { ...attached.manifest, annotations }]);
    const outer = indexOf([
      { mediaType: "application/vnd.oci.image.index.v1+json", digest: digest(inner), size: inner.length },
    ]);
    const layout = layoutFiles(isNested ? outer : inner, [
      image,
      attached,
      { blobs: new Map([[digest(inner), inner]]) },
    ]);
    const cwd = folder();
    writeFileSync(join(cwd, "image.tar"), await tarOf({ ...layout, ...savedFiles(image) }));
    const { inputs, coverage } = await readImage({ image: "docker-archive:image.tar" }, context(cwd));
    expect(inputs.map(({ document }) => document.format)).toEqual(["CycloneDX", "image"]);
    expect(coverage.notRead).toEqual([]);
  });

  test("reports an image without a package database", async () => {
    const { coverage } = await readLayout(layoutOf(await buildImage([{ "etc/os-release": OS_RELEASE }])));
    expect(coverage.notRead.map(({ kind }) => kind)).toEqual(["system-packages"]);
  });

  test.each([
    ["var/lib/dpkg/status", ""],
    ["lib/apk/db/installed", "\n"],
  ])("reports an operating system whose package database %s is empty", async (path, text) => {
    const { coverage } = await readLayout(layoutOf(await buildImage([{ "etc/os-release": OS_RELEASE, [path]: text }])));
    expect(coverage.notRead).toEqual([{ kind: "system-packages", detail: path }]);
  });

  test("ignores an attestation of another image in the index", async () => {
    const { names, gaps } = await read(
      (image) => statement(image),
      () => digest("another"),
    );
    expect(names).toEqual([["debian", "openssl", "perl-base"]]);
    expect(gaps).toEqual([]);
  });
});
