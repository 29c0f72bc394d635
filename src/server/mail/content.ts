/**
 * What a mail in the outbox is made from: facts only. Words, keys and links are made when it is sent, so the store
 * contains no secret. `compose.ts` has one row for each kind.
 */
import type { Confidence, Evidence, Status } from "../../core/model.ts";
import type { Followed } from "../../core/support/followed.ts";
import type { IsoDate } from "../../core/ids.ts";
import type { CycleTrigger, WatchedCycle } from "../../store/store.ts";

export type MailContent =
  | { readonly kind: "key"; readonly why: "sign-up" | "recovery" | "paid"; readonly keyId: string }
  | { readonly kind: "key-ending"; readonly keyId: string; readonly endsOn: IsoDate }
  | {
      readonly kind: "watch-confirm";
      readonly listId: string;
      readonly cycles: readonly NamedCycle[];
      /** How many packages are followed too. */
      readonly packages?: number;
    }
  | { readonly kind: "watch-link"; readonly listId: string }
  | { readonly kind: "watch-welcome"; readonly listId: string; readonly cycles: readonly CycleDetails[] }
  | {
      readonly kind: "watch-alert";
      readonly listId: string;
      readonly day: IsoDate;
      readonly alerts: readonly AlertDetails[];
    }
  | {
      readonly kind: "watch-packages";
      readonly listId: string;
      readonly day: IsoDate;
      readonly packages: readonly PackageDetails[];
    };

/** A package that is no longer maintained, with the statement that is the evidence. */
export interface PackageDetails {
  /** Bare package URL. */
  readonly purl: string;
  readonly trigger: Followed;
  readonly evidence: Evidence;
  readonly lastRelease?: IsoDate;
  readonly replacement?: string;
}

export type MailKind = MailContent["kind"];

export interface NamedCycle extends WatchedCycle {
  /** `Debian 11 (Bullseye)`. Absent from mails that an earlier version has queued. */
  readonly label?: string;
}

export interface UpgradeDetails {
  /** The longest-supported release cycle first. `end` is null if none is announced. */
  readonly targets: readonly { readonly label: string; readonly end: string | null }[];
  /** All of them end within half a year. */
  readonly endsSoon: boolean;
  /** What the maintainers name instead. */
  readonly successor: string | null;
}

/** A release cycle as it was known when the mail was created, with its source. */
export interface CycleDetails {
  readonly product: string;
  readonly productName: string;
  readonly cycle: string;
  /** Absent from mails that an earlier version has queued. */
  readonly label?: string;
  readonly status: Status;
  /** Null when no day is stated. */
  readonly eolDate: IsoDate | null;
  readonly precision: "day" | "month" | null;
  readonly daysUntilEol: number | null;
  readonly daysPastEol: number | null;
  readonly score: number;
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly verifiedAt: IsoDate | null;
  readonly confidence: Confidence;
  readonly latest: string | null;
  readonly support: string | null;
  /** Null when no supported release cycle is left. Absent from mails that an earlier version has queued. */
  readonly upgrade?: UpgradeDetails | null;
}

export interface AlertDetails extends CycleDetails {
  readonly trigger: CycleTrigger;
  /** For `kev`. */
  readonly cve?: string;
  /** The previously reported end, when it moved. */
  readonly movedFrom?: IsoDate;
}
