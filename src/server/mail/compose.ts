/**
 * A row of the outbox → a message, at the moment of sending: only now keys and links are derived. Undefined when the
 * mail is moot: its key was revoked, its list was replaced or ended.
 */
import { parseOwnJson } from "../../platform/own-json.ts";
import { singleLine } from "../../report/escape.ts";
import type { QueuedMail, Store, WatchList } from "../../store/store.ts";
import { watchToken } from "../alerts/watch.ts";
import type { WatchPurpose } from "../alerts/watch.ts";
import type { Keys } from "../keys/keys.ts";
import type { SecretRing } from "../keys/secret.ts";
import type { AlertDetails, MailContent, MailKind } from "./content.ts";
import { htmlOf, textOf } from "./message.ts";
import type { Block, Message } from "./message.ts";
import { namesInLines, packageBlocks, packagesSubject } from "./packages.ts";
import { alertCard, headline, cycleCard, type MailLinks } from "./labels.ts";

export interface ComposeOptions {
  readonly store: Pick<Store, "watch">;
  readonly secrets: SecretRing;
  readonly keys: Pick<Keys, "textOf">;
  /** Links lead here; never taken from a request. */
  readonly publicUrl: string;
  /** The right part of each Message-ID. */
  readonly domain: string;
}

interface Draft {
  readonly subject: string;
  readonly blocks: readonly Block[];
  readonly unsubscribe?: string;
}

export async function compose(mail: QueuedMail, options: ComposeOptions): Promise<Message | undefined> {
  const facts = parseFacts(mail);
  const draft = await draftOf(facts, options);
  return (
    draft && {
      messageId: `<${mail.id}@${options.domain}>`,
      to: mail.email,
      subject: singleLine(draft.subject),
      text: textOf(draft.blocks),
      html: htmlOf(draft.subject, draft.blocks),
      date: mail.createdAt,
      ...(draft.unsubscribe === undefined ? {} : { unsubscribe: draft.unsubscribe }),
    }
  );
}

const KINDS: Readonly<Record<MailKind, true>> = {
  key: true,
  "key-ending": true,
  "watch-confirm": true,
  "watch-welcome": true,
  "watch-alert": true,
  "watch-packages": true,
};

function parseFacts(mail: QueuedMail): MailContent {
  if (!Object.hasOwn(KINDS, mail.kind)) throw new Error(`outbox: unknown kind ${mail.kind}`);
  return parseOwnJson<MailContent>(mail.facts); // written by `queuedMail`
}

async function draftOf(facts: MailContent, options: ComposeOptions): Promise<Draft | undefined> {
  switch (facts.kind) {
    case "key":
    case "key-ending":
      return await keyDraft(facts, options);
    case "watch-confirm":
    case "watch-welcome":
    case "watch-alert":
    case "watch-packages": {
      const list = await options.store.watch.byId(facts.listId);
      return list && watchDraft(facts, list, options);
    }
  }
}

type KeyFacts = Extract<MailContent, { kind: "key" | "key-ending" }>;

async function keyDraft(facts: KeyFacts, { keys, publicUrl }: ComposeOptions): Promise<Draft | undefined> {
  const key = await keys.textOf(facts.keyId);
  if (!key) return undefined;
  const { tier } = key.row;
  if (facts.kind === "key-ending") {
    return {
      subject: `Your ${tier} plan ends on ${facts.endsOn}`,
      blocks: [
        paragraph(`Your key goes on working with the limits of the free tier from ${facts.endsOn} on.`),
        { kind: "button", text: "See the plans", url: `${publicUrl}/docs` },
      ],
    };
  }
  return {
    subject: facts.why === "paid" ? `Your API key for the ${tier} plan` : "Your API key",
    blocks: [
      paragraph(KEY_OPENINGS[facts.why]),
      { kind: "code", text: key.text },
      paragraph(`It has the limits of the ${tier} tier. Send it in the header X-API-Key:`),
      { kind: "code", text: `curl -H "X-API-Key: ${key.text}" ${publicUrl}/v1/score/nodejs/18` },
      { kind: "button", text: "Read how the service is used", url: `${publicUrl}/docs` },
      { kind: "footer", text: "Keep the key to yourself. If you did not ask for it, ignore this mail." },
    ],
  };
}

const KEY_OPENINGS = {
  "sign-up": "Here is your API key:",
  recovery: "You asked for your API key to be sent again:",
  paid: "Thank you. Your payment has arrived, and here is your API key:",
} as const;

type WatchFacts = Exclude<MailContent, KeyFacts>;

