/**
 * Webhooks: the address of a watch list can be that of a receiver, which gets each mail of the list as a signed CloudEvent
 * and confirms the list itself. They use the outbox, its retries and its dead letters. See docs/operating.md.
 */
import { createHmac } from "node:crypto";
import { lookup as resolve } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Agent } from "undici";
import { EolgateError } from "../../messages/error.ts";
import { hasUserinfo } from "../../http/address.ts";
import { createHttpClient } from "../../http/client.ts";
import { isRecord } from "../../text/values.ts";
import { type Clock, SECOND } from "../clock.ts";
import { isWebhook, type Message, validEmail, type WebhookEvent } from "./message.ts";
import { RefusedError, type Transport } from "./transport.ts";

/** `host` or `host:port` of receivers in private networks that the operator allows, also without TLS. */
export type WebhookHosts = ReadonlySet<string>;

const MAX_ADDRESS = 500;

/** The normalized address of a watch list. @throws EolgateError `invalid-email`, `invalid-request` */
export function validAddress(text: string, hosts: WebhookHosts): string {
  if (!isWebhook(text)) return validEmail(text);
  const url = text.length <= MAX_ADDRESS && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || hasUserinfo(url) || url.hash !== "")
    throw refusedAddress("it is not a URL of at most 500 characters without a user name and a fragment");
  if (hosts.has(url.host)) return url.href;
  if (url.protocol !== "https:") throw refusedAddress("it does not begin with https://");
  if (isPrivateHost(url)) throw refusedAddress("it is in a private network, or its port is that of a mail server");
  return url.href;
}

const refusedAddress = (why: string): EolgateError =>
  EolgateError.of("invalid-request", {
    problem: `the address of the webhook is not accepted: ${why}`,
    advice: "The operator of the service allows other hosts with --webhook-hosts.",
  }).at("/webhook");

const PRIVATE_V4 = blockList("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
]);
/** Everything outside of 2000::/3, which holds the public addresses, and forms that contain an IPv4 address. */
const PRIVATE_V6 = blockList("ipv6", [
  ["::", 3],
  ["4000::", 2],
  ["8000::", 1],
  ["2002::", 16],
  ["2001::", 32],
]);

function blockList(family: "ipv4" | "ipv6", networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether an address does not lead to the public network. */
export const isPrivateAddress = (address: string): boolean =>
  isIP(address) === 4 ? PRIVATE_V4.check(address) : PRIVATE_V6.check(address, "ipv6");

function isPrivateHost({ hostname, port }: URL): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  return port === "25" || (isIP(name) === 0 ? LOCAL_NAME.test(name) : isPrivateAddress(name));
}
const LOCAL_NAME = /(?:^|\.)(?:localhost6?|localdomain6?|ip6-(?:localhost|loopback|localnet|all\w+))\.?$/;

/** Refuses private addresses when the connection is made, so that a name cannot lead to another address than was checked. */
export const publicLookup: LookupFunction = (host, options, done) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || first === undefined) return done(error, "");
    if (addresses.some(({ address }) => isPrivateAddress(address)))
      return done(new Error("the name of the webhook leads to a private network"), "");
    return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
  });
};

/** The form in which a receiver stores the key of the signature (Standard Webhooks). */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString("base64")}`;

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function withSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeCase);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snakeCase(name), withSnakeCase(each)]));
}

/** CloudEvents 1.0 in JSON. */
function bodyOf({ messageId, date, subject }: Message, { kind, source, data }: WebhookEvent): string {
  return JSON.stringify({
    specversion: "1.0",
    id: messageId.replace(/^<|@.*$/g, ""),
    source,
    type: `io.github.eolgate.${kind.replace("-", ".")}`,
    time: new Date(date).toISOString(),
    datacontenttype: "application/json",
    data: withSnakeCase({ summary: subject, ...data }),
  });
}

const DEADLINE = 15 * SECOND;
const MAX_ANSWER = 64 * 1024;

/** Sends messages with an event to their webhook, others with `mail`. */
export function webhookTransport(mail: Transport, hosts: WebhookHosts, clock: Clock): Transport {
  const limits = { env: {}, deadline: DEADLINE, limit: MAX_ANSWER };
  const agents = [new Agent({ connect: { lookup: publicLookup } }), new Agent()] as const;
  const [open, allowed] = agents.map((dispatcher) => createHttpClient({ ...limits, dispatcher }));
  return {
    async send(message) {
      const { event } = message;
      if (event === undefined) return await mail.send(message);
      const url = new URL(validAddress(message.to, hosts));
      const body = bodyOf(message, event);
      const id = message.messageId.replace(/^<|@.*$/g, "");
      const timestamp = String(Math.floor(clock() / SECOND));
      const signature = createHmac("sha256", event.secret).update(`${id}.${timestamp}.${body}`).digest("base64");
      const headers = {
        "content-type": "application/cloudevents+json; charset=utf-8",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      };
      const client = hosts.has(url.host) ? allowed : open;
      const answer = await client?.send({ method: "POST", url, headers, body });
      const status = answer?.status ?? 0;
      if (status >= 200 && status < 300) return undefined;
      const problem = `the webhook answered with status ${status}`;
      throw status === 410 ? new RefusedError(problem) : new Error(problem);
    },
    close() {
      mail.close();
      for (const agent of agents) void agent.destroy();
    },
  };
}
