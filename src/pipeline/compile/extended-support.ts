/** Ends of extended support from our own file, for cycles of which the upstream record states none. */
import type { StoredProduct } from "../../catalogue/schema.ts";
import { address, type CompileContext, OWN_SOURCE } from "./products.ts";
import { extendedTrack } from "./tracks.ts";

export function withExtendedSupport(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const { curated, tables, problems } = context;
  const { reads, rows } = curated.extendedSupport;
  const own = new Map(rows.filter(([of]) => of === slug).map(([, cycle, eoes, read]) => [cycle, { eoes, read }]));
  if (own.size === 0) return product;
  const cycles = product.cycles.map((cycle) => {
    const row = own.get(cycle.name);
    own.delete(cycle.name);
    if (row === undefined) return cycle;
    const where = `${slug}:${cycle.name}`;
    if (cycle.eoes !== undefined) {
      problems.note(
        "recorded-upstream",
        where,
        "the record states the end of extended support now: our own row gives way",
      );
      return cycle;
    }
    const page = reads[row.read];
    if (page === undefined) {
      problems.refuse("no-source", where, `extended-support.json has no read ${row.read}`);
      return cycle;
    }
    const { page: url, on, via } = page;
    const read = tables.read({
      kind: "custom",
      source: OWN_SOURCE,
      url: address(context, url),
      on,
      basis: "stated",
      ...(via !== undefined && { via }),
    });
    const owner = { slug, cycle: cycle.name, tags: product.tags ?? [], label: undefined };
    const tracks = extendedTrack(curated.tracks, owner, row.eoes).map((track) => ({ ...track, read }));
    return { ...cycle, eoes: row.eoes, tracks: [...(cycle.tracks ?? []), ...tracks] };
  });
  for (const cycle of own.keys())
    problems.refuse("unknown-cycle", `${slug}:${cycle}`, "extended-support.json names a cycle that is not recorded");
  return { ...product, cycles };
}
