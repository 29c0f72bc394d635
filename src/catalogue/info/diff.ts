/** Differences between two catalogues: products, cycles, dates, statuses on a day, known exploited vulnerabilities. */
import type { IsoDate } from "../../text/ids.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import type { Catalogue, CatalogueChanges, DateMove, End, CycleRef, Product, ReleaseCycle } from "../../model/index.ts";

/** Compares two catalogues. `asOf` is the day on which statuses are compared. */
export function diffCatalogues(older: Catalogue, newer: Catalogue, asOf: IsoDate): CatalogueChanges {
  const [before, after] = [new Set(older.slugs()), new Set(newer.slugs())];
  const changes: ChangeLists = { cyclesAdded: [], cyclesRemoved: [], dates: [], statuses: [], kev: [] };
  for (const slug of new Set([...before, ...after].sort())) {
    const [old, now] = [older.product(slug), newer.product(slug)];
    compareCycles(changes, old, now, asOf);
    const known = new Set(old?.kev?.entries.map(({ cve }) => cve));
    for (const { cve } of now?.kev?.entries ?? []) if (!known.has(cve)) changes.kev.push({ product: slug, cve });
  }
  return {
    from: older.metadata,
    to: newer.metadata,
    asOf,
    productsAdded: [...after].filter((slug) => !before.has(slug)),
    productsRemoved: [...before].filter((slug) => !after.has(slug)),
    ...changes,
  };
}

type ChangeLists = {
  -readonly [
    Field in "cyclesAdded" | "cyclesRemoved" | "dates" | "statuses" | "kev"
  ]: CatalogueChanges[Field][number][];
};

function compareCycles(changes: ChangeLists, old: Product | undefined, now: Product | undefined, asOf: IsoDate): void {
  const removed = new Map(old?.cycles.map((cycle) => [cycle.name, cycle]));
  for (const cycle of now?.cycles ?? []) {
    if (now === undefined) continue;
    const releaseCycle: CycleRef = { product: now.slug, cycle: cycle.name };
    const before = removed.get(cycle.name);
    removed.delete(cycle.name);
    if (before === undefined) changes.cyclesAdded.push(releaseCycle);
    else {
      changes.dates.push(...moves(releaseCycle, before, cycle));
      const [was, is] = [lifecycleState(before.eol, asOf).status, lifecycleState(cycle.eol, asOf).status];
      if (was !== is) changes.statuses.push({ releaseCycle, before: was, after: is });
    }
  }
  if (old !== undefined) for (const cycle of removed.keys()) changes.cyclesRemoved.push({ product: old.slug, cycle });
}

const UNKNOWN: End = { kind: "unknown" };

function moves(releaseCycle: CycleRef, old: ReleaseCycle, now: ReleaseCycle): readonly DateMove[] {
  const pairs = [
    ["eol", old.eol, now.eol],
    ["eoas", old.eoasFrom ?? UNKNOWN, now.eoasFrom ?? UNKNOWN],
    ["eoes", old.eoesFrom ?? UNKNOWN, now.eoesFrom ?? UNKNOWN],
  ] as const;
  return pairs.flatMap(([field, before, after]) =>
    textOf(before) === textOf(after) ? [] : [{ releaseCycle, field, before, after }],
  );
}

const textOf = (end: End): string => (end.kind === "dated" ? `${end.date.value} ${end.date.precision}` : end.kind);
