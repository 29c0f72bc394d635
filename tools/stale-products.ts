/**
 * Products whose newest recorded release cycle has ended while a registry shows newer releases: the record is out of
 * date, or a retirement did not last. Only the refresh of the catalogue asks; no check does.
 */
import type { IsoDate } from "../src/text/ids.ts";
import { firstDay, lastDay } from "../src/lifecycle/days.ts";
import { lifecycleState } from "../src/lifecycle/status.ts";
import type { Catalogue, Product } from "../src/model/index.ts";
import type { QueryContext, SignalSource, Subject } from "../src/signals/source.ts";

export interface StaleProduct {
  readonly product: string;
  /** The package that was asked about, as a package URL. */
  readonly purl: string;
  /** The last day of support that is recorded; null if only "ended" is. */
  readonly ended: IsoDate | null;
  /** The newest release that the registry shows. */
  readonly released: IsoDate;
  /** Where the release can be seen. */
  readonly url: string;
}
export interface StaleReport {
  readonly asked: number;
  readonly unanswered: number;
  readonly stale: readonly StaleProduct[];
}

/** @param source Answers with the newest release of a package (`last-release`). */
export async function findStaleProducts(
  catalogue: Catalogue,
  source: SignalSource,
  context: QueryContext,
): Promise<StaleReport> {
  const candidates = new Map(
    catalogue.slugs().flatMap((slug) => {
      const product = catalogue.product(slug);
      const candidate = product && candidateOf(product, source, context.today);
      return candidate ? [[candidate.subject.key, candidate] as const] : [];
    }),
  );
  const subjects = [...candidates.values()].map(({ subject }) => subject);
  const stale: StaleProduct[] = [];
  let unanswered = 0;
  for await (const outcome of source.query(subjects, context)) {
    const candidate = candidates.get(outcome.key);
    if ("unanswered" in outcome || candidate === undefined) {
      unanswered += 1;
      continue;
    }
    const release = outcome.answer.evidence.find(({ statement }) => statement === "last-release");
    if (release?.date === undefined || release.date <= candidate.since) continue;
    const { product, purl, ended } = candidate;
    stale.push({ product, purl, ended, released: release.date, url: release.url });
  }
  return { asked: subjects.length, unanswered, stale: stale.toSorted((a, b) => (a.product < b.product ? -1 : 1)) };
}

interface Candidate {
  readonly product: string;
  readonly purl: string;
  readonly ended: IsoDate | null;
  /** A release after this day is newer than what is recorded. */
  readonly since: IsoDate;
  readonly subject: Subject;
}

/** Undefined for a product with a supported cycle, or without a package that the source knows. */
function candidateOf(product: Product, source: SignalSource, today: IsoDate): Candidate | undefined {
  const { cycles } = product;
  if (product.models || cycles.length === 0) return undefined;
  if (!cycles.every(({ eol }) => lifecycleState(eol, today).status === "eol")) return undefined;
  // Cycles that belong to packages are not evidence for the others.
  if (cycles.some(({ part }) => part !== undefined)) return undefined;
  const subjects = product.purls.map(toSubject).filter((subject) => subject !== undefined);
  const subject = subjects.find((each) => source.accepts(each));
  const since = newestDay(cycles.map(sinceOf));
  if (subject === undefined || since === undefined) return undefined;
  const ended = newestDay(cycles.map(({ eol }) => (eol.kind === "dated" ? lastDay(eol.date) : undefined))) ?? null;
  return { product: product.slug, purl: subject.key, ended, since, subject };
}

/** The end, or the day on which the source was read that states no day. */
function sinceOf({ eol, claims }: Product["cycles"][number]): IsoDate | undefined {
  return eol.kind === "dated" ? lastDay(eol.date) : newestDay(claims.map(({ retrievedAt }) => firstDay(retrievedAt)));
}

const newestDay = (days: readonly (IsoDate | undefined)[]): IsoDate | undefined =>
  days
    .filter((day) => day !== undefined)
    .toSorted()
    .at(-1);

/** A product's package URLs have no version: `pkg:npm/%40scope/name`, `pkg:npm/@scope/name`. */
function toSubject(purl: string): Subject | undefined {
  const [, type, path] = /^pkg:([a-z]+)\/(.+)$/.exec(purl) ?? [];
  if (type === undefined || path === undefined) return undefined;
  return { key: purl, package: { purl, type, path: decodeURIComponent(path), version: "" } };
}
