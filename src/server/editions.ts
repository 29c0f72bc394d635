/**
 * One edition is one catalogue on one UTC day: everything that a look-up can answer depends on these two alone. A new
 * day or a refreshed catalogue makes a new edition, and with it a new ETag; answers rendered for the old one are dropped.
 */
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
  current(): Edition;
  /** From now on this catalogue is served. */
  replace(served: ServedCatalogue): void;
}

export function createEditions(first: ServedCatalogue, links: Links, clock: Clock): Editions {
  let served = first;
  let edition: Edition | undefined;
  return {
    current() {
      const asOf = utcDay(clock());
      if (edition?.served !== served || edition.asOf !== asOf) edition = makeEdition(served, links, asOf);
      return edition;
    },
    replace(next) {
      served = next;
    },
  };
}

function makeEdition(served: ServedCatalogue, links: Links, asOf: IsoDate): Edition {
  const digest = served.catalogue.metadata.digest.replace("sha256:", "").slice(0, 16);
  return { served, asOf, tag: `${digest}-${asOf}`, local: createLocal({ catalogue: served.catalogue, asOf, links }) };
}
