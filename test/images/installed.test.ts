/** Products in the files of an image that no package manager installed. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packTar } from "modern-tar";
import { afterAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { readImage } from "../../src/images/read.ts";
import { BASE, type BuildOptions, type Files, imageOf, savedFiles, tarOf } from "./build.ts";

const CATALOGUE = loadCatalogue();
const cwd = mkdtempSync(join(tmpdir(), "eolgate-installed-"));
afterAll(() => rmSync(cwd, { recursive: true }));

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]);

/** Files with the mode of a program, and others. */
async function layerOf(files: Files): Promise<Uint8Array> {
  return packTar(
    Object.entries(files).map(([name, content]) => ({
      header: { name, type: "file", size: Buffer.byteLength(content), mode: /bin\//.test(name) ? 0o755 : 0o644 },
      body: typeof content === "string" ? new TextEncoder().encode(content) : content,
    })),
  );
}

async function read(layers: readonly Uint8Array[], options: BuildOptions = {}) {
  writeFileSync(join(cwd, "image.tar"), await tarOf(savedFiles(imageOf(layers, options))));
  const context = { cwd, env: {}, facts: CATALOGUE.facts, purl: CATALOGUE.purl.bind(CATALOGUE), architecture: "x64" };
  const { inputs, coverage } = await readImage({ image: "docker-archive:image.tar" }, context);
  const components = inputs.flatMap(({ document }) => [...document.components]);
  return { inputs, coverage, components };
}

/** `name version` of what was found besides the system and its packages. */
async function productsIn(files: Files, options: BuildOptions = {}): Promise<readonly string[]> {
  const { components } = await read([await tarOf(BASE), await layerOf(files)], options);
  return components
    .filter(({ purls, kind }) => kind !== "operating-system" && !purls[0]?.startsWith("pkg:deb/"))
    .map(({ name, version }) => `${name} ${version ?? ""}`.trim());
}

const NODE = "#define NODE_MAJOR_VERSION 14\n#define NODE_MINOR_VERSION 17\n#define NODE_PATCH_VERSION 0\n";
const PYTHON = '#define PY_MAJOR_VERSION 3\n#define PY_VERSION      "3.8.20"\n';
const RUBY =
  '  CONFIG["MAJOR"] = "2"\n  CONFIG["MINOR"] = "7"\n  CONFIG["TEENY"] = "8"\n  CONFIG["PATCHLEVEL"] = "225"\n';
const JDK = (maker: string, more = "") => `IMPLEMENTOR="${maker}"\nJAVA_VERSION="11.0.2"\n${more}`;

describe("a file of a runtime, a server or an application", () => {
  test.each<readonly [path: string, content: string, expected: readonly string[]]>([
    ["usr/local/include/node/node_version.h", NODE, ["node 14.17.0"]],
    ["root/.nvm/versions/node/v14.17.0/include/node/node_version.h", NODE, ["node 14.17.0"]],
    ["usr/local/include/python3.8/patchlevel.h", PYTHON, ["python 3.8.20"]],
    ["root/.pyenv/versions/3.6.15/include/python3.6m/patchlevel.h", '#define PY_VERSION "3.6.15"', ["python 3.6.15"]],
    ["usr/local/lib/pkgconfig/python-3.9.pc", "Name: Python\nVersion: 3.9\n", ["python 3.9"]],
    ["usr/local/lib/ruby/2.7.0/x86_64-linux/rbconfig.rb", RUBY, ["ruby 2.7.8"]],
    ["usr/local/include/php/main/php_version.h", '#define PHP_VERSION "7.4.33"', ["php 7.4.33"]],
    ["usr/local/go/VERSION", "go1.18.1\ntime 2022", ["go 1.18.1"]],
    ["usr/local/app/VERSION", "2.1.0\n", []],
    ["usr/local/lib/erlang/releases/24/OTP_VERSION", "24.3.4\n", ["erlang 24.3.4"]],
    ["opt/jdk/release", JDK("Eclipse Adoptium"), ["eclipse-temurin 11.0.2"]],
    ["opt/jdk/release", JDK("Amazon.com Inc."), ["amazon-corretto 11.0.2"]],
    ["opt/jdk/release", JDK("Oracle Corporation", 'BUILD_TYPE="commercial"'), ["oracle-jdk 11.0.2"]],
    ["opt/jdk/release", JDK("Oracle Corporation"), ["openjdk-builds-from-oracle 11.0.2"]],
    ["opt/jdk/release", JDK("Somebody"), ["java 11.0.2"]],
    ["app/bin/release", "release notes", []],
    [
      "usr/local/include/openssl/opensslv.h",
      '# define OPENSSL_VERSION_TEXT "OpenSSL 1.1.1k  25 Mar 2021"',
      ["openssl 1.1.1k"],
    ],
    ["usr/local/include/node/openssl/opensslv.h", '# define OPENSSL_VERSION_TEXT "OpenSSL 1.1.1k"', []],
    ["usr/local/pgsql/include/pg_config.h", '#define PG_VERSION "9.6.24"', ["postgresql 9.6.24"]],
    ["usr/local/mysql/include/mysql_version.h", '#define MYSQL_SERVER_VERSION "5.6.51"', ["mysql 5.6.51"]],
    ["usr/include/mysql/mariadb_version.h", '#define MYSQL_SERVER_VERSION "10.3.39-MariaDB"', ["mariadb 10.3.39"]],
    ["opt/spark/RELEASE", "Spark 3.1.3 (git revision d1f8a503a2) built for Hadoop 3.2.0", ["spark 3.1.3"]],
    ["var/www/html/wp-includes/version.php", "<?php $wp_version = '5.1.19';", ["wordpress 5.1.19"]],
    ["var/www/core/lib/Drupal.php", "const VERSION = '9.5.11';", ["drupal 9.5.11"]],
    ["var/www/includes/bootstrap.inc", "define('VERSION', '7.98');", ["drupal 7.98"]],
    ["var/www/version.php", "$OC_VersionString = '20.0.14';\n$vendor = 'nextcloud';", ["nextcloud 20.0.14"]],
    ["var/www/version.php", "$release  = '3.9.25 (Build: 2023)'; $maturity = MATURITY_STABLE;", ["moodle 3.9.25"]],
    ["var/www/app/version.php", "$version = '1.0';", []],
    ["opt/conda/conda-meta/python-3.7.1-h0371630_7.json", '{"name":"python","version":"3.7.1"}', ["python 3.7.1"]],
    ["opt/conda/conda-meta/six-1.11.0-py37_1.json", '{"name":"six","version":"1.11.0"}', ["six 1.11.0"]],
    ["app/venv/pyvenv.cfg", "home = /opt/python/bin\nversion = 3.7.9\n", ["python 3.7.9"]],
    ["app/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n", []],
    ["opt/bitnami/.bitnami_components.json", '{"node":{"type":"NAMI","version":"14.21.3-5"}}', ["node 14.21.3"]],
  ])("%s", async (path, content, expected) => {
    expect(await productsIn({ [path]: content })).toEqual(expected);
  });

  test("of a package of the distribution is none of its own", async () => {
    const layer = await layerOf({
      "usr/include/python3.11/patchlevel.h": '#define PY_VERSION "3.11.2"',
      "usr/bin/python3.11": ELF,
      "var/lib/dpkg/info/python3.11.list": "/usr/include/python3.11/patchlevel.h\n/usr/bin/python3.11\n",
    });
    const { components } = await read([await tarOf(BASE), layer]);
    expect(components.filter(({ name }) => name === "python")).toEqual([]);
  });
});

describe("a program of a known name", () => {
  test.each<readonly [files: Files, expected: readonly string[]]>([
    [{ "usr/local/bin/redis-server": ELF }, ["redis"]],
    [{ "usr/local/bin/redis-server": "#!/bin/sh\n" }, []],
    [{ "opt/redis-5.0.14/bin/redis-server": ELF }, ["redis 5.0.14"]],
    [{ "opt/node-v14.17.0-linux-x64/bin/node": ELF }, ["node 14.17.0"]],
    [{ "root/.asdf/installs/nodejs/12.22.1/bin/node": ELF }, ["node 12.22.1"]],
    [{ "usr/local/bin/python2.7": ELF, "usr/local/bin/python": ELF }, ["python 2.7"]],
    [{ "usr/local/bin/python3": ELF }, ["python"]],
    [{ "usr/local/bin/php": ELF, "usr/local/sbin/php-fpm": ELF }, ["php"]],
    [{ "usr/local/bin/node": ELF, "usr/local/include/node/node_version.h": NODE }, ["node 14.17.0"]],
    [{ "opt/jdk/jre/bin/java": ELF, "opt/jdk/release": JDK("SAP SE") }, ["sapmachine 11.0.2"]],
    [{ "opt/jdk/bin/java": ELF, "opt/other/release": JDK("SAP SE") }, ["java", "sapmachine 11.0.2"]],
    [{ "app/bin/tool": ELF, "app/bin/node-gyp": ELF }, []],
  ])("%j", async (files, expected) => {
    expect((await productsIn(files)).toSorted()).toEqual(expected);
  });

  test("that a variable of the image explains is none of its own", async () => {
    const found = await productsIn({ "usr/local/bin/redis-server": ELF }, { env: ["REDIS_VERSION=5.0.14"] });
    expect(found).toEqual(["redis 5.0.14"]);
  });
});

test("several files of one installation are one product, and an environment is that of its Python", async () => {
  const found = await productsIn({
    "usr/local/include/python3.8/patchlevel.h": PYTHON,
    "usr/local/lib/pkgconfig/python-3.8.pc": "Version: 3.8\n",
    "usr/local/bin/python3.8": ELF,
    "app/venv/pyvenv.cfg": "home = /usr/local/bin\nversion = 3.8.20\n",
    "app/venv/bin/python": ELF,
  });
  expect(found).toEqual(["python 3.8.20"]);
});

test("the vendor in a JDK replaces the variable that states no vendor", async () => {
  expect(await productsIn({ "opt/jdk/release": JDK("Azul Systems, Inc.") }, { env: ["JAVA_VERSION=11.0.2"] })).toEqual([
    "azul-zulu 11.0.2",
  ]);
});

test("SBOMs in the file system are read, and other files of their folders are not", async () => {
  const sbom = JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    components: [{ type: "library", name: "commander", version: "2.20.0", purl: "pkg:npm/commander@2.20.0" }],
  });
  const layer = await layerOf({
    "usr/share/sbom/app.cdx.json": sbom,
    "usr/share/sbom/index.json": "{}",
    "usr/local/share/sbom/broken.spdx.json": '{"spdxVersion":"SPDX-2.3","packages":{}}',
  });
  const { inputs, coverage, components } = await read([await tarOf(BASE), layer]);
  expect(components.some(({ name }) => name === "commander")).toBe(true);
  expect(inputs.map(({ file }) => file)).toContain("docker-archive:image.tar (/usr/share/sbom/app.cdx.json)");
  expect(coverage.evidence).toContainEqual({ kind: "sbom", source: "/usr/share/sbom/app.cdx.json", components: 1 });
  expect(coverage.notRead.map(({ detail }) => detail.split(":")[0])).toEqual([
    "/usr/local/share/sbom/broken.spdx.json",
  ]);
});
