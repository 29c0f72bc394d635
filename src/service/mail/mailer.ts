/**
 * Sends the due mails of the outbox, which it leases, so that several processes can do so at the same time. Delivery is
 * at least once: if the process ends between the mail server's reply and the commit, the mail is sent again, with the same
 * Message-ID.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { QueuedMail, Store } from "../store/store.ts";
import { DAY, HOUR, MINUTE, SECOND, type Clock, withTimeout } from "../clock.ts";
import type { Log } from "../serve/log.ts";
import { type Message, maskEmail } from "./message.ts";
import { HeldError, RefusedError, type Transport } from "./transport.ts";

export interface MailerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: Transport;
  /** Returns undefined if the mail is obsolete. */
  readonly compose: (mail: QueuedMail) => Promise<Message | undefined>;
  /** Returns 0 to 1. Spreads retries; constant in tests. */
  readonly random?: () => number;
}

export interface Mailer {
  /** Sends all due mails and returns the counts by outcome. */
  sendDue(): Promise<MailRun>;
  /** Waits for the mails in progress and starts no others. */
  stop(): Promise<void>;
}

export type MailOutcome = "sent" | "obsolete" | "retry" | "dead";
export type MailRun = Readonly<Record<MailOutcome, number>>;

/** Mails that are sent at the same time. */
const BATCH = 5;
/** Duration of a lease, which is extended while its mails are sent. After a crash, other processes wait until it expires. */
const LEASE = MINUTE;
const EXTEND = 15 * SECOND;
/** Maximum time for sending a mail. */
const DEADLINE = 5 * MINUTE;
const TOO_SLOW = new Error("the mail server took too long");
/** Time after which a mail that cannot be delivered becomes a dead letter. */
const GIVE_UP = 5 * DAY;
const COMMIT_TRIES = 400;
const COMMIT_PAUSE = SECOND / 2;
/** Pauses after the first, second, … failure; the last value is repeated. */
const BACK_OFF = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];

/** Milliseconds until the next attempt. `random` (0 to 1) adds up to 10%, so that retries are spread. */
export function backOff(attempts: number, random: number): number {
  const pause = BACK_OFF[Math.min(attempts, BACK_OFF.length) - 1] ?? MINUTE;
  return Math.round(pause * (1 + random / 10));
}

export function createMailer(options: MailerOptions): Mailer {
  const { store, clock, transport } = options;
  const owner = randomUUID();
  let stopped = false;
  let running: Promise<MailRun> | undefined;
  const delivery: Delivery = { ...options, owner, stopped: () => stopped };

  /** Delivers leased mails and extends their leases in the meantime. */
  const deliverLeased = async (mails: readonly QueuedMail[]): Promise<readonly MailOutcome[]> => {
    const extending = setInterval(() => {
      store.outbox.extend(owner, clock() + LEASE).catch(() => undefined);
    }, EXTEND);
    try {
      return await Promise.all(mails.map((mail) => deliver(mail, delivery)));
    } finally {
      clearInterval(extending);
    }
  };

  const run = async (): Promise<MailRun> => {
    const outcomes: Record<MailOutcome, number> = { sent: 0, obsolete: 0, retry: 0, dead: 0 };
    for (;;) {
      if (stopped) return outcomes;
      const now = clock();
      const mails = await store.outbox.claim(owner, now, now + LEASE, BATCH);
      for (const outcome of await deliverLeased(mails)) outcomes[outcome] += 1;
      if (mails.length < BATCH) return outcomes;
    }
  };

  return {
    sendDue() {
      running ??= run().finally(() => (running = undefined));
      return running;
    },
    async stop() {
      stopped = true;
      await running?.catch(() => undefined);
      transport.close();
    },
  };
}

/** The dependencies of the delivery of a mail. */
interface Delivery extends MailerOptions {
  /** Owner of the lease. */
  readonly owner: string;
  readonly stopped: () => boolean;
}

async function deliver(mail: QueuedMail, delivery: Delivery): Promise<MailOutcome> {
  let message: Message | undefined;
  try {
    message = await delivery.compose(mail);
    if (message) await withTimeout(DEADLINE, delivery.transport.send(message), TOO_SLOW);
  } catch (error) {
    return await failed(mail, error, delivery);
  }
  await commit(mail.id, delivery);
  return message ? "sent" : "obsolete";
}

/** Marks the mail as sent. Retries while the store is unavailable, because the mail would be sent again otherwise. */
async function commit(id: string, { store, owner, clock, stopped }: Delivery): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store.outbox.sent(id, owner, clock());
      return;
    } catch (error) {
      if (stopped() || tries >= COMMIT_TRIES) throw error;
      await sleep(COMMIT_PAUSE);
    }
  }
}

async function failed(mail: QueuedMail, error: unknown, delivery: Delivery): Promise<MailOutcome> {
  const { store, owner, clock, log, random = Math.random } = delivery;
  if (error instanceof HeldError) {
    await store.outbox.retry(mail.id, owner, clock() + MINUTE, error.message);
    return "retry";
  }
  const reason = error instanceof Error ? error.message : String(error);
  const dueAt = clock() + backOff(mail.attempts, random());
  const isFinal = error instanceof RefusedError || dueAt >= mail.since + GIVE_UP;
  const facts = { mail: mail.id, to: maskEmail(mail.email), attempts: mail.attempts, reason };
  if (isFinal) {
    await store.outbox.dead(mail.id, owner, reason);
    log.error(facts, "mail is a dead letter");
    return "dead";
  }
  await store.outbox.retry(mail.id, owner, dueAt, reason);
  log.warn(facts, "mail postponed");
  return "retry";
}
