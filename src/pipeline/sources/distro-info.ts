/**
 * Debian, Ubuntu and Devuan: the CSV files of distro-info-data. Rows end early; a line without a release day is planned.
 * One file states several tracks; only the standard one is the end of life.
 */
import { asProductSlug, type ProductSlug } from "../../text/ids.ts";
import type { LifecycleDate, SupportTrack } from "../../model/index.ts";
import { csvTable, type TableRow } from "./feed/table.ts";
import { isoDate } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import type { LifecycleSource, SourceReading } from "./source.ts";

type EndColumn = "eol-lts" | "eol-elts" | "eol-server" | "eol-esm" | "eol-legacy";

interface Distribution {
  readonly slug: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly cycle: (version: string) => string;
  /** The column that the catalogue calls extended support. */
  readonly eoes?: EndColumn;
  readonly tracks: readonly (Omit<SupportTrack, "end"> & { readonly column: EndColumn })[];
}

const DEBIAN: Distribution = {
  slug: "debian",
  title: "Debian",
  headings: ["version", "codename", "series", "created", "release", "eol", "eol-lts", "eol-elts"],
  // From Etch on, the catalogue names cycles by the major number alone.
  cycle: (version) => (Number.parseInt(version, 10) >= 4 ? version.replace(/\.0$/, "") : version),
  eoes: "eol-lts",
  tracks: [
    { column: "eol-lts", name: "Debian LTS", vendor: "Debian", cost: "free" },
    { column: "eol-elts", name: "Extended LTS", vendor: "Freexian", cost: "paid" },
  ],
};

const UBUNTU: Distribution = {
  slug: "ubuntu",
  title: "Ubuntu",
  headings: ["version", "codename", "series", "created", "release", "eol", "eol-server", "eol-esm", "eol-legacy"],
  cycle: (version) => version.replace(/ LTS$/, ""),
  eoes: "eol-esm",
  tracks: [
    { column: "eol-server", name: "Ubuntu Server", vendor: "Canonical", cost: "free" },
    { column: "eol-esm", name: "Expanded Security Maintenance", vendor: "Canonical", cost: "paid" },
    { column: "eol-legacy", name: "Legacy add-on", vendor: "Canonical", cost: "paid" },
  ],
};

const DEVUAN: Distribution = {
  slug: "devuan",
  title: "Devuan",
  headings: ["version", "codename", "series", "created", "release", "eol"],
  cycle: (version) => version,
  tracks: [],
};

function read(distribution: Distribution, product: ProductSlug, text: string): SourceReading {
  const claims = new ClaimList(product);
  for (const row of csvTable(text, distribution.headings, true).rows) {
    const version = row.maybe("version");
    const released = row.date(isoDate, "release");
    if (version === undefined || !released) {
      claims.note("not-a-cycle", row.where, row.cell("series"));
      continue;
    }
    const cycle = distribution.cycle(version);
    const standardEnd = row.date(isoDate, "eol");
    claims.date("releaseDate", cycle, released);
    if (standardEnd) claims.end("eol", cycle, standardEnd);
    else claims.note("no-date", row.where, version);
    if (distribution.eoes) claims.end("eoes", cycle, row.date(isoDate, distribution.eoes));
    for (const { track, until } of tracksOf(distribution, row, standardEnd)) claims.track(cycle, track, until);
  }
  return claims.reading();
}

function tracksOf({ tracks }: Distribution, row: TableRow, end: LifecycleDate | undefined) {
  return tracks.flatMap(({ column, ...track }) => {
    const until = row.date(isoDate, column);
    // A track that ends with the standard support adds nothing.
    return until && until.value !== end?.value ? [{ track, until }] : [];
  });
}

function distroInfo(distribution: Distribution): LifecycleSource {
  const product = asProductSlug(distribution.slug);
  return {
    kind: "lifecycle",
    id: `distro-info-${distribution.slug}`,
    title: `distro-info-data, ${distribution.title}`,
    origin: "debian-distro-info",
    products: [product],
    format: "csv",
    verification: "read",
    independentOfUpstream: true,
    documents: [{ url: `https://debian.pages.debian.net/distro-info-data/${distribution.slug}.csv` }],
    parse: (text) => read(distribution, product, text),
  };
}

export const distroInfoDebian = distroInfo(DEBIAN);
export const distroInfoUbuntu = distroInfo(UBUNTU);
export const distroInfoDevuan = distroInfo(DEVUAN);
