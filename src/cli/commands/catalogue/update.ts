/** `eolgate catalogue update`: replaces the catalogue in the user's cache, from a channel, a server, a file or the sources. */
import { locate } from "../../../catalogue/channel/location.ts";
import { RELEASE_CHANNEL } from "../../../catalogue/places.ts";
import { updateFrom, type UpdateFromResult } from "../../../catalogue/channel/pull.ts";
import { EolgateError } from "../../../messages/error.ts";
import { installedCard, updateCard } from "../../../report/cards/catalogue.ts";
import { answer, installOptions, trustOf } from "../../current-catalogue.ts";
import type { Invocation } from "../../command.ts";
import { flagValues } from "../../value-origins.ts";
import type { SettingsLayer } from "../../settings.ts";
import { on, text } from "../../config.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const base = text(values["sourceBase"]);
  if (on(values["fromSources"]) || (base !== undefined && invocation.flags["from"] === undefined))
    return fromSources(invocation, values, base);
  const from = text(values["from"]) ?? RELEASE_CHANNEL;
  if (from === undefined) throw EolgateError.of("channel-not-configured", {}, { where: "--from" });
  const { io } = invocation;
  const result = await updateFrom({
    ...(await installOptions(invocation, values)),
    origin: await locate(from, io.cwd, { env: io.env, signal: io.stop() }),
    trust: await trustOf(invocation, values),
  });
  return answer(invocation, values, factsOf(result), () => cardOf(result));
}

function factsOf(result: UpdateFromResult) {
  const channel = result.metadata === undefined ? {} : { channel: result.metadata };
  if (result.kind === "up-to-date") return { status: result.kind, ...channel };
  const { bytes: _, ...installed } = result.installed;
  return { status: result.kind, ...installed, ...channel };
}

function cardOf(result: UpdateFromResult): string {
  if (result.kind === "installed") return installedCard(result.installed);
  const { version, catalogue } = result.metadata;
  return `up to date: version ${version} of the channel, content of ${catalogue.contentDate}\n`;
}

async function fromSources(invocation: Invocation, values: SettingsLayer, base: string | undefined): Promise<number> {
  const { io } = invocation;
  const { updateFromSources } = await import("../../../pipeline/index.ts");
  const report = await updateFromSources({
    ...(await installOptions(invocation, values)),
    env: io.env,
    signal: io.stop(),
    base,
    ...(io.terminal.err && {
      progress: (done, of) => io.err(`\rreading sources: ${done} of ${of}${done === of ? "\n" : ""}`),
    }),
  });
  const { bytes: _, ...facts } = report;
  const code = await answer(invocation, values, facts, () => updateCard(report));
  const failed = report.sources.filter(({ outcome }) => outcome === "failed");
  if (failed.length === 0 || !on(values["strictSources"])) return code;
  throw EolgateError.of(
    "vendors-unread",
    { failed: failed.length, all: report.sources.length },
    { where: failed.map(({ id }) => id).join(", ") },
  );
}
