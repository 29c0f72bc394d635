/** Complete lockfiles of the kinds that need only a few lines. */
import { readFileSync } from "node:fs";

const root = new URL("../../../", import.meta.url);
/** Has no optional sections at its end, because nothing in the file shows that they are missing. */
const GEMS = "GEM\n  specs:\n    rack (2.0.1)\n    rails (6.1.7)\n      rack\n\nDEPENDENCIES\n  rails\n";

/** Complete files of formats in which truncation is detectable. */
export const FILES: readonly (readonly [file: string, text: string])[] = [
  ...["storefront/package-lock.json", "clinic-api/poetry.lock"].map(
    (name) => [name, readFileSync(new URL(`test/fixtures/repositories/${name}`, root), "utf8")] as const,
  ),
  ["Gemfile.lock", GEMS],
  ["gradle.lockfile", "# locked\norg.a:b:1.0=runtimeClasspath\norg.c:d:2.0=runtimeClasspath\nempty=\n"],
  ["mix.lock", '%{\n  "castore": {:hex, :castore, "1.0.5", "aa", [:mix], [], "hexpm", "bb"},\n}\n'],
  ["Pipfile.lock", '{"_meta":{"pipfile-spec":6},"default":{"django":{"version":"==3.2.25"}}}\n'],
  ["packages.lock.json", '{"version":1,"dependencies":{"net6.0":{"A":{"type":"Direct","resolved":"1.0"}}}}\n'],
  ["composer.lock", '{"packages":[{"name":"a/b","version":"1.0"},{"name":"c/d","version":"2.0"}]}\n'],
  [
    "Package.resolved",
    '{"pins":[{"identity":"a","location":"https://example.org/a","state":{"version":"1.0.0"}}],"version":2}\n',
  ],
  ["conan.lock", '{"version":"0.5","requires":["zlib/1.2.13"]}\n'],
  ["bun.lock", '{"lockfileVersion":1,"workspaces":{},"packages":{"a":["a@1.0.0","",{},"x"],}}\n'],
  [
    "pom.xml",
    "<project><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>\n",
  ],
  ["App.csproj", '<Project><ItemGroup><PackageReference Include="A" Version="1.0" /></ItemGroup></Project>\n'],
];

/** Complete files of formats without an end mark. */
export const LINES: readonly (readonly [file: string, packages: number, text: string])[] = [
  [
    "yarn.lock",
    2,
    '# yarn lockfile v1\n\n\na@^1.0.0:\n  version "1.0.1"\n  dependencies:\n    b "^2"\n\nb@^2:\n  version "2.0.0"\n',
  ],
  [
    "berry/yarn.lock",
    2,
    '__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.1\n  resolution: "a@npm:1.0.1"\n\n"b@npm:^2.0.0":\n  version: 2.0.0\n  resolution: "b@npm:2.0.0"\n',
  ],
  [
    "pnpm-lock.yaml",
    1,
    "lockfileVersion: '9.0'\n\npackages:\n\n  a@1.0.0:\n    resolution: {integrity: x}\n\nsnapshots:\n\n  a@1.0.0: {}\n",
  ],
  [
    "uv.lock",
    2,
    'version = 1\n\n[[package]]\nname = "a"\nversion = "1.0"\n\n[[package]]\nname = "b"\nversion = "2.0"\n',
  ],
  [
    "pdm.lock",
    2,
    '[metadata]\nlock_version = "4.5.0"\n\n[[package]]\nname = "a"\nversion = "1.0"\n\n[[package]]\nname = "b"\nversion = "2.0"\n',
  ],
  [
    "Cargo.lock",
    2,
    'version = 4\n\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+x"\ndependencies = [\n "b",\n]\n\n[[package]]\nname = "b"\nversion = "2.0.0"\nsource = "registry+x"\n',
  ],
  [
    "pubspec.lock",
    1,
    'packages:\n  args:\n    dependency: transitive\n    source: hosted\n    version: "2.4.2"\nsdks:\n  dart: ">=3.0.0 <4.0.0"\n',
  ],
];
