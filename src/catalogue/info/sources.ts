/** The sources of a catalogue: how much each states, when it was read, how old its content is. */
import { byText } from "../../text/values.ts";
import { type IsoDate, asStatementDay } from "../../text/ids.ts";
import { daysBetween, firstDay } from "../../lifecycle/days.ts";
import type { StoredContent, StoredCycle, StoredRead } from "../schema.ts";

export interface SourceInfo {
  readonly id: string;
  /** Claims of this source, over all cycles and fields. */
  readonly statements: number;
  /** Oldest and newest day on which one of its pages was read. */
  readonly read_on: { readonly oldest: string; readonly newest: string };
  /** The newest day of its content: what the server or the record states, never the day of fetching. Null: not stated. */
  readonly content_on: string | null;
  /** Days since `content_on`. */
  readonly content_age_days: number | null;
  /** A feed that the refresh reads, and that it could not read for more than a week. */
  readonly is_behind: boolean;
}

/** Days for which a feed may fail before it is reported. */
const FAILING_DAYS = 7;
/** Every source by its id. The pages of our own records count as one source. */
export function sourceInfo(content: StoredContent, today: IsoDate): readonly SourceInfo[] {
  const sources = new Map<string, { statements: number; days: string[]; contents: string[]; isFeed: boolean }>();
  for (const [index, statements] of claimsByRead(content)) {
    const read = content.reads[index];
    if (read === undefined) continue;
    const source = sources.get(read.source) ?? { statements: 0, days: [], contents: [], isFeed: false };
    source.isFeed ||= read.kind === "vendor-feed" || read.kind === "upstream";
    source.statements += statements;
    source.days.push(read.on);
    const day = contentDay(read, content);
    if (day !== null) source.contents.push(day);
    sources.set(read.source, source);
  }
  return [...sources]
    .sort(([a], [b]) => byText(a, b))
    .map(([id, { statements, days, contents, isFeed }]) => {
      const sorted = days.toSorted();
      const newest = sorted.at(-1) ?? today;
      const contentOn = contents.toSorted().at(-1) ?? null;
      return {
        id,
        statements,
        read_on: { oldest: sorted[0] ?? "", newest: sorted.at(-1) ?? "" },
        content_on: contentOn,
        content_age_days: contentOn === null ? null : daysBetween(firstDay(asStatementDay(contentOn)), today),
        is_behind: isFeed && daysBetween(firstDay(asStatementDay(newest)), today) > FAILING_DAYS,
      };
    });
}

/** A robot renews the record without new content: its age is that of its newest release. */
function contentDay({ kind, content, on }: StoredRead, { metadata }: StoredContent): string | null {
  if (kind === "upstream") return metadata.date;
  return content === undefined ? on : content;
}

/** Index into `reads` → number of its claims. */
function claimsByRead({ products, packageEnds }: StoredContent): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const count = (read: number | undefined, number = 1) => {
    if (read !== undefined) counts.set(read, (counts.get(read) ?? 0) + number);
  };
  for (const product of Object.values(products)) {
    for (const cycle of product.cycles) {
      if (cycle.eol !== undefined) count(cycle.read ?? product.read);
      for (const read of furtherReads(cycle)) count(read);
    }
  }
  for (const { read, packages } of Object.values(packageEnds)) count(read, Object.keys(packages).length);
  return counts;
}

const furtherReads = ({ also, alsoEoas, alsoEoes, quarantined, tracks = [] }: StoredCycle) => [
  ...[also, alsoEoas, alsoEoes, quarantined].flatMap((claims = []) => claims.map(([read]) => read)),
  ...tracks.map(({ read }) => read),
];
