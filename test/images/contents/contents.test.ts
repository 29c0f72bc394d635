/** The files of an image that name its operating system and packages, and the names of images and platforms. */
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { readApk, readDpkg } from "../../../src/images/contents/stanzas.ts";
import { readOsRelease, readReleaseTitle } from "../../../src/images/contents/os-release.ts";
import { packagePurl } from "../../../src/images/contents/package.ts";
import { platformOf } from "../../../src/images/contents/platform.ts";
import { parseImageTarget } from "../../../src/images/registry/reference.ts";
import { normalizePath } from "../../../src/images/contents/root.ts";

const HUB = "registry-1.docker.io";
const DIGEST = `sha256:${"a".repeat(64)}`;

describe("image references", () => {
  test.each([
    ["debian", { host: HUB, repository: "library/debian", tag: "latest" }],
    ["debian:12-slim", { host: HUB, repository: "library/debian", tag: "12-slim" }],
    ["docker.io/debian", { host: HUB, repository: "library/debian", tag: "latest" }],
    ["index.docker.io/bitnami/redis:7", { host: HUB, repository: "bitnami/redis", tag: "7" }],
    ["bitnami/redis", { host: HUB, repository: "bitnami/redis", tag: "latest" }],
    ["docker://ghcr.io/org/app:1", { host: "ghcr.io", repository: "org/app", tag: "1" }],
    ["localhost/app:1", { host: "localhost", repository: "app", tag: "1" }],
    ["127.0.0.1:5000/a/b/c", { host: "127.0.0.1:5000", repository: "a/b/c", tag: "latest" }],
    ["[::1]:5000/app", { host: "[::1]:5000", repository: "app", tag: "latest" }],
    ["Registry.Example.com/app", { host: "registry.example.com", repository: "app", tag: "latest" }],
    [`ghcr.io/org/app@${DIGEST}`, { host: "ghcr.io", repository: "org/app", digest: DIGEST }],
    [`ghcr.io/org/app:1@${DIGEST}`, { host: "ghcr.io", repository: "org/app", tag: "1", digest: DIGEST }],
    ["a/b__c/d--e.f:T", { host: HUB, repository: "a/b__c/d--e.f", tag: "T" }],
  ])("%s", (written, reference) => {
    expect(parseImageTarget(written)).toEqual({ kind: "registry", reference });
  });

  test.each([
    ["oci:folder:1.0", { kind: "oci", rest: "folder:1.0" }],
    ["oci-archive:a.tar", { kind: "oci-archive", rest: "a.tar" }],
    ["docker-archive:a.tar", { kind: "docker-archive", rest: "a.tar" }],
    ["docker-daemon:shop:1.0", { kind: "docker-daemon", name: "shop:1.0" }],
    ["docker-daemon:4f2a", { kind: "docker-daemon", name: "4f2a" }],
  ])("%s", (written, target) => {
    expect(parseImageTarget(written)).toEqual(target);
  });

  test.each([
    "",
    "Debian",
    "debian:",
    "debian:a b",
    "debian:-x",
    `debian:${"a".repeat(129)}`,
    "debian@sha256:12",
    `debian@md5:${"a".repeat(32)}`,
    `debian@${DIGEST}@${DIGEST}`,
    "ghcr.io/",
    "ghcr.io//app",
    "ghcr.io/app/",
    "ghcr.io/../app",
    "ghcr.io/app/..",
    "ghcr.io/a___b",
    "user:password@ghcr.io/app",
    "https://ghcr.io/app",
    "exa mple.com/app",
    "example.com:port/app",
    "-rf.example.com/app",
    "app\n",
    "app?x=1",
    "app#x",
    `ghcr.io/${"a/".repeat(130)}b`,
    "oci:",
    "oci-archive:",
    "docker-archive:",
    "docker-daemon:",
    "docker-daemon:-v",
    "docker-daemon:a b",
  ])("refuses %j", (written) => {
    let error: unknown;
    try {
      parseImageTarget(written);
    } catch (cause) {
      error = cause;
    }
    expect(error).toBeInstanceOf(EolgateError);
    expect(error).toMatchObject({ code: "invalid-value", exit: 2, where: "--image" });
  });
});

