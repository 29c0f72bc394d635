/** Stable fingerprints of findings, by which tools recognise the same finding in two reports. */
import type { Finding } from "../model/index.ts";

/**
 * A 64-bit hash of a text in hexadecimal: two 32-bit multiply-and-xor halves with a final mix. Not for
 * secrets: `report` does not use node:crypto.
 */
export function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = mix(high, low);
  low = mix(low, high);
  return hex(high) + hex(low);
}

const mix = (of: number, by: number): number =>
  Math.imul(of ^ (of >>> 16), 2246822507) ^ Math.imul(by ^ (by >>> 13), 3266489909);

const hex = (number: number): string => (number >>> 0).toString(16).padStart(8, "0");

/**
 * Creates fingerprints of the findings of one document: from the component without its version and location, from
 * `about` (the rule), and from a counter for equal ones. A fingerprint stays the same after a patch update and when
 * components change their order.
 */
export function fingerprints(): (finding: Finding, about: string) => string {
  const seen = new Map<string, number>();
  return ({ component }, about) => {
    const { group, name, purls } = component;
    const identity = purls[0] === undefined ? `${group ?? ""}/${name}` : withoutVersion(purls[0]);
    const key = `${about}|${identity}`;
    const earlier = seen.get(key) ?? 0;
    seen.set(key, earlier + 1);
    return hash(`${key}|${earlier}`);
  };
}

function withoutVersion(purl: string): string {
  const end = purl.search(/[?#]/);
  const path = end === -1 ? purl : purl.slice(0, end);
  const at = path.lastIndexOf("@");
  return at > path.lastIndexOf("/") ? path.slice(0, at) : path;
}
