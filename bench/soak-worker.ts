/**
 * A service process under write load, started by soak-store.ts and killed by it: it creates keys, watch lists, payments
 * and due alerts, prints what was acknowledged, and sends the queued mails. Arguments: a StoreLocation in JSON, the
 * address of the mail server, a name for its mail addresses.
 */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createKeys } from "../src/service/keys/keys.ts";
import { parseSecrets } from "../src/service/keys/secret.ts";
import { DEFAULT_TIERS } from "../src/service/keys/tiers.ts";
import { SILENT } from "../src/service/serve/log.ts";
import { createMailer } from "../src/service/mail/mailer.ts";
import { queuedMail } from "../src/service/mail/content.ts";
import { smtpTransport } from "../src/service/mail/transport.ts";
import { utcDay } from "../src/service/clock.ts";
import { asProductSlug } from "../src/text/ids.ts";
import { openStore, type StoreLocation } from "../src/service/store/open.ts";
import type { Store } from "../src/service/store/store.ts";

/** Milliseconds between writes, so that the mails of a long soak are sent as fast as they are queued. */
const PAUSE = 20;
const [location = "", smtp = "", name = ""] = process.argv.slice(2);
const secrets = parseSecrets("soak-".repeat(8), "soak");
const store = await openStore(JSON.parse(location) as StoreLocation, Date.now()); // Written by soak-store.ts.
const keys = createKeys({ store, secrets, tiers: DEFAULT_TIERS, clock: Date.now });
const mailer = createMailer({
  store,
  clock: Date.now,
  log: SILENT,
  transport: await smtpTransport(smtp, "soak@example.org"),
  compose: async ({ id, email, createdAt }) => {
    const texts = { subject: id, text: id, html: id };
    return { messageId: `<${id}@example.org>`, to: email, date: createdAt, ...texts };
  },
});

/** A synchronous write, after the data is durable. */
const acknowledge = (...fields: readonly string[]): void => void writeSync(1, `${fields.join(" ")}\n`);

async function makeKeys(index: number): Promise<void> {
  const key = await keys.create(`${name}-k${index}@example.org`, "pro");
  acknowledge("key", key.id, key.text);
}

async function makeLists(index: number): Promise<void> {
  const id = randomUUID();
  const now = Date.now();
  await store.watch.addPending({
    id,
    email: `${name}-w${index}@example.org`,
    state: "pending",
    cycles: [{ product: asProductSlug("nodejs"), cycle: "20" }],
    secretVersion: 1,
    createdAt: now,
    expiresAt: now + 1e9,
    confirmedAt: null,
  });
  acknowledge("pending", id);
  await store.transaction((tables) => tables.watch.confirm(id, now));
  acknowledge("confirmed", id);
}

/** As the webhook does: event, key and subscription in one transaction. */
async function makePayments(index: number): Promise<void> {
  const event = randomUUID();
  await store.transaction(async (tables) => {
    if (!(await tables.payments.eventOnce(event, "paid", Date.now()))) throw new Error("an event came back");
    const key = await tables.keys.addOnce(keys.newRow(`${name}-p${index}@example.org`, "starter"));
    const row = await tables.payments.lock(`sub-${event}`);
    await tables.payments.update({ ...row, email: key.email, tier: "starter", keyId: key.id, paid: true, eventAt: 1 });
    await tables.outbox.add(queuedMail({ kind: "key", why: "paid", keyId: key.id }, key.email, Date.now()));
  });
  acknowledge("payment", event);
}

/** As the runner does: the row and its mail in one transaction. */
async function makeAlerts(index: number): Promise<void> {
  const email = `${name}-a${index}@example.org`;
  const mail = queuedMail(
    { kind: "watch-alert", listId: "soak", day: utcDay(Date.now()), alerts: [] },
    email,
    Date.now(),
  );
  await store.transaction(async (tables) => {
    const row = {
      email,
      watched: "nodejs:20",
      trigger: "passed",
      subject: "",
      state: "sent",
      day: utcDay(Date.now()),
    } as const;
    if ((await tables.alerts.addOnce([row])).length > 0) await tables.outbox.add(mail);
  });
  acknowledge("alert", email, mail.id);
}

async function load(make: (index: number) => Promise<void>): Promise<never> {
  for (let index = 0; ; index += 1) {
    await make(index);
    await sleep(PAUSE);
  }
}

async function send(of: Store): Promise<never> {
  for (;;) {
    await mailer.sendDue();
    await of.ping();
    await sleep(PAUSE);
  }
}

await Promise.all([load(makeKeys), load(makeLists), load(makePayments), load(makeAlerts), send(store)]);
