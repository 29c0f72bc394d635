/**
 * Writes a publication of a channel: the compressed catalogue, the history, and the signed metadata that names both. It
 * imports no package, because the job that signs has none.
 */
import type { KeyObject } from "node:crypto";
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { EolgateError } from "../messages/error.ts";
import type { IsoDate } from "../text/ids.ts";
import { digestOf } from "../platform/file-source.ts";
import { openCatalogue, readContent, resignCatalogue } from "../catalogue/file.ts";
import { sourceInfo } from "../catalogue/info/sources.ts";
import { signDigest } from "../catalogue/signature.ts";
import { writeCached } from "../platform/replace-file.ts";
import { CHANNEL_FORMAT, HISTORY_FORMAT, METADATA_PATH, sealEnvelope } from "../catalogue/channel/envelope.ts";
import type { ChannelMetadata } from "../catalogue/channel/metadata.ts";
import type { PastPublication, Publications } from "../catalogue/channel/history.ts";

export interface PublishOptions {
  /** Folder that the host serves; made where it is missing. */
  readonly folder: string;
  readonly catalogue: { readonly bytes: Buffer; readonly origin: string };
  /** Private keys. Two keys during a rotation, so that clients that know only one of them can verify it. */
  readonly keys: readonly KeyObject[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly today: IsoDate;
  /** Hours until the next publication is due, and until the metadata expires. */
  readonly nextHours: number;
  readonly expiryHours: number;
  /** Ids of keys that are no longer to be trusted. */
  readonly revokedKeys: readonly string[];
  /** Days for which a replaced catalogue is kept. Default: all are kept. */
  readonly historyDays?: number | undefined;
}

export interface Publication {
  readonly metadata: ChannelMetadata;
  readonly path: string;
}

const HOUR = 60 * 60 * 1000;
const PREFIX = "catalogue-";

/** What a folder published last. */
export interface Published {
  readonly metadata: ChannelMetadata;
  /** Its history, or the publication itself where it has none. */
  readonly past: Publications;
}

/**
 * The catalogue is written before the metadata that names it. What the history and the metadata before name is kept.
 * @throws EolgateError `catalogue-from-future`, `catalogue-older`, `output`.
 */
export async function writePublication(options: PublishOptions, published?: Published): Promise<Publication> {
  const { folder, catalogue, keys, today } = options;
  const { date } = openCatalogue(catalogue.bytes, catalogue.origin).sections.value("metadata");
  const { metadata: previous, past = [] } = published ?? {};
  const where = catalogue.origin;
  if (date > today) throw EolgateError.of("catalogue-from-future", { date, today }).at(where);
  const before = previous?.catalogue.contentDate ?? date;
  if (date < before) throw EolgateError.of("catalogue-older", { offered: date, current: before }).at(where);
  const [first] = keys;
  if (first === undefined) throw noSignKey();
  const bytes = resignCatalogue(catalogue.bytes, where, (digest) => signDigest(digest, first));
  const packed = await compress(bytes);
  const behind = behindIn(bytes, options);
  const described = describe(options, { bytes, packed, date, behind, previous: previous?.version ?? 0 });
  const { path: name } = described.catalogue;
  const path = join(folder, METADATA_PATH);
  const history = extendHistory(past, described, keptSince(options));
  const metadata = { ...described, history: history.named };
  await writeCached(join(folder, "v1", name), packed);
  await writeCached(join(folder, "v1", history.named.path), history.bytes);
  await writeCached(path, Buffer.from(`${JSON.stringify(sealEnvelope(payloadOf(metadata), keys), null, 2)}\n`));
  const inHistory = history.publications.map(({ catalogue: { path } }) => path);
  await removeOld(folder, new Set([...inHistory, ...filesOf(metadata), ...filesOf(previous)]));
  return { metadata, path };
}

/** The feeds that could not be read for more than a week. */
const behindIn = (bytes: Buffer, { catalogue, today }: PublishOptions): Packed["behind"] =>
  sourceInfo(readContent(bytes, catalogue.origin), today)
    .filter(({ is_behind }) => is_behind)
    .map(({ id, read_on }) => ({ source: id, readOn: read_on.newest }));

interface Packed {
  readonly bytes: Buffer;
  readonly behind: NonNullable<ChannelMetadata["behind"]>;
  readonly packed: Buffer;
  readonly date: string;
  /** Version of the last publication in the folder. */
  readonly previous: number;
}

function describe({ now, nextHours, expiryHours, revokedKeys }: PublishOptions, published: Packed): ChannelMetadata {
  const { bytes, packed, date, behind, previous } = published;
  const sha256 = digestOf(packed);
  const { format, digest } = openCatalogue(bytes, "publication").head;
  const start = "sha256:".length;
  return {
    format: CHANNEL_FORMAT,
    // Seconds since the epoch: they grow without a memory of what was published before.
    version: Math.max(Math.floor(now / 1000), previous + 1),
    publishedAt: instant(now),
    nextBy: instant(now + nextHours * HOUR),
    expires: instant(now + expiryHours * HOUR),
    revokedKeys: [...revokedKeys],
    ...(behind.length > 0 && { behind }),
    catalogue: {
      path: `${PREFIX}${sha256.slice(start, start + 16)}.json.brotli`,
      format,
      contentDate: date,
      digest,
      compression: "br",
      sha256,
      size: packed.length,
      unpackedSize: bytes.length,
    },
  };
}

const payloadOf = (metadata: ChannelMetadata): Buffer => Buffer.from(JSON.stringify(metadata, null, 2));
const instant = (time: number): string => new Date(time).toISOString();
const keptSince = ({ now, historyDays }: PublishOptions): string | undefined =>
  historyDays === undefined ? undefined : instant(now - historyDays * 24 * HOUR);

const filesOf = (metadata: ChannelMetadata | undefined) => [metadata?.catalogue.path, metadata?.history?.path];

async function removeOld(folder: string, kept: ReadonlySet<string | undefined>): Promise<void> {
  for (const name of await readdir(join(folder, "v1")))
    if ((name.startsWith(PREFIX) || name.startsWith(HISTORY_PREFIX)) && !kept.has(name))
      await unlink(join(folder, "v1", name));
}

async function compress(bytes: Buffer): Promise<Buffer> {
  return promisify<Buffer, { params: Record<number, number> }, Buffer>(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

const HISTORY_PREFIX = "history-";

/** The list of publications with the one that is made now. One that another replaced before `keptSince` is left out. */
function extendHistory(before: Publications, { publishedAt, expires, catalogue }: PastPublication, keptSince = "") {
  const all = [...before, { publishedAt, expires, catalogue }];
  const publications = all.filter((_, at) => (all[at + 1]?.publishedAt ?? publishedAt) >= keptSince);
  const rows = publications.map((each) => JSON.stringify(each)).join(",\n");
  const bytes = Buffer.from(`{"format":"${HISTORY_FORMAT}","publications":[\n${rows}\n]}\n`);
  const sha256 = digestOf(bytes);
  const path = `${HISTORY_PREFIX}${sha256.slice("sha256:".length, "sha256:".length + 16)}.json`;
  return { publications, bytes, named: { path, sha256, size: bytes.length } };
}

export const noSignKey = (): EolgateError =>
  EolgateError.of("invalid-usage", {
    problem: "a channel cannot be published without a signature",
    advice: "Name the private key with --sign-key. Create one with: openssl genpkey -algorithm ed25519 -out key.pem",
  }).at("--sign-key");