test.each([
  ["x64", "linux/amd64"],
  ["ia32", "linux/386"],
  ["arm64", "linux/arm64"],
  ["ppc64", "linux/ppc64le"],
  ["s390x", "linux/s390x"],
])("maps the processor %s to %s", (node, expected) => {
  const { os, architecture } = platformOf(node);
  expect(`${os}/${architecture}`).toBe(expected);
});

test.each([
  ["/etc//os-release", "etc/os-release"],
  ["./a/./b/", "a/b"],
  ["a/../../b", "b"],
  ["../../..", ""],
  ["a\\..\\b", "a\\..\\b"],
])("normalizes the path %s to %s", (written, expected) => {
  expect(normalizePath(written)).toBe(expected);
});

describe("os-release", () => {
  test.each([
    ["ID=debian\nVERSION_ID=12", { name: "debian", id: "debian", version: "12" }],
    ['NAME="Ubuntu"\nID=ubuntu\nVERSION_ID="22.04"\n', { name: "ubuntu", id: "ubuntu", version: "22.04" }],
    ["ID='alpine'\r\nVERSION_ID='3.18.4'\r\n", { name: "alpine", id: "alpine", version: "3.18.4" }],
    ['NAME="CentOS Stream"\nID="centos"\nVERSION_ID="8"', { name: "CentOS Stream", id: "centos", version: "8" }],
    ['NAME="CentOS Linux"\nID="centos"\nVERSION_ID="8"', { name: "centos", id: "centos", version: "8" }],
    [
      '# comment\nNAME=\nID="opensuse-leap"\nVERSION_ID="15.5"',
      { name: "opensuse-leap", id: "opensuse-leap", version: "15.5" },
    ],
    ["ID=arch\nBUILD_ID=rolling", { name: "arch", id: "arch" }],
    ['ID=debian\nVERSION_ID="1\\"2"', { name: "debian", id: "debian", version: '1"2' }],
    ["ID=debian\nVERSION_ID=", { name: "debian", id: "debian" }],
    ["", undefined],
    ["VERSION_ID=12", undefined],
    ["ID=../x", undefined],
    ["\0\0\0", undefined],
  ])("%j", (text, expected) => {
    expect(readOsRelease(text)).toEqual(expected);
  });

  test.each([
    ["CentOS release 6.10 (Final)\n", { name: "centos", id: "centos", version: "6.10" }],
    ["CentOS Linux release 7.9.2009 (Core)", { name: "centos", id: "centos", version: "7.9.2009" }],
    ["Red Hat Enterprise Linux Server release 6.10 (Santiago)", { name: "rhel", id: "rhel", version: "6.10" }],
    ["Fedora release 39 (Thirty Nine)", { name: "fedora", id: "fedora", version: "39" }],
    ["Something release 1", undefined],
    ["", undefined],
  ])("%j", (text, expected) => {
    expect(readReleaseTitle(text)).toEqual(expected);
  });
});

