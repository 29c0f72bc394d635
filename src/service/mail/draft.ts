/** A mail before its text and HTML parts are rendered, and the dependencies of composing it. */
import type { Store } from "../store/store.ts";
import type { Keys } from "../keys/keys.ts";
import type { SecretRing } from "../keys/secret.ts";
import type { Block } from "./message.ts";

export interface ComposeOptions {
  readonly store: Pick<Store, "watch">;
  readonly secrets: SecretRing;
  readonly keys: Pick<Keys, "textOf">;
  /** Base URL of links, from the settings. */
  readonly publicUrl: string;
  /** Domain of Message-IDs. */
  readonly domain: string;
}

export interface Draft {
  readonly subject: string;
  readonly blocks: readonly Block[];
  readonly unsubscribe?: string;
}
