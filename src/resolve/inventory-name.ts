/**
 * Names as inventories of installed programs write them: `Python 3.8.10 (64-bit)`, `Microsoft .NET Runtime - 6.0.36 (x64)`.
 * They contain the version, an edition, the architecture and the language; the number beside them may be of another scheme.
 */
import type { Component } from "../model/index.ts";
import { normalizeName } from "./normalize-name.ts";
import { hasVersionPrefix } from "./version/parse.ts";

/** Editions, architectures and languages. Any other word names another program (`Python 3.8.10 Documentation`). */
const DETAIL =
  /^(?:-|x64|x86|x86_64|amd64|arm64|(?:64|32)-bit|[a-z]{2}-[a-z]{2}|esr|lts|runtime|sdk|professional|plus|standard|enterprise|ultimate|datacenter|developer|express|community)$/i;
const VERSION = /^\d+(?:\.\d+)*$/;
/** Names of installers → names of products. */
const PRODUCTS: Readonly<Record<string, string>> = { java: "Oracle JDK", javasedevelopmentkit: "Oracle JDK" };

/** The readings of a component whose publisher is stated: with the name of the product, and its version. */
export function inventoryReadings(component: Component): readonly Component[] {
  const publisher = component.publisher ?? component.supplier;
  const words = component.name.replaceAll(/[()]/g, " ").trim().split(/\s+/);
  const at = words.findIndex((word, index) => index > 0 && VERSION.test(word));
  if (publisher === undefined || at < 0) return [];
  const { version, rest } = versionAt(words, at);
  if (!rest.every((word) => DETAIL.test(word))) return [];
  const own = words.slice(0, words.findLastIndex((word, index) => index < at && !DETAIL.test(word)) + 1);
  const isMaker = normalizeName(publisher).startsWith(normalizeName(own[0] ?? ""));
  const names = [own, ...(isMaker ? [own.slice(1)] : [])].map((each) => each.join(" ")).filter(Boolean);
  const stated = component.version;
  const release = stated !== undefined && hasVersionPrefix(stated, version) ? stated : version;
  return names.map((name) => ({ ...component, name: PRODUCTS[normalizeName(name)] ?? name, version: release }));
}

/** `8 Update 202` is 8u202. */
function versionAt(
  words: readonly string[],
  at: number,
): { readonly version: string; readonly rest: readonly string[] } {
  const [version = "", word = "", update = ""] = words.slice(at);
  const isUpdate = word.toLowerCase() === "update" && VERSION.test(update);
  return isUpdate
    ? { version: `${version}u${update}`, rest: words.slice(at + 3) }
    : { version, rest: words.slice(at + 1) };
}
