/** The operating system that the tag of an image names: `3.12-slim-buster`, `11-jre-focal`, `17-ubi8`, `6-alpine3.18`. */

export interface ImageSystem {
  readonly name: string;
  /** A number or codename; absent if the tag names the system alone (`18-alpine`). */
  readonly version?: string;
}

/** Codenames by which tags name a release; the catalogue has them as aliases of the release cycles. */
const CODENAMES: Readonly<Record<string, readonly string[]>> = {
  debian: ["wheezy", "jessie", "stretch", "buster", "bullseye", "bookworm", "trixie", "forky", "sid"],
  ubuntu: ["trusty", "xenial", "bionic", "focal", "jammy", "noble", "oracular", "plucky", "questing", "resolute"],
};
const BY_CODENAME: ReadonlyMap<string, string> = new Map(
  Object.entries(CODENAMES).flatMap(([name, codenames]) => codenames.map((codename) => [codename, name] as const)),
);

/** Names with a version. A pattern must match a whole word of the tag, or two words joined by a hyphen. */
const NUMBERED: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /^alpine-?(\d+\.\d+(?:\.\d+)?)$/, name: "alpine" },
  { pattern: /^(?:debian|deb)-?(\d{1,2})$/, name: "debian" },
  { pattern: /^ubuntu-?(\d\d\.\d\d)$/, name: "ubuntu" },
  { pattern: /^ubi-?(\d{1,2})$/, name: "rhel" },
  { pattern: /^(?:ol|oraclelinux)-?(\d{1,2})$/, name: "oracle linux" },
  { pattern: /^(?:al|amazonlinux|amzn)-?(2|2023)$/, name: "amazon linux" },
  { pattern: /^(?:rockylinux|rocky)-?(\d{1,2})$/, name: "rocky linux" },
  { pattern: /^almalinux-?(\d{1,2})$/, name: "almalinux" },
  { pattern: /^centos-?(\d)$/, name: "centos" },
  { pattern: /^(?:fedora|fc)-?(\d\d)$/, name: "fedora" },
  { pattern: /^photon-?(\d)$/, name: "photon os" },
  { pattern: /^(?:cbl-)?mariner-?(\d\.\d)$/, name: "azure linux" },
  { pattern: /^azurelinux-?(\d\.\d)$/, name: "azure linux" },
  { pattern: /^opensuse-?(\d\d\.\d)$/, name: "opensuse" },
  { pattern: /^(?:windowsservercore|nanoserver)-(?:ltsc)?(\d{4}|\d\dh\d)$/, name: "windows server" },
];
/** Words that name a system without a release. */
const UNNUMBERED: ReadonlyMap<string, string> = new Map([
  ["alpine", "alpine"],
  ["debian", "debian"],
  ["ubuntu", "ubuntu"],
  ["ubi", "rhel"],
  ["windowsservercore", "windows server"],
  ["nanoserver", "windows server"],
]);

/**
 * Reads the operating system from a tag; undefined if the tag names none. `image` is the last segment of the image's
 * path.
 */
export function imageSystem(image: string, tag: string): ImageSystem | undefined {
  const words = [...tag.toLowerCase().split("-"), ...systemOfDistroless(image)];
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ""}-${word}`);
  for (const word of [...pairs, ...words]) {
    const name = BY_CODENAME.get(word);
    if (name !== undefined) return { name, version: word };
    const numbered = NUMBERED.find(({ pattern }) => pattern.test(word));
    const version = numbered?.pattern.exec(word)?.[1];
    if (numbered && version !== undefined) return { name: numbered.name, version };
  }
  const plain = words.map((word) => UNNUMBERED.get(word)).find((name) => name !== undefined);
  return plain === undefined ? undefined : { name: plain };
}

/** `gcr.io/distroless/java17-debian11` has its system in its name. */
const systemOfDistroless = (image: string): readonly string[] =>
  /-(debian\d+)$/.exec(image.toLowerCase())?.slice(1) ?? [];
