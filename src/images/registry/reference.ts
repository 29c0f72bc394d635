/**
 * Parses the value of `--image`. References follow the grammar of the OCI distribution specification and Docker's
 * defaults; archives and folders are prefixed with the transports of containers/image.
 * https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests
 */
import { EolgateError } from "../../messages/error.ts";

export interface RegistryReference {
  /** With its port: `registry-1.docker.io`, `localhost:5000`. */
  readonly host: string;
  /** `library/debian`. */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Where an image is read from. */
export type ImageTarget =
  | { readonly kind: "registry"; readonly reference: RegistryReference }
  /** `rest` is a path, optionally followed by the name of an image: `folder`, `folder:1.0`. */
  | { readonly kind: "oci" | "oci-archive" | "docker-archive"; readonly rest: string }
  | { readonly kind: "docker-daemon"; readonly name: string };

export const DOCKER_HUB = "registry-1.docker.io";
const HUB_NAMES: ReadonlySet<string> = new Set(["docker.io", "index.docker.io", DOCKER_HUB]);

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;
const SEGMENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
/** Only algorithms that are verified; see `DIGEST_ALGORITHMS`. */
const DIGEST = /^(?:sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})$/;
const MAX_REPOSITORY_LENGTH = 255;
const PREFIXES = ["oci", "oci-archive", "docker-archive"] as const;

export const isDigest = (text: string): boolean => DIGEST.test(text);

/** @throws EolgateError `usage`, code `invalid-value` */
export function parseImageTarget(written: string): ImageTarget {
  for (const kind of PREFIXES) {
    if (!written.startsWith(`${kind}:`)) continue;
    const rest = written.slice(kind.length + 1);
    if (rest === "") throw badReference(written, "a path is missing after the colon");
    return { kind, rest };
  }
  if (written.startsWith("docker-daemon:")) return { kind: "docker-daemon", name: daemonName(written) };
  return { kind: "registry", reference: parseReference(written.replace(/^docker:\/\//, ""), written) };
}

/**
 * The daemon also accepts image ids and names of its own, so only characters that are not safe in a URL are refused
 * here.
 */
function daemonName(written: string): string {
  const name = written.slice("docker-daemon:".length);
  if (!/^\w[\w./:@-]{0,511}$/.test(name) || name.includes(".."))
    throw badReference(written, "this is not a valid name for the daemon");
  return name;
}

function parseReference(text: string, written: string): RegistryReference {
  const { named, digest } = splitDigest(text, written);
  const { path, tag } = splitTag(named, written);
  const { host, names } = splitHost(path);
  if (!HOST.test(host)) throw badReference(written, `${JSON.stringify(host)} is not a host`);
  const repository = repositoryOf(host, names, written);
  const version = tag ?? (digest === undefined ? "latest" : undefined);
  return {
    host: isHub(host) ? DOCKER_HUB : host.toLowerCase(),
    repository,
    ...(version !== undefined && { tag: version }),
    ...(digest !== undefined && { digest }),
  };
}

function splitDigest(text: string, written: string): { readonly named: string; readonly digest: string | undefined } {
  const at = text.indexOf("@");
  if (at === -1) return { named: text, digest: undefined };
  const digest = text.slice(at + 1);
  if (!isDigest(digest)) throw badReference(written, "what follows the @ is not a sha256 or sha512 digest");
  return { named: text.slice(0, at), digest };
}

/** A colon before the last slash belongs to the port of the host. */
function splitTag(named: string, written: string): { readonly path: string; readonly tag: string | undefined } {
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  if (colon === -1) return { path: named, tag: undefined };
  const tag = named.slice(colon + 1);
  if (!TAG.test(tag)) throw badReference(written, "the tag is not valid");
  return { path: named.slice(0, colon), tag };
}

/** The first segment is a host when it has a dot or a port, or is `localhost`. */
function splitHost(path: string): { readonly host: string; readonly names: readonly string[] } {
  const segments = path.split("/");
  const [first = "", ...others] = segments;
  const hasHost = others.length > 0 && (/[.:]/.test(first) || first === "localhost");
  return hasHost ? { host: first, names: others } : { host: DOCKER_HUB, names: segments };
}

const isHub = (host: string): boolean => HUB_NAMES.has(host.toLowerCase());

function repositoryOf(host: string, names: readonly string[], written: string): string {
  const wrong = names.find((segment) => !SEGMENT.test(segment));
  if (wrong !== undefined) throw badReference(written, repositoryProblem(wrong));
  const repository = isHub(host) && names.length === 1 ? `library/${names.join("")}` : names.join("/");
  if (repository.length > MAX_REPOSITORY_LENGTH) throw badReference(written, "the repository name is too long");
  return repository;
}

const repositoryProblem = (segment: string): string =>
  segment === ""
    ? "a part of the repository name is empty"
    : `${JSON.stringify(segment)} is not a repository name (lower-case letters, digits, and single . _ - between them)`;

const badReference = (written: string, why: string): EolgateError =>
  EolgateError.of("invalid-value", {
    problem: `${JSON.stringify(written.slice(0, 200))} is not an image reference: ${why}`,
    advice:
      "Use registry.example.com/team/app:1.0, oci:FOLDER, oci-archive:FILE, docker-archive:FILE or docker-daemon:NAME.",
  }).at("--image");
