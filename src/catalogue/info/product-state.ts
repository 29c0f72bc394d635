/** What a catalogue states of one product and why: for `catalogue verify PRODUCT`. */
import type { IsoDate } from "../../text/ids.ts";
import { daysBetween, firstDay } from "../../lifecycle/days.ts";
import { sameEnd } from "../../lifecycle/ends.ts";
import { provenanceOf } from "../../lifecycle/provenance.ts";
import { assess } from "../../lifecycle/assess.ts";
import type { Claim, Product, ProductState, ReleaseCycle, Status } from "../../model/index.ts";

export function productState(product: Product, asOf: IsoDate): ProductState {
  const { cycles } = product;
  const statusOf = (cycle: ReleaseCycle): Status => assess(product, cycle, asOf).support.status;
  const statuses = Map.groupBy(cycles, statusOf);
  const count = (...names: readonly ("active" | "approaching" | "eol" | "unknown")[]) =>
    names.reduce((sum, name) => sum + (statuses.get(name)?.length ?? 0), 0);
  const newest = newestCycle(cycles);
  const entries = product.kev?.entries ?? [];
  return {
    product: product.slug,
    name: product.name,
    record: product.record,
    scope: product.scope ?? "partial",
    cycles: {
      count: cycles.length,
      supported: count("active", "approaching"),
      ended: count("eol"),
      unknown: count("unknown"),
    },
    newest: newest ? { cycle: newest.name, status: statusOf(newest) } : null,
    agreed: cycles.filter(({ claims }) => provenanceOf(claims, asOf).agreement >= 2).length,
    sources: sourcesOf(cycles, asOf),
    discrepancies: cycles.filter(({ claims }) => provenanceOf(claims, asOf).status === "mismatch").map(discrepancy),
    quarantined: cycles.filter(({ claims }) => claims.some(({ quarantined }) => quarantined)).map(({ name }) => name),
    kev: { entries: entries.length, with_versions: entries.filter(({ versions }) => versions).length },
    purls: product.purls.length,
  };
}

function newestCycle(cycles: readonly ReleaseCycle[]): ReleaseCycle | undefined {
  return cycles
    .filter(({ releaseDate }) => releaseDate)
    .reduce<ReleaseCycle | undefined>(
      (best, each) => (best === undefined || dayOf(each) > dayOf(best) ? each : best),
      undefined,
    );
}

const dayOf = ({ releaseDate }: ReleaseCycle): string => releaseDate?.value ?? "";

/** One row for each page and day, those that state most cycles first. */
function sourcesOf(cycles: readonly ReleaseCycle[], asOf: IsoDate): ProductState["sources"] {
  const claims = cycles.flatMap((cycle) => cycle.claims.filter(({ end }) => end.kind !== "unknown"));
  const pages = Map.groupBy(claims, ({ source, kind, url, retrievedAt }) =>
    [source, kind, url, retrievedAt].join("\n"),
  );
  return [...pages.values()]
    .flatMap((group) => {
      const [first] = group;
      return first ? [sourceRow(first, group.length, asOf)] : [];
    })
    .toSorted((a, b) => b.cycles - a.cycles || (a.url < b.url ? -1 : 1));
}

function sourceRow({ source, kind, url, retrievedAt, copied }: Claim, cycles: number, asOf: IsoDate) {
  const age = daysBetween(firstDay(retrievedAt), asOf);
  return { source, kind, url, cycles, read_on: retrievedAt, age_days: age, copied: copied ?? false };
}

function discrepancy({ name, claims }: ReleaseCycle): ProductState["discrepancies"][number] {
  const distinct = claims.filter(
    (claim, index) =>
      claims.findIndex((other) => other.source === claim.source && sameEnd(other.end, claim.end)) === index,
  );
  return {
    cycle: name,
    stated: distinct.map(({ source, end, retrievedAt }) => ({
      source,
      end: end.kind === "dated" ? end.date.value.slice(0, end.date.precision === "month" ? 7 : 10) : end.kind,
      read_on: retrievedAt,
    })),
  };
}
