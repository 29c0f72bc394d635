/** `eolgate check --rootfs`: a root file system in a folder is read like an image. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { WantedPaths } from "../../src/images/contents/wanted.ts";
import { IMAGE_LIMITS, ImageBudget } from "../../src/images/limits.ts";
import { readRootFolder } from "../../src/images/read.ts";
import { openRootFolder } from "../../src/images/root-folder.ts";
import { runCommand } from "../cli/fake-io.ts";
import { BASE as IMAGE, type Files, writeFiles } from "./build.ts";

const CATALOGUE = loadCatalogue();
const BASE: Files = Object.fromEntries(Object.entries(IMAGE).filter(([path]) => !path.endsWith("/")));
const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));
const temporary = (): string => mkdtempSync(join(tmpdir(), "eolgate-rootfs-"));
const folderOf = (files: Files): string => writeFiles(temporary(), files);

const read = (folder: string) =>
  readRootFolder(folder, {
    cwd: "/",
    env: {},
    facts: CATALOGUE.facts,
    purl: CATALOGUE.purl.bind(CATALOGUE),
    architecture: "x64",
  });

async function componentsIn(folder: string): Promise<readonly string[]> {
  const { inputs } = await read(folder);
  return inputs.flatMap(({ document }) =>
    [...document.components].map(({ name, version, pointer }) => `${name} ${version ?? "-"} ${pointer}`),
  );
}

const check = (cwd: string, ...args: readonly string[]) =>
  runCommand(["check", ...args, "--as-of", "2026-08-22"], { cwd, env: { COLUMNS: "160" } });

const MODULE = { "package.json": JSON.stringify({ name: "left-pad", version: "1.3.0" }) };
const at = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
const SYSTEM = "debian 12 /etc/os-release";

describe("components of a root file system", () => {
  test.each<readonly [string, Files, readonly string[]]>([
    [
      "packages of a language",
      at("srv/app/node_modules/left-pad", MODULE),
      ["left-pad 1.3.0 /srv/app/node_modules/left-pad/package.json"],
    ],
    [
      "packages in a folder that is called like a virtual one",
      at("srv/proc/node_modules/left-pad", MODULE),
      ["left-pad 1.3.0 /srv/proc/node_modules/left-pad/package.json"],
    ],
    ["nothing of the kernel's file systems", at("proc/1/root/node_modules/left-pad", MODULE), []],
    ["nothing of what runs at the moment", at("run/node_modules/left-pad", MODULE), []],
    ["no manifest of a project that is not installed", at("srv/app", MODULE), []],
    [
      "a manifest that is damaged",
      { "srv/node_modules/a/package.json": "{" },
      ["package.json - /srv/node_modules/a/package.json"],
    ],
  ])("are %s", async (_, files, expected) => {
    const found = await componentsIn(folderOf({ ...BASE, ...files }));
    expect(found.filter((each) => !each.includes("/var/lib/dpkg"))).toEqual([SYSTEM, ...expected]);
  });

  test("are found behind links inside the folder, and not behind those that lead out of it", async () => {
    const folder = folderOf({
      "usr/lib/os-release": String(BASE["etc/os-release"]),
      "etc/hostname": "",
      ...at("srv/data/node_modules/left-pad", MODULE),
    });
    symlinkSync("/usr/lib/os-release", join(folder, "etc/os-release"));
    symlinkSync(folderOf(at("node_modules/left-pad", MODULE)), join(folder, "srv/other"));
    expect(await componentsIn(folder)).toEqual([SYSTEM, "left-pad 1.3.0 /srv/data/node_modules/left-pad/package.json"]);
  });

  test.each([
    [
      "the day",
      "SUPPORT_END=2028-06-30\n",
      [{ milestone: "end-of-support", value: "2028-06-30", pointer: "/etc/os-release/SUPPORT_END" }],
    ],
    ["nothing without one", "SUPPORT_URL=https://example.org\n", []],
    ["nothing for an empty one", "SUPPORT_END=\n", []],
  ])("have the end of support that the distribution states: %s", async (_, line, declared) => {
    const { inputs } = await read(
      folderOf({ ...BASE, "etc/os-release": `${String(BASE["etc/os-release"])}\n${line}` }),
    );
    expect(inputs[0]?.document.components.at(0)?.declared).toEqual(declared);
  });

  test("are the same for the same content in another folder, and others for another content", async () => {
    const digests = await Promise.all(
      [BASE, BASE, { ...BASE, "etc/os-release": "ID=alpine\nVERSION_ID=3.18\n" }].map(
        async (files) => (await read(folderOf(files))).inputs[0]?.digest,
      ),
    );
    expect([digests[0] === digests[1], digests[1] === digests[2]]).toEqual([true, false]);
  });

  test.skipIf(process.platform === "win32")("that cannot be read are listed with the reason", () => {
    const folder = folderOf({
      ...BASE,
      ...at("srv/a/node_modules/left-pad", MODULE),
      ...at("srv/b/node_modules/left-pad", MODULE),
    });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "srv/a/node_modules/left-pad/package.json"), 0);
    chmodSync(join(folder, "srv/b/node_modules"), 0);
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const output = execFileSync(process.execPath, listing(folder), {
      ...user,
      cwd: "/",
      encoding: "utf8",
    });
    expect(JSON.parse(output)).toEqual([
      ["srv/b/node_modules", "it cannot be read (EACCES)"],
      ["srv/a/node_modules/left-pad/package.json", "it cannot be read (EACCES)"],
    ]);
  });
});

/** Lists the files with packages of languages in a folder, in a process of its own. */
const listing = (folder: string): readonly string[] => [
  "--input-type=module",
  "-e",
  `const { openRootFolder } = await import(${JSON.stringify(`${SOURCE}images/root-folder.ts`)});
  const { WantedPaths } = await import(${JSON.stringify(`${SOURCE}images/contents/wanted.ts`)});
  const { ImageBudget, IMAGE_LIMITS } = await import(${JSON.stringify(`${SOURCE}images/limits.ts`)});
  const [layer] = await openRootFolder(${JSON.stringify(folder)}, "/").layers(new WantedPaths(), new ImageBudget(IMAGE_LIMITS));
  console.log(JSON.stringify(layer.entries.flatMap(({ path, language }) => language ? [[path, language.unread ?? language.packages[0].name]] : [])));`,
];

