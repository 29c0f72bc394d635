/** `eolgate signals import FILE`: adds answers that another machine exported to the cache. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { EolgateError } from "../../../core/errors.ts";
import { openCache } from "../../../signals/cache.ts";
import { importLines } from "../../../signals/exchange.ts";
import type { Invocation } from "../../command.ts";
import { signalsCachePath } from "../../signals.ts";

export async function run({ io, args }: Invocation): Promise<number> {
  const [file = ""] = args;
  const bytes = file === "-" ? await io.stdin() : await readExport(resolve(io.cwd, file), file);
  const cache = openCache(signalsCachePath(io.env));
  try {
    const count = importLines(cache, new TextDecoder().decode(bytes).split("\n"), file);
    io.err(`eolgate: ${count} answers imported\n`);
    return 0;
  } finally {
    cache.close();
  }
}

async function readExport(path: string, where: string): Promise<Uint8Array> {
  return readFile(path).catch((cause: unknown) => {
    throw EolgateError.of("signals-import-unreadable", { what: "the file cannot be read" }, { where, cause });
  });
}
