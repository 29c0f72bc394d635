/**
 * Red Hat: the product life cycles interface, all products in one answer. A phase has a day or prose (`Ongoing`, `N/A`,
 * `Release of Logging 6.7`), and a field that states which. The general availability has its day in `end_date`. Which
 * products are read, and under which names, is data: `curated/red-hat-products.json`.
 */
import { type Static, Type } from "typebox";
import { asProductSlug } from "../../text/ids.ts";
import type { LifecycleDate } from "../../model/index.ts";
import { CURATED } from "../../catalogue/places.ts";
import { readShaped } from "./declared/read-feeds.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { feedChanged, FeedLocation } from "./feed/location.ts";
import type { LifecycleSource, SourceReading } from "./source.ts";
import { closedObject } from "../../text/schema.ts";

const RedHatProducts = Type.Record(
  Type.String({ minLength: 1 }),
  closedObject({
    slug: Type.String({ minLength: 1 }),
    /** The names of its versions, where they are not numbers after the product's name; the first group is the cycle. */
    version: Type.Optional(Type.String({ minLength: 1, format: "regex" })),
    /** Phases that the catalogue calls extended support; false: none. Every paid extension where absent. */
    extended: Type.Optional(Type.Union([Type.String(), Type.Literal(false)])),
  }),
);
type RedHatProduct = Static<typeof RedHatProducts>[string];

const products: Static<typeof RedHatProducts> = readShaped(new URL("red-hat-products.json", CURATED), RedHatProducts);

const GENERAL_AVAILABILITY = /^general availability$/i;
const FULL_SUPPORT = /^full support$/i;
/** Renamed over the years: `Maintenance Support or Maintenance Support 2`, `Maintenance Support 2`, `Maintenance support`. */
const LAST_MAINTENANCE =
  /^(?:maintenance support or maintenance support 2|maintenance support 2|maintenance support)$/i;
const END_OF_LIFE = /^end of life$/i;
/** The extended life phase has no end and no support. */
const PAID_EXTENSION = /^extended (?!life phase)/i;

const NOT_APPLICABLE = /^(?:n\/a|not applicable|)$/i;

interface Phase {
  readonly name: string;
  /** Absent if the phase does not exist (`N/A`) or its end is prose. */
  readonly end?: LifecycleDate;
  readonly isProse: boolean;
}

/** Up to 2021 the keys had no `end_`. */
function readPhase(phase: FeedLocation, claims: ClaimList): Phase {
  const name = phase.get("name").text();
  const [date, format] = phase.maybe("date_format") ? ["date", "date_format"] : ["end_date", "end_date_format"];
  const end = phase.get(date);
  if (phase.get(format).oneOf("date", "string") === "date") return { name, end: end.instant(), isProse: false };
  claims.note("prose", end.where, String(end.value));
  return { name, isProse: !NOT_APPLICABLE.test(String(end.value)) };
}

/** The last phase of support that is part of the subscription; undefined if its end is prose. */
function endOfSupport(phases: readonly Phase[]): LifecycleDate | undefined {
  for (const kind of [LAST_MAINTENANCE, END_OF_LIFE, FULL_SUPPORT]) {
    const phase = phases.find(({ name, end, isProse }) => kind.test(name) && (end !== undefined || isProse));
    if (phase) return phase.end;
  }
  return undefined;
}

function addVersion(cycle: string, phases: readonly Phase[], { extended }: RedHatProduct, claims: ClaimList): void {
  const endOf = (kind: RegExp) => phases.find(({ name }) => kind.test(name))?.end;
  claims.date("releaseDate", cycle, endOf(GENERAL_AVAILABILITY));
  claims.end("eoas", cycle, endOf(FULL_SUPPORT));
  claims.end("eol", cycle, endOfSupport(phases));
  const isExtended =
    extended === undefined ? PAID_EXTENSION : extended === false ? undefined : new RegExp(extended, "i");
  const last = phases
    .flatMap(({ name, end }) => (end && isExtended?.test(name) ? [end] : []))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1))
    .at(-1);
  claims.end("eoes", cycle, last);
  for (const { name, end } of phases)
    if (/^extended/i.test(name)) claims.track(cycle, { name, vendor: "Red Hat", cost: "paid" }, end);
}

/** `Red Hat Ceph Storage 9`, `4.12, 4.12 EUS`, `v12.x`, `5.0**`. Variants such as `7 (ARM)` have ends of their own. */
const VERSION = /^v?(\d+(?:\.\d+)*)(?:\.x)?\**(?:, .* EUS)?$/;

function cycleOf(label: string, name: string, { version }: RedHatProduct): string | undefined {
  const pattern = version === undefined ? VERSION : new RegExp(version);
  return pattern.exec(label.replace(name, "").trim())?.[1];
}

function readProduct(answer: FeedLocation, name: string, product: RedHatProduct): SourceReading {
  const claims = new ClaimList(asProductSlug(product.slug));
  const versions = answer
    .get("versions")
    .items()
    .map((version) => {
      const label = version.get("name").text();
      const phases = version
        .get("phases")
        .items()
        .map((phase) => readPhase(phase, claims));
      return { version, label, phases, cycle: cycleOf(label, name, product) };
    });
  const named = Map.groupBy(versions, ({ cycle }) => cycle);
  for (const { version, label, phases, cycle } of versions) {
    if (cycle === undefined) claims.note("not-a-cycle", version.where, label);
    else if ((named.get(cycle)?.length ?? 0) > 1) claims.note("duplicate", version.where, label);
    else addVersion(cycle, phases, product, claims);
  }
  if (versions.length === 0) return { claims: [], notes: [], next: [] };
  if (!versions.some(({ phases }) => phases.some((phase) => GENERAL_AVAILABILITY.test(phase.name))))
    throw feedChanged(answer.where, "a phase General availability");
  // No version of some products is a release cycle here: they state nothing, and the other products are read.
  return claims.part();
}

export const redhatPlcc: LifecycleSource = {
  kind: "lifecycle",
  id: "redhat-plcc",
  title: "Red Hat product life cycles",
  origin: "redhat",
  products: [...new Set(Object.values(products).map(({ slug }) => asProductSlug(slug)))],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://access.redhat.com/product-life-cycles/api/v1/products" }],
  parse(text) {
    const readings = FeedLocation.json(text)
      .get("data")
      .items()
      .flatMap((answer) => {
        const name = answer.get("name").text().trim();
        const product = Object.hasOwn(products, name) ? products[name] : undefined;
        return product === undefined ? [] : [readProduct(answer, name, product)];
      });
    if (readings.every(({ claims }) => claims.length === 0))
      throw feedChanged("/data", "a release cycle of a product that the catalogue tracks");
    return {
      claims: readings.flatMap(({ claims }) => claims),
      notes: readings.flatMap(({ notes }) => notes),
      next: [],
    };
  },
};
