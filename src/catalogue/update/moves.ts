/**
 * Ends of life that move further than ends do. The cycle keeps the end in use, and the claims that moved it are recorded
 * as quarantined, until an independent source states the same.
 */
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import { daysBetween } from "../../lifecycle/days.ts";
import { effectiveClaim, sameEnd } from "../../lifecycle/ends.ts";
import type { Catalogue, Claim, End } from "../../model/index.ts";
import { storeEnd } from "../stored-values.ts";
import { compact } from "../../text/values.ts";
import { decodeEolClaims } from "../decode.ts";
import { ReadTables } from "../read-tables.ts";
import type { ComparedContent } from "../load.ts";
import type { StoredContent, StoredCycle, StoredProduct } from "../schema.ts";
import { type AcceptedEnds, isAcceptedEnd } from "./accepted-ends.ts";
import { isConfirmed, type IsWitness } from "./witnesses.ts";

/** Days that an end may move. */
export const MOVE_LIMIT = 731;
/** More moved ends than this, and than this share of all dated ends, are not single corrections. */
const ACCEPTED_MOVES = 20;
const MOVE_SHARE = 0.01;

export interface Quarantine {
  readonly product: string;
  readonly cycle: string;
  /** As stored: a date, `true` (ended), `false` (no end announced), `undefined`. */
  readonly kept: string;
  readonly moved: string;
}

export interface CheckedMoves {
  readonly content: StoredContent;
  readonly quarantined: readonly Quarantine[];
  /** @throws EolgateError `catalogue`, code `update-dates`. */
  readonly refuseTooMany: (origin: string) => void;
}

interface MoveContext {
  readonly today: IsoDate;
  readonly isWitness: IsWitness;
  /** The catalogue of this release: an end returns to its end at any time. */
  readonly trusted: Pick<Catalogue, "product">;
  readonly acceptedEnds?: AcceptedEnds | undefined;
}

export function quarantineMoves(
  older: ComparedContent,
  newer: ComparedContent,
  { today, isWitness, trusted, acceptedEnds = {} }: MoveContext,
): CheckedMoves {
  const tables = new ReadTables(newer.content);
  const [quarantined, confirmed]: [Quarantine[], Quarantine[]] = [[], []];
  let dated = 0;
  const products = Object.entries(newer.content.products).map(([slug, product]) => {
    const [ends, trustedEnds] = [older.catalogue, trusted].map((catalogue) => endsOf(catalogue, slug));
    const decoded = newer.catalogue.product(slug)?.cycles;
    const claimsOf = (index: number): readonly Claim[] => decoded?.[index]?.claims ?? [];
    const isKnown = (source: string): boolean => isWitness(slug, source);
    const cycles = product.cycles.map((cycle, index) => {
      const kept = ends?.get(cycle.name);
      if (kept?.end.kind === "dated") dated += 1;
      const trustedEnd = trustedEnds?.get(cycle.name)?.end;
      const isReturn = (end: End): boolean =>
        (trustedEnd !== undefined && sameEnd(trustedEnd, end)) ||
        isAcceptedEnd(acceptedEnds, `${slug}:${cycle.name}`, end);
      const context = { product, tables, today, isKnown, isReturn };
      const held = kept && holdBack({ ...context, kept }, cycle, claimsOf(index));
      if (!held) return cycle;
      const moved = { product: slug, cycle: cycle.name, kept: shown(kept.end), moved: shown(held.moved) };
      (held.cycle === cycle ? confirmed : quarantined).push(moved);
      return held.cycle;
    });
    return [slug, { ...product, cycles }] as const;
  });
  const content = {
    ...newer.content,
    products: Object.fromEntries(products),
    addresses: tables.addresses,
    reads: tables.reads,
  };
  return {
    content,
    quarantined,
    refuseTooMany: (origin) => refuseTooMany([...quarantined, ...confirmed], dated, origin),
  };
}