describe("dpkg", () => {
  test.each([
    ["Package: a\nVersion: 1\n", ["a 1"]],
    [
      "Package: a\nStatus: install ok installed\nVersion: 2:1.0-1+b1\n\nPackage: b\nVersion: 2\n",
      ["a 2:1.0-1+b1", "b 2"],
    ],
    ["Package: a\nStatus: deinstall ok config-files\nVersion: 1\n", []],
    ["Package: a\nStatus: purge ok not-installed\n", []],
    ["Package: a\nStatus: install ok half-configured\nVersion: 1\n", ["a 1"]],
    ["Package: a\nStatus: hold ok installed\nVersion: 1\n", ["a 1"]],
    ["Package: a\r\nVersion: 1\r\n\r\nPackage: b\r\nVersion: 2\r\n", ["a 1", "b 2"]],
    ["Package: a\nVersion: 1\nDescription: x\n Package: not one\n\tVersion: 9\n", ["a 1"]],
    ["Package: a\nVersion: 1\nVersion: 2\n", ["a 1"]],
    ["\n\n\n", []],
    ["", []],
  ])("%j", (text, expected) => {
    expect(readDpkg(text, "status").map(({ name, version }) => `${name} ${version}`)).toEqual(expected);
  });

  test("reads source, architecture and maintainer", () => {
    const text =
      "Package: libssl3\nSource: openssl (3.0.11-1)\nArchitecture: arm64\nMaintainer: A B <a@b.c>\nVersion: 3\n";
    expect(readDpkg(text, "status")).toEqual([
      { name: "libssl3", version: "3", source: "openssl", architecture: "arm64", vendor: "A B <a@b.c>" },
    ]);
  });

  test.each([
    ["Package: a\nVersion: 1\n\nVersion: 2\n", "status:4"],
    ["Package: a\nStatus: install ok installed\n", "status:1"],
    ["Package: a\nVersion:\n", "status:1"],
    ["Status: install ok installed\n", "status:1"],
  ])("refuses %j at %s", (text, where) => {
    expect(() => readDpkg(text, "status")).toThrow(expect.objectContaining({ code: "image-archive", where }));
  });
});

describe("apk", () => {
  test.each([
    [
      "P:musl\nV:1.2.4-r2\nA:x86_64\no:musl\nL:MIT\nm:A <a@b.c>\nF:lib\nR:x\n\nP:b\nV:2-r0\n",
      ["musl 1.2.4-r2", "b 2-r0"],
    ],
    ["", []],
  ])("%j", (text, expected) => {
    expect(readApk(text, "installed").map(({ name, version }) => `${name} ${version}`)).toEqual(expected);
  });

  test.each([
    ["P:musl\n", "installed:1"],
    ["P:a\nV:1\n\n\nV:2\n", "installed:5"],
    ["no database", "installed"],
    ["\0\0\0", "installed"],
  ])("refuses %j at %s", (text, where) => {
    expect(() => readApk(text, "installed")).toThrow(expect.objectContaining({ code: "image-archive", where }));
  });
});

describe("package URLs", () => {
  const system = (id: string, version?: string, name = id) => ({ id, name, ...(version !== undefined && { version }) });
  test.each([
    [
      "dpkg",
      { name: "g++", version: "1:12-1" },
      system("debian", "12"),
      "pkg:deb/debian/g%2B%2B@1%3A12-1?distro=debian-12",
    ],
    ["dpkg", { name: "a", version: "1" }, undefined, "pkg:deb/a@1"],
    ["dpkg", { name: "a", version: "1" }, system("debian"), "pkg:deb/debian/a@1?distro=debian"],
    [
      "apk",
      { name: "a", version: "1-r0", source: "b" },
      system("alpine", "3.18.4"),
      "pkg:apk/alpine/a@1-r0?distro=alpine-3.18.4&upstream=b",
    ],
    [
      "rpm",
      { name: "a", version: "1-2.el9", epoch: "4" },
      system("rhel", "9.3"),
      "pkg:rpm/redhat/a@1-2.el9?distro=rhel-9.3&epoch=4",
    ],
    [
      "rpm",
      { name: "a", version: "1-2", module: "m:1:2:3" },
      system("centos", "8", "CentOS Stream"),
      "pkg:rpm/centos/a@1-2?distro=centos-stream-8&rpmmod=m%3A1%3A2%3A3",
    ],
    [
      "rpm",
      { name: "a", version: "1-2" },
      system("opensuse-leap", "15.5"),
      "pkg:rpm/opensuse/a@1-2?distro=opensuse-leap-15.5",
    ],
  ] as const)("%s %j", (manager, found, release, expected) => {
    expect(packagePurl(manager, found, release)).toBe(expected);
  });
});
