/**
 * `eolgate catalogue verify [FILE|PRODUCT]`: checks the digest and signature of a file, or shows what the catalogue
 * states about a product.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openCatalogue } from "../../../catalogue/file.ts";
import { parseCatalogue } from "../../../catalogue/load.ts";
import { productState } from "../../../catalogue/info/product-state.ts";
import { verifySignature } from "../../../catalogue/signature.ts";
import { EolgateError } from "../../../messages/error.ts";
import type { Product } from "../../../model/index.ts";
import { productStateCard } from "../../../report/cards/product-state.ts";
import { escapeTerminal } from "../../../report/escape.ts";
import { answer, currentCatalogueFile, namedFile, trustOf } from "../../current-catalogue.ts";
import type { Invocation } from "../../command.ts";
import { flagValues } from "../../value-origins.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const [named] = invocation.args;
  const trust = await trustOf(invocation, values);
  const product = await namedProduct(invocation, named);
  if (product) {
    const state = productState(product, invocation.io.today());
    return answer(invocation, values, state, () => productStateCard(state));
  }
  const file = await (named === undefined ? currentCatalogueFile(invocation, values) : namedFile(invocation, named));
  const { head } = openCatalogue(file.bytes, file.origin);
  const isChecked = trust.keys.length > 0;
  if (isChecked) verifySignature(head, trust, file.origin);
  const facts = { origin: file.origin, digest: head.digest, signature: isChecked ? "ok" : "not checked" };
  return answer(
    invocation,
    values,
    facts,
    () => `${escapeTerminal(file.origin)}: ${head.digest} ok, signature ${facts.signature}\n`,
  );
}

/** The product of this name, unless a file of this name exists. */
async function namedProduct(invocation: Invocation, named: string | undefined): Promise<Product | undefined> {
  if (named === undefined || existsSync(resolve(invocation.io.cwd, named))) return undefined;
  const { bytes, origin } = await currentCatalogueFile(invocation, flagValues(invocation));
  const product = parseCatalogue(bytes, origin).product(named);
  if (product === undefined && /^[a-z0-9-]+$/.test(named))
    throw EolgateError.of("unknown-product", { slug: named }, { where: "catalogue verify" });
  return product;
}
