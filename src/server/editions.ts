/**
 * One edition is one catalogue on one UTC day: everything that a look-up can answer depends on these two alone. A new
 * day or a refreshed catalogue makes a new edition, and with it a new ETag; answers rendered for the old one are dropped.
 */
import { createHash } from "node:crypto";
import { EolgateError } from "../core/errors.ts";
import type { IsoDate } from "../core/ids.ts";
import type { Catalogue } from "../core/model.ts";
import type { Links } from "../core/wire/links.ts";
import { createLocal, type LocalOperations } from "../api/local.ts";
import type { Clock } from "./clock.ts";
import { utcDay } from "./clock.ts";

/** The catalogue with what the server publishes of it. */
export interface ServedCatalogue {
  readonly catalogue: Catalogue;
  /** The file itself, digest and signature included, so that another machine can load it. */
  bytes(): Uint8Array;
}

export interface Edition {
  readonly local: LocalOperations;
  readonly served: ServedCatalogue;
  readonly asOf: IsoDate;
  /** Without quotes: the same for every answer of this edition. */
  readonly tag: string;
}

export interface Editions {
  /** @throws EolgateError `clock-behind-catalogue`: on such a day everything that has ended since would look supported. */
  current(): Edition;
  /** What is served, whatever the day. */
  served(): ServedCatalogue;
  /**
   * Serves this catalogue from now on.
   * @throws EolgateError `clock-behind-catalogue` for a catalogue of a later day; the last one continues serving.
   */
  replace(served: ServedCatalogue): void;
}

/** What changes an answer besides catalogue and day. */
export interface EditionOptions {
  readonly links: Links;
  /** Of the software: another version may word or order an answer differently. */
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

/** For the readiness check: the clock may be set back while the service runs. */
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
  if (day < date) throw EolgateError.of("clock-behind-catalogue", { day, date, source: "clock" });
}

function makeEdition(served: ServedCatalogue, { links, version }: EditionOptions, asOf: IsoDate): Edition {
  const digest = served.catalogue.metadata.digest.replace("sha256:", "").slice(0, 16);
  // Answers contain the public address.
  const software = createHash("sha256").update(`${version}\n${links.docs}`).digest("hex").slice(0, 8);
  return {
    served,
    asOf,
    tag: `${digest}-${asOf}-${software}`,
    local: createLocal({ catalogue: served.catalogue, asOf, links }),
  };
}
