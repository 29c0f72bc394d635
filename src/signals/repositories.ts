/** Normalizes addresses of source repositories, which packages write in many forms. */
import type { PackageSubject } from "../support/subject.ts";

const HOSTS = /^(?:github\.com|gitlab\.com|bitbucket\.org)$/;

/**
 * `github.com/owner/name` in lower case, from any usual form of an address: `git+https://github.com/a/b.git`,
 * `git@github.com:a/b`, `github:a/b`, `https://github.com/a/b/tree/main/packages/c`. Undefined for other hosts.
 */
export function repositoryId(address: string | undefined): string | undefined {
  if (address === undefined || address.length > 500) return undefined;
  const text = address
    .trim()
    .replace(/^scm:(?:git:)?/i, "")
    .replace(
      /^(github|gitlab|bitbucket):(?!\/\/)/i,
      (_, host: string) => `${host}.${host === "bitbucket" ? "org" : "com"}/`,
    )
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/^[^@/\s]+@/, "")
    .replace(/^([^/:]+):(?:\d+\/)?/, "$1/");
  const [host = "", ...path] = text
    .replace(/[?#].*$/s, "")
    .toLowerCase()
    .split("/");
  const parts = path.filter(Boolean);
  const name = host === "gitlab.com" ? projectPath(parts) : parts.slice(0, 2);
  if (!HOSTS.test(host.replace(/^www\./, "")) || name.length < 2) return undefined;
  const id = [host.replace(/^www\./, ""), ...name].join("/").replace(/\.git$/, "");
  return /^[a-z0-9./_-]+$/.test(id) ? id : undefined;
}

/** GitLab groups can be nested; the path of the project ends before `/-/`. */
function projectPath(parts: readonly string[]): readonly string[] {
  const end = parts.indexOf("-");
  return end < 0 ? parts : parts.slice(0, end);
}

/** The repository in the name of a package: Go modules are named after their repository. */
export function repositoryOf({ type, path }: PackageSubject): string | undefined {
  return type === "golang" ? repositoryId(`https://${path}`) : undefined;
}
