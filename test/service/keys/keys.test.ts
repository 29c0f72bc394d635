import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKeys, listKeys, LOCAL_EMAIL } from "../../../src/service/keys/keys.ts";
import type { Keys } from "../../../src/service/keys/keys.ts";
import { hashOf, idOfKey, keyId, keyText, parseSecrets } from "../../../src/service/keys/secret.ts";
import { DEFAULT_TIERS } from "../../../src/service/keys/tiers.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { clockAt, SECRETS, testStore } from "../harness.ts";
import type { StoreFixture } from "../harness.ts";

const clock = clockAt("2026-08-22T12:00:00Z");
let fixture: StoreFixture;
let keys: Keys;
beforeEach(async () => {
  clock.set("2026-08-22T12:00:00Z");
  fixture = await testStore();
  keys = createKeys({ store: fixture.store, secrets: SECRETS, tiers: DEFAULT_TIERS, clock });
});
afterEach(() => fixture.close());

const queued = async () => {
  const mails = await fixture.store.outbox.claim("test", clock(), clock() + 1, 100);
  return mails.map(({ kind, email, facts }) => [kind, email, JSON.parse(facts)]);
};

describe("text of a key", () => {
  const id = keyId(Buffer.alloc(10, 7));
  const text = keyText(id, SECRETS.current);

  test("has a prefix for secret scanners, an id, a proof and a checksum", () => {
    expect(text).toMatch(/^eolg_[a-z2-7]{48}$/);
    expect(idOfKey(text)).toBe(id);
    expect(text.slice(5, 21)).toBe(id);
  });

  test("depends on the secret and the id only", () => {
    expect(keyText(id, SECRETS.current)).toBe(text);
    expect(keyText(id, parseSecrets("x".repeat(32), "test").current)).not.toBe(text);
  });

  test.each([
    ["one character changed", `${text.slice(0, 20)}${text[20] === "a" ? "b" : "a"}${text.slice(21)}`],
    ["another prefix", text.replace("eolg_", "eolh_")],
    ["truncated", text.slice(0, -1)],
    ["longer", `${text}a`],
    ["upper case", text.toUpperCase()],
    ["empty", ""],
    ["a trailing newline", `${text}\n`],
  ])("%s is refused without a query to the store", (_, wrong) => {
    expect(idOfKey(wrong)).toBeUndefined();
  });
});

