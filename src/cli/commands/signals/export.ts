/** `eolgate signals export`: writes the cached answers to a file for another machine. */
import { openCache } from "../../../signals/cache.ts";
import { exportLines } from "../../../signals/exchange.ts";
import type { Invocation } from "../../command.ts";
import { deliverDocument } from "../../enriched.ts";
import { signalsCachePath } from "../../signals.ts";
import { text } from "../../config.ts";

const CHUNK = 65_536;

export async function run({ io, flags }: Invocation): Promise<number> {
  const cache = openCache(signalsCachePath(io.env));
  try {
    const output = text(flags["output"]);
    await deliverDocument(io, chunksOf(exportLines(cache)), { ...(output !== undefined && { output }) });
    io.err(`eolgate: ${cache.info().entries} answers exported\n`);
    return 0;
  } finally {
    cache.close();
  }
}

function* chunksOf(lines: Iterable<string>): Generator<Uint8Array> {
  let text = "";
  for (const line of lines) {
    text += line;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}
