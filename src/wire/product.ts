/** Products on the wire. */
import type { Assessment, Product } from "../model/index.ts";
import type { Links } from "./links.ts";
import type { ProductList, ProductObject } from "./schemas.ts";
import { scoreObject } from "./score.ts";

export function productList(products: readonly Product[], links: Links): ProductList {
  return {
    count: products.length,
    products: products.map((product) => product.slug),
    items: products.map((product) => ({
      slug: product.slug,
      name: product.name,
      category: product.category,
      product_url: links.product(product.slug),
    })),
    docs: links.docs,
  };
}

/** `assessments` are those of every cycle, newest first. */
export function productObject(product: Product, assessments: readonly Assessment[], links: Links): ProductObject {
  return {
    product: product.slug,
    name: product.name,
    aliases: product.aliases,
    category: product.category,
    version_count: assessments.length,
    versions: assessments.map((assessment) => scoreObject(assessment, links)),
    cpe: product.cpes,
    purl: product.purls,
    product_url: links.product(product.slug),
    docs: links.docs,
  };
}
