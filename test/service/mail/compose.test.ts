import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import { watchLink } from "../../../src/service/alerts/manage.ts";
import { createWatch } from "../../../src/service/alerts/watch.ts";
import { createKeys, type Keys } from "../../../src/service/keys/keys.ts";
import { DEFAULT_TIERS } from "../../../src/service/keys/tiers.ts";
import { compose } from "../../../src/service/mail/compose.ts";
import { htmlOf, maskEmail, parseEmail, textOf } from "../../../src/service/mail/message.ts";
import { type AlertDetails, type MailContent, queuedMail } from "../../../src/service/mail/content.ts";
import { catalogueOf, clockAt, SECRETS, testStore, type StoreFixture } from "../harness.ts";
import type { NewMail } from "../../../src/service/store/store.ts";

const clock = clockAt("2026-08-22T12:00:00Z");
let fixture: StoreFixture;
let keys: Keys;
beforeEach(async () => {
  fixture = await testStore();
  keys = createKeys({ store: fixture.store, secrets: SECRETS, tiers: DEFAULT_TIERS, clock });
});
afterEach(() => fixture.close());

const composed = (facts: MailContent, email = "a@example.org") => composedRow(queuedMail(facts, email, clock()));
const composedRow = (row: NewMail) =>
  compose(
    { ...row, attempts: 1, since: 0, lastError: null },
    { store: fixture.store, secrets: SECRETS, keys, publicUrl: "https://eol.example.org", domain: "eol.example.org" },
  );

const alert: AlertDetails = {
  trigger: "30-days",
  product: "nodejs",
  productName: "Node.js",
  cycle: "20",
  label: "Node.js 20 (Iron)",
  status: "approaching",
  eolDate: asIsoDate("2026-09-21"),
  precision: "day",
  track: null,
  daysUntilEol: 30,
  daysPastEol: null,
  doubt: null,
  score: 45,
  source: "vendor-fetched",
  sourceUrl: "https://vendor.example/schedule.json?a=1&b=2",
  verifiedAt: asIsoDate("2026-08-20"),
  confidence: "high",
  latest: "20.19.0",
  support: "Vendor Ltd",
  upgrade: {
    targets: [
      { label: "Node.js 26", end: "2029-04-30" },
      { label: "Node.js 24", end: null },
    ],
    endsSoon: false,
    successor: null,
  },
};

const listId = async (): Promise<string> => {
  const watches = createWatch({
    store: fixture.store,
    secrets: SECRETS,
    clock,
    catalogue: () => catalogueOf({ "nodejs:20": "2026-09-21" }),
  });
  await watches.watch("a@example.org", [{ product: "nodejs", cycle: "20" }]);
  const [mail] = await fixture.store.outbox.claim("test", clock(), clock() + 1, 10);
  return JSON.parse(mail?.facts ?? "{}").listId;
};

const confirmedId = async (): Promise<string> => {
  const id = await listId();
  await fixture.store.watch.confirm(id, clock());
  return id;
};

const mail = async (over: Partial<AlertDetails> = {}) =>
  composed({
    kind: "watch-alert",
    listId: await confirmedId(),
    day: asIsoDate("2026-08-22"),
    alerts: [{ ...alert, ...over }],
  });

