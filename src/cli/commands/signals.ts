/** The commands for the cache of support signals, see docs/signals.md: its state, and its export to another machine. */
import { openCache, type CacheInfo } from "../../signals/cache.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { deliver, deliverDocument, jsonText } from "../../shell/output.ts";
import { stringValue, flagValues } from "../../shell/settings.ts";
import { OUTPUT_FLAG, TEXT_OR_JSON_FLAGS } from "../flags/check.ts";
import { signalsCachePath } from "../signals.ts";
import { exportLines, importLines } from "../../signals/exchange.ts";
import { resolve } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";

async function runInfo(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const values = flagValues(invocation);
  const cache = openCache(signalsCachePath(io.env));
  try {
    const info = cache.info();
    await deliver(io, stringValue(values["output"]), values["format"] === "json" ? jsonText(info) : infoText(info));
    return 0;
  } finally {
    cache.close();
  }
}

function infoText({ path, entries, oldest, newest, sources, unused }: CacheInfo): string {
  const days = oldest === null ? "" : `, from ${oldest} to ${newest}`;
  const lines = sources.map(({ source, entries: count }) => `  ${source.padEnd(20)} ${count}`);
  if (unused > 0) lines.push(unusedText(unused));
  return `${[`${path}: ${entries} answers${days}`, ...lines].join("\n")}\n`;
}

const unusedText = (unused: number): string => `${unused} of sources that this version does not have are not used`;

const CHUNK = 65_536;

async function runExport({ io, flags }: Invocation): Promise<number> {
  const cache = openCache(signalsCachePath(io.env));
  try {
    const output = stringValue(flags["output"]);
    await deliverDocument(io, chunksOf(exportLines(cache)), { ...(output !== undefined && { output }) });
    const { entries, unused } = cache.info();
    io.err(`eolgate: ${entries - unused} answers exported${unused === 0 ? "" : `; ${unusedText(unused)}`}\n`);
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

async function runImport({ io, args }: Invocation): Promise<number> {
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
    EolgateError.of(
      "invalid-import",
      {
        problem: "the file cannot be read",
        advice: "Nothing was imported. Create the file with: eolgate signals export -o FILE",
      },
      { where, cause },
    ),
  );
}

export const commands: readonly CommandModule[] = [
  {
    name: "signals info",
    summary: "print the number and the age of the answers in the cache of support signals",
    flags: TEXT_OR_JSON_FLAGS,
    run: runInfo,
  },
  {
    name: "signals export",
    summary: "write the cached answers to a file, for machines without a network",
    flags: [OUTPUT_FLAG],
    examples: ["eolgate signals export -o signals.ndjson"],
    run: runExport,
  },
  {
    name: "signals import",
    arguments: "<file>",
    summary: "add the answers in an export to the cache",
    flags: [],
    examples: ["eolgate signals import signals.ndjson"],
    run: runImport,
  },
];
