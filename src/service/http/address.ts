/** Addresses of clients, reduced for limits and for logs. */
import { isIP } from "node:net";

/** The unit of anonymous limits: an IPv4 address, or a /64 of IPv6, which one host or household usually has. */
export function addressBlock(address: string): string {
  const plain = unmapped(address);
  return isIP(plain) === 6 ? `${groups(plain).slice(0, 4).join(":")}::/64` : plain;
}

/** The network of an address (/24 or /48), for logs: it shows patterns but does not identify a person. */
export function maskedAddress(address: string): string {
  const cached = masked.get(address);
  if (cached !== undefined) return cached;
  if (masked.size >= MAX_REMEMBERED) masked.clear();
  const mask = maskOf(address);
  masked.set(address, mask);
  return mask;
}

/** Cache of masked addresses: each request is logged, and most requests come from few addresses. */
const masked = new Map<string, string>();
const MAX_REMEMBERED = 1000;

function maskOf(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) === 6) return `${groups(plain).slice(0, 3).join(":")}::/48`;
  return isIP(plain) === 4 ? `${plain.split(".").slice(0, 3).join(".")}.0/24` : "unknown";
}

export function isLoopback(address: string): boolean {
  const plain = unmapped(address);
  return (
    plain === "localhost" ||
    plain.startsWith("127.") ||
    (isIP(plain) === 6 && groups(plain).join(":") === "0:0:0:0:0:0:0:1")
  );
}

/** `::ffff:192.0.2.1` is an IPv4 client of a dual-stack socket. A zone (`%eth0`) is an interface of this machine. */
function unmapped(address: string): string {
  const bare = address.split("%", 1)[0] ?? address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groups(address: string): readonly string[] {
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
}