/** The same with a tmpfs at each path of `mounts`; undefined where nothing may be mounted. */
function listingWith(folder: string, mounts: readonly string[]): readonly string[] | undefined {
  const commands = mounts.map((path) => `mount -t tmpfs none ${path} && cp -a ${path}.content/. ${path}`);
  const script = [...commands, 'exec "$@"'].join(" && ");
  const run = ["-rm", "sh", "-c", script, "sh", process.execPath, ...listing(folder)];
  try {
    const output = execFileSync("unshare", run, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return (JSON.parse(output) as readonly (readonly [string, string])[])
      .map(([path, found]) => `${path}: ${found}`)
      .filter((each) => !each.includes(".content/"));
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    return undefined;
  }
}
const MOUNTED = "another file system is mounted there";
const mayMount =
  process.platform === "linux" && listingWith(folderOf({ "m/a": "", "m.content/a": "" }), ["m"]) !== undefined;

describe("file systems that are mounted in a root file system", () => {
  test.skipIf(!mayMount).each<readonly [string, string, readonly string[]]>([
    ["are listed and not read", "srv", [`srv: ${MOUNTED}`]],
    ["are read on the way to package databases", "var", ["var/node_modules/left-pad/package.json: left-pad"]],
    ["are not listed where the kernel has them", "proc", []],
  ])("%s", (_, path, expected) => {
    const content = at(`${path}.content/node_modules/left-pad`, MODULE);
    expect(listingWith(folderOf({ ...BASE, ...content, [`${path}/.keep`]: "" }), [path])).toEqual(expected);
  });

  test.skipIf(!mayMount)("are listed below another one that is read", () => {
    const content = { "var.content/cache/.keep": "", "var.content/cache.content/.keep": "", "var/.keep": "" };
    expect(listingWith(folderOf({ ...BASE, ...content }), ["var", "var/cache"])).toEqual([`var/cache: ${MOUNTED}`]);
  });
});

describe.skipIf(process.platform === "win32")("a file that is replaced while the folder is read", () => {
  test.each<readonly [string, (path: string) => unknown, string]>([
    ["a link", (path) => symlinkSync("/etc/passwd", path), "it cannot be read (ELOOP)"],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), "it is no longer a file"],
  ])("by %s is not read", async (_, replace, problem) => {
    const folder = folderOf(BASE);
    class ReplacedPaths extends WantedPaths {
      override kind(path: string) {
        if (path === "etc/os-release") {
          rmSync(join(folder, path));
          replace(join(folder, path));
        }
        return super.kind(path);
      }
    }
    const reading = openRootFolder(folder, "/").layers(new ReplacedPaths(), new ImageBudget(IMAGE_LIMITS));
    await expect(reading).rejects.toMatchObject({ code: "unreadable", message: expect.stringContaining(problem) });
  });
});

describe("check --rootfs", () => {
  test("refuses an empty name, with which it would read the working directory", async () => {
    const { exit, err } = await check(folderOf(BASE), "--rootfs", "");
    expect([exit, err]).toEqual([2, expect.stringContaining("the name of the folder is empty (--rootfs)")]);
  });

  test("fails for a system that has ended, and names what was read", async () => {
    const folder = folderOf({
      ...at("root", { ...BASE, "etc/os-release": "ID=debian\nVERSION_ID=9\n" }),
      "root/srv/node_modules/a/package.json": "{",
    });
    const { exit, out } = await check(folder, "--rootfs", "root", "--verbose");
    expect([exit, out.includes("Debian 9"), out.includes("/srv/node_modules/a/package.json (")]).toEqual([
      1,
      true,
      true,
    ]);
    expect(out).toContain("root (linux): the operating system in /etc/os-release");
  });

  test("warns where the catalogue has another end than the system states", async () => {
    const release = `${String(BASE["etc/os-release"])}\nSUPPORT_END=2027-01-01\n`;
    const { exit, out } = await check(folderOf(at("root", { ...BASE, "etc/os-release": release })), "--rootfs", "root");
    expect([exit, out.includes("declares an end that differs from the catalogue")]).toEqual([0, true]);
  });

  test.each<readonly [string, Files, number, string]>([
    ["a folder that does not exist", {}, 3, "it cannot be read (ENOENT) (root"],
    ["a folder that does not exist", {}, 3, "Check that the path names a folder."],
    ["a file", { root: "" }, 3, "Check that the path names a folder."],
    [
      "a damaged package database",
      at("root", { ...BASE, "var/lib/dpkg/status": "Package: a\n" }),
      3,
      "var/lib/dpkg/status:1",
    ],
    ["a folder without a system", { "root/README.md": "" }, 3, "A folder with a project is not a root file system"],
  ])("exits with 3 for %s", async (_, files, code, message) => {
    const { exit, err, out } = await check(folderOf(files), "--rootfs", "root");
    expect([exit, `${err}${out}`.includes(message)]).toEqual([code, true]);
  });

  test("is advised where a checked folder is a root file system", async () => {
    const { out } = await check(folderOf({ ...at("root", BASE), "root/.nvmrc": "24\n" }), "root", "--verbose");
    expect(out).toContain("--rootfs");
  });
});
