import { describe, expect, test } from "vitest";
import { packagesOf, problemOf } from "./shown.ts";
import type { Files } from "./shown.ts";

const HASH = `h1:${"a".repeat(43)}=`;

const CASES: readonly [title: string, path: string, text: string, related: Files, expected: readonly string[]][] = [
  [
    "go.mod with indirect and replaced modules",
    "go.mod",
    `module example.org/app

go 1.21

require github.com/gin-gonic/gin v1.7.0
require (
	golang.org/x/net v0.1.0 // indirect
	"github.com/old/one" v1.0.0
	github.com/local/one v1.0.0
)
replace (
	github.com/old/one => github.com/new/one v1.5.0
	github.com/local/one => ../one
)
`,
    {},
    [
      "5 github.com/gin-gonic/gin v1.7.0 pkg:golang/github.com/gin-gonic/gin direct",
      "7 golang.org/x/net v0.1.0 pkg:golang/golang.org/x/net transitive",
      "8 github.com/new/one v1.5.0 pkg:golang/github.com/new/one direct",
    ],
  ],
  [
    "go.sum with a go.mod from before Go 1.17, which does not list indirect modules",
    "go.sum",
    `github.com/gin-gonic/gin v1.7.0 ${HASH}
golang.org/x/net v0.1.0 ${HASH}
golang.org/x/net v0.10.0 ${HASH}
golang.org/x/net v0.11.0/go.mod ${HASH}
`,
    { "go.mod": "module m\ngo 1.16\nrequire github.com/gin-gonic/gin v1.7.0\n" },
    ["3 golang.org/x/net v0.10.0 pkg:golang/golang.org/x/net transitive"],
  ],
  [
    "go.sum with a complete go.mod, which adds nothing",
    "go.sum",
    `golang.org/x/net v0.1.0 ${HASH}\n`,
    { "go.mod": "module m\ngo 1.17\n" },
    [],
  ],
  [
    "Cargo, with two versions of one crate",
    "Cargo.lock",
    `version = 3

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "rand 0.7.3",
 "libc",
]

[[package]]
name = "libc"
version = "0.2.80"
source = "registry+https://index.example.org"

[[package]]
name = "rand"
version = "0.7.3"
source = "registry+https://index.example.org"
dependencies = [
 "libc",
]

[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://index.example.org"
`,
    {},
    [
      "13 libc 0.2.80 pkg:cargo/libc direct",
      "18 rand 0.7.3 pkg:cargo/rand direct > libc 0.2.80",
      "26 rand 0.8.5 pkg:cargo/rand transitive",
    ],
  ],
  [
    "Bundler, with a gem of the project, a platform and the version of Ruby",
    "Gemfile.lock",
    `PATH
  remote: engines/shop
  specs:
    shop (0.1.0)
      rails (~> 6.1)

GEM
  remote: https://gems.example.org/
  specs:
    nokogiri (1.13.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.6.0)
    rails (6.1.7)
      bundler (>= 1.15.0)
      nokogiri (>= 1.8)

PLATFORMS
  x86_64-linux

DEPENDENCIES
  shop!
  racc

RUBY VERSION
   ruby 2.7.6p219

BUNDLED WITH
   2.3.7
`,
    {},
    [
      "10 nokogiri 1.13.0 pkg:gem/nokogiri transitive > racc",
      "12 racc 1.6.0 pkg:gem/racc direct",
      "13 rails 6.1.7 pkg:gem/rails direct > nokogiri",
      "25 ruby 2.7.6 pkg:generic/ruby transitive",
    ],
  ],
  [
    "Composer",
    "composer.lock",
    `{
  "packages": [
    {
      "name": "symfony/console",
      "version": "v4.4.0",
      "require": { "php": ">=7.1", "symfony/polyfill-php80": "^1.16" }
    },
    { "name": "symfony/polyfill-php80", "version": "v1.26.0" }
  ],
  "packages-dev": [ { "name": "phpunit/phpunit", "version": "9.5.0" } ],
  "plugin-api-version": "2.3.0"
}`,
    { "composer.json": '{"require":{"symfony/console":"^4"},"require-dev":{"phpunit/phpunit":"^9"}}' },
    [
      "5 symfony/console 4.4.0 pkg:composer/symfony/console direct > symfony/polyfill-php80",
      "8 symfony/polyfill-php80 1.26.0 pkg:composer/symfony/polyfill-php80 transitive",
      "10 phpunit/phpunit 9.5.0 pkg:composer/phpunit/phpunit direct development",
    ],
  ],
  [
    "Mix, with a package from a repository",
    "mix.lock",
    `%{
  "castore": {:hex, :castore, "1.0.5", "aaaa", [:mix], [], "hexpm", "bbbb"},
  "fork": {:git, "https://example.org/fork.git", "0123456", [tag: "v1.2.0"]},
  "phoenix": {:hex, :phoenix, "1.5.14", "aaaa", [:mix], [{:castore, ">= 0.0.0", [hex: :castore, repo: "hexpm", optional: false]}], "hexpm", "bbbb"},
}
`,
    {},
    ["2 castore 1.0.5 pkg:hex/castore", "3 fork 1.2.0 pkg:hex/fork", "4 phoenix 1.5.14 pkg:hex/phoenix > castore"],
  ],
  ["an empty lockfile of Mix", "mix.lock", "%{\n}\n", {}, []],
  [
    "pub, with a package of the SDK",
    "pubspec.lock",
    `packages:
  http:
    dependency: "direct main"
    source: hosted
    version: "0.13.5"
  flutter:
    dependency: "direct main"
    source: sdk
    version: "0.0.0"
  test:
    dependency: "direct dev"
    source: hosted
    version: "1.21.0"
  async:
    dependency: transitive
    source: hosted
    version: "2.9.0"
sdks:
  dart: ">=2.17.0 <3.0.0"
`,
    {},
    [
      "5 http 0.13.5 pkg:pub/http direct",
      "9 flutter (none) pkg:pub/flutter direct",
      "13 test 1.21.0 pkg:pub/test direct development",
      "17 async 2.9.0 pkg:pub/async transitive",
    ],
  ],
  [
    "Swift, version 2",
    "Package.resolved",
    `{
  "pins": [
    { "identity": "swift-nio", "kind": "remoteSourceControl", "location": "https://github.com/apple/swift-nio.git",
      "state": { "revision": "0123456", "version": "2.40.0" } },
    { "identity": "tool", "location": "git@example.org:team/tool.git", "state": { "branch": "main" } }
  ],
  "version": 2
}`,
    {},
    ["4 swift-nio 2.40.0 pkg:swift/github.com/apple/swift-nio", "5 tool (none) pkg:swift/example.org/team/tool"],
  ],
  [
    "Swift, version 1",
    "Package.resolved",
    '{"object":{"pins":[{"package":"NIO","repositoryURL":"https://github.com/apple/swift-nio","state":{"version":"1.14.0"}}]},"version":1}',
    {},
    ["1 NIO 1.14.0 pkg:swift/github.com/apple/swift-nio"],
  ],
  [
    "Conan 2",
    "conan.lock",
    '{ "version": "0.5",\n "requires": [ "openssl/1.1.1t#0123%1.0", "zlib/1.2.13" ],\n "build_requires": [ "cmake/3.22.0" ] }',
    {},
    [
      "2 openssl 1.1.1t pkg:conan/openssl",
      "2 zlib 1.2.13 pkg:conan/zlib",
      "3 cmake 3.22.0 pkg:conan/cmake development",
    ],
  ],
  [
    "Conan 1",
    "conan.lock",
    '{ "version": "0.4", "graph_lock": { "nodes": {\n "0": { "ref": "app/1.0", "requires": ["1"] },\n "1": { "ref": "openssl/1.1.1t#0123", "requires": ["2"] },\n "2": { "ref": "zlib/1.2.13", "context": "host" } } } }',
    {},
    ["3 openssl 1.1.1t pkg:conan/openssl direct > zlib/1.2.13", "4 zlib 1.2.13 pkg:conan/zlib transitive"],
  ],
];

