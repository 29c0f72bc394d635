/**
 * Keys of container images. The same image is written as `pkg:docker/debian`, `pkg:docker/library/debian` and
 * `pkg:oci/debian?repository_url=index.docker.io/library/debian`. For other registries, endoflife.date leaves out the
 * name of the image in the address; the purl specification includes it.
 */
import type { PurlKey } from "./types.ts";

const HUB = new Set(["docker.io", "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com"]);

/** `docker/<namespace>/<name>` on Docker Hub with `library` implied, else `oci/<name>?repository_url=<directory>`. */
export function imageKey(purl: Omit<PurlKey, "key">): string {
  const { type, namespace, name } = purl;
  const address = repositoryPath(purl.qualifier("repository_url"));
  if (type === "oci" && (address.length > 0 || !isTag(purl.version))) return ociKey(address, name);
  const named = namespace === "" ? [] : namespace.split("/");
  if (address.length > 0) return registryKey(address, named, name);
  return isHost(named[0]) ? registryKey(named.slice(0, 1), named.slice(1), name) : dockerKey(named, name);
}

function registryKey([host = "", ...path]: readonly string[], named: readonly string[], name: string): string {
  if (HUB.has(host)) return dockerKey(named, name);
  const below = endsWith(path, [...named, name]) || endsWith(path, named) ? path : [...path, ...named];
  return elsewhereKey([host, ...below], name);
}

function ociKey(address: readonly string[], name: string): string {
  const [host, ...path] = address;
  if (host === undefined) return `oci/${name}`;
  return HUB.has(host) ? hubKey(path, name) : elsewhereKey(address, name);
}

/**
 * The purl specification allows digests only. `pkg:oci/postgres@14` repeats a reference of a compose file or Dockerfile,
 * where a name without a registry is one of Docker Hub (https://github.com/distribution/reference).
 */
const isTag = (version: string | undefined): boolean => version !== undefined && !/^sha\d+:/i.test(version);

function dockerKey(namespace: readonly string[], name: string): string {
  const path = namespace.length === 1 && namespace[0] === "library" ? [] : namespace;
  return ["docker", ...path, name].join("/");
}

/** On Docker Hub `<name>` alone is the official image (`library/`) or a namespace without its image; only official images map. */
function hubKey(path: readonly string[], name: string): string {
  if (path.length === 1 && path[0] === name) return `oci/${name}?repository_url=docker.io/${name}`;
  const namespace = path.at(-1) === name ? path.slice(0, -1) : path;
  return namespace.length === 0 ? `oci/${name}?repository_url=docker.io` : dockerKey(namespace, name);
}

/** Removes trailing segments that repeat the name of the image, so that both forms have the same key. */
function elsewhereKey(address: readonly string[], name: string): string {
  let end = address.length;
  while (end > 1 && address[end - 1] === name) end -= 1;
  return `oci/${name}?repository_url=${address.slice(0, end).join("/")}`;
}

/** endoflife.date lists the web pages of quay.io, which are under `/repository/`; its images are not. */
function repositoryPath(url: string | undefined): readonly string[] {
  if (url === undefined) return [];
  const path = url
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .split("/")
    .filter((segment) => segment !== "");
  return path[0] === "quay.io" && path[1] === "repository" ? ["quay.io", ...path.slice(2)] : path;
}

function isHost(segment: string | undefined): boolean {
  return segment !== undefined && /[.:]|^localhost$/.test(segment);
}

function endsWith(path: readonly string[], tail: readonly string[]): boolean {
  const start = path.length - tail.length;
  return tail.length > 0 && start >= 0 && tail.every((segment, index) => path[start + index] === segment);
}
