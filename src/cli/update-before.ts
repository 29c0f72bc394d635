/** `check --update`: reads the catalogue channel before the run, at most once a day. An answer that fails is a note. */
import { locate } from "../catalogue/channel/location.ts";
import { RELEASE_CHANNEL } from "../catalogue/places.ts";
import { overdueNote, readState, updateFrom } from "../catalogue/channel/pull.ts";
import { EolgateError } from "../messages/error.ts";
import { escapeTerminal } from "../report/escape.ts";
import { cacheOf, installOptions, trustOf } from "../shell/catalogue-file.ts";
import type { ProcessContext } from "../shell/process-context.ts";
import { stringValue, type Settings } from "../shell/settings.ts";

/** Timeout for one answer of the channel, in milliseconds. */
export const TIMEOUT = 15_000;

/**
 * Updates the catalogue. The address and the key come from the release or the environment, never from a configuration
 * file: the checked repository must not choose the trusted keys.
 * @param isOptional Without a channel, the current catalogue is used with a note.
 * @throws EolgateError `channel-not-configured` without a channel
 */
export async function updateBeforeRun(io: ProcessContext, settings: Settings, isOptional: boolean): Promise<void> {
  const from = stringValue(io.env["EOLGATE_CHANNEL"]) ?? RELEASE_CHANNEL;
  if (from === undefined && !isOptional) throw noChannel();
  if (stringValue(settings.values["catalogue"]) !== undefined) {
    io.err("eolgate: note: --update has no effect with --catalogue\n");
    return;
  }
  try {
    if (from === undefined) throw noChannel();
    await updateOnceADay(io, from);
  } catch (error) {
    if (!(error instanceof EolgateError)) throw error;
    const where = error.where === undefined ? "" : ` (${escapeTerminal(error.where)})`;
    io.err(`eolgate: note: the catalogue was not updated: ${escapeTerminal(error.message)}${where}\n`);
  }
}

async function updateOnceADay(io: ProcessContext, from: string): Promise<void> {
  const origin = await locate(from, io.cwd, { env: io.env, timeout: TIMEOUT });
  const state = await readState(cacheOf(io));
  if (state?.checkedOn === io.today() && state.address === origin.location.address) return;
  const trust = await trustOf(io, { publisherKey: io.env["EOLGATE_PUBLISHER_KEY"] });
  const result = await updateFrom({ ...(await installOptions(io, {})), origin, trust });
  if (result.kind === "installed" && result.overdueSince !== undefined)
    io.err(`eolgate: note: ${overdueNote(result.overdueSince)}\n`);
}

export const noChannel = (): EolgateError => EolgateError.of("channel-not-configured", {}).at("EOLGATE_CHANNEL");
