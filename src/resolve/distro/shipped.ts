/** Names of packages: patterns with `*` and `[0-9]`, and the lists of what Debian and Ubuntu ship. */
import type { ProductSlug } from "../../text/ids.ts";
import type { PackageCatalogue } from "../../model/index.ts";

const compiled = new Map<string, RegExp>();

export const isGlob = (pattern: string): boolean => pattern.includes("*") || pattern.includes("[");

export function matchesGlob(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!isGlob(pattern)) return false;
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    const source = pattern.replaceAll(/[.+?^${}()|\\]/g, "\\$&").replaceAll("*", ".*");
    compiled.set(pattern, (expression = new RegExp(`^${source}$`)));
  }
  return expression.test(name);
}

export const matchesAny = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, name));

/**
 * Packages that only Ubuntu has. Most other packages of Ubuntu have `ubuntu` in their revision, which is sufficient
 * evidence.
 */
const UBUNTU_ONLY: readonly RegExp[] = [
  /^(?:linux|ubuntu|kubuntu|xubuntu|lubuntu|yaru|nvidia|libnvidia|cloud|grub)-/,
  /^language-(?:pack|selector|support)-/,
  /^(?:landscape|update-(?:manager|notifier)|command-not-found|motd-news)-/,
  /^(?:snapd|netplan\.io|apport|whoopsie|pollinate|overlayroot|friendly-recovery|fwupd-signed|shim-signed)$/,
  /^python3-(?:apport|commandnotfound|distupgrade|update-manager|problem-report)$/,
];

/** Whether `distribution` ships a package of this name; undefined when no list is recorded. */
export function isShipped(packages: PackageCatalogue, distribution: ProductSlug, name: string): boolean | undefined {
  if (distribution === "debian") return packages.inDebian12(name);
  if (distribution !== "ubuntu") return undefined;
  return packages.inDebian12(name) || UBUNTU_ONLY.some((pattern) => pattern.test(name));
}
