/**
 * Ten images of real parts, one for each package manager and one of several, against the lists of their own tools. Where a
 * tool is not installed, its image is skipped.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { readImage } from "../../src/images/read.ts";
import { pypiName } from "../../src/files/lockfiles/lockfile.ts";
import { imageOf, indexOf, layoutFiles, writeFiles } from "./build.ts";
import { sqliteDatabase } from "./contents/rpm/databases.ts";

const CATALOGUE = loadCatalogue();
const PROJECT = join(import.meta.dirname, "../..");
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-native-"));
  folders.push(folder);
  return folder;
};

const has = (tool: string, ...args: readonly string[]): boolean => spawnSync(tool, args).status === 0;
const run = (tool: string, args: readonly string[], cwd = "/", env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(tool, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
  });
const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** `name version` of every package in an image with a layer for each folder. */
async function packagesIn(...roots: readonly string[]): Promise<readonly string[]> {
  const layers = roots.map((root) =>
    execFileSync("tar", ["-C", root, "-cf", "-", "."], { maxBuffer: 512 * 1024 * 1024, stdio: "pipe" }),
  );
  const image = imageOf(layers);
  const layout = writeFiles(temporary(), layoutFiles(indexOf([image.manifest]), [image]));
  const { inputs } = await readImage(
    { image: `oci:${layout}` },
    { cwd: "/", env: {}, facts: CATALOGUE.facts, purl: CATALOGUE.purl.bind(CATALOGUE), architecture: "x64" },
  );
  return inputs.flatMap(({ document }) =>
    [...document.components]
      .filter(({ kind }) => kind !== "operating-system")
      .map(
        ({ name, version, purls: [purl = ""] }) =>
          `${purl.startsWith("pkg:pypi/") ? pypiName(name) : name} ${version ?? ""}`,
      ),
  );
}

/** At least 98 % of the packages are found, and none that the tool does not list. */
function expectPackages(found: readonly string[], listed: readonly string[], least: number): void {
  const expected = new Set(listed);
  expect(expected.size).toBeGreaterThanOrEqual(least);
  expect([...new Set(found)].filter((each) => !expected.has(each))).toEqual([]);
  expect([...expected].filter((each) => found.includes(each)).length / expected.size).toBeGreaterThanOrEqual(0.98);
}

/** Copies the files of some names below a folder, with their paths. */
function copyNamed(from: string, to: string, find: string): void {
  mkdirSync(to, { recursive: true });
  run("sh", ["-c", `find . \\( ${find} \\) -print0 | tar --null -T - -cf - | tar -xf - -C "$0"`, to], from);
}

