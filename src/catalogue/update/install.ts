/** Installs a catalogue from any origin: compares it with the one in use, and then replaces that file as a whole. */
import { join } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import type { CatalogueChanges } from "../../model/index.ts";
import { diffCatalogues } from "../info/diff.ts";
import { encodeCatalogue, openCatalogue, readContent, readOfferedContent } from "../file.ts";
import { bundledContent, type ComparedContent, parseCatalogue, parseOffered } from "../load.ts";
import { keepAcceptedEnds, readAcceptedEnds } from "./accepted-ends.ts";
import { type CheckedUpdate, checkUpdate } from "./check-update.ts";
import type { UpdateCheckOptions } from "./weakened.ts";
import type { Quarantine } from "./moves.ts";
import type { StoredContent } from "../schema.ts";
import { writeCached } from "../../platform/replace-file.ts";
import { verifySignature, type Trust } from "../signature.ts";

export const CATALOGUE_FILE = "catalogue.json";

export interface CatalogueBytes {
  readonly bytes: Buffer;
  /** A path or an address, named in messages. */
  readonly origin: string;
}

export interface InstallOptions extends Omit<UpdateCheckOptions, "origin" | "acceptedEnds"> {
  /** The user's cache folder. */
  readonly folder: string;
  readonly current: CatalogueBytes;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The catalogue of this release, with which every update is compared, too. Default: the bundled one. */
  readonly bundled?: () => ComparedContent;
  /** Accept a catalogue whose content is older than that of the one in use. */
  readonly allowOlder?: boolean | undefined;
}

export interface InstalledCatalogue {
  readonly path: string;
  readonly bytes: Buffer;
  readonly changes: CatalogueChanges;
  /** Ends that moved too far: the catalogue is installed with the ends that were in use. */
  readonly quarantined: readonly Quarantine[];
  /** Rows that would have made answers weaker: the catalogue is installed with the rows that were in use. */
  readonly held: CheckedUpdate["held"];
}

/**
 * Installs a verified catalogue. On any failure the one in use stays.
 * @throws EolgateError `catalogue`, code `catalogue-older` or as `checkUpdate`; `output`, code `not-written`.
 */
export async function installCatalogue(offered: CatalogueBytes, options: InstallOptions): Promise<InstalledCatalogue> {
  const { folder, current, today } = options;
  const inUse = {
    content: readContent(current.bytes, current.origin),
    catalogue: parseCatalogue(current.bytes, current.origin),
  };
  const newer = parseOffered(offered.bytes, offered.origin);
  const path = join(folder, CATALOGUE_FILE);
  const content = readOfferedContent(offered.bytes, offered.origin);
  if (options.allowOlder !== true) refuseOlder(inUse.content, content, offered.origin);
  // A catalogue that the user names instead of the one of this release is compared with itself only.
  const olders =
    current.origin === path ? ([inUse, (options.bundled ?? bundledContent)()] as const) : ([inUse] as const);
  const acceptedEnds = current.origin === path ? readAcceptedEnds(folder) : {};
  const checked = checkUpdate(
    olders,
    { content, catalogue: newer },
    { ...options, origin: offered.origin, acceptedEnds },
  );
  const { quarantined, held } = checked;
  // Without rows that were held back the bytes stay as they were signed.
  const isChanged = quarantined.length + held.length > 0;
  const bytes = isChanged ? encodeCatalogue(checked.newer.content) : offered.bytes;
  const changes = diffCatalogues(inUse.catalogue, checked.newer.catalogue, today);
  // Before the catalogue: a process that is killed between the two has both ends.
  await keepAcceptedEnds(folder, changes);
  await writeCached(path, bytes);
  return { path, bytes, changes, quarantined, held };
}

/** The days of the content, and of the lists of newest versions. */
function refuseOlder({ metadata: inUse }: StoredContent, { metadata: offered }: StoredContent, where: string): void {
  const lists = Object.entries(inUse.newestOn).map(([type, day]) => [offered.newestOn[type], day] as const);
  for (const [day = "0000", current] of [[offered.date, inUse.date] as const, ...lists])
    if (day < current) throw EolgateError.of("catalogue-older", { offered: day, current }).at(where);
}

// A catalogue from elsewhere, another server's or a file: digest and signature are verified before it is installed.

export interface AcceptOptions extends InstallOptions {
  readonly offered: CatalogueBytes;
  readonly trust: Trust;
}

/** @throws EolgateError `catalogue`: corrupt, unsigned, signed by another key, or as `installCatalogue`. */
export async function acceptCatalogue(options: AcceptOptions): Promise<InstalledCatalogue> {
  const { offered, trust } = options;
  verifySignature(openCatalogue(offered.bytes, offered.origin).head, trust, offered.origin);
  return installCatalogue(offered, options);
}
