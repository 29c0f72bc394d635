/** What the curated files say about cycles that are recorded: corrections, closed branches, extended support. */
import type { StoredProduct, StoredClaim } from "../../catalogue/schema.ts";
import { lastStoredDay } from "../../catalogue/stored-values.ts";
import { type CompileContext, address } from "./context.ts";
import { OWN_SOURCE } from "../problems.ts";
import { extendedTrack } from "./traits.ts";
import { firstDay } from "../../lifecycle/days.ts";
import { asStatementDay } from "../../text/ids.ts";

/** Overrides and human checks, each with its page, day and reason. */
export function withCorrections(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const corrections = context.curated.corrections.filter((correction) => correction.product === slug);
  if (corrections.length === 0) return product;
  const known = new Set(product.cycles.map(({ name }) => name));
  for (const { cycle } of corrections)
    if (!known.has(cycle))
      context.problems.refuse(
        "unknown-cycle",
        `${slug}:${cycle}`,
        `corrections.json corrects ${slug}:${cycle}, which is in no record`,
      );
  const cycles = product.cycles.map((storedCycle) => {
    const claims = corrections
      .filter(({ cycle }) => cycle === storedCycle.name)
      .map(({ kind, page, on, reason, eol }): StoredClaim => {
        const url = address(context, slug, page);
        return [context.tables.read({ kind, source: "eolgate", url, on, reason }), eol];
      });
    return claims.length === 0 ? storedCycle : { ...storedCycle, also: [...(storedCycle.also ?? []), ...claims] };
  });
  return { ...product, cycles };
}

/**
 * The last cycles of closed branches. A version above one is older than the next major version, so a branch that released
 * after that had ended cannot be closed: the end would be "no later than" a day before the release of an older version.
 */
export function withClosedBranches(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const row = context.curated.milestones.closed?.[slug];
  if (row === undefined) return product;
  address(context, slug, row.page);
  for (const name of row.cycles) {
    const where = `${slug}:${name}`;
    const at = product.cycles.findIndex((cycle) => cycle.name === name);
    const [released, next] = [product.cycles[at]?.released, lastStoredDay(product.cycles[at - 1]?.eol)];
    if (at < 0) context.problems.refuse("unknown-cycle", where, "milestones.json closes a branch that is not recorded");
    else if (released !== undefined && next !== undefined && next < firstDay(asStatementDay(released)))
      context.problems.refuse(
        "branch-not-closed",
        where,
        `${where} was released after the next cycle ended on ${next}`,
      );
  }
  return { ...product, closed: row.cycles };
}

/** Ends of extended support from our own file, for cycles of which the upstream record states none. */
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
      url: address(context, slug, url),
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
