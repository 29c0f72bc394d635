/**
 * Reads a channel: its signed metadata first, the catalogue only where it is a new one. What cannot be verified, is expired,
 * frozen, rolled back, truncated or damaged is refused with a code of its own, and the catalogue in use stays.
 */
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import { digestOf } from "../../platform/file-source.ts";
import { openCatalogue } from "../file.ts";
import { keyId, type Trust, verifySignature } from "../signature.ts";
import { METADATA_PATH, type Envelope, signersOf } from "./envelope.ts";
import { type ChannelMetadata, damaged, METADATA_LIMIT, parseEnvelope, parseMetadata, refused } from "./metadata.ts";
import type { Location, Origin } from "./location.ts";
import { writeCached } from "../../platform/replace-file.ts";
import {
  acceptCatalogue,
  CATALOGUE_FILE,
  type InstalledCatalogue,
  installCatalogue,
  type InstallOptions,
} from "../update/install.ts";

export interface ChannelQuestion {
  readonly location: Location;
  readonly trust: Trust;
  /** What was accepted before. */
  readonly state: ChannelState | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface PullOptions extends ChannelQuestion {
  /** Digest of the catalogue in the cache; undefined if there is none. */
  readonly installed: string | undefined;
}

interface PulledChannel {
  readonly metadata: ChannelMetadata;
  /** The version and the keys that the state keeps. */
  readonly accepted: Pick<ChannelState, "address" | "version" | "payload" | "revokedKeys">;
  /** The new catalogue; undefined where the one in the cache is current. */
  readonly bytes: Buffer | undefined;
}

/** Milliseconds that a publisher's clock may be ahead of ours, and that a version may be ahead of its publication. */
const TOLERANCE = 60 * 60 * 1000;
/** Metadata expires at most this many milliseconds after its publication, so that no key lasts for ever. */
const LONGEST = 366 * 24 * 60 * 60 * 1000;

const [expired, rollback] = [refused("channel-expired"), refused("channel-rollback")];
const unverified = refused("channel-signature");

/** @throws EolgateError `catalogue` with a code of the channel; `network` where the location cannot be read. */
async function pullChannel({ installed, ...question }: PullOptions): Promise<PulledChannel> {
  const { location, trust, state, now } = question;
  const { metadata, signers, payload, origin } = await readMetadata(question);
  const { version } = metadata;
  const revokedKeys = revokedBy(metadata, signers, trust, state);
  const accepted = { address: location.address, version, payload, revokedKeys };
  if (state?.address === location.address && state.version === version && state.installed === installed) {
    if (Date.parse(metadata.nextBy) < now)
      throw expired(
        origin,
        `the channel still serves version ${metadata.version}; the next was due on ${metadata.nextBy}`,
        "The mirror or the publisher no longer publishes updates. Use another mirror, or ask the publisher.",
      );
    return { metadata, accepted, bytes: undefined };
  }
  const catalogue = await readCatalogue(metadata, location);
  // A catalogue with a wrong signature is not one without a signature.
  if (signers.length === 0) verifySignature(openCatalogue(catalogue, origin).head, trust, origin);
  return { metadata, accepted, bytes: catalogue };
}

/** The verified metadata. @throws EolgateError `catalogue` with a code of the channel, `network`. */
export async function readMetadata({ location, trust, state, now }: ChannelQuestion) {
  const origin = `${location.address}/${METADATA_PATH}`;
  const bytes = await location.read(METADATA_PATH, METADATA_LIMIT);
  if (bytes === undefined) {
    const why = "it has no metadata of a channel. To read one catalogue, name its file, such as ADDRESS/catalogue.json";
    throw EolgateError.of("source-unread", { why }).at(origin);
  }
  const envelope = parseEnvelope(bytes, origin);
  const signers = verifyEnvelope(envelope, trust, state, origin);
  const metadata = parseMetadata(envelope, origin);
  const payload = digestOf(Buffer.from(envelope.payload, "base64"));
  checkDates(metadata, now, origin);
  if (state?.address === location.address) checkVersion(metadata.version, payload, state, origin);
  return { metadata, signers, payload, origin };
}

/** The ids of the trusted keys that signed; none for unsigned metadata that is accepted. */
function verifyEnvelope(
  envelope: Envelope,
  trust: Trust,
  state: ChannelState | undefined,
  where: string,
): readonly string[] {
  const root = rootOf(trust);
  const keys = trust.keys.filter((key) => keyId(key) === root || state?.revokedKeys.includes(keyId(key)) !== true);
  if (trust.keys.length === 0) {
    if (trust.allowUnsigned) return [];
    throw unverified(
      where,
      "no public key is configured to verify the channel",
      "Name the publisher's key with --publisher-key, or accept the channel unverified with --allow-unsigned.",
    );
  }
  const signers = signersOf(envelope, keys);
  if (signers.length > 0 || (trust.allowUnsigned && envelope.signatures.length === 0)) return signers;
  throw unverified(
    where,
    `the channel's metadata is not signed with a trusted key (${keys.map(keyId).join(", ")})`,
    "The current catalogue stays in use. Ask the publisher for the key, and name it with --publisher-key.",
  );
}

function checkDates({ version, publishedAt, nextBy, expires }: ChannelMetadata, now: number, where: string): void {
  const [published, end] = [Date.parse(publishedAt), Date.parse(expires)];
  if (published > now + TOLERANCE)
    throw expired(
      where,
      `the channel's metadata was published on ${publishedAt}, which is in the future`,
      "Check the clock of this machine. If it is correct, ask the publisher.",
    );
  if (!(end > now))
    throw expired(
      where,
      `the channel's metadata expired on ${expires}`,
      "Ask the publisher for a newer version, or use another mirror.",
    );
  if (end > published + LONGEST || !(Date.parse(nextBy) <= end))
    throw damaged(
      where,
      `the channel's metadata is valid for too long, or the next is due after it expires: ${expires}`,
    );
  // With a higher version, a stolen key could make every later publication a rollback.
  if (version > (published + TOLERANCE) / 1000)
    throw damaged(where, `the channel's version ${version} is above its time of publication, ${publishedAt}`);
}

/** Compares with the version that was accepted from the same address before. */
function checkVersion(version: number, payload: string, state: ChannelState, where: string): void {
  if (version < state.version)
    throw rollback(
      where,
      `the channel serves version ${version}, after version ${state.version} was accepted`,
      "The mirror has an older state than before. Use another mirror.",
    );
  if (version === state.version && payload !== state.payload)
    throw rollback(
      where,
      `the channel serves different content for version ${version} than before`,
      "Ask the publisher which content is genuine.",
    );
}

/** The last of several keys is the root key, which is kept offline. Only it revokes others, and nothing revokes it. */
const rootOf = ({ keys }: Trust): string | undefined => {
  const last = keys.length > 1 ? keys.at(-1) : undefined;
  return last && keyId(last);
};

function revokedBy(
  { revokedKeys }: ChannelMetadata,
  signers: readonly string[],
  trust: Trust,
  state: ChannelState | undefined,
): string[] {
  const root = rootOf(trust);
  const revoked = root !== undefined && signers.includes(root) ? revokedKeys : [];
  return [...new Set([...(state?.revokedKeys ?? []), ...revoked])];
}

/** @throws EolgateError `channel-damaged` for another catalogue than the publication names. */
export async function readCatalogue(
  { catalogue }: Pick<ChannelMetadata, "catalogue">,
  location: Location,
): Promise<Buffer> {
  const path = `v1/${catalogue.path}`;
  const where = `${location.address}/${path}`;
  // One byte more than stated is read at most: a larger file is recognized without being read.
  const packed = await location.read(path, catalogue.size + 1);
  if (packed === undefined) throw EolgateError.of("source-unread", { why: "the catalogue is not there" }).at(where);
  if (packed.length !== catalogue.size)
    throw damaged(where, `${catalogue.path} has ${packed.length} bytes instead of ${catalogue.size}`);
  if (digestOf(packed) !== catalogue.sha256)
    throw damaged(where, `the digest of ${catalogue.path} differs from the channel's metadata`);
  const bytes = await unpack(packed, catalogue.unpackedSize, where);
  const { head, sections } = openCatalogue(bytes, where);
  if (head.digest !== catalogue.digest)
    throw damaged(where, "the digest of the catalogue differs from the channel's metadata");
  const { date } = sections.value("metadata");
  if (date !== catalogue.contentDate)
    throw damaged(where, `the content is of ${date}, and the channel's metadata states ${catalogue.contentDate}`);
  return bytes;
}

async function unpack(packed: Buffer, size: number, where: string): Promise<Buffer> {
  try {
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)(packed, {
      maxOutputLength: size,
    });
  } catch (cause) {
    const problem = "the digest of the compressed catalogue differs from the channel's metadata";
    throw damaged(where, problem, undefined, cause);
  }
}

