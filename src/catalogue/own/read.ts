/** Reads `eolgate.catalogue.yaml` (or JSON), and the included vendors' documents. Errors name the file and the field. */
import { dirname, resolve } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { yamlProblem } from "../../messages/yaml-problem.ts";
import { isIsoDate } from "../../text/ids.ts";
import type { Catalogue } from "../../model/index.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import { type RepositoryFiles, WORKING_TREE } from "../../platform/repository-files.ts";
import { hiddenIn } from "../unsafe.ts";
import { invalidOwn, isCle, productsFromCle } from "./cle.ts";
import { isOpenEox, productsFromOpenEox } from "./openeox.ts";
import type { OwnCatalogue, OwnProduct } from "./schema.ts";

/** @throws EolgateError `config` with the file and the path of the field. */
export async function readOwnCatalogue(
  path: string,
  catalogue: Catalogue,
  files: RepositoryFiles = WORKING_TREE,
): Promise<OwnCatalogue> {
  const value = await readValue(path, files);
  if (isCle(value) || isOpenEox(value)) return { products: [...productsFrom(value, catalogue, path)] };
  const own = await checked(value, path);
  const included: OwnProduct[] = [];
  for (const name of own.include ?? []) {
    const file = resolve(dirname(path), name);
    included.push(...productsFrom(await readValue(file, files), catalogue, file));
  }
  checkIdentifiers(own, catalogue, path);
  return { ...own, products: [...(own.products ?? []), ...included] };
}

const SEE_SCHEMA = "The schema is schemas/catalogue-own.schema.json.";

async function readValue(path: string, files: RepositoryFiles): Promise<unknown> {
  const bytes = await files.read(path, "own catalogue", (cause) =>
    EolgateError.of(
      "config-unreadable",
      { problem: "the own catalogue cannot be read", advice: "Check the path and its permissions." },
      { where: path, cause },
    ),
  );
  const { parse } = await import("yaml");
  try {
    // Aliases are how a small YAML file becomes a large one.
    return visible(parse(bytes.toString("utf8"), { maxAliasCount: 0 }), path);
  } catch (cause) {
    if (cause instanceof EolgateError) throw cause;
    throw invalidOwn(`the file is not valid YAML: ${yamlProblem(cause)}`, path, SEE_SCHEMA, cause);
  }
}

/** Line breaks and tabs are part of texts that are written over several lines. */
function visible(value: unknown, path: string): unknown {
  const [place, problem] = hiddenIn(value, "", "\n\r\t") ?? [];
  if (problem === undefined) return value;
  throw invalidOwn(`it has ${problem}`, `${path}#${place}`, "Remove the character: reports show names and texts.");
}

async function checked(value: unknown, path: string): Promise<OwnCatalogue> {
  const [{ OwnCatalogueSchema }, { Value }] = await Promise.all([import("./schema.ts"), import("typebox/value")]);
  if (Value.Check(OwnCatalogueSchema, value)) return value;
  const [first] = Value.Errors(OwnCatalogueSchema, value);
  const place = first?.instancePath ?? "";
  const found = Value.Pointer.Get(value, place);
  const shown = found === undefined ? "" : `${cut(JSON.stringify(found))} `;
  const problem = `${shown}${first?.message ?? "is not valid"}`;
  const advice =
    typeof found === "number" ? "Put the name of a cycle in quotes: YAML reads 3.10 as the number 3.1." : SEE_SCHEMA;
  throw invalidOwn(problem, `${path}#${place}`, advice);
}

const cut = (shown: string): string => (shown.length > 60 ? `${shown.slice(0, 59)}…` : shown);

function productsFrom(value: unknown, catalogue: Catalogue, path: string): readonly OwnProduct[] {
  if (isCle(value)) return productsFromCle(value, catalogue, path);
  if (isOpenEox(value)) return productsFromOpenEox(value, catalogue, path);
  throw invalidOwn("the included file is neither a CLE (ECMA-428) nor an OpenEoX document", path, SEE_SCHEMA);
}

/** What a schema cannot express: valid purls, dates that exist, known products. */
function checkIdentifiers(own: OwnCatalogue, catalogue: Catalogue, path: string): void {
  const known = new Set(own.products?.map(({ slug }) => slug));
  const isKnown = (slug: string) => known.has(slug) || catalogue.product(slug) !== undefined;
  checkPurls(own, path);
  const targets = Object.values(own.purls ?? {}).map((target) =>
    typeof target === "string" ? target : target.product,
  );
  for (const slug of [...targets, ...(own.contracts ?? []).map(({ product }) => product)])
    if (!isKnown(slug))
      throw invalidOwn(`no product has the slug ${slug}`, path, "Check the slug, or add the product to the file.");
  for (const product of own.products ?? []) checkDates(product, path);
}

function checkDates({ slug, cycles = [] }: OwnProduct, path: string): void {
  for (const { cycle, released, eoas, eol, eoes, read_on } of cycles)
    for (const date of [released, eoas, eol, eoes, read_on])
      if (typeof date === "string" && date.length === 10 && !isIsoDate(date))
        throw invalidOwn(`${slug}:${String(cycle)}: ${date} is not a date`, path, "Write it as YYYY-MM-DD or YYYY-MM.");
}

function checkPurls({ products = [], purls = {} }: OwnCatalogue, path: string): void {
  for (const purl of [...products.flatMap((product) => product.purls ?? []), ...Object.keys(purls)]) {
    const key = purlKey(purl);
    if (key.kind === "invalid")
      throw invalidOwn(
        `${purl} is not a package URL: ${key.why}`,
        path,
        "Write it as pkg:TYPE/NAMESPACE/NAME, for example pkg:maven/com.acme/billing.",
      );
  }
}
