/** Where a catalogue is taken from: a channel or a single file, on a server or on disk. */
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { createFetcher, type FetchOptions } from "../update/fetch.ts";

/** Reads files below one address or folder. */
export interface Location {
  /** Address or path, named in messages and in the state. */
  readonly address: string;
  /** Undefined if there is no such file. @throws EolgateError `network` or `input`. */
  read(path: string, limit: number): Promise<Buffer | undefined>;
}

export type Origin =
  | { readonly kind: "channel"; readonly location: Location }
  /** One catalogue file, by its name below the location. */
  | { readonly kind: "file"; readonly location: Location; readonly path: string };

/** `--channel`: an address or a path. A name that ends in `.json` is a catalogue file, anything else a channel. */
export async function locate(from: string, cwd: string, options: FetchOptions): Promise<Origin> {
  if (/^https?:\/\//i.test(from)) return locateUrl(from, options);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(from) || from.trim() === "") throw notAUrl(from);
  const path = resolve(cwd, from);
  const found = await stat(path).catch((cause: unknown) => {
    throw EolgateError.of("catalogue-unreadable", {}, { where: from, cause });
  });
  if (found.isDirectory()) return { kind: "channel", location: folderLocation(path) };
  return { kind: "file", location: folderLocation(dirname(path)), path: basename(path) };
}

const notAUrl = (from: string): EolgateError =>
  EolgateError.of("invalid-value", {
    problem: `"${from.slice(0, 100)}" is not a URL`,
    advice: "For example: --channel https://eol.example.com",
  }).at("--channel");

function locateUrl(from: string, options: FetchOptions): Origin {
  if (!URL.canParse(from)) throw notAUrl(from);
  const url = new URL(from);
  const file = /\/([^/]+\.json)$/.exec(url.pathname)?.[1];
  if (file === undefined) return { kind: "channel", location: urlLocation(url, options) };
  const folder = new URL(".", url);
  if (file !== "metadata.json") return { kind: "file", location: urlLocation(folder, options), path: file };
  return { kind: "channel", location: urlLocation(new URL("..", url), options) };
}

function urlLocation(base: URL, options: FetchOptions): Location {
  const address = base.href.replace(/\/+$/, "");
  return {
    address,
    async read(path, limit) {
      const fetcher = createFetcher({ ...options, base: undefined, limit });
      try {
        const answer = await fetcher.get(`${address}/${path}`, "json");
        return answer.kind === "body" ? answer.bytes : undefined;
      } catch (error) {
        if (error instanceof EolgateError && (error.details["status"] === 404 || error.details["status"] === 410))
          return undefined;
        throw error;
      } finally {
        await fetcher.close();
      }
    },
  };
}

export function folderLocation(folder: string): Location {
  return {
    address: folder,
    async read(path, limit) {
      const file = join(folder, path);
      const found = await stat(file).catch(() => undefined);
      if (found === undefined) return undefined;
      if (found.size > limit) throw unread(file, `it has more than ${limit} bytes`);
      return readFile(file).catch((cause: unknown) => {
        throw unread(file, cause instanceof Error ? cause.message : String(cause), cause);
      });
    },
  };
}

function unread(where: string, why: string, cause?: unknown): EolgateError {
  return EolgateError.of("source-unread", { why }, { where, cause });
}