interface HoldBackContext {
  readonly product: StoredProduct;
  readonly tables: ReadTables;
  readonly today: IsoDate;
  /** The claim whose end is in use. */
  readonly kept: Claim;
  readonly isKnown: (source: string) => boolean;
  /** Whether the catalogue of this release, or an accepted one, stated the end. */
  readonly isReturn: (end: End) => boolean;
}

const endsOf = (catalogue: Pick<Catalogue, "product">, slug: string): ReadonlyMap<string, Claim | undefined> =>
  new Map(catalogue.product(slug)?.cycles.map(({ name, claims }) => [name, effectiveClaim(claims)]));

/**
 * Takes the claims that move the end out of use, one after the other. Undefined if the end does not move; the cycle itself if
 * another source confirms the first of them.
 */
function holdBack(
  context: HoldBackContext,
  cycle: StoredCycle,
  decoded: readonly Claim[],
): { readonly cycle: StoredCycle; readonly moved: End } | undefined {
  const { product, tables, today, kept, isKnown } = context;
  const references = {
    address: (index: number) => tables.addresses[index],
    read: (index: number) => tables.reads[index],
  };
  let [current, claims, moved]: [StoredCycle, readonly Claim[], End | undefined] = [cycle, decoded, undefined];
  // Each turn takes one claim out of use, and the record's is replaced by the one in use, which does not move.
  for (;;) {
    const claim = effectiveClaim(claims);
    if (claim === undefined || !isMove(kept.end, claim.end, today)) break;
    if (context.isReturn(claim.end)) break;
    moved ??= claim.end;
    if (isConfirmed(claim, claims, isKnown)) break;
    const index = claims.indexOf(claim);
    current = index === 0 ? withRecord(current, context) : withoutClaim(current, index - 1);
    claims = decodeEolClaims(current, product.read, references);
  }
  return moved && { cycle: current, moved };
}

/** The record's claim is replaced by the one in use. */
function withRecord(cycle: StoredCycle, { product, tables, kept }: HoldBackContext): StoredCycle {
  const { kind, source, url, retrievedAt: on, copied, basis, reason, via, secondary } = kept;
  const read = tables.read(compact({ kind, source, url, on, copied, basis, reason, via, secondary }));
  const { eol, quarantined = [] } = cycle;
  const moved = eol === undefined ? [] : [[cycle.read ?? product.read, eol] as const];
  return compact({
    ...cycle,
    eol: storeEnd(kept.end),
    read: read === product.read ? undefined : read,
    quarantined: moved.length + quarantined.length === 0 ? undefined : [...quarantined, ...moved],
  });
}

function withoutClaim(cycle: StoredCycle, index: number): StoredCycle {
  const { also = [], quarantined = [] } = cycle;
  const rest = also.filter((_, at) => at !== index);
  const moved = also.filter((_, at) => at === index);
  return compact({ ...cycle, also: rest.length > 0 ? rest : undefined, quarantined: [...quarantined, ...moved] });
}

/** Whether the change from one end to another needs a second source. */
export function isMove(before: End, after: End, today: IsoDate): boolean {
  if (before.kind === "dated") {
    return after.kind !== "dated" || Math.abs(daysBetween(before.date.value, after.date.value)) > MOVE_LIMIT;
  }
  if (before.kind !== "ended") return false;
  return after.kind === "dated" ? after.date.value >= today : after.kind !== "ended";
}

function refuseTooMany(moved: readonly Quarantine[], dated: number, where: string): void {
  if (moved.length <= ACCEPTED_MOVES || moved.length <= dated * MOVE_SHARE) return;
  const [first] = moved;
  const example = `${first?.product} ${first?.cycle}: ${first?.kept} to ${first?.moved}`;
  const details = { moved: moved.length, dated };
  const problem = `${moved.length} of ${dated} end dates would move by more than two years or be lost (${example})`;
  throw EolgateError.of("update-dates", { problem }, { where, details });
}

const shown = (end: End): string => String(storeEnd(end));
