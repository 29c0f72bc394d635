/** Components without a purl, by name: exact after folding, never by likeness. `mongoose` is not Go. */
import type { ProductSlug } from "../ids.ts";
import type { Catalogue, Component, Product, Tracer } from "../model.ts";
import { own } from "../own.ts";
import { normalizeName } from "./normalize-name.ts";
import { cycleIndex } from "./cycle-index.ts";
import { normalizeVersion } from "./normalize-version.ts";

/** Names that any of several vendors may mean. Which one is not ours to guess. */
const SHARED_NAMES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ["java", "jdk", "jre", "openjdk", "javase", "javaruntimeenvironment"].map((name) => [
    name,
    [
      "alibaba-dragonwell",
      "amazon-corretto",
      "azul-zulu",
      "bellsoft-liberica",
      "eclipse-temurin",
      "ibm-semeru-runtime",
      "microsoft-build-of-openjdk",
      "openjdk-builds-from-oracle",
      "oracle-jdk",
      "redhat-build-of-openjdk",
      "sapmachine",
    ],
  ]),
);

/** Spellings that fold to a product's name and are another's: Apple writes `iOS`, Cisco `IOS`. */
const OTHERS: ReadonlySet<string> = new Set(["IOS"]);

export type NameMatch =
  | { readonly kind: "product"; readonly slug: ProductSlug }
  | { readonly kind: "several"; readonly candidates: readonly string[] }
  | { readonly kind: "none" };

/** The product that `name` is, exactly. */
export function matchName(catalogue: Catalogue, name: string, trace?: Tracer): NameMatch {
  const folded = normalizeName(name);
  trace?.("name", folded);
  if (OTHERS.has(name.trim())) return { kind: "none" };
  const shared = own(SHARED_NAMES, folded);
  if (shared) return { kind: "several", candidates: shared.filter((slug) => catalogue.product(slug)) };
  const slugs = folded === "" ? [] : catalogue.named(folded);
  const [only] = slugs;
  if (only === undefined) return { kind: "none" };
  return slugs.length === 1 ? { kind: "product", slug: only } : { kind: "several", candidates: slugs };
}

/** A longer title is a sentence; trying each of its beginnings would cost its length squared. */
const LONGEST_TITLE = 8;

/**
 * A system's title with its version, `Windows Server 2012 R2`, `macOS Monterey`: the whole name, and then nothing but the
 * version. Windows Phone 8.1 is another system than Windows.
 */
export function matchTitle(
  catalogue: Catalogue,
  title: string,
): { readonly product: Product; readonly version: string } | undefined {
  const words = title.trim().split(/\s+/, LONGEST_TITLE + 1);
  if (words.length > LONGEST_TITLE) return undefined;
  for (let end = words.length - 1; end > 0; end -= 1) {
    const match = matchName(catalogue, words.slice(0, end).join(" "));
    const product = match.kind === "product" ? catalogue.product(match.slug) : undefined;
    if (!product) continue;
    const version = words.slice(end).join(" ");
    const telling = /^\d/.test(version) || cycleIndex(product).aliases.has(normalizeVersion(version));
    return product.category === "os" && telling ? { product, version } : undefined;
  }
  return undefined;
}

/**
 * Whether the bare name may stand for the component. A group makes it a part of something: `@types` `react` is not React.
 * Where the group only repeats the name (`org.keycloak` `keycloak`), the name is the whole.
 */
export function standsAlone({ group, name }: Pick<Component, "group" | "name">): boolean {
  if (group === undefined || group.trim() === "") return true;
  if (group.startsWith("@")) return false;
  return normalizeName(group.split(/[./]/).at(-1) ?? "") === normalizeName(name);
}
