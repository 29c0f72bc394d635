/** `eolgate check --rootfs`: a root file system in a folder is read like an image. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { readRootFolder } from "../../src/images/read.ts";
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
    const script = `const { openRootFolder } = await import(${JSON.stringify(`${SOURCE}images/root-folder.ts`)});
      const { WantedPaths } = await import(${JSON.stringify(`${SOURCE}images/contents/wanted.ts`)});
      const { ImageBudget, IMAGE_LIMITS } = await import(${JSON.stringify(`${SOURCE}images/limits.ts`)});
      const [layer] = await openRootFolder(${JSON.stringify(folder)}, "/").layers(new WantedPaths(), new ImageBudget(IMAGE_LIMITS));
      console.log(JSON.stringify(layer.entries.flatMap(({ path, language }) => language ? [[path, language.unread]] : [])));`;
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
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

describe("check --rootfs", () => {
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
    ["a folder that does not exist", {}, 3, "it cannot be read (ENOENT)"],
    [
      "a damaged package database",
      at("root", { ...BASE, "var/lib/dpkg/status": "Package: a\n" }),
      3,
      "var/lib/dpkg/status:1",
    ],
    ["a folder without a system", { "root/README.md": "" }, 3, "no operating system"],
  ])("exits with 3 for %s", async (_, files, code, message) => {
    const { exit, err, out } = await check(folderOf(files), "--rootfs", "root");
    expect([exit, `${err}${out}`.includes(message)]).toEqual([code, true]);
  });

  test("is advised where a checked folder is a root file system", async () => {
    const { out } = await check(folderOf({ ...at("root", BASE), "root/.nvmrc": "24\n" }), "root", "--verbose");
    expect(out).toContain("--rootfs");
  });
});
