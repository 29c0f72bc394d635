/** Writes what a static host serves as a channel: signed metadata and the compressed catalogue. */
import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { readdir, readFile, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { EolgateError } from "../messages/error.ts";
import type { IsoDate } from "../text/ids.ts";
import { digestOf } from "../platform/file-source.ts";
import { openCatalogue, readContent, resignCatalogue } from "../catalogue/file.ts";
import { sourceInfo } from "../catalogue/info/info.ts";
import { keyId, signDigest } from "../catalogue/signature.ts";
import { writeCached } from "../platform/replace-file.ts";
import {
  CHANNEL_FORMAT,
  type ChannelMetadata,
  type Envelope,
  METADATA_PATH,
  parseEnvelope,
  parseMetadata,
  PAYLOAD_TYPE,
  signedBytes,
} from "../catalogue/channel/metadata.ts";
import { extendHistory, HISTORY_PREFIX, type Publications, readHistory } from "../catalogue/channel/history.ts";
import { folderLocation } from "../catalogue/channel/location.ts";
import { deliverAnswer } from "../shell/output.ts";
import { currentCatalogueFile, privateKey } from "../shell/catalogue-file.ts";
import type { Invocation, SettingsLayer } from "../shell/command.ts";
import { flagValues, listValue, stringValue } from "../shell/settings.ts";

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

/**
 * The catalogue is written before the metadata that names it. What the history and the metadata before name is kept.
 * @throws EolgateError `catalogue-from-future`, `catalogue-older`, `channel-damaged` for the folder; `output`.
 */
export async function publishChannel(options: PublishOptions): Promise<Publication> {
  const { folder, catalogue, keys, today } = options;
  const { date } = openCatalogue(catalogue.bytes, catalogue.origin).sections.value("metadata");
  const previous = await readPrevious(folder);
  const where = catalogue.origin;
  if (date > today) throw EolgateError.of("catalogue-from-future", { date, today }).at(where);
  const before = previous?.catalogue.contentDate ?? date;
  if (date < before) throw EolgateError.of("catalogue-older", { offered: date, current: before }).at(where);
  const [first] = keys;
  if (first === undefined) throw noSignKey();
  const bytes = resignCatalogue(catalogue.bytes, where, (digest) => signDigest(digest, first));
  const packed = await compress(bytes);
  const behind = sourceInfo(readContent(bytes, where), today)
    .filter(({ is_behind }) => is_behind)
    .map(({ id, read_on }) => ({ source: id, readOn: read_on.newest }));
  const described = describe(options, { bytes, packed, date, behind, previous: previous?.version ?? 0 });
  const { path: name } = described.catalogue;
  const path = join(folder, METADATA_PATH);
  const history = extendHistory(await pastOf(previous, folder), described, keptSince(options));
  const metadata = { ...described, history: history.named };
  await writeCached(join(folder, "v1", name), packed);
  await writeCached(join(folder, "v1", history.named.path), history.bytes);
  await writeCached(path, Buffer.from(`${JSON.stringify(sealEnvelope(payloadOf(metadata), keys), null, 2)}\n`));
  const inHistory = history.publications.map(({ catalogue: { path } }) => path);
  await removeOld(folder, new Set([...inHistory, ...filesOf(metadata), ...filesOf(previous)]));
  return { metadata, path };
}

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

/** Signs with every key, so that clients that know only one of them can verify it. */
export function sealEnvelope(payload: Buffer, keys: readonly KeyObject[]): Envelope {
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString("base64"),
    signatures: keys.map((key) => ({
      keyid: keyId(createPublicKey(key)),
      sig: sign(null, signedBytes(PAYLOAD_TYPE, payload), key).toString("base64"),
    })),
  };
}

const payloadOf = (metadata: ChannelMetadata): Buffer => Buffer.from(JSON.stringify(metadata, null, 2));
const instant = (time: number): string => new Date(time).toISOString();
const keptSince = ({ now, historyDays }: PublishOptions): string | undefined =>
  historyDays === undefined ? undefined : instant(now - historyDays * 24 * HOUR);

/** Only read for its version and names: the folder is the publisher's own, its signature is not needed. */
async function readPrevious(folder: string): Promise<ChannelMetadata | undefined> {
  const path = join(folder, METADATA_PATH);
  const bytes = await readFile(path).catch(() => undefined);
  return bytes === undefined ? undefined : parseMetadata(parseEnvelope(bytes, path), path);
}

const pastOf = async (previous: ChannelMetadata | undefined, folder: string): Promise<Publications> =>
  previous === undefined ? [] : readHistory(previous, folderLocation(folder));

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

// `eolgate catalogue publish DIR`: writes the catalogue in use as a signed channel for a static host.

const NEXT_HOURS = 72;
const EXPIRY_HOURS = 336;
const MAX_HOURS = 24 * 366;
const MAX_DAYS = 36_600;

export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const values = flagValues(invocation);
  const files = listValue(values["signKey"]);
  if (files.length === 0) throw noSignKey();
  const { metadata, path } = await publishChannel({
    folder: resolve(io.cwd, args[0] ?? ""),
    catalogue: await currentCatalogueFile(invocation.io, values),
    keys: await Promise.all(files.map((file) => privateKey(invocation.io, file))),
    now: io.now(),
    today: io.today(),
    nextHours: hours(values, "nextIn", "--next-in", NEXT_HOURS),
    expiryHours: hours(values, "expiresIn", "--expires-in", EXPIRY_HOURS),
    revokedKeys: listValue(values["revokeKey"]).map(keyIdOf),
    historyDays: given(values, "keepHistory", "--keep-history", { unit: "days", max: MAX_DAYS }),
  });
  const { version, expires, catalogue } = metadata;
  const card = [
    `version ${version} in ${path}, expires ${expires}`,
    `content of ${catalogue.contentDate}, ${catalogue.size} bytes compressed, ${catalogue.digest}`,
  ];
  return deliverAnswer(invocation.io, values, metadata, () => `${card.join("\n")}\n`);
}

function hours(values: SettingsLayer, key: string, flag: string, otherwise: number): number {
  return given(values, key, flag, { unit: "hours", max: MAX_HOURS }) ?? otherwise;
}

function given(
  values: SettingsLayer,
  key: string,
  flag: string,
  { unit, max }: { readonly unit: string; readonly max: number },
): number | undefined {
  const text = stringValue(values[key]);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= max) return number;
  throw EolgateError.of("invalid-value", {
    problem: `"${text}" is not a whole number of ${unit} from 1 to ${max}`,
  }).at(flag);
}

function keyIdOf(given: string): string {
  if (/^[0-9a-f]{16}$/.test(given)) return given;
  throw EolgateError.of("invalid-value", {
    problem: `"${given}" is not the id of a key`,
    advice: "An id has 16 hexadecimal digits; catalogue info shows it as signed_by.",
  }).at("--revoke-key");
}

const noSignKey = (): EolgateError =>
  EolgateError.of("invalid-usage", {
    problem: "a channel cannot be published without a signature",
    advice: "Name the private key with --sign-key. Create one with: openssl genpkey -algorithm ed25519 -out key.pem",
  }).at("--sign-key");
