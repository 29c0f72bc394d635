/**
 * The facts of a queued mail. Its text, keys and links are created when it is sent, so the store contains no secret.
 * `compose.ts` handles each kind.
 */
import type { Confidence, LifecycleDate, Status } from "../../model/index.ts";
import type { IsoDate, StatementDay } from "../../text/ids.ts";
import type { AlertTrigger, WatchedCycle, NewMail } from "../store/store.ts";
import { randomBytes } from "node:crypto";

export type MailContent =
  | { readonly kind: "key"; readonly why: "sign-up" | "recovery" | "paid"; readonly keyId: string }
  | { readonly kind: "key-ending"; readonly keyId: string; readonly endsOn: IsoDate }
  | { readonly kind: "watch-confirm"; readonly listId: string; readonly cycles: readonly NamedCycle[] }
  | { readonly kind: "watch-link"; readonly listId: string }
  | { readonly kind: "watch-welcome"; readonly listId: string; readonly cycles: readonly CycleDetails[] }
  | {
      readonly kind: "watch-alert";
      readonly listId: string;
      readonly day: IsoDate;
      readonly alerts: readonly AlertDetails[];
    };

export interface NamedCycle extends WatchedCycle {
  /** `Debian 11 (Bullseye)` */
  readonly label: string;
}

export interface UpgradeDetails {
  /** Longest support first. `end` is null if no end is announced. */
  readonly targets: readonly { readonly label: string; readonly end: string | null }[];
  /** Whether all targets end within half a year. */
  readonly endsSoon: boolean;
  /** The successor that the maintainers name. */
  readonly successor: string | null;
}

/** A release cycle as recorded when the mail was queued, with its source. */
export interface CycleDetails {
  readonly product: string;
  readonly productName: string;
  readonly cycle: string;
  readonly label: string;
  /** Status, date and days are those of the support that counts. */
  readonly status: Status;
  /** Null if the date is not published. */
  readonly eolDate: IsoDate | null;
  readonly precision: LifecycleDate["precision"] | null;
  /** The support track with that end; null for standard support. */
  readonly track: string | null;
  readonly daysUntilEol: number | null;
  readonly daysPastEol: number | null;
  /** Why its support is in doubt; null if it is not. */
  readonly doubt: string | null;
  readonly score: number;
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly verifiedAt: StatementDay | null;
  readonly confidence: Confidence;
  readonly latest: string | null;
  readonly support: string | null;
  /** Null if there is no supported release cycle. */
  readonly upgrade: UpgradeDetails | null;
}

export interface AlertDetails extends CycleDetails {
  readonly trigger: AlertTrigger;
  /** For `kev`. */
  readonly cve?: string;
  /** The previously reported end, if it has changed. */
  readonly movedFrom?: IsoDate;
}

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
