/** Matches components without a purl by name: exactly after normalization, never by similarity. */
import type { ProductSlug } from "../text/ids.ts";
import type { Catalogue, Component, Product, Tracer } from "../model/index.ts";
import { normalizeName } from "./normalize-name.ts";
import { productsCalled } from "./product.ts";
import { indexCycles } from "./version/cycle-index.ts";
import { normalizeVersion } from "./version/parse.ts";

/** Names that mean the builds of Java by any vendor. */
const JAVA_NAMES: ReadonlySet<string> = new Set(["java", "jdk", "jre", "openjdk", "javase", "javaruntimeenvironment"]);

/** Spellings that normalize to the name of a product but belong to another one: Apple writes `iOS`, Cisco `IOS`. */
const OTHER_PRODUCTS: ReadonlySet<string> = new Set(["IOS"]);

export type NameMatch =
  | { readonly kind: "product"; readonly slug: ProductSlug }
  /** `builds`: they are builds of one product by several vendors. */
  | { readonly kind: "several"; readonly candidates: readonly ProductSlug[]; readonly builds?: true }
  | { readonly kind: "none" };

const javaBuilds = (catalogue: Catalogue, name: string): readonly ProductSlug[] =>
  productsCalled(catalogue, name).map(({ slug }) => slug);

/** Finds the product whose normalized name is that of `name`. */
export function matchName(catalogue: Catalogue, name: string, trace?: Tracer): NameMatch {
  const normalized = normalizeName(name);
  trace?.("name", normalized);
  if (OTHER_PRODUCTS.has(name.trim())) return { kind: "none" };
  if (JAVA_NAMES.has(normalized))
    return { kind: "several", builds: true, candidates: javaBuilds(catalogue, normalized) };
  const slugs = normalized === "" ? [] : catalogue.named(normalized);
  const [only] = slugs;
  if (only === undefined) return { kind: "none" };
  return slugs.length === 1 ? { kind: "product", slug: only } : { kind: "several", candidates: slugs };
}

/**
 * Maximum number of words of a title. Longer ones are sentences, and the cost of trying each prefix grows with the
 * square of the length.
 */
const MAX_TITLE_WORDS = 8;

/**
 * Matches the title of an operating system that consists of its complete name and a version: `Windows Server 2012 R2`,
 * `macOS Monterey`. Windows Phone 8.1 does not match Windows.
 */
export function matchTitle(
  catalogue: Catalogue,
  title: string,
): { readonly product: Product; readonly version: string } | undefined {
  const words = title.trim().split(/\s+/, MAX_TITLE_WORDS + 1);
  if (words.length > MAX_TITLE_WORDS) return undefined;
  for (let end = words.length - 1; end > 0; end -= 1) {
    const match = matchName(catalogue, words.slice(0, end).join(" "));
    const product = match.kind === "product" ? catalogue.product(match.slug) : undefined;
    if (!product) continue;
    const version = words.slice(end).join(" ");
    const isVersion = /^\d/.test(version) || indexCycles(product).byAlias.has(normalizeVersion(version));
    return product.category === "os" && isVersion ? { product, version } : undefined;
  }
  return undefined;
}

/**
 * Whether the name alone identifies the component. With a group it usually does not: `@types` `react` is not React. If
 * the group only repeats the name (`org.keycloak` `keycloak`), it does.
 */
export function isWholeName({ group, name }: Pick<Component, "group" | "name">): boolean {
  if (group === undefined || group.trim() === "") return true;
  if (group.startsWith("@")) return false;
  return normalizeName(group.split(/[./]/).at(-1) ?? "") === normalizeName(name);
}
