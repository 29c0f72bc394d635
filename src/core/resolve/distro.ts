/**
 * Packages that a distribution maintains, and which of its lines does: by the `distro` qualifier, else by the document's
 * one operating system. The distribution backports fixes, so its own end is what counts.
 */
import type { Catalogue, Component, CycleRef, SbomDocument, Tracer } from "../model.ts";
import { matchSystem } from "./os.ts";
import type { PurlKey } from "./purl.ts";
import type { ResolverTables } from "./tables.ts";
import { vendorBuilds } from "./vendor-build.ts";

/** The distribution's line; a rolling one has none; undefined when it is not known. */
type Distro = { readonly kind: "line"; readonly line: CycleRef } | { readonly kind: "rolling" } | undefined;

const ROLLING = { kind: "rolling" } as const;

export const PACKAGE_TYPES: ReadonlySet<string> = new Set(["deb", "rpm", "apk", "alpm"]);
/** Red Hat's own `repository_url`s and those of others' mirrors of themselves: not a vendor's repository. */
const OWN_HOSTS =
  /(?:^|[/.])(?:debian\.org|ubuntu\.com|alpinelinux\.org|redhat\.com|fedoraproject\.org|centos\.org|rockylinux\.org|almalinux\.org|suse\.com|opensuse\.org|archlinux\.org|oracle\.com|amazonlinux\.com)(?:[/:]|$)/;

/** Names of `distro=el8` and its like: the letters stand for a family, whose member the namespace names. */
const FAMILY: Readonly<Record<string, string>> = { fc: "fedora", amzn: "amzn", ol: "ol", el: "" };

export interface DistroFinder {
  /** Whether a distribution maintains this package: its type and namespace, and nobody else's repository or build. */
  maintains(purl: PurlKey, trace?: Tracer): boolean;
  lineOf(purl: PurlKey, trace?: Tracer): Distro;
}

export function distroFinder(
  catalogue: Catalogue,
  document: SbomDocument | null,
  tables: ResolverTables,
  byName: boolean,
): DistroFinder {
  const namespaces = new Map<string, boolean>();
  const known = new Map<string, Distro>();
  const builtBy = vendorBuilds(catalogue, tables.builds);
  let system: Distro | null = null;

  const isDistribution = (namespace: string): boolean => {
    let answer = namespaces.get(namespace);
    if (answer === undefined) {
      answer = catalogue.operatingSystem(namespace) !== undefined;
      namespaces.set(namespace, answer);
    }
    return answer;
  };
  const documentSystem = (): Distro => {
    if (system === null) system = document && byName ? oneSystem(catalogue, document, tables) : undefined;
    return system;
  };
  const find = (purl: PurlKey, trace?: Tracer): Distro => {
    const qualifier = purl.qualifier("distro");
    if (qualifier !== undefined) {
      const stated = byQualifier(catalogue, qualifier, purl.namespace, tables, trace);
      trace?.("distro", `${qualifier}: ${tell(stated)}`);
      if (stated) return stated;
    }
    if (catalogue.operatingSystem(purl.namespace) === "rolling") {
      trace?.("distro", `${purl.namespace}: ${tell(ROLLING)}`);
      return ROLLING;
    }
    const fallback = documentSystem();
    const fits = fallback?.kind !== "line" || sameDistribution(catalogue, purl.namespace, fallback.line);
    trace?.("distro", `the document's one operating system: ${fits ? tell(fallback) : "another distribution's"}`);
    return fits ? fallback : undefined;
  };

  return {
    maintains(purl, trace) {
      if (!PACKAGE_TYPES.has(purl.type)) return false;
      const repository = purl.qualifier("repository_url");
      if (repository !== undefined && !OWN_HOSTS.test(repository)) return false;
      if (purl.namespace !== "" && !isDistribution(purl.namespace)) return false;
      const mark = builtBy(purl);
      if (mark === undefined) return true;
      trace?.("distro", `${purl.version}: built outside the distribution (${mark})`);
      return false;
    },
    lineOf(purl, trace) {
      if (trace) return find(purl, trace);
      const key = `${purl.namespace} ${purl.qualifier("distro") ?? ""}`;
      if (known.has(key)) return known.get(key);
      const distro = find(purl);
      known.set(key, distro);
      return distro;
    },
  };
}

/** `debian-10.13`, `opensuse-leap-15.5`, `3.18.12` (trivy: the namespace says of what), `el8`, `bookworm`, `ubuntu-jammy`. */
function byQualifier(
  catalogue: Catalogue,
  qualifier: string,
  namespace: string,
  tables: ResolverTables,
  trace?: Tracer,
): Distro {
  const text = qualifier.toLowerCase();
  const hyphen = text.search(/-(?=[^-]*$)/);
  const tries: [string, string | undefined][] = [[text, undefined]];
  if (hyphen > 0) tries.push([text.slice(0, hyphen), text.slice(hyphen + 1)]);
  // `sles-15-sp5` has a second hyphen that belongs to the version.
  const packed = /^([a-z.-]+?)-(\d.*)$/.exec(text);
  if (packed) tries.push([packed[1] ?? "", packed[2]]);
  const family = /^(fc|amzn|ol|el)(\d[\d.]*)$/.exec(text);
  if (family) tries.push([FAMILY[family[1] ?? ""] || namespace, family[2]]);
  else if (namespace !== "") tries.push([namespace, text]);
  for (const [name, version] of tries) {
    const match = matchSystem(catalogue, name, version, tables, trace);
    if (match.kind === "line" || match.kind === "rolling") return match;
  }
  return undefined;
}

/** The line that every operating system in the document is on; a document of several systems has no "one". */
function oneSystem(catalogue: Catalogue, document: SbomDocument, tables: ResolverTables): Distro {
  let one: Distro;
  for (const component of document.components) {
    if (component.kind !== "operating-system") continue;
    const match = systemOf(catalogue, component, tables);
    if (match.kind !== "line" && match.kind !== "rolling") return undefined;
    if (one && !sameLine(one, match)) return undefined;
    one = match;
  }
  return one;
}

export const systemOf = (catalogue: Catalogue, component: Component, tables: ResolverTables, trace?: Tracer) =>
  matchSystem(catalogue, component.name, component.version, tables, trace);

function sameLine(left: Distro, right: Distro): boolean {
  if (left?.kind !== "line" || right?.kind !== "line") return left?.kind === right?.kind;
  return left.line.product === right.line.product && left.line.cycle === right.line.cycle;
}

/** A package of another distribution than the document's (an rpm inside a Debian image) is not its to maintain. */
function sameDistribution(catalogue: Catalogue, namespace: string, line: CycleRef): boolean {
  if (namespace === "") return true;
  const entry = catalogue.operatingSystem(namespace);
  if (entry === undefined || entry === "rolling") return false;
  return entry.product === line.product || (entry.product === "centos" && line.product === "centos-stream");
}

const tell = (distro: Distro): string =>
  distro === undefined
    ? "not known"
    : distro.kind === "rolling"
      ? "has no release lines that could end"
      : `${distro.line.product} ${distro.line.cycle}`;
