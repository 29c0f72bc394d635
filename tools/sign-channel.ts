/**
 * `node tools/sign-channel.ts FOLDER CATALOGUE` signs a channel with the private key in SIGN_KEY. It runs beside the key, from
 * the sources of a checkout: it imports no package, so that nothing that a package wrote can run there. The catalogue was
 * made by a job with packages. It is compared with what FOLDER published last, under the public keys in PUBLIC_KEYS, and
 * is not signed if it loses, adds or moves more than an update may.
 */
import type { KeyObject } from "node:crypto";
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import {
  CHANNEL_FORMAT,
  type Envelope,
  HISTORY_FORMAT,
  METADATA_PATH,
  signersOf,
} from "../src/catalogue/channel/envelope.ts";
import type { Publications } from "../src/catalogue/channel/history.ts";
import type { ChannelMetadata } from "../src/catalogue/channel/metadata.ts";
import { readContent } from "../src/catalogue/file.ts";
import { type ComparedContent, parseCatalogue } from "../src/catalogue/load.ts";
import { readPrivateKey, readPublicKey } from "../src/catalogue/signature.ts";
import { refuseLosses, refuseOlderVersions } from "../src/catalogue/update/losses.ts";
import { quarantineMoves } from "../src/catalogue/update/moves.ts";
import { witnessesOf } from "../src/catalogue/update/witnesses.ts";
import { type Published, writePublication } from "../src/pipeline/publication.ts";
import { digestOf } from "../src/platform/file-source.ts";
import { asIsoDate, type IsoDate } from "../src/text/ids.ts";
import { isRecord } from "../src/text/values.ts";

const BUNDLED = new URL("../src/data/catalogue.json", import.meta.url);
/** The next publication is due after a day, and this one may be used for two weeks. */
const [NEXT_HOURS, EXPIRY_HOURS, HISTORY_DAYS] = [24, 336, 180];

export interface Signing {
  readonly folder: string;
  readonly catalogue: string;
  readonly key: KeyObject;
  /** Who signed what was published last. The public half of `key` is one of them. */
  readonly publicKeys: readonly KeyObject[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The catalogue that is part of the checkout: its sources may confirm a moved end. */
  readonly bundled?: string | URL;
}

/** @throws Error if what was published last is not verified, or the catalogue differs from it by too much. */
export async function signChannel({
  folder,
  catalogue,
  key,
  publicKeys,
  now,
  bundled = BUNDLED,
}: Signing): Promise<void> {
  const today = asIsoDate(new Date(now).toISOString().slice(0, 10));
  const bytes = readFileSync(catalogue);
  const offered = contentOf(bytes, catalogue);
  const last = readPublished(folder, [...publicKeys, createPublicKey(key)]);
  const own = contentOf(readFileSync(bundled), "bundled");
  compare(last?.content ?? own, offered, { bundled: own, today, origin: catalogue });
  await writePublication(
    {
      folder,
      catalogue: { bytes, origin: catalogue },
      keys: [key],
      now,
      today,
      nextHours: NEXT_HOURS,
      expiryHours: EXPIRY_HOURS,
      revokedKeys: last?.metadata.revokedKeys ?? [],
      historyDays: HISTORY_DAYS,
    },
    last,
  );
}

interface Comparison {
  readonly bundled: ComparedContent;
  readonly today: IsoDate;
  readonly origin: string;
}

/** The limits of an update that need no package; the job that made the catalogue asked all of them. */
function compare(last: ComparedContent, offered: ComparedContent, { bundled, today, origin }: Comparison): void {
  refuseLosses(last.content, offered.content, origin);
  for (const older of [last, bundled]) refuseOlderVersions(older.content, offered.content, origin);
  const { catalogue: trusted } = bundled;
  const isWitness = witnessesOf(trusted);
  const { quarantined, refuseTooMany } = quarantineMoves(last, offered, { today, isWitness, trusted });
  refuseTooMany(origin);
  const [first] = quarantined;
  if (first === undefined) return;
  const example = `${first.product} ${first.cycle} from ${first.kept} to ${first.moved}`;
  throw new Error(`ends moved without a second known source: ${quarantined.length}, such as ${example}`);
}

function contentOf(bytes: Buffer, origin: string): ComparedContent {
  return { content: readContent(bytes, origin), catalogue: parseCatalogue(bytes, origin) };
}

/** What the folder published last, with its catalogue. The signature is verified, so the form is the one that was signed. */
function readPublished(
  folder: string,
  keys: readonly KeyObject[],
): (Published & { readonly content: ComparedContent }) | undefined {
  const path = join(folder, METADATA_PATH);
  const bytes = existing(path);
  if (bytes === undefined) return undefined;
  const envelope = parsed(bytes, path, isEnvelope);
  if (signersOf(envelope, keys).length === 0) throw new Error(`${path} is not signed by a key in PUBLIC_KEYS`);
  const metadata = parsed(Buffer.from(envelope.payload, "base64"), path, isMetadata);
  const { catalogue } = metadata;
  const content = brotliDecompressSync(named(folder, catalogue), { maxOutputLength: catalogue.unpackedSize });
  const past = pastOf(metadata, folder);
  return { metadata, past, content: contentOf(content, catalogue.path) };
}

function pastOf({ history, publishedAt, expires, catalogue }: ChannelMetadata, folder: string): Publications {
  if (history === undefined) return [{ publishedAt, expires, catalogue }];
  return parsed(named(folder, history), history.path, isHistory).publications;
}

function parsed<Shape>(bytes: Buffer, where: string, has: (value: unknown) => value is Shape): Shape {
  const value: unknown = JSON.parse(bytes.toString("utf8"));
  if (has(value)) return value;
  throw new Error(`${where} has another form`);
}

// What a key signed has the form that `writePublication` gave it; these tell the kinds of files apart.
const isEnvelope = (value: unknown): value is Envelope =>
  isRecord(value) && typeof value["payload"] === "string" && Array.isArray(value["signatures"]);
const isMetadata = (value: unknown): value is ChannelMetadata =>
  isRecord(value) && value["format"] === CHANNEL_FORMAT && isRecord(value["catalogue"]);
const isHistory = (value: unknown): value is { readonly publications: Publications } =>
  isRecord(value) && value["format"] === HISTORY_FORMAT && Array.isArray(value["publications"]);

function existing(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}

/** A file that the signed metadata names, verified by its digest. */
function named(folder: string, { path, sha256 }: { readonly path: string; readonly sha256: string }): Buffer {
  const bytes = readFileSync(join(folder, "v1", path));
  if (digestOf(bytes) !== sha256) throw new Error(`${path} differs from the metadata that names it`);
  return bytes;
}

/** The keys of the variable of the workflow: PEM blocks, or lines with one raw key each. */
export function publicKeysFrom(text: string): readonly KeyObject[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g);
  const lines = text.split(/[\s,]+/).filter((line) => line !== "");
  return (blocks ?? lines).map((each) => readPublicKey(each, "PUBLIC_KEYS"));
}

async function main([folder, catalogue]: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (folder === undefined || catalogue === undefined)
    throw new Error("usage: node tools/sign-channel.ts FOLDER CATALOGUE");
  const key = readPrivateKey(env["SIGN_KEY"] ?? "", "SIGN_KEY");
  const publicKeys = publicKeysFrom(env["PUBLIC_KEYS"] ?? "");
  await signChannel({ folder, catalogue, key, publicKeys, now: Date.now() });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2), process.env);
