/** `eolgate signals info`: the number of cached answers, their sources and their age. */
import { type CacheInfo, openCache } from "../../../signals/cache.ts";
import type { Invocation } from "../../command.ts";
import { deliver, jsonText } from "../../output.ts";
import { signalsCachePath } from "../../signals.ts";
import { text } from "../../config.ts";
import { flagValues } from "../../value-origins.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const values = flagValues(invocation);
  const cache = openCache(signalsCachePath(io.env));
  try {
    const info = cache.info();
    await deliver(io, text(values["output"]), values["format"] === "json" ? jsonText(info) : infoText(info));
    return 0;
  } finally {
    cache.close();
  }
}

function infoText({ path, entries, oldest, newest, sources }: CacheInfo): string {
  const days = oldest === null ? "" : `, from ${oldest} to ${newest}`;
  const lines = sources.map(({ source, entries: count }) => `  ${source.padEnd(20)} ${count}`);
  return `${[`${path}: ${entries} answers${days}`, ...lines].join("\n")}\n`;
}
