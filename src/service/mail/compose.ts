/**
 * Composes the message of a queued mail when it is sent; keys and links are derived only then. The result is undefined
 * if the mail is obsolete, because its key was revoked or its list was replaced or deleted.
 */
import { parseOwnJson } from "../../platform/package-files.ts";
import { singleLine } from "../../report/escape.ts";
import { ALERT_TRIGGERS, type QueuedMail, type Store, type WatchList } from "../store/store.ts";
import type { AlertDetails, MailContent } from "./content.ts";
import {
  type MailBlock,
  type MailLink,
  type Message,
  htmlOf,
  isWebhook,
  paragraph,
  type WebhookEvent,
  textOf,
} from "./message.ts";
import { percentEncode } from "../../text/values.ts";
import { formatCount } from "../../messages/format.ts";
import { watchLink } from "../alerts/manage.ts";
import { alertCard, cycleCard, headline, namesInLines } from "./cards.ts";
import type { Keys } from "../keys/keys.ts";
import type { SecretRing } from "../keys/secret.ts";
import { secretText } from "./webhook.ts";

export async function compose(mail: QueuedMail, options: ComposeOptions): Promise<Message | undefined> {
  // Written by `queuedMail`.
  const composed = await composeContent(parseOwnJson<MailContent>(mail.facts), options);
  if (composed === undefined) return undefined;
  const blocks = [masthead(options), ...composed.blocks];
  return {
    messageId: `<${mail.id}@${options.domain}>`,
    to: mail.email,
    subject: singleLine(composed.subject),
    text: textOf(blocks),
    html: htmlOf(composed.subject, blocks),
    date: mail.createdAt,
    ...(composed.unsubscribe !== undefined && { unsubscribe: composed.unsubscribe }),
    ...(isWebhook(mail.email) && composed.event && { event: composed.event }),
  };
}

/** The name of the service that sends the mail: `eolgate at eol.example.org`. */
function masthead({ publicUrl }: ComposeOptions): MailBlock {
  const at = URL.canParse(publicUrl) ? ` at ${new URL(publicUrl).host}` : "";
  return { kind: "masthead", text: `eolgate${at}` };
}

async function composeContent(facts: MailContent, options: ComposeOptions): Promise<ComposedMail | undefined> {
  switch (facts.kind) {
    case "key":
    case "key-ending":
      return await composeKeyMail(facts, options);
    case "watch-confirm":
    case "watch-link":
    case "watch-welcome":
    case "watch-alert": {
      const list = await options.store.watch.byId(facts.listId);
      return list && composeWatchMail(facts, list, options);
    }
    default:
      throw new Error("outbox: the kind of a mail is not known");
  }
}

type KeyFacts = Extract<MailContent, { kind: "key" | "key-ending" }>;

async function composeKeyMail(facts: KeyFacts, { keys, publicUrl }: ComposeOptions): Promise<ComposedMail | undefined> {
  const key = await keys.textOf(facts.keyId);
  if (!key) return undefined;
  const { tier } = key.row;
  if (facts.kind === "key-ending") {
    return {
      subject: `Your ${tier} plan ends on ${facts.endsOn}`,
      blocks: [
        paragraph(`From ${facts.endsOn}, your key keeps working with the limits of the free tier.`),
        { kind: "button", text: "See the plans", url: `${publicUrl}/prices` },
      ],
    };
  }
  return {
    subject: facts.why === "paid" ? `Your API key for the ${tier} plan` : "Your API key",
    blocks: [
      paragraph(KEY_OPENINGS[facts.why]),
      { kind: "code", text: key.text },
      paragraph(`It has the limits of the ${tier} tier. Send it in the X-API-Key header:`),
      { kind: "code", text: `curl -H "X-API-Key: ${key.text}" ${publicUrl}/v1/score/nodejs/18` },
      { kind: "button", text: "Read the API documentation", url: `${publicUrl}/docs` },
      { kind: "footer", text: "Keep the key secret. If you did not request it, ignore this mail." },
    ],
  };
}

const KEY_OPENINGS = {
  "sign-up": "Here is your API key:",
  recovery: "You requested your API key again:",
  paid: "Thank you. Your payment has arrived, and here is your API key:",
} as const;

type WatchFacts = Exclude<MailContent, { readonly kind: "key" | "key-ending" }>;

