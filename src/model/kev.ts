/** Which versions of a product a known exploited vulnerability affects (CISA's KEV catalogue). */
import type { StatementDay } from "../text/ids.ts";

/**
 * What the KEV catalogue means for one version or release cycle, from the strongest to the weakest. `affected`: it is inside an affected range; for a cycle,
 * its newest release is. `depends-on-patch`: earlier releases of the cycle are affected, the newest one is not.
 * `product`: the entries name the product, and no range is known. `not-analysed`: it is below the affected ranges, and its
 * cycle had ended before the CVE was published. `not-affected`: it is outside every range.
 */
export const KEV_STATES = ["affected", "depends-on-patch", "product", "not-analysed", "not-affected"] as const;
/** One of `KEV_STATES`. */
export type KevState = (typeof KEV_STATES)[number];

/** One range of affected versions. A single version is a range from it to itself. */
export interface KevRange {
  /** First affected version. Absent: every older version is affected. */
  readonly from?: string;
  /** `from` itself is not affected. */
  readonly fromExclusive?: true;
  /** Where the range ends: the first fixed version, or the last affected one with `toInclusive`. Absent: every later version. */
  readonly to?: string;
  readonly toInclusive?: true;
  /** Jenkins numbers its LTS and weekly releases apart; a version is compared with its own edition only. */
  readonly edition?: "lts" | "weekly";
}

/** An entry of the KEV catalogue that affects a version, or versions of a release cycle. */
export interface AffectingKev {
  readonly cve: string;
  /** CISA knows of its use in ransomware campaigns. */
  readonly ransomware: boolean;
  /**
   * The affected versions as text, those of the release cycle first: `19.0.0, from 19.1.0 to 19.1.1`; empty where only
   * release cycles are recorded.
   */
  readonly affected: string;
  /** The first version from which it does not affect the release cycle any more; null when none is known. */
  readonly fixedIn: string | null;
}

/** What is known of one CVE's versions of one product. Absent on an entry: the record names no version. */
export interface KevVersions {
  /** Decide for a version. Empty where the source names release cycles only (Microsoft). */
  readonly ranges: readonly KevRange[];
  /** Release cycles of the catalogue that contain an affected final version. Decide for a cycle. */
  readonly cycles: readonly string[];
  /** Release cycle to its first version from which nothing in the cycle is affected. */
  readonly fixedIn: Readonly<Record<string, string>>;
  /** Page or record of the ranges, and the day it was read, or its month or year. */
  readonly url: string;
  readonly retrievedAt: StatementDay;
}
