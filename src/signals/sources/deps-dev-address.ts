/** URLs of deps.dev, which has its own names for ecosystems and packages. https://docs.deps.dev/api/v3/ */
import type { PackageSubject } from "../../support/subject.ts";

export const DEPS_DEV_BASE = "https://api.deps.dev/";

const SYSTEMS: Readonly<Record<string, string>> = {
  cargo: "cargo",
  gem: "rubygems",
  golang: "go",
  maven: "maven",
  npm: "npm",
  nuget: "nuget",
  pypi: "pypi",
};

export const depsDevSystem = (type: string): string | undefined =>
  Object.hasOwn(SYSTEMS, type) ? SYSTEMS[type] : undefined;

/** deps.dev writes Maven packages as `group:artifact`. */
const packageName = ({ type, path }: PackageSubject): string =>
  type === "maven" ? path.replace(/\/(?=[^/]*$)/, ":") : path;

export function packageUrl(base: URL, subject: PackageSubject): URL {
  return new URL(
    `v3/systems/${depsDevSystem(subject.type) ?? subject.type}/packages/${encodeURIComponent(packageName(subject))}`,
    base,
  );
}

/** URL of the version in the stable API, given as the source of evidence. */
export const versionUrl = (base: URL, subject: PackageSubject): string =>
  `${packageUrl(base, subject).href}/versions/${encodeURIComponent(subject.version)}`;
