/** Ranges that earlier updates read, restored from the catalogue in use. */
import type { CuratedKevVersions } from "../compile/curated-packages.ts";
import type { StoredContent, StoredKevVersions, StoredProduct } from "../../catalogue/schema.ts";

/** Sources of ranges that updates read. Others are curated, and come from the curated files alone. */
const READ_BY_UPDATES = new Set(["cve-record", "nvd"]);

export interface PreviousRanges {
  readonly reads: readonly CuratedKevVersions["reads"][number][];
  readonly rows: readonly { readonly slug: string; readonly row: CuratedKevVersions["products"][string][number] }[];
}

/** @param curated Pairs, as `slug cve`, that the curated files state: theirs come first. */
export function previousRanges(before: StoredContent, curated: ReadonlySet<string>): PreviousRanges {
  const reads: CuratedKevVersions["reads"][number][] = [];
  const rows: PreviousRanges["rows"][number][] = [];
  for (const [slug, product] of Object.entries(before.products)) {
    for (const [cve, , , , versions] of product.kev ?? []) {
      if (versions === undefined || curated.has(`${slug} ${cve}`)) continue;
      const read = before.reads[versions[0]];
      if (read === undefined || !READ_BY_UPDATES.has(read.source)) continue;
      reads.push({ source: read.source, page: before.addresses[read.page] ?? "", on: read.on });
      const index = reads.length - 1;
      rows.push({ slug, row: { cve, ...restored(versions, product), ...(index > 0 && { read: index }) } });
    }
  }
  return { reads, rows };
}

function restored([, list, ranges = [], fixed]: StoredKevVersions, product: StoredProduct) {
  const cycles = (product.kevCycles?.[list] ?? []).flatMap((index) => product.cycles[index]?.name ?? []);
  return { cycles, ranges: [...ranges], ...(fixed !== undefined && { fixed }) };
}
