/** What was last accepted from a channel, kept in the cache folder: a client never goes back behind it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../update/replace.ts";

export interface ChannelState {
  /** Where it was read: without its metadata, this address is not asked for an unversioned catalogue instead. */
  readonly address: string;
  /** Highest version that was accepted. */
  readonly version: number;
  /** SHA-256 of the metadata's payload with that version. */
  readonly payload: string;
  /** Digest of the catalogue that was installed. It differs from the published one where ends were quarantined. */
  readonly installed: string;
  /** The UTC day on which the channel was last read. */
  readonly checkedOn: string;
  /** Keys that were revoked by metadata that another key signed. */
  readonly revokedKeys: readonly string[];
}

const STATE_FILE = "channel.json";

/** Undefined if nothing was accepted yet, or where the file is damaged: then only signature and expiry protect. */
export async function readState(folder: string): Promise<ChannelState | undefined> {
  const text = await readFile(join(folder, STATE_FILE), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isState(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function writeState(folder: string, state: ChannelState): Promise<void> {
  await replaceFile(join(folder, STATE_FILE), Buffer.from(`${JSON.stringify(state, null, 2)}\n`));
}

function isState(value: unknown): value is ChannelState {
  if (typeof value !== "object" || value === null) return false;
  const state: Partial<Record<keyof ChannelState, unknown>> = value;
  return (
    Number.isSafeInteger(state.version) &&
    [state.address, state.payload, state.installed, state.checkedOn].every((text) => typeof text === "string") &&
    Array.isArray(state.revokedKeys) &&
    state.revokedKeys.every((id) => typeof id === "string")
  );
}