describe("keys", () => {
  test("a free key is recognised, and its outbox row contains no key", async () => {
    await keys.mailFree("A.User@Example.org", "192.0.2.1");
    const [[kind, email, facts] = []] = await queued();
    expect([kind, email]).toEqual(["key", "a.user@example.org"]);
    expect(JSON.stringify(facts)).not.toContain("eolg_");
    const key = await keys.textOf(facts.keyId);
    expect(await keys.authenticate(key?.text ?? "")).toMatchObject({ tier: { name: "free", requestsPerDay: 150 } });
  });

  test("the same address gets the same key and no second quota", async () => {
    await keys.mailFree("a@example.org", "192.0.2.1");
    await keys.mailFree(" A@EXAMPLE.ORG ", "192.0.2.2");
    const [one, two] = await queued();
    expect(one?.[2].keyId).toBe(two?.[2].keyId);
  });

  test("a lost key is sent again; an address without one gets the same answer and no mail", async () => {
    const { id } = await keys.create("a@example.org", "pro");
    expect(await keys.recover("a@example.org", "192.0.2.1")).toEqual({ email: "a@example.org" });
    expect(await keys.recover("b@example.org", "192.0.2.1")).toEqual({ email: "b@example.org" });
    expect(await queued()).toEqual([["key", "a@example.org", { kind: "key", why: "recovery", keyId: id }]]);
  });

  test.each([
    ["empty", ""],
    ["no domain", "a@"],
    ["two addresses", "a@example.org,b@example.org"],
    ["a display name", "A <a@example.org>"],
    ["an appended header", "a@example.org\r\nBcc: b@example.org"],
    ["a NUL", "a\u0000@example.org"],
    ["a bare host", "a@localhost"],
    ["a quoted part", '"a b"@example.org'],
    ["too long", `${"a".repeat(65)}@example.org`],
    ["far too long", `a@${"b".repeat(100_000)}.org`],
    ["look-alike characters of another script", "а@еxample.org"],
  ])("an invalid address (%s) is refused and not counted", async (_, email) => {
    await expect(keys.mailFree(email, "192.0.2.1")).rejects.toMatchObject({ kind: "usage", code: "invalid-email" });
    expect(await queued()).toEqual([]);
  });

  test("allows five sign-ups per day and network, and three mails per day and address", async () => {
    for (let index = 0; index < 5; index += 1) await keys.mailFree(`u${index}@example.org`, "192.0.2.1");
    await expect(keys.mailFree("u5@example.org", "192.0.2.1")).rejects.toMatchObject({
      kind: "quota",
      code: "signup-limit",
    });
    for (const from of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) await keys.recover("u0@example.org", from);
    await expect(keys.recover("u0@example.org", "192.0.2.4")).rejects.toMatchObject({ code: "signup-limit" });
    clock.set("2026-08-23T00:00:00Z");
    await expect(keys.mailFree("u0@example.org", "192.0.2.1")).resolves.toMatchObject({ email: "u0@example.org" });
  });

  test("addresses that differ in a tag share one quota and one mail limit", async () => {
    const texts = await Promise.all(
      ["a@example.org", "a+one@example.org", "A+two+three@example.org"].map(async (email) =>
        keys.create(email, "free"),
      ),
    );
    const holders = await Promise.all(texts.map(async ({ text }) => keys.authenticate(text)));
    expect(new Set(holders.map((holder) => holder?.id)).size).toBe(1);
    const other = await keys.authenticate((await keys.create("b+one@example.org", "free")).text);
    expect(other?.id).not.toBe(holders[0]?.id);
    for (const [index, tag] of ["", "+1", "+2"].entries())
      await keys.mailFree(`a${tag}@example.org`, `192.0.2.${index}`);
    await expect(keys.mailFree("a+3@example.org", "192.0.2.9")).rejects.toMatchObject({ code: "signup-limit" });
  });

  test("a revoked key is refused immediately, and within two seconds by other processes", async () => {
    const other = createKeys({ store: await fixture.again(), secrets: SECRETS, tiers: DEFAULT_TIERS, clock });
    const { id, text } = await keys.create("a@example.org", "pro");
    expect(await other.authenticate(text)).toBeDefined();
    await keys.revoke(id);
    expect(await keys.authenticate(text)).toBeUndefined();
    clock.add(1_000);
    expect(await other.authenticate(text)).toBeUndefined();
    await expect(keys.revoke(id)).rejects.toMatchObject({ kind: "not-found" });
  });

  test("an end of payment applies in other processes within two seconds", async () => {
    const other = createKeys({ store: await fixture.again(), secrets: SECRETS, tiers: DEFAULT_TIERS, clock });
    const { id, text } = await keys.create("a@example.org", "pro");
    expect(await other.authenticate(text)).toMatchObject({ tier: { name: "pro" } });
    await fixture.store.keys.setPaidUntil(id, clock());
    clock.add(1_000);
    expect(await other.authenticate(text)).toMatchObject({ tier: { name: "free" } });
  });

  test("a known key is read from the store every 15 seconds while no key changes", async () => {
    let reads = 0;
    const counting = { ...fixture.store.keys, byId: (id: string) => ((reads += 1), fixture.store.keys.byId(id)) };
    const many = createKeys({
      store: { ...fixture.store, keys: counting },
      secrets: SECRETS,
      tiers: DEFAULT_TIERS,
      clock,
    });
    const { text } = await many.create("a@example.org", "pro");
    reads = 0;
    for (let second = 0; second < 14; second += 1) {
      expect(await many.authenticate(text)).toBeDefined();
      clock.add(1_000);
    }
    expect(reads).toBe(1);
  });

  test.each([
    ["signed with another server's secret", (id: string) => keyText(id, parseSecrets("y".repeat(40), "test").current)],
    ["with an unknown id", () => keyText(keyId(Buffer.alloc(10, 1)), SECRETS.current)],
    ["that is malformed", () => "eolg_"],
  ])("refuses a key %s", async (_, make) => {
    const { id } = await keys.create("a@example.org", "pro");
    expect(await keys.authenticate(make(id))).toBeUndefined();
  });

  test("the store contains no usable key", async () => {
    const { id, text } = await keys.create("a@example.org", "pro");
    const row = await fixture.store.keys.byId(id);
    expect(row?.hash).toBe(hashOf(text));
    expect(JSON.stringify(row)).not.toContain(text.slice(5 + 16));
  });

  test("after a rotation of the secret, old keys are valid and new keys have the new version", async () => {
    const old = await keys.create("old@example.org", "pro");
    const both = parseSecrets(`2:${"newer-".repeat(8)}\n1:${"test-only-".repeat(5)}`, "test");
    const rotated = createKeys({ store: fixture.store, secrets: both, tiers: DEFAULT_TIERS, clock });
    expect(await rotated.authenticate(old.text)).toBeDefined();
    expect((await rotated.textOf(old.id))?.text).toBe(old.text);
    const fresh = await rotated.create("new@example.org", "pro");
    expect((await fixture.store.keys.byId(fresh.id))?.secretVersion).toBe(2);

    const newOnly = createKeys({
      store: fixture.store,
      secrets: parseSecrets(`2:${"newer-".repeat(8)}`, "test"),
      tiers: DEFAULT_TIERS,
      clock,
    });
    expect(await newOnly.authenticate(old.text)).toBeDefined();
    const resent = await newOnly.textOf(old.id);
    expect(resent?.text).not.toBe(old.text);
    expect(await newOnly.authenticate(resent?.text ?? "")).toBeDefined();
    expect(await newOnly.authenticate(old.text)).toBeUndefined();
  });

  test("a paid key falls back to the free tier and to the free key's counter when payment ends", async () => {
    const paid = await keys.create("a@example.org", "pro");
    const free = await keys.create("a@example.org", "free");
    await fixture.store.keys.setPaidUntil(paid.id, Date.parse("2026-09-01T00:00:00Z"));
    expect(await keys.authenticate(paid.text)).toMatchObject({ tier: { name: "pro" } });
    clock.set("2026-09-01T00:00:00Z");
    const [one, two] = [await keys.authenticate(paid.text), await keys.authenticate(free.text)];
    expect(one).toMatchObject({ tier: { name: "free" } });
    expect(one?.id).toBe(two?.id);
  });

  test("the server's own key is created once", async () => {
    const local = await keys.createLocal();
    expect(local).toMatchObject({ email: LOCAL_EMAIL, tier: "enterprise", fresh: true });
    expect(await keys.authenticate(local?.text ?? "")).toMatchObject({ tier: { requestsPerDay: null } });
    expect(await keys.createLocal()).toBeUndefined();
  });

  test("an unknown tier is refused with a list of the existing ones", async () => {
    await expect(keys.create("a@example.org", "gold")).rejects.toMatchObject({
      code: "invalid-value",
      hint: expect.stringContaining("starter"),
    });
    await expect(keys.create("a@example.org", "anonymous")).rejects.toMatchObject({ code: "invalid-value" });
  });

  test("lists every key", async () => {
    await keys.create("a@example.org", "pro");
    await keys.create("b@example.org", "free");
    const emails: string[] = [];
    for await (const { email } of listKeys(fixture.store)) emails.push(email);
    expect(emails.sort()).toEqual(["a@example.org", "b@example.org"]);
  });

  test("known keys are accepted for a while when the store is unavailable, unknown ones are not", async () => {
    const { text } = await keys.create("a@example.org", "pro");
    const { text: never } = await keys.create("b@example.org", "pro");
    let down = false;
    const store: Store = {
      ...fixture.store,
      keys: {
        ...fixture.store.keys,
        byId: (id) =>
          down
            ? Promise.reject(EolgateError.raw("unavailable", { code: "store-unavailable", message: "down" }))
            : fixture.store.keys.byId(id),
      },
    };
    const during = createKeys({ store, secrets: SECRETS, tiers: DEFAULT_TIERS, clock });
    expect(await during.authenticate(text)).toBeDefined();
    down = true;
    clock.add(60_000);
    expect(await during.authenticate(text)).toBeDefined();
    await expect(during.authenticate(never)).rejects.toMatchObject({ kind: "unavailable" });
    clock.add(10 * 60_000);
    await expect(during.authenticate(text)).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("a key that was refused is not accepted again when the store becomes unavailable", async () => {
    const { id, text } = await keys.create("a@example.org", "pro");
    const unavailable = () =>
      Promise.reject(EolgateError.raw("unavailable", { code: "store-unavailable", message: "down" }));
    let down = false;
    const rows = {
      ...fixture.store.keys,
      mark: unavailable,
      byId: (of: string) => (down ? unavailable() : fixture.store.keys.byId(of)),
    };
    const other = createKeys({
      store: { ...fixture.store, keys: rows },
      secrets: SECRETS,
      tiers: DEFAULT_TIERS,
      clock,
    });
    expect(await other.authenticate(text)).toBeDefined();
    await keys.revoke(id);
    clock.add(60_000);
    expect(await other.authenticate(text)).toBeUndefined();
    down = true;
    await expect(other.authenticate(text)).rejects.toMatchObject({ kind: "unavailable" });
  });
});