// The version that was last accepted from a channel, in the cache folder. An older one is refused.

const StateSchema = Type.Object({
  /** The address of the channel. */
  address: Type.String(),
  /** Highest version that was accepted. */
  version: Type.Integer({ maximum: Number.MAX_SAFE_INTEGER }),
  /** SHA-256 of the metadata's payload with that version. */
  payload: Type.String(),
  /** Digest of the catalogue that was installed. It differs from the published one where rows were held back. */
  installed: Type.String(),
  /** The UTC day on which the channel was last read. */
  checkedOn: Type.String(),
  /** Keys that were revoked by metadata that another key signed. */
  revokedKeys: Type.Array(Type.String()),
});
type ChannelState = Static<typeof StateSchema>;

const STATE_FILE = "channel.json";

/** Undefined if nothing was accepted yet, or where the file is damaged: then only signature and expiry protect. */
export async function readState(folder: string): Promise<ChannelState | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, STATE_FILE), "utf8"));
    return Value.Check(StateSchema, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

// Updates the catalogue in use from a channel, or from a server or file that has one catalogue.

/** Bytes of a catalogue that is not compressed. */
const CATALOGUE_LIMIT = 64 * 1024 * 1024;

export interface UpdateFromOptions extends InstallOptions {
  readonly origin: Origin;
  readonly trust: Trust;
}

export type UpdateFromResult =
  | { readonly kind: "up-to-date"; readonly metadata: ChannelMetadata }
  | {
      readonly kind: "installed";
      readonly installed: InstalledCatalogue;
      readonly metadata?: ChannelMetadata;
      /** When the next publication was due, if that has passed: the channel may be frozen. */
      readonly overdueSince?: string;
    };

/** The text for a channel that was accepted although its next publication was due. */
export const overdueNote = (since: string): string =>
  `the channel's next publication was due on ${since}: the publisher or the mirror may have stopped`;

/** @throws EolgateError `catalogue` or `network`. The catalogue in use stays. */
export async function updateFrom(options: UpdateFromOptions): Promise<UpdateFromResult> {
  const { origin, trust, folder, current, now, today } = options;
  if (origin.kind === "file") return fromFile(origin.location, origin.path, options);
  const { location } = origin;
  const state = await readState(folder);
  // The bundled catalogue in place of a cached one that is missing or damaged is not an installed one.
  const isCached = current.origin === join(folder, CATALOGUE_FILE);
  const installed = isCached ? openCatalogue(current.bytes, current.origin).head.digest : undefined;
  const { metadata, accepted, bytes } = await pullChannel({ location, trust, state, installed, now });
  const remember = (digest: string): Promise<void> => {
    const text = JSON.stringify({ ...accepted, installed: digest, checkedOn: today } satisfies ChannelState, null, 2);
    return writeCached(join(folder, STATE_FILE), Buffer.from(`${text}\n`));
  };
  if (bytes === undefined) {
    await remember(installed ?? "");
    return { kind: "up-to-date", metadata };
  }
  const offered = { bytes, origin: `${location.address}/v1/${metadata.catalogue.path}` };
  const result = await installCatalogue(offered, options);
  await remember(result.changes.to.digest);
  const overdue = Date.parse(metadata.nextBy) < now && { overdueSince: metadata.nextBy };
  return { kind: "installed", installed: result, metadata, ...overdue };
}

async function fromFile(location: Location, path: string, options: UpdateFromOptions): Promise<UpdateFromResult> {
  const bytes = await location.read(path, CATALOGUE_LIMIT);
  const origin = `${location.address}/${path}`;
  if (bytes === undefined) throw EolgateError.of("source-unread", { why: "there is no catalogue" }).at(origin);
  return { kind: "installed", installed: await acceptCatalogue({ ...options, offered: { bytes, origin } }) };
}
