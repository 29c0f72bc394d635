/**
 * Joomla: the update server lists the newest release for each version that asks. No dates; cycles are major versions.
 */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { feedChanged } from "./feed/location.ts";
import { xmlAttribute, xmlChildren, xmlRoot } from "./feed/markup.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("joomla");
const numbers = (version: string): readonly number[] => version.split(".").map(Number);

function newer(a: string, b: string | undefined): boolean {
  if (b === undefined) return true;
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}

export const joomlaUpdates: LifecycleSource = {
  kind: "lifecycle",
  id: "joomla-updates",
  title: "Joomla core updates",
  origin: "joomla",
  products: [product],
  format: "xml",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://update.joomla.org/core/list.xml" }],
  parse(text) {
    const claims = new ClaimList(product);
    const newest = new Map<string, string>();
    for (const extension of xmlChildren(xmlRoot(text, "extensionset"), "extension")) {
      const version = xmlAttribute(extension, "version");
      if (!/^\d+(?:\.\d+)+$/.test(version)) throw feedChanged("/extensionset/extension/@version", "a version");
      const [major = ""] = version.split(".");
      if (newer(version, newest.get(major))) newest.set(major, version);
    }
    for (const [cycle, version] of newest) claims.latest(cycle, version);
    return claims.reading();
  },
};