describe("alert mail", () => {
  test("states what ends, when and by which source, as text and HTML", async () => {
    const message = await mail();
    expect(message?.subject).toBe("Node.js 20 (Iron) reaches its end of life in 30 days");
    const page = /https:\S+\/watch\/[a-z2-7]{24}-[a-z2-7]{52}(?=\n)/.exec(message?.text ?? "")?.[0];
    expect(message?.text).toBe(
      [
        "eolgate at eol.example.org",
        "",
        "Node.js 20 (Iron) reaches its end of life in 30 days",
        "  Upgrade to: Node.js 26 (until 2029-04-30) or Node.js 24 (no end announced)",
        "  End of life: 2026-09-21, 30 days left",
        "  Risk score: 45 of 100",
        "  Latest release: 20.19.0",
        "  Extended support: Vendor Ltd",
        "  Source: vendor, checked on 2026-08-20, high confidence <https://vendor.example/schedule.json?a=1&b=2>",
        "  https://eol.example.org/score/nodejs/20",
        "",
        "Open your watch list:",
        page,
        "",
        "-- ",
        "You receive this mail because you confirmed a watch list for 1 release cycle.",
        `Your watch list: ${page}`,
        `Unsubscribe: ${message?.unsubscribe}`,
        "",
      ].join("\n"),
    );
    for (const fact of [
      "2026-09-21",
      "vendor, checked on",
      "2026-08-20",
      "high confidence",
      "score/nodejs/20",
      "Unsubscribe",
      "eolgate at eol.example.org",
      "Node.js 26 (until 2029-04-30)",
      `${page}"`,
    ]) {
      expect(message?.html).toContain(fact);
    }
    expect(message?.html).toContain('name="viewport" content="width=device-width');
    expect(message?.unsubscribe).toMatch(
      /^https:\/\/eol\.example\.org\/v1\/watch\/unsubscribe\?token=[a-z2-7]{24}-[a-z2-7]{52}$/,
    );
  });

  test.each<readonly [string, Partial<AlertDetails>, string]>([
    ["twelve months", { trigger: "12-months" }, "Node.js 20 (Iron) reaches its end of life within 12 months"],
    ["one day", { trigger: "7-days", daysUntilEol: 1 }, "Node.js 20 (Iron) reaches its end of life in 1 day"],
    ["passed", { trigger: "passed", status: "eol" }, "Node.js 20 (Iron) has reached its end of life"],
    [
      "KEV",
      { trigger: "kev", cve: "CVE-2026-1" },
      "CVE-2026-1 is exploited, and Node.js 20 (Iron) has reached its end of life",
    ],
  ])("%s", async (_, over, subject) => {
    expect((await mail(over))?.subject).toBe(subject);
  });

  test.each<readonly [string, Partial<AlertDetails>, string]>([
    ["a month", { precision: "month" }, "End of life: 2026-09-21 (the source states only the month), 30 days left"],
    ["a quarter", { precision: "quarter" }, "2026-09-21 (the source states only the quarter), 30 days left"],
    ["about a month", { precision: "about" }, "2026-09-21 (the source states this month as approximate), 30 days left"],
    ["past", { daysUntilEol: null, daysPastEol: 1 }, "End of life: 2026-09-21, 1 day ago"],
    ["no date", { eolDate: null, status: "eol" }, "End of life: ended, date not published"],
    ["moved", { movedFrom: asIsoDate("2026-08-31") }, "The date moved: it was 2026-08-31"],
    ["exploited", { trigger: "kev", cve: "CVE-2026-1" }, "<https://nvd.nist.gov/vuln/detail/CVE-2026-1>"],
    ["no source page", { sourceUrl: null, verifiedAt: null }, "Source: vendor, high confidence\n"],
    [
      "an upgrade that ends soon",
      { upgrade: { targets: [{ label: "Node.js 21", end: "2026-12-01" }], endsSoon: true, successor: null } },
      "Upgrade to: Node.js 21 (until 2026-12-01), which end within 6 months too",
    ],
    ["that there is no upgrade target", { upgrade: null }, "Upgrade to: no supported release cycle is recorded"],
    ["a successor", { upgrade: { targets: [], endsSoon: false, successor: "Deno" } }, "Upgrade to: replaced by Deno"],
  ])("states %s", async (_, over, words) => {
    expect((await mail(over))?.text).toContain(words);
  });

  test("has the most urgent event in the subject", async () => {
    const alerts = [
      alert,
      { ...alert, trigger: "passed", label: "Node.js 18" } as const,
      { ...alert, trigger: "12-months" } as const,
    ];
    const message = await composed({
      kind: "watch-alert",
      listId: await confirmedId(),
      day: asIsoDate("2026-08-22"),
      alerts,
    });
    expect(message?.subject).toBe("Node.js 18 has reached its end of life, and 2 more");
  });

  test("escapes hostile text in both forms", async () => {
    const message = await mail({
      label: '<script>alert(1)</script>"&\u202e\r\nBcc: x@example.org',
      sourceUrl: 'javascript:alert(1)//"><img src=x>',
      latest: "<img src=x onerror=alert(1)>",
      upgrade: { targets: [{ label: "<img src=x>\u202e", end: null }], endsSoon: false, successor: "<script>" },
    });
    expect(message?.html).not.toMatch(/<script|<img|javascript:[^&]*"|\u202e/);
    expect(message?.html).toContain('href="#"');
    expect(message?.subject).not.toMatch(/[\r\n\u202e]/);
    expect(message?.text).not.toMatch(/\r|\u202e/);
  });
});

test("a confirmation mail has one link, lists every release cycle, and has no unsubscribe link", async () => {
  const releaseCycles = Array.from({ length: 50 }, (_, index) => ({
    product: asProductSlug(`product-${index}`),
    cycle: "1.2",
    label: `product-${index} 1.2`,
  }));
  const message = await composed({ kind: "watch-confirm", listId: await listId(), cycles: releaseCycles });
  expect(message?.text).toMatch(/https:\/\/eol\.example\.org\/v1\/watch\/confirm\?token=[a-z2-7]{24}-[a-z2-7]{52}/);
  for (const { product } of releaseCycles) expect(message?.text).toContain(`${product} 1.2`);
  expect(message?.unsubscribe).toBeUndefined();
});

test("resends the link to a list with the same page and unsubscribe link as in other mails", async () => {
  const id = await confirmedId();
  const message = await composed({ kind: "watch-link", listId: id });
  expect(message?.text).toContain(`https://eol.example.org/watch/${watchLink("manage", id, SECRETS.current)}\n`);
  expect(message?.unsubscribe).toContain(watchLink("unsubscribe", id, SECRETS.current));
});

test("the mail of a key contains the key, the tier and instructions; the outbox row does not contain the key", async () => {
  const key = await keys.create("a@example.org", "starter");
  const message = await composed({ kind: "key", why: "paid", keyId: key.id });
  expect(message?.subject).toBe("Your API key for the starter plan");
  expect(message?.text).toContain(`    ${key.text}\n`);
  expect(message?.html).toContain(key.text);
  expect(message?.text).toContain("X-API-Key");
});

test.each([
  [
    "a revoked key",
    async () => {
      const key = await keys.create("a@example.org", "free");
      await keys.revoke(key.id);
      return { kind: "key", why: "recovery", keyId: key.id } as const;
    },
  ],
  ["a deleted list", async () => ({ kind: "watch-confirm", listId: "gone", cycles: [] }) as const],
  [
    "a list that was confirmed meanwhile",
    async () => {
      const id = await listId();
      await fixture.store.watch.confirm(id, clock());
      return { kind: "watch-confirm", listId: id, cycles: [] } as const;
    },
  ],
])("drops the mail when obsolete: %s", async (_, facts) => {
  expect(await composed(await facts())).toBeUndefined();
});

test("composes the same mail with the same Message-ID from the same row", async () => {
  const key = await keys.create("a@example.org", "free");
  const row = {
    ...queuedMail({ kind: "key", why: "sign-up", keyId: key.id }, "a@example.org", clock()),
    attempts: 1,
    since: 0,
    lastError: null,
  };
  const options = {
    store: fixture.store,
    secrets: SECRETS,
    keys,
    publicUrl: "https://e.example.org",
    domain: "e.example.org",
  };
  expect(await compose(row, options)).toEqual(await compose({ ...row, attempts: 9 }, options));
});

test("renders every block as text and HTML", () => {
  const blocks = [
    { kind: "paragraph", text: "a < b" },
    { kind: "code", text: "x" },
    { kind: "button", text: "Go", url: "https://e.example.org/?a=1&b=2" },
    { kind: "footer", text: "end" },
  ] as const;
  expect(textOf(blocks)).toBe("a < b\n\n    x\n\nGo:\nhttps://e.example.org/?a=1&b=2\n\n-- \nend\n");
  const page = htmlOf("t", blocks);
  expect(page).toContain("<p>a &lt; b</p>");
  expect(page).toContain('href="https://e.example.org/?a=1&amp;b=2"');
});

test.each([
  ["a@example.org", "a@example.org"],
  [" A.B+c@Example.ORG\t", "a.b+c@example.org"],
  ["a@example.org\n", "a@example.org"],
  ["a\n@example.org", undefined],
  ["a@b", undefined],
  ["a@-b.org", undefined],
  ["a..b@example.org", undefined],
  [5, undefined],
  [null, undefined],
])("%j → %j", (text, expected) => {
  expect(parseEmail(text)).toBe(expected);
});

test("logs contain only the first letter and the domain of an address", () => {
  expect(maskEmail("alice@example.org")).toBe("a***@example.org");
});
