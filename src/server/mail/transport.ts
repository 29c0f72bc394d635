/** How a message leaves: SMTP by URL, or a file in the data folder where nothing is set up. */
import { mkdirSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { EolgateError } from "../../core/errors.ts";
import { MINUTE, SECOND } from "../clock.ts";
import { parseEmail } from "./email-address.ts";
import type { Message } from "./message.ts";

export interface Transport {
  /** Resolves when the mail was taken over. @throws `Refused` when it never will be; anything else may be tried again. */
  send(message: Message): Promise<void>;
  close(): void;
}

/** The server permanently rejected this recipient or message (5xx). */
export class Refused extends Error {}

/** Timeout for a server that does not answer: longer than any greylisting delay, shorter than a lease. */
const CONNECT = 15 * SECOND;
const SILENCE = MINUTE;

/** @throws EolgateError `config` when the address is not SMTP's. */
export async function smtpTransport(address: string, from: string): Promise<Transport> {
  if (!URL.canParse(address) || !/^smtps?:$/.test(new URL(address).protocol)) throw badAddress();
  const { createTransport } = await import("nodemailer");
  const transporter = createTransport(
    {
      url: address,
      pool: true,
      connectionTimeout: CONNECT,
      greetingTimeout: CONNECT,
      socketTimeout: SILENCE,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send(message) {
      try {
        await transporter.sendMail(mailOf(message, from));
      } catch (error) {
        throw isRefusal(error) ? new Refused(textOf(error)) : error;
      }
    },
    close: () => transporter.close(),
  };
}

/** Writes `<id>.eml`, readable by its owner only: it may contain a key. Writing one again changes nothing. */
export async function folderTransport(folder: string, from: string): Promise<Transport> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { createTransport } = await import("nodemailer");
  const builder = createTransport({ streamTransport: true, buffer: true }, { from });
  return {
    async send(message) {
      const { message: bytes } = await builder.sendMail(mailOf(message, from));
      if (!Buffer.isBuffer(bytes)) throw new TypeError("nodemailer returned no buffer");
      const path = join(folder, `${message.messageId.replace(/^<|@.*$/g, "")}.eml`);
      const file = await open(`${path}.part`, "w", 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.part`, path);
    },
    close: () => builder.close(),
  };
}

/** A sender without a display name gets that of the software. */
const senderOf = (from: string): string => (/[<\s]/.test(from) ? from : `eolgate <${from}>`);

function mailOf({ messageId, to, subject, text, html, date, unsubscribe }: Message, from: string) {
  // Checked when it came in; checked again where it becomes a header and an envelope.
  if (parseEmail(to) !== to) throw new Refused("not an e-mail address");
  const list =
    unsubscribe === undefined
      ? {}
      : { "List-Unsubscribe": `<${unsubscribe}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  return {
    from: senderOf(from),
    to,
    subject,
    text,
    html,
    messageId,
    date: new Date(date),
    headers: { "Auto-Submitted": "auto-generated", ...list },
  };
}

/** 5xx to the recipient or the message; 5xx to the greeting, the login or the sender is our set-up, and is tried again. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error && "command" in error && "responseCode" in error)) return false;
  const { command, responseCode: status } = error;
  return (command === "RCPT TO" || command === "DATA") && typeof status === "number" && status >= 500 && status < 600;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function badAddress(): EolgateError {
  return EolgateError.of("smtp-address", {});
}
