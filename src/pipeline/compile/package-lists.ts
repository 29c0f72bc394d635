/** A vendor's list of packages as one product: each package is a part of it, with one cycle or one for each major version. */
import { compact } from "../../text/values.ts";
import type { StoredCycle, StoredProduct } from "../../catalogue/schema.ts";
import { attackSurface } from "./attack-surface.ts";
import type { CuratedPackages } from "./curated.ts";
import { address, type CompileContext, ownRead } from "./products.ts";

/** `@azure/cosmos@4` → `@azure/cosmos`. */
export function partOfRow(name: string): string {
  const at = name.lastIndexOf("@");
  return at > 0 ? name.slice(0, at) : name;
}

export function packageListProduct(context: CompileContext, list: CuratedPackages): StoredProduct {
  const { tables, problems, curated } = context;
  const reads = list.reads.map((read) => ownRead(context, list.slug, read));
  const product = reads[0] ?? 0;
  const cycles = list.packages.map(([name, eol, index, successor]): StoredCycle => {
    const read = reads[index];
    if (read === undefined) problems.refuse("no-source", `${list.slug}:${name}`, "the row names no read");
    return compact({
      // A package without majors has one cycle for every version.
      name: partOfRow(name) === name ? `${name}@all` : name,
      eol,
      read: read === product ? undefined : read,
      successor,
    });
  });
  return {
    name: list.name,
    category: list.category,
    surface: attackSurface(curated.surfaces, { ...list, tags: [] }),
    record: "custom",
    parts: true,
    policy: tables.address(address(context, list.policy)),
    read: product,
    cycles,
  };
}
