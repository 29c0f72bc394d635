/** A lockfile that is cut anywhere never reads as a complete one with fewer packages, where its format can tell. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../../src/core/errors.ts";
import { lockfileKindOf, readLockfile } from "../../../../src/core/inventory/lockfiles/kinds.ts";

const root = new URL("../../../../", import.meta.url);
/** Without the optional sections at its end, of which nothing tells that they are missing. */
const GEMS = "GEM\n  specs:\n    rack (2.0.1)\n    rails (6.1.7)\n      rack\n\nDEPENDENCIES\n  rails\n";

/** Whole files; a cut behind `from` only takes what names no package. */
const FILES: readonly (readonly [file: string, text: string])[] = [
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

/** Whole files of formats without an end mark. */
const LINES: readonly (readonly [file: string, packages: number, text: string])[] = [
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

const named = async (file: string, text: string): Promise<readonly string[] | string> => {
  const kind = lockfileKindOf(file);
  if (kind === undefined) throw new Error(`${file} is of no kind`);
  try {
    const { packages } = await readLockfile(kind, text);
    return packages.map(({ name, version }) => `${name} ${version ?? ""}`);
  } catch (error) {
    if (error instanceof EolgateError && error.exit === 3) return "refused";
    throw error;
  }
};

describe("truncated lockfile", () => {
  test.each(FILES)("%s is refused, or has the same packages", async (file, text) => {
    const whole = await named(file, text);
    expect(whole).not.toBe("refused");
    const wrong: string[] = [];
    for (let end = 0; end < text.length; end++) {
      const cut = await named(file, text.slice(0, end));
      if (cut !== "refused" && JSON.stringify(cut) !== JSON.stringify(whole)) wrong.push(text.slice(0, end).slice(-40));
    }
    expect(wrong).toEqual([]);
  });

  test.each(LINES)(
    "%s that ends inside of a line is refused, or that line does not matter",
    async (file, packages, text) => {
      expect(await named(file, text)).toHaveLength(packages);
      const wrong: unknown[] = [];
      for (let end = 0; end < text.length; end++) {
        const found = JSON.stringify(await named(file, text.slice(0, end)));
        const [before, after] = [text.lastIndexOf("\n", end - 1) + 1, text.indexOf("\n", end) + 1];
        const wholeLines = [await named(file, text.slice(0, before)), await named(file, text.slice(0, after))];
        if (!["refused", ...wholeLines].some((expected) => JSON.stringify(expected) === found))
          wrong.push([text.slice(0, end).slice(-40), found]);
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each(LINES)("%s is read if its last line break is missing", async (file, packages, text) => {
    expect(await named(file, text.trimEnd())).toHaveLength(packages);
  });
});
