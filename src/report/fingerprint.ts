/** Stable names of findings, so that a tool that sees two reports knows which finding is the same. */
import type { Finding } from "../core/model.ts";

/**
 * 64 bits as hex of any text: two 32-bit multiply-and-xor lanes with a final avalanche. Not for secrets; `core` and
 * `report` know no node:crypto.
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
 * Names findings by what they are about: the component without its version and place, what it is assessed for, and, where
 * a document contains the same twice, which of them it is. Survives a patch update and a shuffled document.
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
