/** The ranges in which packages of a lockfile require each other. */
import { expect, test } from "vitest";
import { type Files, rangesOf } from "./shown.ts";

const CASES: readonly [title: string, path: string, text: string, expected: readonly string[], related?: Files][] = [
  [
    "npm, version 3, with an alias and a peer",
    "package-lock.json",
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        "": { devDependencies: { terser: "^5.0.0" } },
        "node_modules/terser": {
          version: "5.31.0",
          dependencies: { commander: "^2.20.0", old: "npm:@acme/older@^1.2.0", gone: "1" },
          peerDependencies: { commander: ">=2" },
        },
        "node_modules/commander": { version: "2.20.3" },
        "node_modules/old": { name: "@acme/older", version: "1.2.0" },
      },
    }),
    ["terser: node_modules/commander ^2.20.0, node_modules/old ^1.2.0"],
  ],
  [
    "npm, version 1",
    "package-lock.json",
    JSON.stringify({
      lockfileVersion: 1,
      dependencies: {
        terser: { version: "5.31.0", requires: { commander: "^2.20.0" } },
        commander: { version: "2.20.3" },
      },
    }),
    ["terser: node_modules/commander ^2.20.0"],
  ],
  [
    "Yarn 1",
    "yarn.lock",
    `# yarn lockfile v1


commander@^2.20.0:
  version "2.20.3"

terser@^5.0.0:
  version "5.31.0"
  dependencies:
    commander "^2.20.0"
`,
    ["terser: commander@^2.20.0 ^2.20.0"],
  ],
  [
    "Yarn of version 4",
    "yarn.lock",
    `__metadata:
  version: 8

"commander@npm:^2.20.0":
  version: 2.20.3
  resolution: "commander@npm:2.20.3"

"terser@npm:^5.0.0":
  version: 5.31.0
  resolution: "terser@npm:5.31.0"
  dependencies:
    commander: "npm:^2.20.0"
`,
    ["terser: commander@npm:^2.20.0 ^2.20.0"],
  ],
  [
    "pnpm, which states the versions that were chosen and no ranges",
    "pnpm-lock.yaml",
    `lockfileVersion: '9.0'
importers:
  .:
    devDependencies:
      terser: {specifier: ^5.0.0, version: 5.31.0}
packages:
  commander@2.20.3: {resolution: {integrity: x}}
  terser@5.31.0: {resolution: {integrity: x}}
snapshots:
  commander@2.20.3: {}
  terser@5.31.0:
    dependencies: {commander: 2.20.3}
`,
    [],
  ],
  [
    "Bun",
    "bun.lock",
    `{ "lockfileVersion": 1, "workspaces": { "": { "devDependencies": { "terser": "^5" } } }, "packages": {
      "commander": ["commander@2.20.3", "", {}, "x"],
      "terser": ["terser@5.31.0", "", { "dependencies": { "commander": "^2.20.0" } }, "x"] } }`,
    ["terser: commander ^2.20.0"],
  ],
  [
    "Composer, without the platform",
    "composer.lock",
    JSON.stringify({
      packages: [
        { name: "acme/a", version: "v1.0.0", require: { php: ">=8", "Symfony/Console": "^4.4|^5.0" } },
        { name: "symfony/console", version: "v5.4.0" },
      ],
      "packages-dev": [],
    }),
    ["acme/a: symfony/console ^4.4|^5.0"],
  ],
  [
    "Bundler, with several limits and with none",
    "Gemfile.lock",
    `GEM
  remote: https://gems.example/
  specs:
    actionpack (6.1.7)
      rack (~> 2.0, >= 2.0.9)
      tzinfo
    rack (2.2.4)
    tzinfo (2.0.5)

DEPENDENCIES
  actionpack
`,
    ["actionpack: rack ~> 2.0, >= 2.0.9"],
  ],
  [
    "Poetry, with extras and alternatives for markers",
    "poetry.lock",
    `[[package]]
name = "a"
version = "1.0"
[package.dependencies]
Django = ">=3.2,<4.0"
numpy = [{version = ">=1.21", markers = "x"}, {version = ">=1.26", markers = "y"}]
local = {path = "lib"}

[[package]]
name = "django"
version = "3.2.1"

[[package]]
name = "numpy"
version = "1.26.0"

[[package]]
name = "local"
version = "1.0"

[metadata]
lock-version = "2.0"
`,
    ["a: django@3.2.1 >=3.2,<4.0, numpy@1.26.0 >=1.21 || >=1.26"],
  ],
  [
    "PDM, with extras, markers and a requirement without a range",
    "pdm.lock",
    `[metadata]
lock_version = "4.4.1"
[[package]]
name = "a"
version = "1.0"
dependencies = ['django[argon2]<4.0,>=3.2; python_version < "3.12"', "numpy"]
[[package]]
name = "django"
version = "3.2.1"
[[package]]
name = "numpy"
version = "1.26.0"
`,
    ["a: django@3.2.1 <4.0,>=3.2"],
  ],
  [
    "NuGet, where a version is the lowest that is accepted",
    "packages.lock.json",
    JSON.stringify({
      version: 1,
      dependencies: {
        "net8.0": {
          A: { type: "Direct", resolved: "1.0.0", dependencies: { B: "2.0.0", C: "[3.0.0, 4.0.0)" } },
          B: { type: "Transitive", resolved: "2.1.0" },
          C: { type: "Transitive", resolved: "3.5.0" },
        },
      },
    }),
    ["A: b@2.1.0 [2.0.0, ), c@3.5.0 [3.0.0, 4.0.0)"],
  ],
  [
    "Cargo, which states no ranges",
    "Cargo.lock",
    `version = 4
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["a"]
[[package]]
name = "a"
version = "1.0.0"
source = "registry+https://example/index"
`,
    [],
  ],
];

test.each(CASES)("reads the ranges of %s", async (_, path, text, expected, related = {}) => {
  expect(await rangesOf(path, text, related)).toEqual(expected);
});
