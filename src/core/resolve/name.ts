/** Components without a purl, by name: exact after folding, never by likeness. `mongoose` is not Go. */
import type { ProductSlug } from "../ids.ts";
import type { Catalogue, Component, Tracer } from "../model.ts";
import { own } from "../own.ts";
import { foldName } from "./fold.ts";

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

export type NameMatch =
  | { readonly kind: "product"; readonly slug: ProductSlug }
  | { readonly kind: "several"; readonly candidates: readonly string[] }
  | { readonly kind: "none" };

/** The product that `name` is, exactly. */
export function matchName(catalogue: Catalogue, name: string, trace?: Tracer): NameMatch {
  const folded = foldName(name);
  trace?.("name", folded);
  const shared = own(SHARED_NAMES, folded);
  if (shared) return { kind: "several", candidates: shared.filter((slug) => catalogue.product(slug)) };
  const slugs = folded === "" ? [] : catalogue.named(folded);
  const [only] = slugs;
  if (only === undefined) return { kind: "none" };
  return slugs.length === 1 ? { kind: "product", slug: only } : { kind: "several", candidates: slugs };
}

/**
 * Whether the bare name may stand for the component. A group makes it a part of something: `@types` `react` is not React.
 * Where the group only repeats the name (`org.keycloak` `keycloak`), the name is the whole.
 */
export function standsAlone({ group, name }: Pick<Component, "group" | "name">): boolean {
  if (group === undefined || group.trim() === "") return true;
  if (group.startsWith("@")) return false;
  return foldName(group.split(/[./]/).at(-1) ?? "") === foldName(name);
}
