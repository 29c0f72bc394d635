/** Resolves an operating system by its name, as os-release, Trivy, Claircore or a person writes it, and its version. */
import type { CycleRef, OsEntry, Product, Tracer, VersionMatchedBy } from "../../model/index.ts";
import { versionOptions, type ResolveContext } from "../context.ts";
import { SYSTEM_VERSIONS } from "./system-versions.ts";
import { unresolved, type Unresolved } from "../unresolved.ts";
import { indexCycles } from "../version/cycle-index.ts";
import { normalizeVersion } from "../version/parse.ts";
import { resolveVersion, type VersionResolution } from "../version/resolve.ts";

export type SystemMatch =
  | { readonly kind: "cycle"; readonly releaseCycle: CycleRef; readonly versionMatchedBy?: VersionMatchedBy }
  /** A rolling distribution: it has no release cycles and no end, and no other cycle is used instead. */
  | { readonly kind: "rolling" }
  | Unresolved
  /** No operating system of this name is known. */
  | { readonly kind: "unknown" };

/** The root of a package manager, an image without an operating system, a scanner that found none. */
const PLACEHOLDERS = new Set(["", "none", "busybox", "full", "unknown", "scratch", "linux", "noassertion"]);
/** Development versions: `3.19_alpha20231219`, `trixie/sid`. */
const DEVELOPMENT = /_alpha|\bsid\b|\brawhide\b|^edge\b/i;
/** The last major version of CentOS Linux; CentOS 9 and later is CentOS Stream. */
const LAST_CENTOS_LINUX = 8;

/**
 * Finds the cycle of the operating system `name`. A title may contain its version (`Debian GNU/Linux 12 (bookworm)`).
 */
export function matchSystem(
  context: ResolveContext,
  name: string,
  version: string | undefined,
  trace?: Tracer,
): SystemMatch {
  const { catalogue } = context;
  const normalized = name.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (PLACEHOLDERS.has(normalized)) return { kind: "unknown" };
  const entry = catalogue.operatingSystem(normalized);
  trace?.("operating-system", `${normalized}: ${describe(entry)}`);
  if (entry === "rolling") return { kind: "rolling" };
  return entry ? matchVersion(context, entry, version ?? "", trace) : matchTitled(context, normalized, version, trace);
}

/** Matches a title that consists of the name of an operating system and a version. */
function matchTitled(
  context: ResolveContext,
  title: string,
  version: string | undefined,
  trace: Tracer | undefined,
): SystemMatch {
  const [, name, own] = /^(\D.*?) v?(\d\S*(?: \(.*\)| lts| \d+| sp\d+)?)$/.exec(title) ?? [];
  if (name === undefined || own === undefined) return { kind: "unknown" };
  const entry = context.catalogue.operatingSystem(name);
  if (entry === undefined) return { kind: "unknown" };
  return entry === "rolling" ? { kind: "rolling" } : matchVersion(context, entry, version || own, trace);
}

function matchVersion(context: ResolveContext, entry: OsEntry, version: string, trace?: Tracer): SystemMatch {
  const written = version.trim();
  const product = context.catalogue.product(entry.product);
  if (!product) return { kind: "unknown" };
  if (written === "" || DEVELOPMENT.test(written)) return unresolved("no-version", { product: product.slug });
  const stream = centosStream(context, entry, written);
  if (stream) return matchVersion(context, stream, written, trace);
  const release = releaseIn(written, product, entry);
  trace?.("os-version", `${written} → ${release ?? "no release"} (${entry.rule})`);
  if (release === undefined) return unresolved("version-not-tracked", { product: product.slug });
  const found = resolveVersion(product, release, versionOptions(context, trace));
  return found.kind === "unresolved"
    ? unresolved(found.reason, { product: product.slug, candidates: found.candidates })
    : matched(product, found, written);
}

/** A codename, or the part of the version that names a cycle. */
function releaseIn(version: string, product: Product, { rule }: OsEntry): string | undefined {
  return indexCycles(product).byAlias.has(normalizeVersion(version)) ? version : SYSTEM_VERSIONS[rule]?.(version);
}

function matched(
  product: Product,
  { cycle, versionMatchedBy: how }: Extract<VersionResolution, { kind: "cycle" }>,
  written: string,
): SystemMatch {
  const isNamed = normalizeVersion(written) === normalizeVersion(cycle.name) && cycle.olderThan === undefined;
  return {
    kind: "cycle",
    releaseCycle: { product: product.slug, cycle: cycle.name },
    ...(!isNamed && { versionMatchedBy: how ?? "release-line" }),
  };
}

const describe = (entry: OsEntry | "rolling" | undefined): string =>
  entry === undefined ? "not known" : entry === "rolling" ? "has no release cycles that could end" : entry.product;

function centosStream({ catalogue }: ResolveContext, { product, rule }: OsEntry, version: string): OsEntry | undefined {
  if (product !== "centos") return undefined;
  const major = Number(/^\d+/.exec(version)?.[0] ?? 0);
  const stream = major > LAST_CENTOS_LINUX ? catalogue.product("centos-stream") : undefined;
  return stream && { product: stream.slug, rule };
}
