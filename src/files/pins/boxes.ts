/** Boxes of Vagrant: `ubuntu/focal64`, `debian/buster64`, `generic/ubuntu2004`, `bento/ubuntu-20.04`, `centos/7`. */
import type { Pin, PinLocation } from "./pin.ts";

interface System {
  /** Matches the name of the box, including its publisher where the publisher names the system. */
  readonly pattern: RegExp;
  readonly name: string;
}

const SYSTEMS: readonly System[] = [
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
export function boxPin(box: string, place: PinLocation): Pin {
  const written = box.trim().toLowerCase();
  const system = SYSTEMS.find(({ pattern }) => pattern.test(written));
  if (!system) return { name: box, place };
  const { major = "", minor } = system.pattern.exec(written)?.groups ?? {};
  return { name: system.name, version: [major, minor].filter(Boolean).join("."), kind: "operating-system", place };
}
