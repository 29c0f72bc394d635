/**
 * The message that a transport sends, and the rendering of its text and HTML parts from one list of blocks. Addresses with
 * text that could add a header, a second recipient or a display name are refused.
 */
import { EolgateError } from "../../messages/error.ts";
import { escapeHtml, singleLine } from "../../report/escape.ts";

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** RFC 5321, 4.5.3.1. */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;

/** The normalized address, or undefined if the text is not a valid one. */
export function parseEmail(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > MAX_ADDRESS + 10) return undefined;
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (at < 1 || local.length > MAX_LOCAL || address.length > MAX_ADDRESS) return undefined;
  return LOCAL.test(local) && DOMAIN.test(domain) ? address : undefined;
}

/** The normalized address. @throws EolgateError `invalid-email` */
export function validEmail(text: string): string {
  const address = parseEmail(text);
  if (address === undefined) throw EolgateError.of("invalid-email", {}).at("/email");
  return address;
}

/** Whether the address of a watch list is that of a webhook, see `webhook.ts`. */
export const isWebhook = (address: string): boolean => /^https?:/i.test(address);

/** The mailbox of a normalized address, without the tag after `+` (RFC 5233). Limits and quotas apply per mailbox. */
export const mailboxOf = (email: string): string => email.replace(/^([^+@]+)\+[^@]*(?=@)/, "$1");

/** For logs: the first character and the domain, or the host of a webhook, never the full address. */
export const maskEmail = (address: string): string => address.replace(/^(https?:\/\/[^/]*).*$|^(.).*(?=@)/, "$1$2***");

export interface Message {
  /** The same for all attempts, so that a duplicate can be recognised. */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** UTC milliseconds. */
  readonly date: number;
  /** Address for one-click unsubscription (RFC 8058). */
  readonly unsubscribe?: string;
  /** If `to` is the address of a webhook. */
  readonly event?: WebhookEvent;
}

/** What a webhook gets in place of text and HTML. */
export interface WebhookEvent {
  /** `watch-alert` */
  readonly kind: string;
  /** Base URL of the service. */
  readonly source: string;
  readonly data: object;
  /** Key of the signature. */
  readonly secret: Buffer;
}

/** The content of a mail as blocks. Every string is plain text, which both renderers escape. */
export type MailBlock =
  /** The service that sends the mail. */
  | { readonly kind: "masthead"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  /** Text to copy, for example a key. */
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "button"; readonly text: string; readonly url: string }
  /** A release cycle or package with its facts, in one column so that it is readable on a phone. */
  | {
      readonly kind: "card";
      readonly title: string;
      readonly url: string;
      readonly tone: Tone;
      readonly rows: readonly MailRow[];
    }
  | { readonly kind: "footer"; readonly text: string; readonly links?: readonly MailLink[] };

export interface MailLink {
  readonly text: string;
  readonly url: string;
}

export interface MailRow {
  readonly name: string;
  readonly value: string;
  readonly url?: string;
}

export type Tone = "ended" | "soon" | "calm";

export const paragraph = (text: string): MailBlock => ({ kind: "paragraph", text });

/** Contrast to white above 4.5 (WCAG AA). */
const COLOURS: Readonly<Record<Tone, string>> = { ended: "#b3261e", soon: "#8a5300", calm: "#1b6e3c" };

export const textOf = (blocks: readonly MailBlock[]): string => `${blocks.map(blockText).join("\n\n")}\n`;

export const htmlOf = (title: string, blocks: readonly MailBlock[]): string =>
  [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light">`,
    `<title>${escapeHtml(title)}</title></head>`,
    `<body style="margin:0;background:#f4f4f2;color:#1c1c1a;font:16px/1.5 system-ui,sans-serif">`,
    `<div style="max-width:36rem;margin:0 auto;padding:1rem;background:#fff">`,
    ...blocks.map(blockHtml),
    `</div></body></html>\n`,
  ].join("\n");

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case "masthead":
    case "paragraph":
      return singleLine(block.text);
    case "code":
      return `    ${singleLine(block.text)}`;
    case "button":
      return `${singleLine(block.text)}:\n${block.url}`;
    case "card":
      return [singleLine(block.title), ...block.rows.map(rowText), `  ${block.url}`].join("\n");
    case "footer":
      return ["-- ", singleLine(block.text), ...(block.links ?? []).map(({ text, url }) => `${text}: ${url}`)].join(
        "\n",
      );
  }
}

const rowText = ({ name, value, url }: MailRow): string =>
  `  ${singleLine(name)}: ${singleLine(value)}${url === undefined ? "" : ` <${singleLine(url)}>`}`;

function blockHtml(block: MailBlock): string {
  switch (block.kind) {
    case "masthead":
      return `<p style="margin:0 0 1rem;padding-bottom:.5rem;border-bottom:1px solid #dcdcd8;font-weight:bold">${escapeHtml(block.text)}</p>`;
    case "paragraph":
      return `<p>${escapeHtml(block.text)}</p>`;
    case "code":
      return `<p style="padding:.75rem;background:#f4f4f2;font-family:monospace;overflow-wrap:anywhere">${escapeHtml(block.text)}</p>`;
    case "button":
      return `<p><a href="${href(block.url)}" style="display:inline-block;padding:.75rem 1.25rem;background:#1c1c1a;color:#fff;text-decoration:none;border-radius:.25rem">${escapeHtml(block.text)}</a></p>`;
    case "card":
      return [
        `<div style="margin:1rem 0;padding:.5rem 1rem;border-left:.3rem solid ${COLOURS[block.tone]}">`,
        `<p style="margin:.25rem 0;font-weight:bold"><a href="${href(block.url)}" style="color:${COLOURS[block.tone]}">${escapeHtml(block.title)}</a></p>`,
        ...block.rows.map(rowHtml),
        `</div>`,
      ].join("\n");
    case "footer":
      return `<p style="font-size:.85rem;color:#5c5c57">${[escapeHtml(block.text), ...(block.links ?? []).map(footerLink)].join("<br>")}</p>`;
  }
}

const footerLink = ({ text, url }: MailLink): string =>
  `<a href="${href(url)}" style="color:#5c5c57">${escapeHtml(text)}</a>`;

function rowHtml({ name, value, url }: MailRow): string {
  const shown =
    url === undefined ? escapeHtml(value) : `<a href="${href(url)}" style="color:#1c1c1a">${escapeHtml(value)}</a>`;
  return `<p style="margin:.1rem 0"><span style="color:#5c5c57">${escapeHtml(name)}:</span> ${shown}</p>`;
}

/** The URL for an attribute; `#` unless it is http or https, because URLs of sources come from a catalogue. */
function href(url: string): string {
  if (!/^https?:\/\//i.test(url)) return "#";
  const whole = url.replace(
    /[^\x21-\x7e]|[<>"'`]/gu,
    (found) =>
      `%${Buffer.from(found)
        .toString("hex")
        .replace(/..(?=.)/g, "$&%")}`,
  );
  return whole.replaceAll("&", "&amp;");
}
