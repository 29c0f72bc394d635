/** Consistency checks: names, the order of dates, the release cycles of a product. */
import type { StoredContent, StoredCycle, StoredProduct } from "../../catalogue/schema.ts";
import { lastStoredDay } from "../../catalogue/stored-values.ts";
import type { CompileContext } from "./context.ts";
import type { Problems } from "../problems.ts";
import { firstDay } from "../../lifecycle/days.ts";
import { asStatementDay } from "../../text/ids.ts";

/** One slug or alias, one product. Titles may repeat: names without a purl are then refused as ambiguous. */
export function checkNames(names: StoredContent["names"], problems: Problems): void {
  const owner = new Map<string, string>();
  for (const [slug, [, ...aliases]] of Object.entries(names)) {
    for (const name of [slug, ...aliases]) {
      const known = owner.get(name);
      if (known !== undefined && known !== slug)
        problems.refuse("name-clash", name, `${name} names ${known} and ${slug}`);
      owner.set(name, slug);
    }
  }
}

const ENDS = ["eol", "eoas", "eoes"] as const;

/** No duplicate cycle, and no end before its release unless a curated decision drops the wrong date. */
export function checkDates(context: CompileContext, slug: string, product: StoredProduct): StoredProduct {
  const seen = new Set<string>();
  const cycles = product.cycles.map((cycle) => {
    const where = `${slug}:${cycle.name}`;
    if (seen.has(cycle.name)) context.problems.refuse("duplicate-cycle", where, `${where} is recorded twice`);
    seen.add(cycle.name);
    const decided = withDecisions(context, slug, cycle);
    const { released } = decided;
    for (const field of ENDS) {
      const end = lastStoredDay(decided[field]);
      // A release known by its month may fall on any of its days.
      if (released !== undefined && end !== undefined && end < firstDay(asStatementDay(released)))
        context.problems.refuse(
          "end-before-release",
          where,
          `${where} ends (${field} ${end}) before its release ${released}`,
        );
    }
    return decided;
  });
  return { ...product, cycles };
}

function withDecisions({ curated, problems }: CompileContext, slug: string, storedCycle: StoredCycle): StoredCycle {
  const decisions = curated.decisions.dates.filter(
    ({ product, cycle }) => product === slug && cycle === storedCycle.name,
  );
  return decisions.reduce((decided, { field, drop, why }) => {
    if (decided[field] !== drop) {
      problems.note("decision-of-nothing", `${slug}:${storedCycle.name}`, `${field} is not ${drop} any more: ${why}`);
      return decided;
    }
    const { [field]: _, ...rest } = decided;
    problems.note("date-dropped", `${slug}:${storedCycle.name}`, `${field} ${drop}: ${why}`);
    return rest;
  }, storedCycle);
}
