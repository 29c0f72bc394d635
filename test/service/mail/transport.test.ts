/** Every kind of mail of a watch list and a key, composed by the service and received over a real SMTP server. */
import { afterAll, expect, test } from "vitest";
import { smtpTransport } from "../../../src/service/mail/transport.ts";
import { PUBLIC_URL, startService, stopServices } from "../service.ts";
import { readMail, type ReadMail } from "./received.ts";
import { startSink, type Sink } from "./smtp-sink.ts";

const sinks: Sink[] = [];
afterAll(async () => {
  // Ends the connections that the transports keep.
  await stopServices();
  for (const sink of sinks) await sink.close();
});

async function startMailing() {
  const sink = await startSink();
  sinks.push(sink);
  const transport = await smtpTransport(sink.address, "alerts@eol.example.org");
  const service = await startService({ at: "2026-09-01T12:00:00Z", store: { transport } });
  const newest = async (): Promise<ReadMail> => {
    await service.over.jobs.wake("mails");
    return readMail(sink.received.at(-1)?.raw ?? "");
  };
  return { service, newest };
}

const tokenIn = ({ text }: ReadMail, start: string): string => {
  const link = text.split(/\s+/).find((word) => word.startsWith(`${PUBLIC_URL}${start}`)) ?? "";
  return link.slice(`${PUBLIC_URL}${start}`.length);
};

test("each mail names the service, has text and HTML, and links to its subject", async () => {
  const { service, newest } = await startMailing();
  const { watches, keys } = service.over.services;
  const email = "ann@example.org";
  const mails: Record<string, ReadMail> = {};
  await keys.mailFree(email, "192.0.2.1");
  mails["key"] = await newest();
  await watches.watch(email, [{ product: "frobos", cycle: "13.0-sp2" }]);
  mails["confirm"] = await newest();
  await watches.confirm(tokenIn(mails["confirm"], "/v1/watch/confirm?token="));
  mails["welcome"] = await newest();
  await watches.mailLink(email, "192.0.2.1");
  mails["link"] = await newest();
  service.clock.set("2026-11-03T00:00:00Z");
  await service.over.jobs.wake("alerts");
  mails["alert"] = await newest();

  expect(Object.entries(mails).map(([name, { headers }]) => [name, headers["subject"]])).toEqual([
    ["key", "Your API key"],
    ["confirm", "Confirm your watch list"],
    ["welcome", "Your watch list: 1 release cycle"],
    ["link", "The link to your watch list"],
    ["alert", "FrobOS 13.0-sp2 reaches its end of life in 89 days"],
  ]);
  for (const { headers, text, html } of Object.values(mails)) {
    expect(headers["from"]).toBe("eolgate <alerts@eol.example.org>");
    expect(headers["content-type"]).toMatch(/^multipart\/alternative/);
    expect(headers["auto-submitted"]).toBe("auto-generated");
    for (const part of [text, html]) expect(part).toContain("eolgate at eol.example.org");
    expect(html).not.toMatch(/<script|<img|https?:\/\/(?!eol\.example\.org)[^"]*\.(?:png|gif|css)/);
  }
  for (const name of ["welcome", "link", "alert"]) {
    const mail = mails[name];
    if (!mail) throw new Error(name);
    const link = tokenIn(mail, "/watch/");
    expect(await watches.manage(link), name).toMatchObject({ address: "a***@example.org" });
    expect(mail.html).toContain(`href="${PUBLIC_URL}/watch/${link}"`);
    const end = tokenIn(mail, "/v1/watch/unsubscribe?token=");
    expect(mail.headers["list-unsubscribe"]).toBe(`<${PUBLIC_URL}/v1/watch/unsubscribe?token=${end}>`);
    expect(mail.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  }
  for (const name of ["key", "confirm"]) expect(mails[name]?.headers["list-unsubscribe"]).toBeUndefined();
  expect(mails["alert"]?.text).toContain("Upgrade to: no supported release cycle is recorded");
});
