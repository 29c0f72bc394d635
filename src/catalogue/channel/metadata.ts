/** `v1/metadata.json` of a channel: which catalogue is current, until when that can be relied on, and who signed it. */
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import { CHANNEL_FORMAT, type Envelope } from "./envelope.ts";

/** Metadata is about a kilobyte; more than this is not read. */
export const METADATA_LIMIT = 64 * 1024;

const instant = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?Z$" });
const day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
/** The month or the year where no day is known. */
const statementDay = Type.String({ pattern: "^\\d{4}(-\\d{2}){0,2}$" });
const sha256 = Type.String({ pattern: "^sha256:[0-9a-f]{64}$" });
export const CONTENT_LIMIT = 256 * 1024 * 1024;
const size = Type.Integer({ minimum: 1, maximum: CONTENT_LIMIT });
/** File name next to the metadata. */
const path = Type.String({ pattern: "^[a-z0-9][a-z0-9.-]{0,99}$" });
const id = Type.String({ pattern: "^[0-9a-f]{16}$" });

/** What identifies a publication, in the metadata and in the history. */
export const PublicationFields = {
  publishedAt: instant,
  /** Not to be used after. */
  expires: instant,
  catalogue: Type.Object({
    path,
    format: Type.String({ maxLength: 60 }),
    /** The day of the newest content. */
    contentDate: day,
    /** The catalogue's own digest, as `catalogue info` shows it. */
    digest: sha256,
    compression: Type.Literal("br"),
    /** Of the file as it is served. */
    sha256,
    size,
    /** Of the catalogue's file. */
    unpackedSize: size,
  }),
};

const MetadataSchema = Type.Object({
  format: Type.Literal(CHANNEL_FORMAT),
  /** Grows with each publication; a client never goes back. */
  version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  /** The next publication is due by then. Later, the same version means that the channel is frozen. */
  nextBy: instant,
  /** Keys that are no longer to be trusted, although a client has them built in. */
  revokedKeys: Type.Array(id, { maxItems: 20 }),
  /** Feeds that were last read more than a week before the publication, with the day. Absent: none. */
  behind: Type.Optional(
    Type.Array(Type.Object({ source: Type.String({ maxLength: 100 }), readOn: statementDay }), { maxItems: 300 }),
  ),
  ...PublicationFields,
  /** The publications that are kept, see `history.ts`. Absent where an earlier release published. */
  history: Type.Optional(Type.Object({ path, sha256, size })),
});

export type ChannelMetadata = Static<typeof MetadataSchema>;

const EnvelopeSchema = Type.Object({
  payloadType: Type.String({ maxLength: 200 }),
  payload: Type.String({ maxLength: METADATA_LIMIT }),
  signatures: Type.Array(
    Type.Object({ keyid: Type.String({ maxLength: 100 }), sig: Type.String({ maxLength: 200 }) }),
    {
      maxItems: 10,
    },
  ),
});

/** What a channel refuses, with a code of its own. */
export const refused = (code: "channel-damaged" | "channel-expired" | "channel-rollback" | "channel-signature") => {
  return (where: string, problem: string, advice?: string, cause?: unknown): EolgateError =>
    EolgateError.of(code, { problem, ...(advice !== undefined && { advice }) }, { where, cause });
};
export const damaged = refused("channel-damaged");

const NO_METADATA = "this is not the metadata of a catalogue channel";
const CHECK_ADDRESS = "Check the address.";

/** @throws EolgateError `catalogue`, code `channel-damaged`. */
export function parseEnvelope(bytes: Uint8Array, origin: string): Envelope {
  return parseShaped(EnvelopeSchema, bytes, origin);
}

/** The payload of a verified envelope. @throws EolgateError `catalogue`, code `channel-damaged`. */
export function parseMetadata({ payload }: Envelope, origin: string): ChannelMetadata {
  return parseShaped(MetadataSchema, Buffer.from(payload, "base64"), origin);
}

/** @throws EolgateError `channel-damaged`. */
export function parseShaped<Schema extends TSchema>(schema: Schema, bytes: Uint8Array, where: string): Static<Schema> {
  const value = parseJson(bytes, where);
  if (Value.Check(schema, value)) return value;
  const [first] = Value.Errors(schema, value);
  const why = `${first?.instancePath ?? ""} ${first?.message ?? "has another shape"}`.trim();
  throw damaged(where, `${NO_METADATA}: ${why}`, CHECK_ADDRESS);
}

function parseJson(bytes: Uint8Array, where: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw damaged(where, `${NO_METADATA}: it is not JSON`, CHECK_ADDRESS, cause);
  }
}