function watchDraft(facts: WatchFacts, list: WatchList, options: ComposeOptions): Draft | undefined {
  const { publicUrl, secrets } = options;
  const secret = secrets.version(list.secretVersion);
  if (!secret) return undefined;
  const link = (purpose: WatchPurpose): string =>
    `${publicUrl}/v1/watch/${purpose}?token=${watchToken(purpose, list.id, secret)}`;
  if (facts.kind === "watch-confirm")
    return list.state === "pending" ? confirmDraft(facts, link("confirm")) : undefined;

  const unsubscribe = link("unsubscribe");
  const footer: Block = {
    kind: "footer",
    text: `You receive this mail because you confirmed a watch list of ${contentsOf(list)}.`,
    link: { text: "Stop watching", url: unsubscribe },
  };
  const links = {
    scoreCard: (product: string, cycle: string): string =>
      `${publicUrl}/score/${encodeURIComponent(product)}/${encodeURIComponent(cycle)}`,
  };
  const { subject, blocks } = listDraft(facts, list, links);
  return { subject, blocks: [...blocks, footer], unsubscribe };
}

/** A mail about a confirmed list. */
function listDraft(
  facts: Exclude<WatchFacts, { readonly kind: "watch-confirm" }>,
  list: WatchList,
  links: MailLinks,
): Draft {
  switch (facts.kind) {
    case "watch-welcome":
      return {
        subject: `You watch ${contentsOf(list)}`,
        blocks: [
          paragraph(`Your watch list is confirmed. ${list.lines.length > 0 ? WELCOME : ""}`),
          ...facts.lines.map((releaseCycle) => cycleCard(releaseCycle, links)),
          ...(list.packages.length > 0 ? [paragraph(followedText(list))] : []),
        ],
      };
    case "watch-alert":
      return { subject: alertSubject(facts.alerts), blocks: facts.alerts.map((alert) => alertCard(alert, links)) };
    case "watch-packages":
      return { subject: packagesSubject(facts.packages), blocks: packageBlocks(facts.packages) };
  }
}

const WELCOME =
  "You get a mail 12 months and 90, 60, 30 and 7 days before one of them reaches its end of life, when it ends, and when a vulnerability of an ended release cycle is newly known to be exploited. Their status today:";

function confirmDraft(
  { lines, packages = 0 }: Extract<MailContent, { readonly kind: "watch-confirm" }>,
  link: string,
): Draft {
  const names = lines.map(({ product, cycle }) => `${product}:${cycle}`);
  const followed = `the support level of ${count(packages, "package")}`;
  const subjects = [
    ...(lines.length > 0 ? [`the end of life of ${count(lines.length, "release cycle")}`] : []),
    ...(packages > 0 ? [followed] : []),
  ].join(" and ");
  return {
    subject: "Confirm your watch list",
    blocks: [
      paragraph(`Someone, hopefully you, asked for mails about ${subjects}${lines.length > 0 ? ":" : "."}`),
      ...(lines.length > 0 ? namesInLines(names).map(paragraph) : []),
      { kind: "button", text: "Confirm the watch list", url: link },
      {
        kind: "footer",
        text: "The link works for 7 days. If you did not ask for this, ignore this mail and nothing happens.",
      },
    ],
  };
}

/** The most urgent first; the list is in order of risk already. */
function alertSubject(alerts: readonly AlertDetails[]): string {
  const [first] = [...alerts].sort((a, b) => URGENCY[b.trigger] - URGENCY[a.trigger]);
  if (!first) throw new Error("an alert mail without an alert");
  return alerts.length === 1 ? headline(first) : `${headline(first)}, and ${alerts.length - 1} more`;
}

const URGENCY: Readonly<Record<AlertDetails["trigger"], number>> = {
  kev: 6,
  passed: 5,
  "7-days": 4,
  "30-days": 3,
  "60-days": 2,
  "90-days": 1,
  "12-months": 0,
};

/** `2 release cycles and 14 packages`. */
function contentsOf({ lines, packages }: WatchList): string {
  const parts = [
    ...(lines.length > 0 || packages.length === 0 ? [count(lines.length, "release cycle")] : []),
    ...(packages.length > 0 ? [count(packages.length, "package")] : []),
  ];
  return parts.join(" and ");
}

const followedText = ({ packages, follow }: WatchList): string =>
  `You get a mail when the maintainers of a package on the list (${packages.length}) ${
    follow.includes("unmaintained") ? "deprecate or archive" : "deprecate"
  } it.`;

const paragraph = (text: string): Block => ({ kind: "paragraph", text });

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
