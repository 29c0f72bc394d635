/**
 * A catalogue whose digest is right and whose records have another shape: made by hand, or by other software. Reading
 * such a record must be an error of the catalogue, never a bug and never a component that nothing is known about.
 */
import { EolgateError } from "../messages/error.ts";
import { isIsoDate } from "../text/ids.ts";
import type { Catalogue, Product } from "../model/index.ts";
import { corrupt } from "./format/corrupt.ts";

/** The catalogue that `open` makes, with errors on wrongly shaped records as `catalogue-corrupt`. */
export function withShapeErrors<Opened extends Catalogue>(open: () => Opened, origin: string): Opened {
  const guard = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      if (error instanceof EolgateError) throw error;
      throw wrongShape(origin, error);
    }
  };
  const catalogue = guard(open);
  const { date, purlMapDate, kevVersion } = catalogue.metadata;
  if (!isIsoDate(date) || !isIsoDate(purlMapDate) || typeof kevVersion !== "string")
    throw wrongShape(origin, undefined, "its metadata");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It inherits everything from `catalogue`.
  return Object.assign(Object.create(catalogue) as Opened, {
    product: (slug: string) => guard(() => checked(catalogue.product(slug), slug, origin)),
    purl: (key: string) => guard(() => catalogue.purl(key)),
    named: (folded: string) => guard(() => catalogue.named(folded)),
    cpe: (name: string) => guard(() => catalogue.cpe(name)),
    model: (id: string) => guard(() => catalogue.model(id)),
    operatingSystem: (name: string) => guard(() => catalogue.operatingSystem(name)),
    packageEnd: (...key: Parameters<Catalogue["packageEnd"]>) => guard(() => catalogue.packageEnd(...key)),
    slugs: () => guard(() => catalogue.slugs()),
    ...(catalogue.purlKeys && { purlKeys: () => guard(() => catalogue.purlKeys?.() ?? []) }),
  } satisfies Omit<Catalogue, "metadata">);
}

const wrongShape = (origin: string, cause: unknown, what = "a record"): EolgateError =>
  corrupt(origin, `${what} has another shape`, cause);

/** The shape that later steps rely on. */
function checked(product: Product | undefined, slug: string, origin: string): Product | undefined {
  if (product === undefined) return undefined;
  const { name, category, attackSurface, cycles } = product;
  const isText = [name, category, attackSurface, ...cycles.map((cycle) => cycle.name)].every(
    (value) => typeof value === "string",
  );
  if (!isText) throw wrongShape(origin, undefined, `the record of ${slug}`);
  return product;
}
