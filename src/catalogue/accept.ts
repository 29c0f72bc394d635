/**
 * A catalogue from elsewhere (another server's, or a file carried by hand) in the place of the last good one: digest and
 * signature before anything is parsed, then the same sanity as an update, and never an older one by accident.
 */
import type { KeyObject } from "node:crypto";
import { join } from "node:path";
import { EolgateError } from "../core/errors.ts";
import type { IsoDate } from "../core/ids.ts";
import type { CatalogueChanges } from "../core/model.ts";
import { diffCatalogues } from "./diff.ts";
import { openCatalogue, readContent } from "./file.ts";
import { parseCatalogue } from "./load.ts";
import { checkSignature } from "./signature.ts";
import { CATALOGUE_FILE } from "./update.ts";
import { createFetcher, type FetchOptions } from "./update/fetch.ts";
import { replaceFile, sweepLeftovers } from "./update/replace.ts";
import { checkUpdate } from "./update/sanity.ts";

export interface AcceptOptions {
  readonly folder: string;
  readonly current: { readonly bytes: Buffer; readonly origin: string };
  /** The offered catalogue. */
  readonly offered: { readonly bytes: Buffer; readonly origin: string };
  /** Where it is configured, the signature has to be by it. */
  readonly key?: KeyObject | undefined;
  /** Take one that was read before the one at hand. */
  readonly allowOlder?: boolean;
  readonly today: IsoDate;
  readonly now: number;
}
export interface AcceptedCatalogue {
  readonly path: string;
  readonly changes: CatalogueChanges;
}

/** @throws Fault `catalogue` (4): corrupt, unsigned, shrunken or older. */
export async function acceptCatalogue(options: AcceptOptions): Promise<AcceptedCatalogue> {
  const { folder, current, offered, key, today, now } = options;
  verifyCatalogue(offered.bytes, offered.origin, key);
  const older = parseCatalogue(current.bytes, current.origin);
  const newer = parseCatalogue(offered.bytes, offered.origin);
  if (newer.metadata.date < older.metadata.date && options.allowOlder !== true) {
    throw EolgateError.of(
      "catalogue-older",
      { offered: newer.metadata.date, current: older.metadata.date },
      { where: offered.origin },
    );
  }
  checkUpdate(readContent(current.bytes, current.origin), readContent(offered.bytes, offered.origin), offered.origin);
  const changes = diffCatalogues(older, newer, today);
  const path = join(folder, CATALOGUE_FILE);
  await sweepLeftovers(folder, now);
  await replaceFile(path, offered.bytes);
  return { path, changes };
}

/** Digest, and signature where a key is configured. Answers with the digest. @throws Fault `catalogue`. */
export function verifyCatalogue(bytes: Buffer, origin: string, key: KeyObject | undefined): string {
  const { head } = openCatalogue(bytes, origin);
  if (key) checkSignature(head, key, origin);
  return head.digest;
}

/** The catalogue that another server publishes: `URL` itself when it ends in `.json`, else its `/catalogue.json`. */
export async function fetchCatalogue(
  from: string,
  options: FetchOptions,
): Promise<{ readonly bytes: Buffer; readonly origin: string }> {
  const address = publishedAt(from);
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(address.hostname);
  // Plain http is for one's own machine: there the address is its own mirror.
  const base = local ? address.origin : undefined;
  const fetcher = createFetcher({ ...options, base });
  try {
    const answer = await fetcher.get(address.href, "json");
    if (answer.kind === "body") return { bytes: answer.bytes, origin: address.href };
    throw new RangeError("a question without a condition was answered with not modified");
  } finally {
    await fetcher.close();
  }
}

function publishedAt(from: string): URL {
  if (!URL.canParse(from)) {
    throw EolgateError.of("bad-address", { from: from.slice(0, 100) }, { where: "--from" });
  }
  const url = new URL(from);
  if (!url.pathname.endsWith(".json")) url.pathname = `${url.pathname.replace(/\/+$/, "")}/catalogue.json`;
  return url;
}
