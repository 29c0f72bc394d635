/** Own catalogues that were written for earlier versions name the release cycles of a product `lines`. */
import { EolgateError } from "../../messages/error.ts";
import type { OwnCatalogue, OwnCatalogueFile, OwnProduct } from "./schema.ts";

/** @throws EolgateError `config`, code `own-catalogue-two-keys`, if a product has both keys. */
export function withCurrentKey({ products, ...others }: OwnCatalogueFile, path: string): OwnCatalogue {
  if (products === undefined) return others;
  return {
    ...others,
    products: products.map((product, index) => currentProduct(product, `${path}#/products/${index}`)),
  };
}

type ProductInFile = NonNullable<OwnCatalogueFile["products"]>[number];

function currentProduct({ lines, ...product }: ProductInFile, where: string): OwnProduct {
  if (lines === undefined) return product;
  if (product.cycles !== undefined)
    throw EolgateError.of("own-catalogue-two-keys", { product: product.slug }, { where });
  return { ...product, cycles: lines };
}
