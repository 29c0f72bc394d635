/**
 * Packages that a distribution builds and patches, and the release that they are of. The distribution backports fixes, so
 * its own end of life counts.
 */
import type { Catalogue, CycleRef, SbomDocument, Tracer } from "../../model.ts";
import type { ResolveContext } from "../context.ts";
import type { PurlKey } from "../purl/key.ts";
import { describeRelease, releaseOfDocument, releaseOfQualifier, type StatedRelease } from "./stated-release.ts";
import { vendorBuilds } from "./vendor-build.ts";

const ROLLING = { kind: "rolling" } as const;

export const PACKAGE_TYPES: ReadonlySet<string> = new Set(["deb", "rpm", "apk", "alpm"]);
/** Hosts of the distributions' own repositories: a `repository_url` with any other host is a vendor's repository. */
const OWN_HOSTS =
  /(?:^|[/.])(?:debian\.org|ubuntu\.com|alpinelinux\.org|redhat\.com|fedoraproject\.org|centos\.org|rockylinux\.org|almalinux\.org|suse\.com|opensuse\.org|archlinux\.org|oracle\.com|amazonlinux\.com)(?:[/:]|$)/;

export interface DistributionFinder {
  /** Whether a distribution maintains this package: by type and namespace, and not built by a vendor. */
  maintains(purl: PurlKey, trace?: Tracer): boolean;
  releaseOf(purl: PurlKey, trace?: Tracer): StatedRelease;
}

export function distributionFinder(
  context: ResolveContext,
  document: SbomDocument | null,
  byName: boolean,
): DistributionFinder {
  const { catalogue, tables } = context;
  const isDistribution = cached((namespace: string) => catalogue.operatingSystem(namespace) !== undefined);
  const releases = new Map<string, StatedRelease>();
  const builtBy = vendorBuilds(catalogue, tables.builds);
  let system: StatedRelease | null = null;

  const documentSystem = (): StatedRelease => {
    if (system === null) system = document && byName ? releaseOfDocument(context, document) : undefined;
    return system;
  };
  const find = (purl: PurlKey, trace?: Tracer): StatedRelease => {
    const qualifier = purl.qualifier("distro");
    if (qualifier !== undefined) {
      const stated = releaseOfQualifier(context, qualifier, purl.namespace, trace);
      trace?.("distro", `${qualifier}: ${describeRelease(stated)}`);
      if (stated) return stated;
    }
    if (catalogue.operatingSystem(purl.namespace) === "rolling") {
      trace?.("distro", `${purl.namespace}: ${describeRelease(ROLLING)}`);
      return ROLLING;
    }
    const fallback = documentSystem();
    const fits = fallback?.kind !== "cycle" || isSameDistribution(catalogue, purl.namespace, fallback.releaseCycle);
    trace?.("distro", `the document's operating system: ${fits ? describeRelease(fallback) : "another distribution"}`);
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
      trace?.("distro", `${purl.version}: not built by the distribution (${mark})`);
      return false;
    },
    releaseOf(purl, trace) {
      if (trace) return find(purl, trace);
      const key = `${purl.namespace} ${purl.qualifier("distro") ?? ""}`;
      if (releases.has(key)) return releases.get(key);
      const release = find(purl);
      releases.set(key, release);
      return release;
    },
  };
}

function cached<Answer>(ask: (key: string) => Answer): (key: string) => Answer {
  const answers = new Map<string, Answer>();
  return (key) => {
    let answer = answers.get(key);
    if (answer === undefined) answers.set(key, (answer = ask(key)));
    return answer;
  };
}

/** A package of another distribution than the document's (an rpm inside a Debian image) is not maintained by it. */
function isSameDistribution(catalogue: Catalogue, namespace: string, release: CycleRef): boolean {
  if (namespace === "") return true;
  const entry = catalogue.operatingSystem(namespace);
  if (entry === undefined || entry === "rolling") return false;
  return entry.product === release.product || (entry.product === "centos" && release.product === "centos-stream");
}
