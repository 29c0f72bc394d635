/**
 * Composes the message of a queued mail when it is sent; keys and links are derived only then. The result is undefined
 * if the mail is obsolete, because its key was revoked or its list was replaced or deleted.
 */
import { parseOwnJson } from "../../platform/package-files.ts";
import { singleLine } from "../../report/escape.ts";
import type { QueuedMail } from "../store/store.ts";
import type { MailContent, MailKind } from "./content.ts";
import { type ComposeOptions, type ComposedMail, composeWatchMail } from "./watch-mails.ts";
import { paragraph, htmlOf, textOf, type MailBlock, type Message } from "./message.ts";

export async function compose(mail: QueuedMail, options: ComposeOptions): Promise<Message | undefined> {
  const facts = parseFacts(mail);
  const composed = await composeContent(facts, options);
  const blocks = composed && [masthead(options), ...composed.blocks];
  return (
    composed &&
    blocks && {
      messageId: `<${mail.id}@${options.domain}>`,
      to: mail.email,
      subject: singleLine(composed.subject),
      text: textOf(blocks),
      html: htmlOf(composed.subject, blocks),
      date: mail.createdAt,
      ...(composed.unsubscribe === undefined ? {} : { unsubscribe: composed.unsubscribe }),
    }
  );
}

/** The name of the service that sends the mail: `eolgate at eol.example.org`. */
function masthead({ publicUrl }: ComposeOptions): MailBlock {
  const at = URL.canParse(publicUrl) ? ` at ${new URL(publicUrl).host}` : "";
  return { kind: "masthead", text: `eolgate${at}` };
}

const KINDS: Readonly<Record<MailKind, true>> = {
  key: true,
  "key-ending": true,
  "watch-confirm": true,
  "watch-link": true,
  "watch-welcome": true,
  "watch-alert": true,
  "watch-packages": true,
};

function parseFacts(mail: QueuedMail): MailContent {
  if (!Object.hasOwn(KINDS, mail.kind)) throw new Error(`outbox: unknown kind ${mail.kind}`);
  return parseOwnJson<MailContent>(mail.facts); // written by `queuedMail`
}

async function composeContent(facts: MailContent, options: ComposeOptions): Promise<ComposedMail | undefined> {
  switch (facts.kind) {
    case "key":
    case "key-ending":
      return await composeKeyMail(facts, options);
    case "watch-confirm":
    case "watch-link":
    case "watch-welcome":
    case "watch-alert":
    case "watch-packages": {
      const list = await options.store.watch.byId(facts.listId);
      return list && composeWatchMail(facts, list, options);
    }
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
        { kind: "button", text: "See the plans", url: `${publicUrl}/docs` },
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
