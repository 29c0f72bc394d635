/** `/keys` and `/watch`: the forms for people, the page of a list behind its secret link, and its feeds. */
import type { LightMyRequestResponse } from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import type { Message } from "../../../src/service/mail/message.ts";
import { pages } from "../../../src/service/pages/pages.ts";
import { BROWSER, EVIL } from "./page-fixtures.ts";
import { AFTER_CUT_OFF, startService, stopServices, type Service, type ServiceOptions } from "../service.ts";

afterAll(stopServices);

interface Account extends Service {
  readonly mails: Message[];
  /** Sends the queued mails and returns the newest one. */
  newest(): Promise<Message>;
  /** What a browser sends from the service's own page. */
  form(
    url: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
  /** A confirmed list, and its links as paths. */
  confirmed(list: string, email?: string): Promise<{ readonly page: string; readonly feed: string }>;
}

async function startAccount(options: ServiceOptions = {}): Promise<Account> {
  const mails: Message[] = [];
  const transport = { send: async (mail: Message) => void mails.push(mail), close: () => undefined };
  const service = await startService({ pages, ...options, store: { ...options.store, transport } });
  const newest = async (): Promise<Message> => {
    await service.over.jobs.wake("mails");
    const mail = mails.at(-1);
    if (!mail) throw new Error("no mail was sent");
    return mail;
  };
  const form: Account["form"] = (url, fields, headers = {}) =>
    service.inject({
      method: "POST",
      url,
      remoteAddress: "192.0.2.1",
      headers: {
        ...BROWSER,
        "sec-fetch-site": "same-origin",
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  return {
    ...service,
    mails,
    newest,
    form,
    async confirmed(list, email = "ann@example.org") {
      expect((await form("/watch", { email, list, action: "watch" })).statusCode).toBe(200);
      const confirm = pathIn(await newest(), "/v1/watch/confirm?token=");
      const { body } = await service.inject({ method: "POST", url: confirm, headers: BROWSER });
      const page = /href="(\/watch\/[a-z2-7-]{77})"/.exec(body)?.[1] ?? "";
      const { body: shown } = await service.get(page, BROWSER);
      return { page, feed: /\/watch\/[a-z2-7-]{77}(?=\/calendar\.ics)/.exec(shown)?.[0] ?? "" };
    },
  };
}

/** Returns the path of the first link in a mail whose path begins with `start`. */
function pathIn({ text }: Message, start: string): string {
  const link = text.split(/\s+/).find((word) => word.startsWith(`https://eol.example.org${start}`)) ?? "";
  return link.replace("https://eol.example.org", "");
}

const watchedBy = async ({ fixture }: Service, email: string) =>
  (await fixture.store.watch.confirmedOf(email))?.cycles.map(({ product, cycle }) => `${product}:${cycle}`);

describe.each([
  [true, /was sent to/, "confirmation-sent"],
  [false, /did not leave this service, because it has no mail server/, "confirmation-written"],
])("with a mail server: %s", (sendsMail, outcome, status) => {
  const settings = { open: true, sendsMail };

  test.each([
    ["/keys", { action: "free" }],
    ["/keys", { action: "recover" }],
    ["/watch", { action: "watch", list: "nodejs 20" }],
    ["/watch", { action: "link" }],
  ])("%s %j states what becomes of the mail", async (url, fields) => {
    const service = await startAccount({ settings });
    const { statusCode, body } = await service.form(url, { email: "ann@example.org", ...fields });
    expect([statusCode, body]).toEqual([200, expect.stringMatching(outcome)]);
    expect(/\bsent\b/.test(body)).toBe(sendsMail);
  });

  test.each(["/keys", "/watch", "/paid"])("the page %s says whether there is one", async (url) => {
    const { body } = await (await startAccount({ settings })).get(url, BROWSER);
    expect(body.includes("This service has no mail server.")).toBe(!sendsMail);
    if (!sendsMail) expect(body).not.toMatch(/\bsent\b(?! again)/);
  });

  test.each(["/v1/keys/free", "/v1/keys/recover"])("%s states what becomes of the mail", async (url) => {
    const { message } = (await (await startAccount({ settings })).post(url, { email: "ann@example.org" })).json();
    expect(message).toMatch(outcome);
  });

  test("/v1/sbom/watch states what becomes of the mail", async () => {
    const sbom = {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [{ type: "library", name: "x", purl: "pkg:npm/express@3.0.0" }],
    };
    const answer = await (await startAccount({ settings })).post("/v1/sbom/watch", { email: "ann@example.org", sbom });
    expect(answer.json().status).toBe(status);
  });
});

describe("form for a key", () => {
  test("sends the key by mail only, also after the end of keyless access", async () => {
    const service = await startAccount({ at: AFTER_CUT_OFF });
    const { statusCode, body, headers } = await service.form("/keys", { email: "Ann@Example.org", action: "free" });
    expect([statusCode, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(body).toContain("ann@example.org");
    expect(body).not.toContain("eolg_");
    const key = /eolg_[a-z2-7]+/.exec((await service.newest()).text)?.[0] ?? "";
    expect((await service.get("/v1/products", { "x-api-key": key })).statusCode).toBe(200);

    await service.form("/keys", { email: "ann@example.org", action: "recover" });
    expect((await service.newest()).text).toContain(key);
  });

  test("does not reveal whether an address has a key", async () => {
    const service = await startAccount();
    await service.form("/keys", { email: "ann@example.org", action: "free" });
    const [known, unknown] = await Promise.all(
      ["ann@example.org", "bob@example.org"].map((email) => service.form("/keys", { email, action: "recover" })),
    );
    expect(unknown?.body).toBe(known?.body.replaceAll("ann@", "bob@"));
  });

  test("shares the API limit of five per day and network", async () => {
    const service = await startAccount();
    for (let count = 0; count < 3; count += 1) {
      await service.inject({
        method: "POST",
        url: "/v1/keys/free",
        remoteAddress: "192.0.2.1",
        payload: { email: `api${count}@example.org` },
      });
    }
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await service.form("/keys", { email: `form${count}@example.org`, action: "free" })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await service.form("/keys", { email: "more@example.org", action: "free" });
    expect(refused.headers["retry-after"]).toBe("43200");
    expect(refused.body).toContain('value="more@example.org"');
    expect(refused.body).toContain("The sign-up limit is reached.");
  });

  test.each(["", "ann", "ann@example.org, bob@example.org", EVIL])("shows %j again with the error", async (email) => {
    const service = await startAccount();
    const { statusCode, body } = await service.form("/keys", { email, action: "free" });
    expect(statusCode).toBe(400);
    expect(body).toContain('role="alert"');
    expect(body).toContain("is not an e-mail address");
    expect(body).not.toContain("<img src=x");
  });
});

describe("form for a watch list", () => {
  test.each([
    ["nodejs 18, debian 11", ["nodejs:18", "debian:11"]],
    ["Node.js v18.20.1\r\ndebian:bookworm # our images", ["nodejs:18", "debian:12"]],
    ["pkg:npm/express@4.18.2\nnodejs 18\nNode 18", ["nodejs:18", "express:4"]],
    ["frobos 13.0-sp1", ["frobos:13.0-sp1"]],
  ])("reads %j", async (list, cycles) => {
    const service = await startAccount();
    await service.confirmed(list);
    expect((await watchedBy(service, "ann@example.org"))?.toSorted()).toEqual(cycles.toSorted());
  });

  test("sends a confirmation mail with the labels of the pages", async () => {
    const service = await startAccount();
    const { statusCode, body } = await service.form("/watch", {
      email: "ann@example.org",
      list: "debian 11",
      action: "watch",
    });
    expect(statusCode).toBe(200);
    expect(body).toContain(">Debian 11 (Bullseye)</a>");
    expect(await watchedBy(service, "ann@example.org")).toBeUndefined();
    const mail = await service.newest();
    expect(mail.subject).toBe("Confirm your watch list");
    expect(mail.text).toContain("Debian 11 (Bullseye)");
  });

  test("watches the entries that are recognised, and lists the others", async () => {
    const service = await startAccount();
    const list = `nodejs 18\nfrobnicator 3\nnodejs 999\n${EVIL}`;
    const { statusCode, body } = await service.form("/watch", { email: "ann@example.org", list, action: "watch" });
    expect(statusCode).toBe(200);
    expect(body).toContain("3 entries not recognised, and not watched");
    expect(body).toContain("<li>frobnicator 3: not recognised as a product with a version</li>");
    expect(body).toContain("<li>nodejs 999: ");
    expect(body).not.toContain("<img src=x");
    await service.newest();
    expect(await watchedBy(service, "ann@example.org")).toBeUndefined();
  });

  test.each([
    ["nothing", "", "The list is empty", 400],
    ["an unknown product", "hello\nfrobnicator 3", "Entry 1: not recognised as a product with a version", 400],
    ["a name without a version", "nodejs", "not recognised as a product with a version", 400],
    ["an ambiguous version", "frobos 13.0", "ambiguous", 404],
    ["an unknown version", "nodejs 999", "Entry 1", 404],
    ["an unknown package", "pkg:npm/left-pad@1.0.0", "pkg:npm/left-pad@1.0.0", 404],
    ["an invalid package URL", "pkg:", "Entry 1", 404],
    ["markup", EVIL, "Entry 1", 400],
    ["too many entries", "nodejs 18,".repeat(501), "more than the limit", 400],
  ])("shows %s again with the error and the input", async (_, list, words, status) => {
    const service = await startAccount();
    const { statusCode, body } = await service.form("/watch", { email: "ann@example.org", list, action: "watch" });
    expect(statusCode).toBe(status);
    expect(body.replaceAll("&quot;", '"')).toContain(words);
    expect(body).toContain('value="ann@example.org"');
    expect(body).not.toContain("<img src=x");
    expect(service.mails).toEqual([]);
  });

  test("keeps the riskiest fifty release cycles of a longer list and reports it", async () => {
    const service = await startAccount();
    const { local } = service.editions.current();
    const cycles = local.everyAssessment().slice(0, 52);
    const list = cycles.map(({ releaseCycle }) => `${releaseCycle.product} ${releaseCycle.cycle}`).join("\n");
    const { body } = await service.form("/watch", { email: "ann@example.org", list, action: "watch" });
    expect(body).toContain("The 2 cycles with the lowest risk are not watched.");
    expect(body).toContain("50 release cycles");
  });

  test("counts against the anonymous quota and allows five mails per day and network", async () => {
    const service = await startAccount();
    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      const fields = { email: `user${count}@example.org`, list: "nodejs 18", action: "watch" };
      statuses.push((await service.form("/watch", fields)).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const answer = await service.form("/watch", { email: "x@example.org", list: "nodejs 18", action: "watch" });
    expect(answer.headers).toMatchObject({ "ratelimit-limit": "50", "ratelimit-remaining": "43" });
  });

  test("returns errors as JSON to API clients", async () => {
    const service = await startAccount();
    const answer = await service.form("/watch", { email: "ann@example.org", list: "" }, { accept: "application/json" });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, "invalid-request"]);
  });
});

describe("forms of other origins", () => {
  const fields = { email: "ann@example.org", list: "nodejs 18", action: "free" };

  test.each([
    ["a page of another site", { "sec-fetch-site": "cross-site" }, 403],
    ["another host of the same site", { "sec-fetch-site": "same-site" }, 403],
    ["a browser without Sec-Fetch-Site, from another site", { origin: "https://evil.example" }, 403],
    ["a page that hides its origin", { origin: "null" }, 403],
    ["a browser without Sec-Fetch-Site, from the same site", { origin: "https://eol.example.org" }, 200],
    ["the address bar", { "sec-fetch-site": "none" }, 200],
    ["an API client", {}, 200],
  ])("from %s", async (_, headers, status) => {
    const service = await startAccount();
    for (const url of ["/keys", "/watch"]) {
      const answer = await service.inject({
        method: "POST",
        url,
        headers: { ...BROWSER, "content-type": "application/x-www-form-urlencoded", ...headers },
        payload: new URLSearchParams(fields).toString(),
      });
      expect(answer.statusCode).toBe(status);
    }
    await service.over.jobs.wake("mails");
    expect(service.mails).toHaveLength(status === 200 ? 2 : 0);
  });

  test("pages with forms send a referrer policy with the origin, pages with a secret do not", async () => {
    const service = await startAccount();
    const { page } = await service.confirmed("nodejs 18");
    const policies = await Promise.all(
      ["/keys", "/watch", page].map(async (url) => (await service.get(url, BROWSER)).headers["referrer-policy"]),
    );
    expect(policies).toEqual(["same-origin", "same-origin", "no-referrer"]);
  });
});

describe("page of a list", () => {
  test("shows status and dates with the labels of the pages, is not cached and not indexed", async () => {
    const service = await startAccount();
    const { page } = await service.confirmed("debian 11, nodejs 24");
    const { statusCode, body, headers } = await service.get(page, BROWSER);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body).toContain(">Debian 11 (Bullseye)</a>");
    expect(body).toContain("a***@example.org");
    expect(body).not.toContain("ann@example.org");
    expect(body).toContain("debian 11\nnodejs 24");
  });

  test("saves an edited list at the same URL", async () => {
    const service = await startAccount();
    const { page } = await service.confirmed("debian 11");
    const saved = await service.form(page, { action: "save", list: "nodejs 24\r\npython 3.9" });
    expect([saved.statusCode, saved.headers.location]).toEqual([303, `${page}?saved`]);
    expect((await service.get(`${page}?saved`, BROWSER)).body).toContain("The list is saved.");
    expect(await watchedBy(service, "ann@example.org")).toEqual(["nodejs:24", "python:3.9"]);

    const refused = await service.form(page, { action: "save", list: "nonsense\n24" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Entry 1: ");
    expect(refused.body).toContain("nonsense\n24");
    expect(refused.headers["referrer-policy"]).toBe("no-referrer");
    expect(await watchedBy(service, "ann@example.org")).toEqual(["nodejs:24", "python:3.9"]);
  });

  test.each([
    ["adds what is recognised", "nodejs 24\ndebian 11\nnonsense", ["debian:11", "nodejs:24", "python:3.9"]],
    ["removes nothing", "nodejs 24\npyton 3.9", ["nodejs:24", "python:3.9"]],
  ])("an edited list with an entry that is not recognised %s", async (_, list, expected) => {
    const service = await startAccount();
    const { page } = await service.confirmed("nodejs 24\npython 3.9");
    const { statusCode, headers, body } = await service.form(page, { action: "save", list });
    expect([statusCode, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(body).toContain("1 entry not recognised, and not watched:");
    expect(body).toContain(`<li>${list.split("\n").at(-1) ?? ""}: not recognised as a product with a version</li>`);
    expect(body).toContain(list);
    const watched = await watchedBy(service, "ann@example.org");
    expect(watched?.toSorted()).toEqual(expected);
  });

  test("resends the link to the owner and gives the same answer to other addresses", async () => {
    const service = await startAccount();
    const { page } = await service.confirmed("nodejs 24");
    const answer = await service.form("/watch", { action: "link", email: "ann@example.org" });
    expect(pathIn(await service.newest(), "/watch/")).toBe(page);
    const other = await service.form("/watch", { action: "link", email: "bob@example.org" });
    expect(other.body).toBe(answer.body.replaceAll("ann@", "bob@"));
    expect((await service.newest()).to).toBe("ann@example.org");
  });

  test("no longer exists after the list is deleted", async () => {
    const service = await startAccount();
    const { page, feed } = await service.confirmed("nodejs 24");
    const { body } = await service.get(page, BROWSER);
    const end = /\/v1\/watch\/unsubscribe\?token=[a-z2-7-]{77}/.exec(body)?.[0] ?? "";
    expect((await service.get(end, BROWSER)).statusCode).toBe(200);
    expect(await watchedBy(service, "ann@example.org")).toEqual(["nodejs:24"]);
    expect((await service.inject({ method: "POST", url: end })).statusCode).toBe(200);
    for (const url of [page, `${feed}/calendar.ics`]) expect((await service.get(url)).statusCode).toBe(404);
    expect((await service.form(page, { action: "save", list: "nodejs 24" })).statusCode).toBe(404);
  });

  test("requires its own token", async () => {
    const service = await startAccount();
    const { page, feed } = await service.confirmed("nodejs 24");
    const other = await service.confirmed("nodejs 24", "bob@example.org");
    const swapped = `${page.slice(0, 31)}${other.page.slice(31)}`;
    const changed = `${page.slice(0, -1)}${page.endsWith("a") ? "b" : "a"}`;
    for (const url of [feed, swapped, changed, page.slice(0, 31), `${page}x`, "/watch/guess", "/watch/%00"]) {
      expect((await service.get(url, BROWSER)).statusCode, url).toBe(404);
      expect((await service.form(url, { action: "save", list: "nodejs 24" })).statusCode, url).toBe(404);
    }
    expect((await service.get(`${page}/calendar.ics`)).statusCode).toBe(404);
  });

  test("a pending list has no page and no feed", async () => {
    const service = await startAccount();
    const { page } = await service.confirmed("nodejs 24");
    await service.form("/watch", { email: "ann@example.org", list: "debian 11", action: "watch" });
    expect((await service.get(page, BROWSER)).body).toContain("nodejs 24");
  });

  test("logs contain the route, but never the link", async () => {
    const lines: unknown[] = [];
    const note = (facts: object, message: string): void => void lines.push({ facts, message });
    const service = await startAccount({ log: { info: note, warn: note, error: note } });
    const { page, feed } = await service.confirmed("nodejs 24");
    await service.get(`${feed}/calendar.ics`);
    await service.form(page, { action: "save", list: "nonsense" });
    const log = JSON.stringify(lines);
    expect(log).toContain("/watch/:link");
    for (const secret of [page, feed].map((path) => path.slice("/watch/".length))) {
      for (const part of secret.split("-")) expect(log).not.toContain(part);
    }
    expect(log).not.toContain("ann@example.org");
  });
});

describe("feeds of a list", () => {
  test("contain the end dates of its release cycles at a read-only URL", async () => {
    const service = await startAccount();
    const { page, feed } = await service.confirmed("debian 11, nodejs 24");
    const calendar = await service.get(`${feed}/calendar.ics`);
    expect(calendar.headers).toMatchObject({
      "content-type": "text/calendar; charset=utf-8",
      "cache-control": "private, no-cache",
      "referrer-policy": "no-referrer",
    });
    expect(calendar.body.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(calendar.body).toContain("SUMMARY:Debian 11 (Bullseye): end of Debian LTS 2026-08-31");
    const atom = await service.get(`${feed}/feed.atom`);
    expect(atom.headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
    expect(atom.body).toContain("<title>Node.js 24");
    expect(atom.body).toContain(`<id>https://eol.example.org${feed}/feed.atom</id>`);
    for (const { body } of [calendar, atom]) expect(body).not.toContain(page.slice(-52));

    const again = await service.get(`${feed}/calendar.ics`, { "if-none-match": String(calendar.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });
});

describe("alerts", () => {
  test("added release cycles cause alerts for later events only", async () => {
    const service = await startAccount({ at: "2026-09-01T12:00:00Z" });
    const { page } = await service.confirmed("nodejs 24");
    await service.newest();
    const before = service.mails.length;
    await service.form(page, { action: "save", list: "nodejs 24\nnodejs 18\nfrobos 13.0-sp2" });
    await service.over.jobs.wake("alerts");
    await service.newest();
    expect(service.mails).toHaveLength(before);
    service.clock.set("2026-11-03T00:00:00Z");
    await service.over.jobs.wake("alerts");
    expect((await service.newest()).subject).toBe("FrobOS 13.0-sp2 reaches its end of life in 89 days");
  });
});

describe("prices", () => {
  const ADDRESS = "https://checkout.stripe.example/c/cs_test_1?a=1&b=2";
  const selling = async (): Promise<Account & { readonly sold: string[] }> => {
    const sold: string[] = [];
    const payments = () => ({
      checkout: async (tier: string) => {
        sold.push(tier);
        return { id: "cs_test_1", url: ADDRESS };
      },
      webhook: async () => undefined,
    });
    return { ...(await startAccount({ store: { payments } })), sold };
  };

  test("are shown with a button for each plan that is sold", async () => {
    const service = await selling();
    const { body } = await service.get("/prices", BROWSER);
    expect([...body.matchAll(/<button type="submit">(Buy \w+)</g)].map(([, text]) => text)).toEqual([
      "Buy starter",
      "Buy pro",
    ]);
    for (const price of ["89 a month", "199 a month", "10,000"]) expect(body).toContain(price);
    expect(body).not.toContain("anonymous");
  });

  test("a button leads to the payment, by itself and by a link", async () => {
    const service = await selling();
    const { statusCode, headers, body } = await service.form("/prices", { tier: "pro" });
    expect([statusCode, headers["refresh"], headers["cache-control"]]).toEqual([200, `0;url=${ADDRESS}`, "no-store"]);
    expect(body).toContain(`href="${ADDRESS.replace("&", "&amp;")}"`);
    expect(service.sold).toEqual(["pro"]);
  });

  test.each([
    [{ tier: "enterprise" }, {}, 400],
    [{}, {}, 400],
    [{ tier: "pro" }, { "sec-fetch-site": "cross-site" }, 403],
  ])("%j with %j is refused", async (fields, headers, status) => {
    const service = await selling();
    expect((await service.form("/prices", fields, headers)).statusCode).toBe(status);
    expect(service.sold).toEqual([]);
  });

  test("have no button on a server that sells nothing", async () => {
    const service = await startAccount();
    expect((await service.get("/prices", BROWSER)).body).not.toContain('<button type="submit">Buy');
    expect((await service.form("/prices", { tier: "pro" })).statusCode).toBe(501);
  });

  test("the pages after the payment state what was paid and where the key is", async () => {
    const service = await startAccount();
    expect((await service.get("/prices/cancelled", BROWSER)).body).toContain("Nothing was paid.");
    const { body } = await service.get("/paid", BROWSER);
    expect(body).toContain("The key comes by mail");
    expect(body).toContain('href="/keys"');
  });
});
