/**
 * The order of two releases of one product, for comparing a version with the bounds of an affected range. It returns
 * undefined if the notations have no common order (`8.0.3` and `8.0 U3k`): a guess here would hide an exploited
 * version.
 */

const PRE_RELEASES: ReadonlySet<string> = new Set(
  "dev snapshot ea pre preview alpha a beta b m milestone cr rc".split(" "),
);
/** Words that only mark a release as final. */
const FINAL_WORDS: ReadonlySet<string> = new Set(["final", "ga", "release", "stable"]);

type Token = number | string;

/** A version is compared with the bounds of many ranges. */
const known = new Map<string, readonly Token[]>();
const MOST_KNOWN = 10_000;

function tokensOf(version: string): readonly Token[] {
  const found = known.get(version) ?? readTokens(version);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(version, found);
  return found;
}

function readTokens(version: string): readonly Token[] {
  const text = version
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, "")
    .replace(/\+.*$/, "");
  const tokens: Token[] = [];
  for (const [token] of text.matchAll(/\d+|[a-z]+/g)) {
    if (/\d/.test(token)) tokens.push(Number(token));
    else if (tokens.length === 0 || !FINAL_WORDS.has(token)) tokens.push(token);
  }
  return tokens;
}

/** Negative when `left` is the older release, 0 when they are equal, undefined when they cannot be compared. */
export function compareReleases(left: string, right: string): number | undefined {
  const [a, b] = [tokensOf(left), tokensOf(right)];
  // `ESXi80U3` and `8.0`: one counts builds, the other releases.
  if (typeof a[0] !== typeof b[0] || (typeof a[0] === "string" && a[0] !== b[0])) return undefined;
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const order = compareTokens(a[index], b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareTokens(left: Token | undefined, right: Token | undefined): number | undefined {
  if (left === right) return 0;
  if (typeof left === "string") return typeof right === "string" ? compareWords(left, right) : wordAgainst(left, right);
  if (typeof right === "string") return negated(wordAgainst(right, left));
  // A missing number counts as zero: 1.2 equals 1.2.0.
  return (left ?? 0) - (right ?? 0);
}

const negated = (order: number | undefined): number | undefined => (order === undefined ? undefined : -order);

/** A word against a number or the end of the other version: `2.0-rc1` is older than `2.0`, `1.0.1g` newer than `1.0.1`. */
function wordAgainst(word: string, other: number | undefined): number | undefined {
  if (PRE_RELEASES.has(word)) return -1;
  return other === undefined ? 1 : undefined;
}

function compareWords(left: string, right: string): number | undefined {
  const [preLeft, preRight] = [PRE_RELEASES.has(left), PRE_RELEASES.has(right)];
  if (preLeft !== preRight) return preLeft ? -1 : 1;
  // Patch letters (`1.0.2a`, `1.0.2u`) have an order; words of several letters only where both mark pre-releases.
  const comparable = preLeft || (left.length === 1 && right.length === 1);
  return comparable ? (left < right ? -1 : 1) : undefined;
}

/** Whether a dotted text is `start`, or `start` and more parts. */
const beginsWith = (text: string, start: string): boolean => text === start || text.startsWith(`${start}.`);

/** As texts are compared: without blanks, in lower case, and without the `v` before a number. */
const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, "");

/** Whether a version is the name of its cycle, or less than it: `18` and `v18` of the cycle 18, `1` of 1.0. */
export const isNameOf = (version: string, cycle: string): boolean =>
  plain(version) !== "" && beginsWith(plain(cycle), plain(version));

/**
 * Whether `version` is the name of its cycle, or shorter, and `bound` a release of that cycle: `8.1` of the cycle 8.1
 * could be a release on either side of `8.1.29`. A longer version is a release of its own, also where the bound starts
 * with it: 5.2.2 is older than `5.2.2.1`.
 */
export function namesCycle(version: string, cycle: string, bound: string): boolean {
  if (!isNameOf(version, cycle)) return false;
  const [asked, release] = [plain(version), plain(bound)];
  return !/^\d/.test(asked) || (beginsWith(release, asked) && compareReleases(asked, release) !== 0);
}
