/** Operating systems: a name as os-release, trivy, Claircore or a person writes it, and a version, become a line. */
import type { Catalogue, CycleRef, OsEntry, OsVersionRule, Tracer, VersionMatchedBy } from "../model.ts";
import { cycleIndex } from "./cycle-index.ts";
import { unresolved, type Unresolved } from "./unresolved.ts";
import type { ResolverTables } from "./tables.ts";
import { resolveVersion } from "./version.ts";
import { normalizeVersion } from "./normalize-version.ts";

export type SystemMatch =
  | { readonly kind: "line"; readonly line: CycleRef; readonly versionMatchedBy?: VersionMatchedBy }
  /** Has no lines and no end: never judged by a fallback. */
  | { readonly kind: "rolling" }
  | Unresolved
  /** No system of this name is known. */
  | { readonly kind: "unknown" };

/** The part of a system's version that names its line; undefined where none does. */
export type SystemVersion = (version: string) => string | undefined;

const numbers =
  (shape: RegExp): SystemVersion =>
  (version) =>
    shape.exec(version)?.[0];

/** By the rule's name in the catalogue. */
export const SYSTEM_VERSIONS: Readonly<Record<OsVersionRule, SystemVersion>> = {
  /** `12 (bookworm)`, `10.13`, `7.6.1810`. */
  major: numbers(/^\d+/),
  /** `3.18.12`. */
  minor: numbers(/^\d+(?:\.\d+)?/),
  /** `22.04.2 LTS`. */
  "year-month": numbers(/^\d{1,2}\.\d{2}/),
  /** `2`, `2 (Karoo)`, `2018.03`. */
  whole: numbers(/^\S+/),
  /** `2023.10.20260105 (Amazon Linux)`. */
  "first-word": numbers(/^\S+/),
  /** `15.5`, `15-SP5`, `15 SP5`. A bare 15 is any of its service packs. */
  sles: (version) => {
    const [, major, pack] = /^(\d+)(?:[.\s-]*(?:SP)?(\d+))?/i.exec(version) ?? [];
    return major === undefined ? undefined : pack === undefined ? major : `${major}.${pack}`;
  },
  /** `cos-113`, `113`, `113-18244.85.5`. */
  "prefix-cos": (version) => {
    const milestone = /^(?:cos-)?(\d+)/.exec(version)?.[1];
    return milestone === undefined ? undefined : `cos-${milestone}`;
  },
  "minor-then-major": numbers(/^\d+(?:\.\d+)?/),
};

/** A package manager's root, an image without a system, a scanner that found none. */
const PLACEHOLDERS = new Set(["", "none", "busybox", "full", "unknown", "scratch", "linux", "noassertion"]);
/** CentOS Linux ended with 8; what calls itself CentOS 9 and later is CentOS Stream. */
const LAST_CENTOS_LINUX = 8;

/** The line of the system called `name`. A title may bring its version with it (`Debian GNU/Linux 12 (bookworm)`). */
export function matchSystem(
  catalogue: Catalogue,
  name: string,
  version: string | undefined,
  tables: ResolverTables,
  trace?: Tracer,
): SystemMatch {
  const folded = name.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (PLACEHOLDERS.has(folded)) return { kind: "unknown" };
  const entry = catalogue.operatingSystem(folded);
  trace?.(
    "operating-system",
    `${folded}: ${entry === undefined ? "not known" : entry === "rolling" ? "has no release lines that could end" : entry.product}`,
  );
  if (entry === "rolling") return { kind: "rolling" };
  if (entry) return lineOf(catalogue, entry, version ?? "", tables, trace);
  const [, title, own] = /^(\D.*?) v?(\d\S*(?: \(.*\)| lts| \d+| sp\d+)?)$/.exec(folded) ?? [];
  if (title === undefined || own === undefined) return { kind: "unknown" };
  const titled = catalogue.operatingSystem(title);
  if (titled === undefined || titled === "rolling")
    return titled === undefined ? { kind: "unknown" } : { kind: "rolling" };
  return lineOf(catalogue, titled, version || own, tables, trace);
}

function lineOf(
  catalogue: Catalogue,
  entry: OsEntry,
  version: string,
  tables: ResolverTables,
  trace?: Tracer,
): SystemMatch {
  const written = version.trim();
  const product = catalogue.product(entry.product);
  if (!product) return { kind: "unknown" };
  if (written === "") return unresolved("no-version", { product: product.slug });
  // `3.19_alpha20231219` and `trixie/sid` are what comes next, not a line.
  if (/_alpha|\bsid\b|\brawhide\b|^edge\b/i.test(written)) return unresolved("no-version", { product: product.slug });
  const stream = toStream(catalogue, entry, written);
  if (stream) return lineOf(catalogue, stream, written, tables, trace);
  const codename = cycleIndex(product).aliases.has(normalizeVersion(written)) ? written : undefined;
  const cut = codename ?? tables.systems[entry.rule]?.(written);
  trace?.("os-version", `${written} → ${cut ?? "no line"} (${entry.rule})`);
  if (cut === undefined) return unresolved("version-not-tracked", { product: product.slug });
  const found = resolveVersion(product, cut, trace, tables.rules);
  if (found.kind === "refused")
    return unresolved(found.reason, { product: product.slug, candidates: found.candidates });
  return {
    kind: "line",
    line: { product: product.slug, cycle: found.cycle.name },
    ...(normalizeVersion(written) !== normalizeVersion(found.cycle.name) && {
      versionMatchedBy: found.versionMatchedBy ?? "release-line",
    }),
  };
}

function toStream(catalogue: Catalogue, { product, rule }: OsEntry, version: string): OsEntry | undefined {
  if (product !== "centos") return undefined;
  const major = Number(/^\d+/.exec(version)?.[0] ?? 0);
  const stream = major > LAST_CENTOS_LINUX ? catalogue.product("centos-stream") : undefined;
  return stream && { product: stream.slug, rule };
}
