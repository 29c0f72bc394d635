/** Sends the outbox to a real SMTP server on loopback that refuses, delays and drops mails. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SILENT } from "../../../src/service/serve/log.ts";
import { backOff, createMailer, type Mailer } from "../../../src/service/mail/mailer.ts";
import type { Message } from "../../../src/service/mail/message.ts";
import {
  folderTransport,
  holdingTransport,
  smtpTransport,
  type Transport,
} from "../../../src/service/mail/transport.ts";
import { DAY, MINUTE } from "../../../src/service/clock.ts";
import type { QueuedMail, Store } from "../../../src/service/store/store.ts";
import { clockAt, testStore, type StoreFixture } from "../harness.ts";
import { startSink, type Behaviour, type Sink } from "./smtp-sink.ts";

const FROM = "eolgate <alerts@eol.example.org>";
const clock = clockAt("2026-08-22T12:00:00Z");
let fixture: StoreFixture;
const opened: { close(): unknown }[] = [];

beforeEach(async () => {
  clock.set("2026-08-22T12:00:00Z");
  fixture = await testStore();
});
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
  await fixture.close();
});

const composeFrom = async (mail: QueuedMail): Promise<Message | undefined> =>
  mail.kind === "obsolete"
    ? undefined
    : {
        messageId: `<${mail.id}@eol.example.org>`,
        to: mail.email,
        subject: "Ünïcode & <b>",
        text: "text\n.\nafter a lone dot\n",
        html: "<p>html</p>",
        date: mail.createdAt,
        unsubscribe: "https://eol.example.org/v1/watch/unsubscribe?token=abc",
      };

const mailer = (transport: Transport, store: Store = fixture.store): Mailer =>
  createMailer({ store, clock, log: SILENT, transport, compose: composeFrom, random: () => 0 });
const sink = async (behaviour?: Behaviour): Promise<Sink> => {
  const started = await startSink(behaviour);
  opened.push(started);
  return started;
};
const smtp = async (address: string): Promise<Transport> => {
  const transport = await smtpTransport(address, FROM);
  opened.push(transport);
  return transport;
};
const add = async (id: string, email = "a@example.org", kind = "key"): Promise<void> =>
  fixture.store.outbox.add({ id, kind, email, facts: "{}", createdAt: clock() });

test("delivers envelope, headers, text and HTML", async () => {
  const server = await sink();
  await add("m1");
  expect(await mailer(await smtp(server.address)).sendDue()).toEqual({ sent: 1, obsolete: 0, retry: 0, dead: 0 });
  const [mail] = server.received;
  expect(mail).toMatchObject({
    to: "a@example.org",
    from: "alerts@eol.example.org",
    messageId: "<m1@eol.example.org>",
  });
  expect(mail?.raw).toContain("From: eolgate <alerts@eol.example.org>");
  expect(mail?.raw).toContain("Date: Sat, 22 Aug 2026 12:00:00 +0000");
  expect(mail?.raw).toContain("List-Unsubscribe: <https://eol.example.org/v1/watch/unsubscribe?token=abc>");
  expect(mail?.raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(mail?.raw).toContain("Auto-Submitted: auto-generated");
  expect(mail?.raw).toContain("text/plain");
  expect(mail?.raw).toContain("text/html");
  expect(mail?.raw).toContain("after a lone dot");
});

test("a mail waits for a process with a mail server for any time, and is no dead letter", async () => {
  const server = await sink();
  await add("m1");
  const holding = mailer(holdingTransport);
  for (let day = 0; day < 20; day += 1) {
    expect(await holding.sendDue()).toMatchObject({ sent: 0, retry: 1, dead: 0 });
    clock.add(DAY);
  }
  expect(await fixture.store.outbox.counts()).toMatchObject({ queued: 1, dead: 0, sent: 0 });
  expect(await mailer(await smtp(server.address)).sendDue()).toMatchObject({ sent: 1 });
  expect(server.received).toHaveLength(1);
});

test("sends no mail twice and no obsolete mail", async () => {
  const server = await sink();
  const sending = mailer(await smtp(server.address));
  for (let index = 0; index < 12; index += 1) await add(`m${index}`);
  await add("z", "a@example.org", "obsolete");
  expect(await sending.sendDue()).toMatchObject({ sent: 12, obsolete: 1 });
  expect(await sending.sendDue()).toMatchObject({ sent: 0, obsolete: 0 });
  expect(server.received).toHaveLength(12);
});

describe("mail server that", () => {
  test("greylists (450, then accepts) gets the mail again once with the same Message-ID", async () => {
    const server = await sink({ recipient: (attempt) => (attempt <= 2 ? 450 : undefined) });
    const sending = mailer(await smtp(server.address));
    await add("grey");
    expect(await sending.sendDue()).toMatchObject({ retry: 1 });
    expect(await sending.sendDue()).toMatchObject({ retry: 0, sent: 0 });
    clock.add(MINUTE);
    expect(await sending.sendDue()).toMatchObject({ retry: 1 });
    clock.add(4 * MINUTE);
    expect(await sending.sendDue()).toMatchObject({ sent: 0 });
    clock.add(MINUTE);
    expect(await sending.sendDue()).toMatchObject({ sent: 1 });
    expect(server.received.map(({ messageId }) => messageId)).toEqual(["<grey@eol.example.org>"]);
  });

  test.each([
    ["refuses the recipient permanently", { recipient: () => 550 }],
    ["refuses the message permanently", { message: () => 554 }],
  ])("%s: the mail becomes a dead letter with its reason until it is retried", async (_, behaviour) => {
    const server = await sink(behaviour);
    const sending = mailer(await smtp(server.address));
    await add("no");
    expect(await sending.sendDue()).toMatchObject({ dead: 1 });
    expect(await fixture.store.outbox.counts()).toMatchObject({ queued: 0, dead: 1 });
    expect((await fixture.store.outbox.deadLetters(5))[0]?.lastError).toMatch(/55[04]/);
    clock.add(DAY);
    expect(await sending.sendDue()).toMatchObject({ dead: 0, sent: 0 });

    const friendly = mailer(await smtp((await sink()).address));
    expect(await fixture.store.outbox.requeue(clock())).toBe(1);
    expect(await friendly.sendDue()).toMatchObject({ sent: 1 });
  });

  test("defers for five days: the pauses grow, then the mail becomes a dead letter", async () => {
    const server = await sink({ message: () => 451 });
    const sending = mailer(await smtp(server.address));
    await add("never");
    const begin = clock();
    const at: number[] = [];
    for (let minute = 0; minute <= 5 * 24 * 60; minute += 1) {
      const { retry, dead } = await sending.sendDue();
      if (retry + dead > 0) at.push((clock() - begin) / MINUTE);
      if (dead > 0) break;
      clock.add(MINUTE);
    }
    expect(at.slice(0, 9)).toEqual([0, 1, 6, 21, 51, 111, 231, 471, 951]);
    expect(at.length).toBe(22);
    expect(at.at(-1)).toBeLessThan(5 * 24 * 60);
    expect(await fixture.store.outbox.counts()).toMatchObject({ dead: 1, queued: 0 });
  });

  test("accepts the mail and drops the connection before its answer: gets it again with the same Message-ID", async () => {
    const server = await sink({ drop: (attempt) => attempt === 1 });
    const sending = mailer(await smtp(server.address));
    await add("interrupted");
    expect(await sending.sendDue()).toMatchObject({ retry: 1 });
    clock.add(MINUTE);
    expect(await sending.sendDue()).toMatchObject({ sent: 1 });
    expect(server.received.map(({ messageId }) => messageId)).toEqual([
      "<interrupted@eol.example.org>",
      "<interrupted@eol.example.org>",
    ]);
  });

  test("answers slowly: the mailer waits", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const server = await sink({ hold: () => answered });
    await add("slow");
    const run = mailer(await smtp(server.address)).sendDue();
    await server.arrived(1);
    expect(await fixture.store.outbox.counts()).toMatchObject({ sent: 0 });
    answer();
    expect(await run).toMatchObject({ sent: 1 });
    expect(server.received).toHaveLength(1);
  });

  test("is unreachable or requires missing credentials: the mail is retried", async () => {
    await add("away");
    expect(await mailer(await smtp("smtp://127.0.0.1:1")).sendDue()).toMatchObject({ retry: 1 });
    const closed = await sink({ options: { authOptional: false } });
    clock.add(MINUTE);
    expect(await mailer(await smtp(closed.address)).sendDue()).toMatchObject({ retry: 1, dead: 0 });
  });
});

test("several senders send each mail once", async () => {
  const server = await sink();
  for (let index = 0; index < 40; index += 1) await add(`m${String(index).padStart(2, "0")}`);
  const senders = [
    mailer(await smtp(server.address)),
    mailer(await smtp(server.address), await fixture.again()),
    mailer(await smtp(server.address), await fixture.again()),
  ];
  const runs = await Promise.all(senders.map((sender) => sender.sendDue()));
  expect(runs.reduce((sum, { sent }) => sum + sent, 0)).toBe(40);
  expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(40);
  expect(server.received).toHaveLength(40);
});

test("waits for a store that fails after the delivery, and sends the mail once", async () => {
  const server = await sink();
  let failures = 2;
  const store: Store = {
    ...fixture.store,
    outbox: {
      ...fixture.store.outbox,
      sent: (...of) => (failures-- > 0 ? Promise.reject(new Error("gone")) : fixture.store.outbox.sent(...of)),
    },
  };
  await add("kept");
  expect(await mailer(await smtp(server.address), store).sendDue()).toMatchObject({ sent: 1 });
  clock.add(DAY);
  expect(await mailer(await smtp(server.address)).sendDue()).toMatchObject({ sent: 0 });
  expect(server.received).toHaveLength(1);
});

test("a stopped sender finishes the current mails and takes no more", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const server = await sink({ hold: () => answered });
  for (let index = 0; index < 20; index += 1) await add(`m${String(index).padStart(2, "0")}`);
  const sending = mailer(await smtp(server.address));
  const run = sending.sendDue();
  await server.arrived(5);
  const stopped = sending.stop();
  answer();
  await stopped;
  const { sent } = await run;
  expect(sent).toBe(5);
  expect(server.received).toHaveLength(5);
  expect(await fixture.store.outbox.counts()).toMatchObject({ sent: 5, queued: 15 });
});

describe("header injection", () => {
  test.each([
    "a@example.org\r\nBcc: b@example.org",
    "a@example.org, b@example.org",
    "A B <a@example.org>",
    "a@example.org\u0000",
  ])("an invalid stored address (%j) is never sent to the mail server", async (email) => {
    const server = await sink();
    await add("bad", email);
    expect(await mailer(await smtp(server.address)).sendDue()).toMatchObject({ dead: 1 });
    expect(server.attempts()).toBe(0);
  });
});

describe("without a mail server", () => {
  let folder = "";
  beforeEach(() => void (folder = join(mkdtempSync(join(tmpdir(), "eolgate-mail-")), "mail")));
  afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

  test("writes each mail once to a file that only the owner can read", async () => {
    const transport = await folderTransport(folder, FROM);
    const sending = mailer(transport);
    await add("one");
    expect(await sending.sendDue()).toMatchObject({ sent: 1 });
    expect(readdirSync(folder)).toEqual(["one.eml"]);
    expect(statSync(join(folder, "one.eml")).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const text = readFileSync(join(folder, "one.eml"), "utf8");
    expect(text).toContain("To: a@example.org");
    expect(text).toContain("Message-ID: <one@eol.example.org>");
  });
});

test.each(["http://mail.example.org", "mail.example.org:25", ""])(
  "%j is an invalid mail server URL",
  async (address) => {
    await expect(smtpTransport(address, FROM)).rejects.toMatchObject({ kind: "config", code: "server-config" });
  },
);

test.each([
  [1, 1],
  [2, 5],
  [3, 15],
  [8, 480],
  [50, 480],
])("waits after failure %i for %i minutes plus up to ten percent", (attempts, minutes) => {
  expect(backOff(attempts, 0)).toBe(minutes * MINUTE);
  expect(backOff(attempts, 1)).toBe(Math.round(minutes * MINUTE * 1.1));
});
