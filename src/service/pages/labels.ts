/** Texts of the pages: categories, statuses, sources of dates, methods of matching a version. */
import type {
  Assessment,
  AttackSurface,
  Confidence,
  KevBasis,
  KevState,
  ProvenanceSource,
  ProvenanceStatus,
  Status,
  VersionMatchedBy,
} from "../../model/index.ts";
import { isExploitedWhileSupported } from "../../lifecycle/gate.ts";
import { doubtOn } from "../../lifecycle/doubts.ts";
import { DOUBT_TEXTS } from "../../messages/doubts.ts";

const CATEGORIES: Readonly<Record<string, string>> = {
  lang: "Languages and runtimes",
  os: "Operating systems",
  framework: "Frameworks",
  database: "Databases",
  "server-app": "Server applications",
  app: "Applications",
  library: "Libraries and packages",
  service: "Services and AI models",
  device: "Devices",
  standard: "Standards",
};

/** The position of a category on the home page. Categories that are not in the table are last. */
export function categoryOrder(category: string): number {
  const index = Object.keys(CATEGORIES).indexOf(category);
  return index < 0 ? Number.MAX_SAFE_INTEGER : index;
}

export const categoryLabel = (category: string): string =>
  Object.hasOwn(CATEGORIES, category) ? (CATEGORIES[category] ?? category) : category;

export function statusLabel(of: Assessment): string {
  const { status, track } = of.support;
  const doubt = track === null ? doubtOn(of.doubts, of.asOf) : undefined;
  if (doubt && (status === "unknown" || status === "active"))
    return DOUBT_TEXTS[doubt.kind].title.replace(/^./, (first) => first.toUpperCase());
  if (isExploitedWhileSupported(of)) return `${STATUS_TEXTS[status]}, known to be exploited`;
  if (status === "eol" && (of.cycle.retired || of.cycle.rolling)) return of.cycle.retired ? "Retired" : "Superseded";
  return STATUS_TEXTS[status];
}

const STATUS_TEXTS: Readonly<Record<Status, string>> = {
  active: "Supported",
  approaching: "Ending soon",
  eol: "Ended",
  unknown: "Unknown",
};

export const SURFACE_TEXTS: Readonly<Record<AttackSurface, string>> = {
  high: "Operating systems, language runtimes, databases, TLS and SSH, mobile systems",
  elevated:
    "Web frameworks, container orchestration, content management, CI/CD, web and application servers, network appliances",
  standard: "Libraries, tools and everything else",
};

/** The relation of an entry of CISA's catalogue to a product. */
export const KEV_ENTRY_TEXTS: Readonly<Record<KevBasis, string>> = {
  exact: "an entry names the product",
  evidence: "an entry is about the product, according to evidence in the catalogue",
  component: "an entry names a component of it",
  bundle: "an entry names a bundle that contains it",
};

/** Whether the entries affect a release cycle. */
export const KEV_TEXTS: Readonly<Record<KevState, string>> = {
  affected: "a known exploited vulnerability affects the newest release of this cycle",
  "depends-on-patch": "a known exploited vulnerability affects earlier releases of this cycle, and not the newest one",
  product: "the product or a part of it is named, and no affected range is known",
  "not-analysed": "it is below the affected ranges, and its cycle had ended before the vulnerability was published",
  "not-affected": "the affected ranges are known, and none contains this cycle",
};

export const SOURCE_TEXTS: Readonly<Record<ProvenanceSource, string>> = {
  "vendor-fetched": "Read from the vendor's own page or feed.",
  "vendor-override": "A documented correction that names the vendor's source.",
  "vendor-verified": "Checked by a human against the vendor's page.",
  custom: "Our own record: no public dataset has the release cycle.",
  upstream: "A community dataset.",
  discrepancy: "The vendor and the record state different dates. Both are shown; the date of the record is used.",
};

export const PROVENANCE_STATUS_TEXTS: Readonly<Record<ProvenanceStatus, string>> = {
  ok: "The vendor was read in the last two weeks and states this date.",
  fallback: "The vendor was last read more than two weeks ago; its last date is used.",
  mismatch: "The vendor states a different date than the one that is used.",
  human: "The date was checked by a person; no feed of the vendor is read.",
  upstream: "The date is from the community record; no feed of the vendor is read.",
  custom: "The date is from our own record; no feed of the vendor is read.",
};

export const CONFIDENCE_TEXTS: Readonly<Record<Confidence, string>> = {
  high: "Two or more independent sources agree.",
  medium: "One source.",
  low: "The sources disagree, or the only one was not checked recently.",
};

/** Continues "18.20.1 belongs to release cycle 18: ". */
export const MATCHED_TEXTS: Readonly<Record<VersionMatchedBy, string>> = {
  "release-line": "its number starts with the name of the cycle.",
  longest: "its number starts with the names of several cycles, and this is the longest.",
  alias: "it is another name of this cycle in the catalogue.",
  rule: "according to a rule for this product's version numbers.",
  "latest-build": "it is the latest build of exactly this cycle.",
  older: "it is older than the recorded cycles, and the next recorded one has ended.",
  range: "it is a range that admits versions of this cycle only.",
  "all-ended": "it can mean several cycles, and all of them have ended.",
  "all-builds": "no vendor is named, the builds of every vendor have ended, and those of this one ended last.",
};
