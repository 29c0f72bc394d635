/**
 * What a container engine does with our image, without an engine: the files of the image and the libraries of its base in
 * an empty folder, which is the root of the process, read-only but for the volume, and as the user of the Dockerfile.
 */
import { spawnSync } from "node:child_process";
import { chownSync, copyFileSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { findProgram } from "../programs.ts";
import { root } from "./installations.ts";

const VOLUME = "var/lib/eolgate";
const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
const USER = Number(/^USER (\d+):/m.exec(dockerfile)?.[1]);
/** Their files, because the environment of the process has the path of a user. */
const [UNSHARE, MOUNT, CHROOT, SHELL, LDD] = ["unshare", "mount", "chroot", "sh", "ldd"].map(findProgram);
const SCRIPT = `m=${MOUNT}; $m --bind "$1" "$1" && $m --bind "$2" "$1/${VOLUME}" && $m -o remount,ro,bind "$1" || exit 70
root=$1; shift 2; exec ${CHROOT} --userspec=${USER}:${USER} "$root" /usr/bin/eolgate "$@"`;

export interface Container {
  readonly command: readonly string[];
  /** As the Dockerfile sets it. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of the image that are not as they were. */
  readonly written: () => readonly string[];
}

/** Why this machine cannot confine a process; undefined where it can. */
export function cannotConfine(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "this needs Linux and root";
  if (!UNSHARE || !MOUNT || !CHROOT || !SHELL || !LDD) return "this needs unshare, mount, chroot, sh and ldd";
  return spawnSync(UNSHARE, ["-m", SHELL, "-c", "true"]).status === 0 ? undefined : "this needs mount namespaces";
}

export function prepareContainer(folder: string, program: string): Container {
  const image = join(folder, "image");
  const volume = join(folder, "volume");
  mkdirSync(volume, { recursive: true, mode: 0o700 });
  chownSync(volume, USER, USER);
  layOut(image, program);
  const before = stateOf(image);
  return {
    command: [UNSHARE ?? "", "-m", SHELL ?? "", "-c", SCRIPT, "sh", image, volume],
    env: Object.fromEntries(
      [...dockerfile.matchAll(/(EOLGATE_[A-Z]+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
    ),
    written: () => [
      ...(JSON.stringify(stateOf(image)) === JSON.stringify(before) ? [] : [relative(folder, image)]),
      ...(readdirSync(volume).length > 0 ? [VOLUME] : []),
    ],
  };
}

function layOut(image: string, program: string): void {
  const { status, stderr } = spawnSync(process.execPath, ["tools/executable/image-root.ts", image, program], {
    cwd: root,
    encoding: "utf8",
    // npm's package of Node has no licence text.
    env: { ...process.env, NODE_LICENSE: join(root, "LICENSE") },
  });
  if (status !== 0) throw new Error(stderr);
  // The base image contains these.
  const { stdout } = spawnSync(LDD ?? "", [program], { encoding: "utf8" });
  for (const [library] of stdout.matchAll(/\/\S+(?= \(0x)/g)) {
    mkdirSync(join(image, dirname(library)), { recursive: true });
    copyFileSync(library, join(image, library));
  }
}

function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const { mtimeMs, size, uid } = statSync(join(folder, name));
    return `${name} ${String(mtimeMs)} ${String(size)} ${String(uid)}`;
  });
}
