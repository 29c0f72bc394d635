/**
 * A fast path for packages that are not tracked, which most components of large documents are: it compares the hash of the
 * key, which is computed from the bytes of the purl, without creating a string. It answers for half of the purls of real
 * documents (bench/purl.ts), and these need no other look-up. It answers only when it is certain; every other purl takes
 * the regular path. The tests check that both give the same answer.
 */
import { NO_MATCH } from "../../json-rows/memory-layout.ts";
import type { Catalogue } from "../../model/index.ts";
import { keyHash } from "./pattern.ts";

/** Whether a purl with this hash along the pattern is valid and its package not tracked; false when that is not certain. */
export type UntrackedTest = (hash: number) => boolean;

/** Below this number of components, of one document or of several, the table of keys costs more than it saves. */
const MIN_COMPONENTS = 5000;
const QUOTE = 0x22;

/** What was resolved with a catalogue so far. A service resolves many small documents with the same one. */
interface Use {
  components: number;
  test: UntrackedTest | undefined;
}
const uses = new WeakMap<Catalogue, Use>();

/** The test for a document with this number of components; undefined when the regular path is faster. */
export function untrackedTest(catalogue: Catalogue, components: number): UntrackedTest | undefined {
  const use = uses.get(catalogue) ?? { components: 0, test: undefined };
  uses.set(catalogue, use);
  use.components += components;
  if (use.components >= MIN_COMPONENTS) use.test ??= testOf(catalogue);
  return use.test;
}

function testOf(catalogue: Catalogue): UntrackedTest | undefined {
  const keys = catalogue.purlKeys?.();
  if (keys === undefined) return undefined;
  const bytes = new TextEncoder().encode(Array.from(keys, (key) => `pkg:${key}"`).join(""));
  // Purls that the pattern does not match may be tracked: the regular path decides.
  const tracked = new Set<number>([NO_MATCH]);
  for (let at = 0; at < bytes.length; at = bytes.indexOf(QUOTE, at) + 1) tracked.add(keyHash(bytes, at));
  return (hash) => !tracked.has(hash);
}
