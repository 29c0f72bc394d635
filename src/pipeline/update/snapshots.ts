/**
 * The last good answer of each address, kept in the cache folder: it is used again when the address answers "not modified".
 * A snapshot whose digest does not match is ignored.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Validators } from "../../catalogue/update/fetch.ts";
import { writeCached } from "../../platform/replace-file.ts";

export interface SourceSnapshot {
  readonly bytes: Buffer;
  readonly validators: Validators;
}

export interface Snapshots {
  read(url: string): Promise<SourceSnapshot | undefined>;
  write(url: string, snapshot: SourceSnapshot): Promise<void>;
}

interface SnapshotHead extends Validators {
  readonly url: string;
  readonly sha256: string;
}

/** One file for each address: a row with address, digest and validators, then the bytes. */
export function snapshotsIn(folder: string): Snapshots {
  const pathOf = (url: string) => join(folder, `${sha256(Buffer.from(url)).slice(0, 32)}.snapshot`);
  return {
    async read(url) {
      const file = await readFile(pathOf(url)).catch(() => undefined);
      const end = file?.indexOf(0x0a) ?? -1;
      if (file === undefined || end < 0) return undefined;
      const head = readHead(file.toString("utf8", 0, end));
      const bytes = file.subarray(end + 1);
      if (head?.url !== url || head.sha256 !== sha256(bytes)) return undefined;
      return { bytes, validators: { etag: head.etag, lastModified: head.lastModified } };
    },
    async write(url, { bytes, validators }) {
      const head: SnapshotHead = { url, sha256: sha256(bytes), ...validators };
      await writeCached(pathOf(url), Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]));
    },
  };
}

function readHead(row: string): SnapshotHead | undefined {
  try {
    const head: unknown = JSON.parse(row);
    if (typeof head !== "object" || head === null || !("url" in head) || !("sha256" in head)) return undefined;
    const { url, sha256 } = head;
    if (typeof url !== "string" || typeof sha256 !== "string") return undefined;
    return { url, sha256, etag: textIn(head, "etag"), lastModified: textIn(head, "lastModified") };
  } catch {
    return undefined;
  }
}

function textIn(head: object, name: string): string | undefined {
  const value: unknown = Object.entries(head).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : undefined;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
