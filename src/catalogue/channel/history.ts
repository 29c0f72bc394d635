/** The history of a channel: every publication that is kept, so that a past check can be repeated with its catalogue. */
import { type Static, Type } from "typebox";
import { EolgateError } from "../../messages/error.ts";
import { digestOf } from "../../platform/file-source.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { Location } from "./location.ts";
import { HISTORY_FORMAT } from "./envelope.ts";
import { type ChannelMetadata, CONTENT_LIMIT, damaged, PublicationFields, parseShaped } from "./metadata.ts";
import { type ChannelQuestion, readCatalogue, readMetadata } from "./pull.ts";

const HistorySchema = Type.Object({
  format: Type.Literal(HISTORY_FORMAT),
  /** In the order of publication. */
  publications: Type.Array(Type.Object(PublicationFields), { minItems: 1, maxItems: 100_000 }),
});
export type Publications = Static<typeof HistorySchema>["publications"];
export type PastPublication = Publications[number];

/**
 * The publications that the metadata names, verified against their digest. Metadata without a history names its own
 * catalogue.
 * @throws EolgateError `channel-damaged`, `source-unread`
 */
export async function readHistory(metadata: ChannelMetadata, location: Location): Promise<Publications> {
  const { history, publishedAt, expires, catalogue } = metadata;
  if (history === undefined) return [{ publishedAt, expires, catalogue }];
  const where = `${location.address}/v1/${history.path}`;
  const bytes = await location.read(`v1/${history.path}`, Math.min(history.size + 1, CONTENT_LIMIT));
  if (bytes === undefined) throw EolgateError.of("source-unread", { why: "the history is not there" }).at(where);
  if (bytes.length !== history.size || digestOf(bytes) !== history.sha256)
    throw damaged(where, "the history of the channel differs from its metadata");
  return parseShaped(HistorySchema, bytes, where).publications;
}

/** A day, or the digest that a statement names: `sha256:…`. */
export type KnownAt = { readonly day: IsoDate } | { readonly digest: string };

/**
 * The publication that a client had on a day, or the last one with a digest.
 * @throws EolgateError `catalogue-not-known`
 */
export function publicationOf(publications: Publications, asked: KnownAt, where: string): PastPublication {
  if ("digest" in asked) {
    const found = publications.findLast(({ catalogue }) => catalogue.digest === asked.digest);
    if (found !== undefined) return found;
    throw notKnown(
      where,
      `the history of the channel, from ${beginOf(publications)}, has no catalogue ${asked.digest}`,
    );
  }
  const { day } = asked;
  const earlier = publications.filter(({ publishedAt }) => dayOf(publishedAt) <= day);
  const found = earlier.findLast(({ expires }) => dayOf(expires) >= day);
  if (found !== undefined) return found;
  const end = earlier
    .map(({ expires }) => dayOf(expires))
    .toSorted()
    .at(-1);
  if (end === undefined)
    throw notKnown(where, `the history of the channel begins on ${beginOf(publications)}, after ${day}`);
  const next = publications.find(({ publishedAt }) => dayOf(publishedAt) > day);
  const later =
    next === undefined ? "none was published since" : `the next was published on ${dayOf(next.publishedAt)}`;
  throw notKnown(
    where,
    `no catalogue of the channel was valid on ${day}: the last one expired on ${end}, and ${later}`,
  );
}

const dayOf = (instant: string): string => instant.slice(0, 10);
const beginOf = ([first]: Publications): string => dayOf(first?.publishedAt ?? "");

export const notKnown = (where: string, problem: string, advice?: string): EolgateError =>
  EolgateError.of("catalogue-not-known", { problem, advice }).at(where);

/** A verified channel, for its past catalogues. @throws EolgateError `catalogue` or `network`, as for an update. */
export async function openHistory(question: ChannelQuestion) {
  const { location } = question;
  const { metadata } = await readMetadata(question);
  const publications = await readHistory(metadata, location);
  return {
    find: (asked: KnownAt) => publicationOf(publications, asked, location.address),
    read: (publication: PastPublication) => readCatalogue(publication, location),
  };
}
