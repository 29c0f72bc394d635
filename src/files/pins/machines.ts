/**
 * Operating systems of machines: labels of hosted runners (`ubuntu-22.04`, `macos-12`, `windows-2019`) and boxes of
 * Vagrant (`ubuntu/focal64`, `generic/ubuntu2004`, `bento/ubuntu-20.04`, `centos/7`).
 */
import type { Pin } from "./pin.ts";
import { type TextLocation } from "../tree/tree.ts";

const RUNNERS: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /^ubuntu-(\d\d\.\d\d|latest|slim)(?:-.*)?$/i, name: "ubuntu" },
  { pattern: /^macos-(\d+(?:\.\d+)?|latest)(?:-.*)?$/i, name: "macos" },
  { pattern: /^windows-(20\d\d(?:-r2)?|latest)(?:-.*)?$/i, name: "windows server" },
  { pattern: /^vs2017-win(2016)$/i, name: "windows server" },
  { pattern: /^windows-(11)(?:-.*)?$/i, name: "windows" },
];
/** Labels of self-hosted runners, which name no release. */
const PLAIN = /^(?:self-hosted|linux|macos|windows|x64|x86|arm|arm64|gpu)$/i;

/**
 * Reads the operating system from a label. An unknown label is kept, so that it is reported as not recognised.
 * @param host The product of the runner images, for a host that removes them.
 */
export function runnerPins(label: string, location: TextLocation, host?: string): readonly Pin[] {
  const written = label.trim();
  const system = systemPins(written, location);
  return host === undefined ? system : [...system, { runner: written, host, location }];
}

function systemPins(written: string, location: TextLocation): readonly Pin[] {
  if (written === "" || PLAIN.test(written)) return [];
  const system = RUNNERS.find(({ pattern }) => pattern.test(written));
  const version = system?.pattern.exec(written)?.[1];
  if (!system || version === undefined) return [{ name: written, location }];
  return [
    {
      name: system.name,
      ...(/^\d/.test(version) && { version }),
      kind: "operating-system",
      location,
    },
  ];
}

interface BoxSystem {
  /** Matches the name of the box, including its publisher where the publisher names the system. */
  readonly pattern: RegExp;
  readonly name: string;
}

const BOXES: readonly BoxSystem[] = [
  { pattern: /(?:^|\/)ubuntu(?:\/|-)?(?<major>\d\d)\.?(?<minor>\d\d)$/, name: "ubuntu" },
  { pattern: /(?:^|\/)alpine-?(?<major>\d)\.?(?<minor>\d+)$/, name: "alpine" },
  { pattern: /(?:^|\/)ubuntu\/(?<major>[a-z]+)(?:32|64)$/, name: "ubuntu" },
  { pattern: /(?:^|\/)debian\/(?:contrib-)?(?<major>[a-z]+)(?:32|64)$/, name: "debian" },
  { pattern: /(?:^|\/)debian(?:\/|-)?(?<major>\d+)$/, name: "debian" },
  { pattern: /(?:^|\/)centos(?:\/|-)?(?:stream-?)?(?<major>\d+)$/, name: "centos" },
  { pattern: /(?:^|\/)rocky(?:linux)?(?:\/|-)?(?<major>\d+)$/, name: "rocky linux" },
  { pattern: /(?:^|\/)alma(?:linux)?(?:\/|-)?(?<major>\d+)$/, name: "almalinux" },
  { pattern: /(?:^|\/)fedora(?:\/|-)?(?<major>\d+)(?:-cloud-base)?$/, name: "fedora" },
  { pattern: /(?:^|\/)oracle(?:linux)?(?:\/|-)?(?<major>\d+)$/, name: "oracle linux" },
];

/**
 * Reads the operating system from the name of a box. An unknown name is kept, so that it is reported as not recognised.
 */
export function boxPin(box: string, location: TextLocation): Pin {
  const written = box.trim().toLowerCase();
  const system = BOXES.find(({ pattern }) => pattern.test(written));
  if (!system) return { name: box, location };
  const { major = "", minor } = system.pattern.exec(written)?.groups ?? {};
  return { name: system.name, version: [major, minor].filter(Boolean).join("."), kind: "operating-system", location };
}
