/** The network that a client's address stands for: limits per address count it, not single IPv6 addresses. */
import { isIPv4, isIPv6 } from "node:net";

/**
 * An IPv4 address as it is (also when written as `::ffff:192.0.2.1`); of an IPv6 address its /64, because one
 * household or machine has that many. Anything else is one network of its own.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, "").toLowerCase();
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return "unknown";
  const groups = expand(bare);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) return [groups[6] ?? 0, groups[7] ?? 0].flatMap((group) => [group >> 8, group & 255]).join(".");
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(":")}::/64`;
}

/** The eight groups of an IPv6 address. */
function expand(address: string): readonly number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => `${pair(a, b)}:${pair(c, d)}`);
  const [head = "", tail] = plain.split("::");
  const front = groupsOf(head);
  if (tail === undefined) return front;
  const back = groupsOf(tail);
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

const pair = (high: string, low: string): string => ((Number(high) << 8) | Number(low)).toString(16);

function groupsOf(part: string): readonly number[] {
  return part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
}
