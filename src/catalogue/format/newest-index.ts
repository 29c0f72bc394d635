/**
 * The newest versions of packages by the hashes of their keys, as `purlPattern` computes them: a report counts a thousand
 * packages by them in the time that 200 look-ups of their records take (bench/table.ts). It has as much of a version as
 * counting majors needs. Of packages that are not in the list, one in 15,000 has the hash of another one, so the index
 * answers for counts only.
 */
import { hashGivenText } from "../../json-rows/bytes.ts";
import { leadingNumbers } from "../../resolve/version/parse.ts";
import type { ListedVersion } from "../../model/index.ts";
import { newestIn } from "../stored-values.ts";

/** A section of the file. */
export interface PackedNewest {
  /** Versions, the most frequent first, and an empty text for all others. */
  readonly versions: readonly string[];
  /**
   * Base64. A byte for each bucket of hashes: how many it has. Then by bucket, for each hash in order, its lower 16 bits;
   * then for each hash the index of its version.
   */
  readonly rows: string;
}

const BUCKETS = 0x2000;
const bucketOf = (hash: number): number => (hash >>> 16) & (BUCKETS - 1);
/** Indexes of versions are bytes. Rarer versions are an empty text: their records state them. */
const MOST_VERSIONS = 255;
const RARER = "";

export function packNewest(newest: Readonly<Record<string, string>>): PackedNewest {
  const byHash = new Map<number, string | undefined>();
  for (const [key, row] of Object.entries(newest)) {
    // Keys of purls have no upper case. Packages of one hash are left out.
    const hash = hashGivenText(key);
    byHash.set(hash, byHash.has(hash) || key !== key.toLowerCase() ? undefined : countedVersion(newestIn(row)));
  }
  const rows = [...byHash].flatMap(([hash, version]) => (version === undefined ? [] : [{ hash, version }]));
  const groups = [...Map.groupBy(rows, ({ version }) => version)];
  const versions = groups
    .toSorted(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
    .slice(0, MOST_VERSIONS)
    .map(([version]) => version);
  const indexes = new Map(versions.map((version, index) => [version, index]));
  const listed = rows
    .map(({ hash, version }) => ({ hash, index: indexes.get(version) ?? versions.length }))
    .toSorted((a, b) => a.hash - b.hash);
  const bytes = Buffer.alloc(BUCKETS + listed.length * 3);
  listed.forEach(({ hash, index }, at) => {
    bytes.writeUInt8((bytes[bucketOf(hash)] ?? 0) + 1, bucketOf(hash));
    bytes.writeUInt16LE(hash & 0xffff, BUCKETS + at * 2);
    bytes.writeUInt8(index, BUCKETS + listed.length * 2 + at);
  });
  return { versions: [...versions, RARER], rows: bytes.toString("base64") };
}

/**
 * The major; of 0.x the minor as well. A major that is its year may count years, which the month of the release and the
 * minor tell.
 */
function countedVersion({ version, released }: Partial<ListedVersion> = {}): string | undefined {
  const [major, minor = 0] = leadingNumbers(version ?? "");
  if (major === undefined) return undefined;
  if (major === 0) return `0.${minor}`;
  const isYear = released !== undefined && major === Number(released.slice(2, 4));
  return isYear ? `${major}.${Math.min(minor, 1)} ${released.slice(0, 4)}` : `${major}`;
}

/** Look-ups by hash. */
export function newestByHash({ versions, rows }: PackedNewest): (hash: number) => ListedVersion | undefined {
  const bytes = Buffer.from(rows, "base64");
  const listed = versions.map((version) => newestIn(version));
  const count = (bytes.length - BUCKETS) / 3;
  const starts = new Uint32Array(BUCKETS + 1);
  for (let bucket = 0, sum = 0; bucket < BUCKETS; bucket++) starts[bucket + 1] = sum += bytes[bucket] ?? 0;
  return (hash) => {
    const bucket = bucketOf(hash);
    const end = starts[bucket + 1] ?? 0;
    for (let at = starts[bucket] ?? 0; at < end; at++) {
      const from = BUCKETS + at * 2;
      if (((bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8)) === (hash & 0xffff))
        return listed[bytes[BUCKETS + count * 2 + at] ?? 0];
    }
    return undefined;
  };
}
