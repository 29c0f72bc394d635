/** Platforms of multi-platform images: `linux/amd64`, `linux/arm64/v8`. */
import { EolgateError } from "../../messages/error.ts";

export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string | undefined;
}

/** Other names of the architectures, as `uname` and Debian write them. Images have Go's names. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  aarch64: "arm64",
  armhf: "arm",
  i386: "386",
  x86_64: "amd64",
};
/** Node's names where they differ from Go's. */
const NODE_ARCHITECTURES: Readonly<Record<string, string>> = { ia32: "386", ppc64: "ppc64le", x64: "amd64" };

const PART = /^[a-z0-9][a-z0-9_.-]{0,31}$/;

/** @throws EolgateError `usage`, code `invalid-value` */
export function parsePlatform(written: string): Platform {
  const [os = "", architecture = "", variant, ...more] = written.toLowerCase().split("/");
  const parts = [os, architecture, ...(variant === undefined ? [] : [variant])];
  if (more.length > 0 || !parts.every((part) => PART.test(part)))
    throw EolgateError.of("invalid-value", {
      problem: `${JSON.stringify(written.slice(0, 100))} is not a platform`,
      advice: "Use os/arch or os/arch/variant, for example linux/arm64.",
    }).at("--platform");
  return { os, architecture: ARCHITECTURES[architecture] ?? architecture, ...(variant !== undefined && { variant }) };
}

/**
 * The platform that container engines choose by default: Linux on this processor. `architecture` is Node's name of it.
 */
export const platformOf = (architecture: string): Platform => ({
  os: "linux",
  architecture: NODE_ARCHITECTURES[architecture] ?? architecture,
});

export const formatPlatform = ({ os, architecture, variant }: Platform): string =>
  [os, architecture, variant].filter(Boolean).join("/");

/** The variant that an image without one has. */
const DEFAULT_VARIANTS: Readonly<Record<string, string>> = { arm64: "v8", arm: "v7" };

const variantOf = ({ architecture, variant }: Platform): string => variant || (DEFAULT_VARIANTS[architecture] ?? "");

/** Whether `found` is the wanted platform. If `wanted` has no variant, every variant matches. */
export function isPlatform(found: Platform, wanted: Platform): boolean {
  if (found.os !== wanted.os || found.architecture !== wanted.architecture) return false;
  return !wanted.variant || variantOf(found) === variantOf(wanted);
}

/** The entry for a platform; of several variants the default one. */
export function pickPlatform<Entry extends { readonly platform: Platform }>(
  entries: readonly Entry[],
  wanted: Platform,
): Entry | undefined {
  const fitting = entries.filter(({ platform }) => isPlatform(platform, wanted));
  return fitting.find(({ platform }) => variantOf(platform) === variantOf(wanted)) ?? fitting[0];
}
