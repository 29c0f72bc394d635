/** A mail before its two forms are rendered, and what composing it needs. */
import type { Store } from "../../store/store.ts";
import type { Keys } from "../keys/keys.ts";
import type { SecretRing } from "../keys/secret.ts";
import type { Block } from "./message.ts";

export interface ComposeOptions {
  readonly store: Pick<Store, "watch">;
  readonly secrets: SecretRing;
  readonly keys: Pick<Keys, "textOf">;
  /** Links lead here; never taken from a request. */
  readonly publicUrl: string;
  /** The right part of each Message-ID. */
  readonly domain: string;
}

export interface Draft {
  readonly subject: string;
  readonly blocks: readonly Block[];
  readonly unsubscribe?: string;
}
