/**
 * An edition is a catalogue on a UTC day. Responses to look-ups depend only on these two. A new day or a refreshed
 * catalogue creates a new edition with a new ETag, and cached responses of the old one are discarded.
 */
import { createHash } from "node:crypto";
import { EolgateError } from "../../messages/error.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { Catalogue } from "../../model/index.ts";
import type { Links } from "../../wire/links.ts";
import { createLocal, type LocalOperations } from "../../api/operations/local.ts";
import { type Clock, utcDay } from "../clock.ts";

/** A catalogue with the file that the server publishes. */
export interface ServedCatalogue {
  readonly catalogue: Catalogue;
  /** The complete file with digest and signature, which another machine can load. */
  bytes(): Uint8Array;
}

export interface Edition {
  readonly local: LocalOperations;
  readonly served: ServedCatalogue;
  readonly asOf: IsoDate;
  /** The ETag of all responses of this edition, without quotes. */
  readonly tag: string;
}

export interface Editions {
  /** The edition of today. @throws EolgateError `clock-behind`: an earlier day would show ended cycles as supported */
  current(): Edition;
  /** The served catalogue, without a check of the day. */
  served(): ServedCatalogue;
  /**
   * Replaces the served catalogue.
   * @throws EolgateError `clock-behind` for a catalogue of a later day; the previous one is kept then
   */
  replace(served: ServedCatalogue): void;
}

/** What else a response depends on. */
export interface EditionOptions {
  readonly links: Links;
  /** Version of the software, which may change the format of responses. */
  readonly version: string;
}

export function createEditions(first: ServedCatalogue, options: EditionOptions, clock: Clock): Editions {
  let served = first;
  let edition: Edition | undefined;
  return {
    current() {
      const asOf = utcDay(clock());
      if (edition?.served !== served || edition.asOf !== asOf) {
        refuseEarlyDay(served, asOf);
        edition = makeEdition(served, options, asOf);
      }
      return edition;
    },
    served: () => served,
    replace(next) {
      refuseEarlyDay(next, utcDay(clock()));
      served = next;
    },
  };
}

/** For the readiness check: the message if the clock was set back before the catalogue's date, else undefined. */
export async function clockProblem(editions: Pick<Editions, "current">): Promise<string | undefined> {
  try {
    editions.current();
    return undefined;
  } catch (error) {
    if (error instanceof EolgateError) return error.message;
    throw error;
  }
}

function refuseEarlyDay({ catalogue: { metadata } }: ServedCatalogue, day: IsoDate): void {
  const { date } = metadata;
  if (day < date) throw EolgateError.of("clock-behind", { day, date, source: "clock" });
}

function makeEdition(served: ServedCatalogue, { links, version }: EditionOptions, asOf: IsoDate): Edition {
  const digest = served.catalogue.metadata.digest.replace("sha256:", "").slice(0, 16);
  // Responses contain links with the public address.
  const software = createHash("sha256").update(`${version}\n${links.docs}`).digest("hex").slice(0, 8);
  return {
    served,
    asOf,
    tag: `${digest}-${asOf}-${software}`,
    local: createLocal({ catalogue: served.catalogue, asOf, links }),
  };
}
