/** Flags about container images. */
import type { Flag } from "./flags.ts";

const INPUT = "Input:";

export const IMAGE_FLAG: Flag = {
  flags: "--image <image>",
  summary:
    "check a container image: NAME:TAG in a registry, oci:FOLDER, oci-archive:FILE, docker-archive:FILE or docker-daemon:NAME",
  env: "EOLGATE_IMAGE",
  repeat: true,
  group: INPUT,
};

/** How an image is read. Without an image they have no effect. */
export const IMAGE_OPTION_FLAGS: readonly Flag[] = [
  {
    flags: "--platform <platform>",
    summary:
      "platform to check if the image has several, such as linux/arm64 (default: Linux on this machine's processor)",
    env: "EOLGATE_PLATFORM",
    group: INPUT,
  },
  {
    flags: "--insecure-registry <host>",
    summary: "accept this registry without TLS; loopback addresses need no flag",
    env: "EOLGATE_INSECURE_REGISTRY",
    repeat: true,
    group: INPUT,
  },
  {
    flags: "--with <scanner>",
    summary: "let this installed scanner read the image, and check its SBOM: syft or trivy",
    env: "EOLGATE_WITH",
    choices: ["syft", "trivy"],
    group: INPUT,
  },
];
