/** Words the entries of CISA's catalogue of known exploited vulnerabilities that affect a version. */
import { formatNumber } from "./format.ts";
import type { AffectingKev } from "../model/index.ts";

/** More of them are only counted. */
const MOST = 3;

/** `CVE-2025-55182 (used in ransomware campaigns, affects 19.0.0, 19.2.0, fixed in 19.2.1)`. */
export function formatKev(entries: readonly AffectingKev[] = []): string {
  if (entries.length === 0) return "the entry is not known";
  const more = entries.length > MOST ? [`and ${formatNumber(entries.length - MOST)} more`] : [];
  return [...entries.slice(0, MOST).map(formatEntry), ...more].join(", ");
}

function formatEntry({ cve, ransomware, affected, fixedIn }: AffectingKev): string {
  const facts = [
    ransomware ? "used in ransomware campaigns" : "",
    affected === "" ? "" : `affects ${affected}`,
    fixedIn === null ? "" : `fixed in ${fixedIn}`,
  ].filter(Boolean);
  return facts.length === 0 ? cve : `${cve} (${facts.join("; ")})`;
}