describe("lockfiles of Go, Rust, Ruby, PHP, Elixir, Dart, Swift and C++", () => {
  test.each(CASES)("reads %s", async (_, path, text, related, expected) => {
    expect(await packagesOf(path, text, related)).toEqual(expected);
  });

  test.each([
    ["go.mod", "module m\nrequire (\n\ta.b/c v1.0.0\n", 'lockfile-broken, line 2: the block "require (" does not end'],
    ["go.mod", "", "lockfile-broken, (no line): the file has no module directive"],
    [
      "go.sum",
      `a.b/c v1.0.0 ${HASH}\na.b/d v1.0.0 h1:aaa`,
      "lockfile-broken, line 2: not a line of go.sum: module, version and hash are expected",
    ],
    ["Cargo.lock", "version = 9\n", "unsupported-version, line 1: version 9 of Cargo.lock is not supported"],
    [
      "Cargo.lock",
      'version = 3\n[[package]]\nname = "app"\nversion = "1.0.0"\ndependencies = ["libc"]\n',
      "lockfile-broken, line 2: the file requires libc but has no entry for it",
    ],
    [
      "Gemfile.lock",
      "GEM\n  specs:\n    rails (6.1.7)\n",
      "lockfile-broken, line 4: the file has no DEPENDENCIES section",
    ],
    [
      "Gemfile.lock",
      "GEM\n  specs:\n    rails (6.1.7)\n      racc (~> 1.4)\n\nDEPENDENCIES\n  rails\n",
      "lockfile-broken, line 4: the file requires racc but has no entry for it",
    ],
    [
      "Gemfile.lock",
      "GEM\n  specs:\n<<<<<<< HEAD\n    rails (6.1.7)\n",
      "lockfile-broken, line 3: the file has unresolved merge conflict markers",
    ],
    ["composer.lock", "{}", 'lockfile-broken, (no line): the file has no list "packages"'],
    [
      "mix.lock",
      '%{\n  "castore": {:hex, :castore, "1.0.5", "aaaa", [:mix], [], "hexpm", "bbbb"},\n',
      "lockfile-broken, line 3: the map does not end",
    ],
    ["mix.lock", '%{\n  "castore": {:hex, :cast\n}\n', "lockfile-broken, line 2: not an entry of mix.lock"],
    [
      "pubspec.lock",
      'packages:\n  http:\n    version: "1"\n',
      "lockfile-broken, line 4: the file has no packages or ends before its sdks",
    ],
    [
      "Package.resolved",
      '{ "version": 4 }',
      "unsupported-version, line 1: version 4 of Package.resolved is not supported",
    ],
    ["conan.lock", '{ "version": "1.0" }', "unsupported-version, line 1: version 1.0 of conan.lock is not supported"],
  ])("reports the error in %s: %j", async (path, text, expected) => {
    expect(await problemOf(path, text)).toBe(expected);
  });
});
