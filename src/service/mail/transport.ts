/** Sends messages over SMTP, or writes them to files in the data folder if SMTP is not configured. */
import { mkdirSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { MINUTE, SECOND } from "../clock.ts";
import { type Message, parseEmail } from "./message.ts";

export interface Transport {
  /** Resolves when the server has accepted the mail. @throws RefusedError if it never will; after other errors, a retry may succeed */
  send(message: Message): Promise<void>;
  close(): void;
}

/** The server permanently rejected this recipient or message (5xx). */
export class RefusedError extends Error {}

/** No mail server is set: the mail waits in the queue, also for another process that has one. */
export class HeldError extends Error {}

/** For processes that share a database, because mails in the files of one of them would not be noticed. */
export const holdingTransport: Transport = {
  send: () => Promise.reject(new HeldError("no mail server is set")),
  close: () => undefined,
};

/** Timeouts in milliseconds. */
const CONNECT = 15 * SECOND;
const SILENCE = MINUTE;

/** @param address `smtp:` or `smtps:` URL. @throws EolgateError `server-config` */
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
        throw isRefusal(error) ? new RefusedError(textOf(error)) : error;
      }
    },
    close: () => transporter.close(),
  };
}

/** Writes each mail to `<id>.eml`, which only the owner can read, because it may contain a key. A retry overwrites the file. */
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

/** The sender, with the display name `eolgate` if it has none. */
const senderOf = (from: string): string => (/[<\s]/.test(from) ? from : `eolgate <${from}>`);

function mailOf({ messageId, to, subject, text, html, date, unsubscribe }: Message, from: string) {
  // Validated again, because the address becomes a header and the envelope recipient.
  if (parseEmail(to) !== to) throw new RefusedError("not an e-mail address");
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

/** Whether the server refused the recipient or the message with 5xx. Other 5xx replies are configuration errors, and are retried. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error && "command" in error && "responseCode" in error)) return false;
  const { command, responseCode: status } = error;
  return (command === "RCPT TO" || command === "DATA") && typeof status === "number" && status >= 500 && status < 600;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function badAddress(): EolgateError {
  return EolgateError.of("server-config", {
    problem: "the mail server's address must begin with smtp:// or smtps://",
    advice: "Use an address such as smtp://user:password@mail.example.org:587",
  });
}
