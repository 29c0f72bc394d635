/** `eolgate catalogue export`: the catalogue in use for other machines, or its dates as CLE (ECMA-428) or OpenEoX (OASIS). */
import { toCle } from "../../../catalogue/own/cle.ts";
import { toOpenEox } from "../../../catalogue/own/openeox.ts";
import { openCatalogue, resignCatalogue } from "../../../catalogue/file.ts";
import { parseCatalogue } from "../../../catalogue/load.ts";
import { signDigest } from "../../../catalogue/signature.ts";
import type { CatalogueBytes } from "../../../catalogue/update/install.ts";
import { EolgateError } from "../../../messages/error.ts";
import type { Catalogue, Product } from "../../../model/index.ts";
import { findProduct } from "../../../resolve/product.ts";
import { currentCatalogueFile, privateKey } from "../../current-catalogue.ts";
import type { Invocation } from "../../command.ts";
import { flagValues } from "../../value-origins.ts";
import { deliver } from "../../output.ts";
import { list, text } from "../../config.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const file = await currentCatalogueFile(invocation, values);
  const output = text(values["output"]);
  const format = text(values["format"]) ?? "catalogue";
  const body =
    format === "catalogue"
      ? await signed(invocation, file, text(values["signKey"]))
      : exchangeFormat(file, format, list(values["product"]));
  await deliver(invocation.io, output, body);
  return 0;
}

async function signed(
  invocation: Invocation,
  { bytes, origin }: CatalogueBytes,
  keyFile: string | undefined,
): Promise<Uint8Array> {
  if (keyFile === undefined) {
    openCatalogue(bytes, origin);
    return bytes;
  }
  const key = await privateKey(invocation, keyFile);
  return resignCatalogue(bytes, origin, (digest) => signDigest(digest, key));
}

/** OpenEoX gives one document. CLE gives one document for each product; several are written one per line. */
function exchangeFormat({ bytes, origin }: CatalogueBytes, format: string, slugs: readonly string[]): string {
  const catalogue = parseCatalogue(bytes, origin);
  const products =
    slugs.length === 0
      ? catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? [])
      : slugs.map((slug) => productNamed(catalogue, slug));
  if (format === "openeox") return `${JSON.stringify(toOpenEox(products), null, 2)}\n`;
  const [only] = products;
  if (products.length === 1 && only) return `${JSON.stringify(toCle(only), null, 2)}\n`;
  const documents = products.map(toCle).filter(({ events }) => events.length > 0);
  return documents.map((document) => `${JSON.stringify(document)}\n`).join("");
}

function productNamed(catalogue: Catalogue, slug: string): Product {
  const product = findProduct(catalogue, slug);
  if (product) return product;
  throw EolgateError.of("unknown-product", { slug }, { where: "--product" });
}
