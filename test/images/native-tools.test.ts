/** Packages in root file systems against the lists of the languages' own tools, where these are installed. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { readRootFolder } from "../../src/images/read.ts";

const CATALOGUE = loadCatalogue();
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-native-"));
  folders.push(folder);
  return folder;
};

async function packagesIn(folder: string): Promise<readonly string[]> {
  const { inputs } = await readRootFolder(folder, {
    cwd: "/",
    env: {},
    facts: CATALOGUE.facts,
    purl: CATALOGUE.purl.bind(CATALOGUE),
    architecture: "x64",
  });
  return inputs
    .flatMap(({ document }) => [...document.components].map(({ name, version }) => `${name} ${version ?? ""}`))
    .toSorted();
}

const has = (tool: string, ...args: readonly string[]): boolean => spawnSync(tool, args).status === 0;
const run = (tool: string, args: readonly string[], cwd = "/", env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(tool, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

describe.skipIf(!has("gem", "--version"))("gem list (skipped without Ruby)", () => {
  test("has the same gems as the folders of its path", async () => {
    const root = temporary();
    const listed = run("gem", ["list"])
      .split("\n")
      .flatMap((line) => {
        const [, name = "", versions = ""] = /^(\S+) \((.+)\)$/.exec(line) ?? [];
        return versions === ""
          ? []
          : versions
              .replaceAll("default: ", "")
              .split(", ")
              .map((each) => `${name} ${each.split(" ")[0] ?? ""}`);
      });
    const paths = run("gem", ["env", "path"]).trim().split(":");
    for (const [index, path] of paths.entries())
      if (existsSync(join(path, "specifications")))
        cpSync(join(path, "specifications"), join(root, `usr/local/ruby${String(index)}/specifications`), {
          recursive: true,
        });
    expect(listed.length).toBeGreaterThan(10);
    expect(new Set(await packagesIn(root))).toEqual(new Set(listed));
  });
});

describe.skipIf(!has("composer", "--version"))("composer show (skipped without Composer)", () => {
  test("has the same packages as its folder of installed ones", async () => {
    const project = join(temporary(), "srv/app");
    const names = Array.from({ length: 12 }, (_, index) => `vendor-${String(index)}/pack_age.${String(index)}`);
    const versions = ["1.2.3", "v2.0.0", "3.0.0-beta1", "4.1", "dev-main", "v5.0.0.1"];
    const version = (index: number): string => versions[index % versions.length] ?? "";
    for (const [index, name] of names.entries()) {
      mkdirSync(join(project, "parts", String(index)), { recursive: true });
      writeFileSync(
        join(project, "parts", String(index), "composer.json"),
        JSON.stringify({ name, version: version(index) }),
      );
    }
    const manifest = {
      repositories: [{ type: "path", url: "parts/*", options: { symlink: false } }, { packagist: false }],
      require: Object.fromEntries(names.map((name) => [name, "*"])),
      "minimum-stability": "dev",
    };
    writeFileSync(join(project, "composer.json"), JSON.stringify(manifest));
    const env = { COMPOSER_ALLOW_SUPERUSER: "1", COMPOSER_HOME: temporary() };
    run("composer", ["--no-interaction", "install", "--quiet"], project, env);
    const shown = JSON.parse(run("composer", ["show", "--format=json"], project, env)) as {
      installed: readonly { name: string; version: string }[];
    };
    const expected = shown.installed.map(
      (each) => `${each.name} ${each.version.replace(/^v(?=\d)/, "").split(" ")[0] ?? ""}`,
    );
    expect(expected).toHaveLength(names.length);
    expect(await packagesIn(dirname(dirname(project)))).toEqual(expected.toSorted());
  });
});

/** The modules that `go version -m` prints, without replaced ones and those without a version. */
function modulesOf(program: string): readonly string[] {
  const { stdout, status } = spawnSync("go", ["version", "-m", program], { encoding: "utf8" });
  const release = /: go(\d[\w.]*)/.exec(stdout)?.[1];
  if (status !== 0 || release === undefined) return [];
  const lines = stdout.split("\n").map((line) => line.trim().split("\t"));
  return [
    `go ${release}`,
    ...lines
      .filter(
        ([kind = "", , version = ""], index) =>
          /^(?:mod|dep|=>)$/.test(kind) && /^v\d/.test(version) && lines[index + 1]?.[0] !== "=>",
      )
      .map(([, path = "", version = ""]) => `${path} ${version}`),
  ];
}

describe.skipIf(!has("go", "version"))("go version -m (skipped without Go)", () => {
  test("has the same modules as the programs that are installed and one that is built here", async () => {
    const root = temporary();
    mkdirSync(join(root, "srv/bin"), { recursive: true });
    const source = temporary();
    mkdirSync(join(source, "part"));
    writeFileSync(join(source, "part/go.mod"), "module example.org/part\n\ngo 1.18\n");
    writeFileSync(join(source, "part/part.go"), 'package part\n\nfunc Name() string { return "part" }\n');
    writeFileSync(
      join(source, "go.mod"),
      "module example.org/app\n\ngo 1.18\n\nrequire example.org/part v1.2.3\n\nreplace example.org/part => ./part\n",
    );
    writeFileSync(
      join(source, "main.go"),
      'package main\n\nimport "example.org/part"\n\nfunc main() { println(part.Name()) }\n',
    );
    run("go", ["build", "-mod=mod", "-o", join(root, "srv/bin/app"), "."], source, {
      GOFLAGS: "",
      GOPROXY: "off",
      GOCACHE: temporary(),
    });
    const installed = ["/usr/bin", "/usr/local/bin", "/usr/lib/cni"]
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => join(folder, name)),
      );
    const programs = installed.filter((program) =>
      /\/(?:docker|kubectl|terraform|skopeo|promtool|host-local|gofmt|kpt)$/.test(program),
    );
    for (const [index, program] of programs.entries()) copyFileSync(program, join(root, `srv/bin/${String(index)}`));
    const expected = [join(root, "srv/bin/app"), ...programs].flatMap(modulesOf);
    expect(expected).toContainEqual(expect.stringMatching(/^go 1/));
    expect(await packagesIn(root)).toEqual(expected.toSorted());
  });
});
