/** `eolgate signals import FILE`: adds answers that another machine exported to the cache. */
import { resolve } from "node:path";
import { EolgateError } from "../../../messages/error.ts";
import { readBoundedFile } from "../../../platform/bounded-file.ts";
import { openCache } from "../../../signals/cache.ts";
import { importLines } from "../../../signals/exchange.ts";
import type { Invocation } from "../../command.ts";
import { signalsCachePath } from "../../signals.ts";

export async function run({ io, args }: Invocation): Promise<number> {
  const [file = ""] = args;
  const bytes = file === "-" ? await io.stdin() : readExport(resolve(io.cwd, file), file);
  const cache = openCache(signalsCachePath(io.env));
  try {
    const count = importLines(cache, new TextDecoder().decode(bytes).split("\n"), file);
    io.err(`eolgate: ${count} answers imported\n`);
    return 0;
  } finally {
    cache.close();
  }
}

function readExport(path: string, where: string): Uint8Array {
  return readBoundedFile(path, "exported cache", (cause) =>
    EolgateError.of("signals-import-unreadable", { what: "the file cannot be read" }, { where, cause }),
  );
}
