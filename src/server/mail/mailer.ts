/**
 * Empties the outbox: leases what is due, sends it, settles it. Several processes may do so at once. Delivery is at
 * least once: a mail is sent twice only when the process ends between the mail server's word and our commit, and then
 * with the same Message-ID.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { QueuedMail, Store } from "../../store/store.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../clock.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { maskEmail } from "./email-address.ts";
import type { Message } from "./message.ts";
import { Refused } from "./transport.ts";
import type { Transport } from "./transport.ts";

export interface MailerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: Transport;
  /** Undefined: the mail is moot. */
  readonly compose: (mail: QueuedMail) => Promise<Message | undefined>;
  /** 0 to 1, spreads retries; tests hand in a constant. */
  readonly random?: () => number;
}

export interface Mailer {
  /** Sends everything that is due now; answers what became of it. */
  sendDue(): Promise<MailRun>;
  /** Lets the mails in hand end, takes no more. */
  stop(): Promise<void>;
}

export type MailOutcome = "sent" | "moot" | "retry" | "dead";
export type MailRun = Readonly<Record<MailOutcome, number>>;

/** Mails in hand at once. */
const BATCH = 5;
/** What a process held that died is free after this; a living one prolongs it. */
const LEASE = MINUTE;
const EXTEND = 15 * SECOND;
/** A conversation that drips on is given up. */
const DEADLINE = 5 * MINUTE;
const GIVE_UP = 5 * DAY;
const COMMIT_TRIES = 400;
const COMMIT_PAUSE = SECOND / 2;
/** Pauses after the first, second, … failure; the last one repeats. */
const BACK_OFF = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];

/** The pause after so many failures, lengthened by up to a tenth so that many mails do not come back at once. */
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

  /** Delivers what was claimed, and keeps others away from it meanwhile. */
  const held = async (mails: readonly QueuedMail[]): Promise<readonly MailOutcome[]> => {
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
    const outcomes: Record<MailOutcome, number> = { sent: 0, moot: 0, retry: 0, dead: 0 };
    for (;;) {
      if (stopped) return outcomes;
      const now = clock();
      const mails = await store.outbox.claim(owner, now, now + LEASE, BATCH);
      for (const outcome of await held(mails)) outcomes[outcome] += 1;
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

/** What the delivery of one mail needs. */
interface Delivery extends MailerOptions {
  /** The lease on the mail is in this name. */
  readonly owner: string;
  readonly stopped: () => boolean;
}

async function deliver(mail: QueuedMail, delivery: Delivery): Promise<MailOutcome> {
  let message: Message | undefined;
  try {
    message = await delivery.compose(mail);
    if (message) await within(DEADLINE, delivery.transport.send(message));
  } catch (error) {
    return await failed(mail, error, delivery);
  }
  await commit(mail.id, delivery);
  return message ? "sent" : "moot";
}

/** The mail is sent. While the store does not answer, the commit is repeated as long as the lease keeps others away. */
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
  const reason = error instanceof Error ? error.message : String(error);
  const dueAt = clock() + backOff(mail.attempts, random());
  const over = error instanceof Refused || dueAt >= mail.since + GIVE_UP;
  const facts = { mail: mail.id, to: maskEmail(mail.email), attempts: mail.attempts, reason };
  if (over) {
    await store.outbox.dead(mail.id, owner, reason);
    log.error(facts, "mail given up");
    return "dead";
  }
  await store.outbox.retry(mail.id, owner, dueAt, reason);
  log.warn(facts, "mail put off");
  return "retry";
}

async function within<T>(deadline: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the mail server took too long")), deadline);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