/** Undefined if the mail is obsolete: the list was replaced or deleted, or the secret of its links was removed. */
export function composeWatchMail(
  facts: WatchFacts,
  list: WatchList,
  options: ComposeOptions,
): ComposedMail | undefined {
  const secret = options.secrets.version(list.secretVersion);
  if (!secret) return undefined;
  const { publicUrl } = options;
  const { kind, listId, ...details } = facts;
  const hookSecret = secret.derive("watch-webhook", listId);
  const eventOf = (links: object): WebhookEvent => ({
    kind,
    source: publicUrl,
    data: { ...details, ...links },
    secret: hookSecret,
  });
  if (facts.kind === "watch-confirm") {
    const link = `${publicUrl}/v1/watch/confirm?token=${watchLink("confirm", list.id, secret)}`;
    if (list.state !== "pending") return undefined;
    const event = eventOf({ confirmUrl: link, secret: secretText(hookSecret) });
    return { ...confirmationMail(facts, link), event };
  }
  if (list.state === "pending") return undefined;
  const unsubscribe = `${publicUrl}/v1/watch/unsubscribe?token=${watchLink("unsubscribe", list.id, secret)}`;
  const page = { text: "Your watch list", url: `${publicUrl}/watch/${watchLink("manage", list.id, secret)}` };
  const footer: MailBlock = {
    kind: "footer",
    text: `You receive this mail because you confirmed a watch list for ${contentsOf(list)}.`,
    links: [page, { text: "Unsubscribe", url: unsubscribe }],
  };
  const { subject, blocks } = confirmedMail(facts, list, { page, publicUrl });
  const event = eventOf({ listUrl: page.url, unsubscribeUrl: unsubscribe });
  return { subject, blocks: [...blocks, footer], unsubscribe, event };
}

type ConfirmedFacts = Exclude<WatchFacts, { kind: "watch-confirm" }>;

interface MailPageLinks {
  readonly page: MailLink;
  readonly publicUrl: string;
}

function confirmedMail(facts: ConfirmedFacts, list: WatchList, { page, publicUrl }: MailPageLinks): ComposedMail {
  const links = {
    scoreCard: (product: string, cycle: string): string =>
      `${publicUrl}/score/${percentEncode(product)}/${percentEncode(cycle)}`,
  };
  const open: MailBlock = { kind: "button", text: "Open your watch list", url: page.url };
  switch (facts.kind) {
    case "watch-link":
      return {
        subject: "The link to your watch list",
        blocks: [
          paragraph("You requested the link to your watch list. With this link, you can change and delete the list."),
          open,
        ],
      };
    case "watch-welcome":
      return {
        subject: `Your watch list: ${contentsOf(list)}`,
        blocks: [
          paragraph(`Your watch list is confirmed. ${SCHEDULE} Their status today:`),
          ...facts.cycles.map((releaseCycle) => cycleCard(releaseCycle, links)),
          open,
        ],
      };
    case "watch-alert":
      return {
        subject: alertSubject(facts.alerts),
        blocks: [...facts.alerts.map((alert) => alertCard(alert, links)), open],
      };
  }
}

const SCHEDULE =
  "You get a mail 12 months and 90, 60, 30 and 7 days before one of them reaches its end of life, when it ends, and when a vulnerability of an ended release cycle is newly known to be exploited.";

function confirmationMail(
  { cycles }: Extract<MailContent, { readonly kind: "watch-confirm" }>,
  link: string,
): ComposedMail {
  const count = formatCount(cycles.length, "release cycle");
  return {
    subject: "Confirm your watch list",
    blocks: [
      paragraph(`Someone, hopefully you, requested mails about the end of life of ${count}:`),
      ...namesInLines(cycles.map(({ label }) => label)).map(paragraph),
      { kind: "button", text: "Confirm the watch list", url: link },
      {
        kind: "footer",
        text: "The link works for 7 days. If you did not request this, ignore this mail, and you will receive no others.",
      },
    ],
  };
}

const urgency = ({ trigger }: AlertDetails): number => ALERT_TRIGGERS.indexOf(trigger);

/** The subject names the most urgent alert; of equally urgent ones, the one with the highest risk. */
function alertSubject(alerts: readonly AlertDetails[]): string {
  const [first] = [...alerts].sort((a, b) => urgency(b) - urgency(a));
  if (!first) throw new Error("an alert mail without an alert");
  return alerts.length === 1 ? headline(first) : `${headline(first)}, and ${alerts.length - 1} more`;
}

const contentsOf = ({ cycles }: WatchList): string => formatCount(cycles.length, "release cycle");

export interface ComposeOptions {
  readonly store: Pick<Store, "watch">;
  readonly secrets: SecretRing;
  readonly keys: Pick<Keys, "textOf">;
  /** Base URL of links, from the settings. */
  readonly publicUrl: string;
  /** Domain of Message-IDs. */
  readonly domain: string;
}

export interface ComposedMail {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  readonly unsubscribe?: string;
  /** The same for a webhook. */
  readonly event?: WebhookEvent;
}
