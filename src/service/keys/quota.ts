/**
 * Daily quotas, leased from the store in blocks: most requests are counted in memory, and all processes together never
 * exceed a quota. After a crash, a block counts as used; a graceful stop returns its unused part.
 */
import type { IsoDate } from "../../text/ids.ts";
import type { Store } from "../store/store.ts";
import { SECOND, utcDay, type Clock } from "../clock.ts";
import type { QuotaService, QuotaDecision } from "../services.ts";

export interface Quota extends QuotaService {
  /** Returns all leased and unused uses. Call it after the last request. */
  close(): Promise<void>;
}

export interface QuotaOptions {
  readonly store: Store;
  readonly clock: Clock;
}

interface QuotaBlock {
  readonly subject: string;
  readonly day: IsoDate;
  left: number;
  /** Total uses as of the last lease. */
  used: number;
  /** When the store granted none. Retried after `RECHECK`, because another process may return uses. */
  emptyAt: number | undefined;
  limit: number;
  leasing: Promise<void> | undefined;
}

/** A block is 1/20 of the limit, between 1 and 100 uses. A crash loses at most one block. */
const SHARE = 20;
const MAX_BLOCK = 100;
/** For very large limits, a block can have 1/10,000 of the limit instead. */
const LARGE_SHARE = 10_000;
/** Wrong keys per network, UTC day and process. They are counted in memory: no wrong key needs the store. */
const WRONG_KEYS = 100;
/** Milliseconds before an exhausted subject's counter is read again. */
const RECHECK = 10 * SECOND;
/** Maximum subjects in memory. Beyond it, the oldest subject's unused uses are returned. */
const MAX_SUBJECTS = 50_000;

export function createQuota({ store, clock }: QuotaOptions): Quota {
  const blocks = new Map<string, QuotaBlock>();

  const blockFor = (subject: string, day: IsoDate): QuotaBlock => {
    const known = blocks.get(subject);
    if (known?.day === day) return known;
    if (known === undefined && blocks.size >= MAX_SUBJECTS) evictOldest();
    const block: QuotaBlock = { subject, day, left: 0, used: 0, emptyAt: undefined, limit: 0, leasing: undefined };
    blocks.set(subject, block);
    return block;
  };

  const evictOldest = (): void => {
    for (const [subject, block] of blocks) {
      blocks.delete(subject);
      // Not awaited: if it fails, the uses count as used.
      if (block.left > 0) giveBack(block).catch(() => undefined);
      return;
    }
  };

  const giveBack = async (block: QuotaBlock): Promise<void> => {
    const { left } = block;
    block.left = 0;
    if (left > 0) await store.allowances.giveBack(block.subject, block.day, left);
  };

  const take: QuotaService["take"] = (subject, limit) => {
    const now = clock();
    const block = blockFor(subject, utcDay(now));
    return block.left === 0 ? takeRefilled({ store, clock }, block, limit, now) : takeOne(block, limit);
  };

  return {
    take,
    failedKey: createWrongKeys(clock),
    async close() {
      const open = [...blocks.values()].filter((block) => block.left > 0);
      blocks.clear();
      for (const block of open) await giveBack(block);
    },
  };
}

function createWrongKeys(clock: Clock): QuotaService["failedKey"] {
  const counts = new Map<string, number>();
  let day = utcDay(clock());
  return (from) => {
    if (utcDay(clock()) > day) {
      day = utcDay(clock());
      counts.clear();
    }
    const count = (counts.get(from) ?? 0) + 1;
    counts.delete(from);
    // The network that was counted least recently.
    const [oldest] = counts.keys();
    if (oldest !== undefined && counts.size >= MAX_SUBJECTS) counts.delete(oldest);
    counts.set(from, count);
    return count <= WRONG_KEYS;
  };
}

/** Refills the block from the store and takes one use; refused if the store grants none. */
async function takeRefilled(
  options: QuotaOptions,
  block: QuotaBlock,
  limit: number,
  now: number,
): Promise<QuotaDecision> {
  while (block.left === 0) {
    if (isEmpty(block, limit, now)) return { allowed: false, remaining: 0 };
    block.leasing ??= lease(options, block, limit).finally(() => (block.leasing = undefined));
    await block.leasing;
    if (block.emptyAt !== undefined) return { allowed: false, remaining: 0 };
  }
  return takeOne(block, limit);
}

function takeOne(block: QuotaBlock, limit: number): QuotaDecision {
  block.left -= 1;
  return { allowed: true, remaining: Math.max(0, limit - block.used) + block.left };
}

async function lease({ store, clock }: QuotaOptions, block: QuotaBlock, limit: number): Promise<void> {
  const most = Math.max(MAX_BLOCK, Math.floor(limit / LARGE_SHARE));
  const size = Math.min(most, Math.max(1, Math.floor(limit / SHARE)));
  const { granted, used } = await store.allowances.lease(block.subject, block.day, size, limit);
  block.left += granted;
  block.used = used;
  block.limit = limit;
  block.emptyAt = granted === 0 ? clock() : undefined;
}

const isEmpty = (block: QuotaBlock, limit: number, now: number): boolean =>
  block.emptyAt !== undefined && block.limit >= limit && now - block.emptyAt < RECHECK && now >= block.emptyAt;