describe("packages in an image", () => {
  test.skipIf(!has("dpkg-query", "--version"))("of Debian, as dpkg-query lists them", async () => {
    const root = temporary();
    expectPackages(await packagesIn(debian(root)), debianPackages(), 100);
  });

  test.skipIf(!has("rpmbuild", "--version"))("of a distribution with rpm, as rpm lists them", async () => {
    const { bytes, log } = sqliteDatabase();
    const root = writeFiles(temporary(), {
      "etc/os-release": 'ID="rhel"\nVERSION_ID="9.3"\n',
      "usr/lib/sysimage/rpm/rpmdb.sqlite": bytes,
      ...(log && { "usr/lib/sysimage/rpm/rpmdb.sqlite-wal": log }),
    });
    const found = await packagesIn(root);
    const flags = ["--dbpath", join(root, "usr/lib/sysimage/rpm"), "--define", "_db_backend sqlite"];
    const listed = run("rpm", [...flags, "-qa", "--qf", "%{NAME} %{VERSION}-%{RELEASE}\\n"]);
    expectPackages(
      found,
      linesOf(listed).filter((line) => !line.startsWith("gpg-pubkey ")),
      3,
    );
  });

  test.skipIf(!has("npm", "--version"))("of npm, as npm lists them", async () => {
    const root = temporary();
    copyNamed(join(PROJECT, "node_modules"), join(root, "srv/app/node_modules"), "-name package.json");
    expectPackages(await packagesIn(root), npmPackages(), 300);
  });

  test.skipIf(!has("python3", "-m", "pip", "--version"))("of Python, as pip lists them", async ({ skip }) => {
    const listed = pythonPackages();
    if (listed.length < 10) skip("this machine has fewer than ten packages of Python");
    const root = temporary();
    pythonFiles(root);
    expectPackages(await packagesIn(root), listed, 10);
  });

  test.skipIf(!has("cargo", "--version"))("of a program of Rust, as cargo lists them", async () => {
    const source = writeFiles(temporary(), {
      "part/Cargo.toml": '[package]\nname = "part"\nversion = "1.2.3"\n',
      "part/src/lib.rs": "",
      "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\npart = { path = "part" }\n',
      "src/main.rs":
        '#[unsafe(link_section = ".dep-v0")]\n#[used]\nstatic PACKAGES: [u8; include_bytes!("../packages").len()] = *include_bytes!("../packages");\nfn main() {}\n',
    });
    const listed = linesOf(run("cargo", ["tree", "--offline", "--prefix", "none"], source)).map((line) =>
      line.replace(/^(\S+) v(\S+).*$/, "$1 $2"),
    );
    const packages = listed.map((each, index) => {
      const [name, version] = each.split(" ");
      return { name, version, source: "crates.io", ...(index === 0 && { root: true }) };
    });
    writeFileSync(join(source, "packages"), deflateSync(JSON.stringify({ packages })));
    run("cargo", ["build", "--offline"], source, { CARGO_TARGET_DIR: join(source, "out") });
    const root = temporary();
    mkdirSync(join(root, "srv"));
    copyFileSync(join(source, "out/debug/app"), join(root, "srv/app"));
    expectPackages(await packagesIn(root), listed, 2);
  });

  test.skipIf(!has("jar", "--version"))("of an archive of Java, as jar lists them", async () => {
    const source = temporary();
    const names = Array.from({ length: 6 }, (_, index) => ({
      name: `part-${String(index)}`,
      version: `1.${String(index)}.0`,
    }));
    for (const { name, version } of names) {
      const content = {
        [`META-INF/maven/org.parts/${name}/pom.properties`]: `groupId=org.parts\nartifactId=${name}\nversion=${version}\n`,
      };
      const folder = writeFiles(join(source, name), content);
      mkdirSync(join(source, "app/BOOT-INF/lib"), { recursive: true });
      run("jar", ["cfM", join(source, `app/BOOT-INF/lib/${name}-${version}.jar`), "."], folder);
    }
    const root = temporary();
    mkdirSync(join(root, "srv"));
    run("jar", ["cfM0", join(root, "srv/app.jar"), "."], join(source, "app"));
    const listed = linesOf(run("jar", ["tf", join(root, "srv/app.jar")])).flatMap((line) => {
      const [, name = "", version = ""] = /([a-z]+-\d+)-(\d[\d.]*)\.jar$/.exec(line) ?? [];
      return name === "" ? [] : [`${name} ${version}`];
    });
    const found = await packagesIn(root);
    expectPackages(
      found.map((each) => each.replace(/^org\.parts:/, "")),
      listed,
      6,
    );
  });

  const tools = has("dpkg-query", "--version") && has("npm", "--version") && has("python3", "-m", "pip", "--version");
  test.skipIf(!tools)("of several package managers in several layers, as their tools list them", async () => {
    const [base, modules, python] = [temporary(), temporary(), temporary()];
    copyNamed(join(PROJECT, "node_modules"), join(modules, "srv/app/node_modules"), "-name package.json");
    pythonFiles(python);
    const found = await packagesIn(debian(base), modules, python);
    expectPackages(found, [...debianPackages(), ...npmPackages(), ...pythonPackages()], 400);
  });
});

/** A folder with the package database of this machine. */
const debian = (root: string): string => {
  mkdirSync(join(root, "etc"), { recursive: true });
  copyFileSync("/etc/os-release", join(root, "etc/os-release"));
  copyNamed("/var/lib/dpkg", join(root, "var/lib/dpkg"), "-name status");
  return root;
};
const debianPackages = (): readonly string[] =>
  linesOf(run("dpkg-query", ["-W", "-f", "${Package} ${Version} ${db:Status-Abbrev}\\n"]))
    .filter((line) => /^\S+ \S+ .[^nc]/.test(line))
    .map((line) => line.split(" ").slice(0, 2).join(" "));

/** The packages of this project that are installed. */
const npmPackages = (): readonly string[] =>
  linesOf(spawnSync("npm", ["ls", "--all", "--parseable", "--long"], { cwd: PROJECT, encoding: "utf8" }).stdout)
    .slice(1)
    .flatMap((line) => {
      const [path = "", named = ""] = line.split(":");
      const at = named.lastIndexOf("@");
      return existsSync(join(path, "package.json")) ? [`${named.slice(0, at)} ${named.slice(at + 1)}`] : [];
    });

const sitePackages = (): string =>
  run("python3", ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).trim();
const pythonFiles = (root: string): void =>
  copyNamed(
    sitePackages(),
    join(root, "usr/lib/python3/site-packages"),
    "-path '*-info/METADATA' -o -path '*.egg-info*' -type f",
  );
const pythonPackages = (): readonly string[] =>
  (
    JSON.parse(run("python3", ["-m", "pip", "list", "--format", "json", "--path", sitePackages()])) as {
      name: string;
      version: string;
    }[]
  ).map(({ name, version }) => `${pypiName(name)} ${version}`);

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
    expectPackages(await packagesIn(root), listed, 10);
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
    expectPackages(await packagesIn(dirname(dirname(project))), expected, names.length);
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
    expectPackages(await packagesIn(root), expected, 1);
  });
});
