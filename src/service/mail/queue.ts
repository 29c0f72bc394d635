/** Creates rows of the outbox. */
import { randomBytes } from "node:crypto";
import type { NewMail } from "../store/store.ts";
import type { MailContent } from "./content.ts";

let last = { instant: 0, count: 0 };

export function queuedMail(facts: MailContent, email: string, now: number): NewMail {
  return { id: mailId(now), kind: facts.kind, email, facts: JSON.stringify(facts), createdAt: now };
}

/** An id that sorts by time; ids of one process within a millisecond sort by creation. */
function mailId(now: number): string {
  last = last.instant === now ? { instant: now, count: last.count + 1 } : { instant: now, count: 0 };
  const time = now.toString(16).padStart(12, "0");
  return `${time}-${last.count.toString(16).padStart(4, "0")}-${randomBytes(8).toString("hex")}`;
}
