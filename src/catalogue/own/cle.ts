/** ECMA-428 Common Lifecycle Enumeration, 1.0.0: one document for each component, with its newest event first. */
import { byText, percentEncode } from "../../text/values.ts";
import { EolgateError } from "../../messages/error.ts";
import type { Catalogue, End, Product, ReleaseCycle } from "../../model/index.ts";
import { firstDay, lastDay } from "../../lifecycle/days.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import type { OwnCycle, OwnProduct } from "./schema.ts";

export const CLE_SCHEMA = "https://ecma-tc54.github.io/ECMA-428/schema/cle-1.0.0.schema.json";

export interface CleDocument {
  readonly $schema: string;
  readonly identifier: string | readonly string[];
  readonly updatedAt: string;
  readonly events: readonly CleEvent[];
  readonly definitions?: {
    readonly support: readonly { readonly id: string; readonly description: string; readonly url?: string }[];
  };
}
interface CleEvent {
  readonly id: number;
  readonly type: string;
  readonly effective: string;
  readonly published: string;
  readonly version?: string;
  readonly versions?: readonly { readonly range: string }[];
  readonly supportId?: string;
  readonly supersededByVersion?: string;
  readonly eventId?: number;
}

/** The dated events of a product. What has no date cannot be expressed in this format and is omitted. */
export function toCle(product: Product): CleDocument {
  const drafts = product.cycles.flatMap((cycle) => eventsOf(product, cycle));
  const ordered = drafts.sort((a, b) => byText(a.event.effective, b.event.effective) || byText(a.key, b.key));
  const events = ordered.map(({ event }, index) => ({ id: index + 1, ...event })).reverse();
  const tracks = new Map(
    product.cycles.flatMap(({ tracks }) => tracks.map((track) => [trackId(track.name), track] as const)),
  );
  const identifiers = product.purls.length > 0 ? product.purls : [`pkg:generic/${product.slug}`];
  const [only] = identifiers;
  const read = product.cycles.flatMap(({ claims }) => claims.map(({ retrievedAt }) => firstDay(retrievedAt))).sort();
  return {
    $schema: CLE_SCHEMA,
    identifier: identifiers.length === 1 && only !== undefined ? only : identifiers,
    updatedAt: `${read.at(-1) ?? "1970-01-01"}T00:00:00Z`,
    events,
    definitions: {
      support: [
        {
          id: "standard",
          description: "Standard support",
          ...(product.policyUrl !== undefined && { url: product.policyUrl }),
        },
        ...[...tracks].map(([id, { name, vendor, url }]) => ({
          id,
          description: vendor === "" || name.includes(vendor) ? name : `${name} by ${vendor}`,
          ...(url !== undefined && { url }),
        })),
      ],
    },
  };
}

interface Draft {
  readonly event: Omit<CleEvent, "id">;
  /** Decides between events of one instant. */
  readonly key: string;
}

function eventsOf(product: Product, cycle: ReleaseCycle): readonly Draft[] {
  const [claim] = cycle.claims;
  const read = claim === undefined ? "1970-01-01" : firstDay(claim.retrievedAt);
  const published = `${read}T00:00:00Z`;
  const versions = [{ range: rangeOfCycle(product, cycle.name) }];
  const event = (type: string, day: string | undefined, more: Partial<CleEvent>): Draft[] =>
    day === undefined
      ? []
      : [{ event: { type, effective: day, published, ...more }, key: `${cycle.name} ${type} ${more.supportId ?? ""}` }];
  const standard = { versions, supportId: "standard" };
  return [
    ...event("released", cycle.releaseDate && `${cycle.releaseDate.value}T00:00:00Z`, { version: cycle.name }),
    ...event("endOfDevelopment", endOfDay(cycle.eoasFrom), standard),
    ...event("endOfSupport", endOfDay(cycle.eol), standard),
    ...cycle.tracks.flatMap(({ name, end }) =>
      event("endOfSupport", end === null ? undefined : `${lastDay(end)}T23:59:59Z`, {
        versions,
        supportId: trackId(name),
      }),
    ),
  ];
}

/** The day itself is supported: the event takes effect when it is over. */
function endOfDay(end: End | undefined): string | undefined {
  return end?.kind === "dated" ? `${lastDay(end.date)}T23:59:59Z` : undefined;
}

const trackId = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** The error for an own catalogue, or a document in this format or in OpenEoX, that is not valid. */
export const invalidOwn = (problem: string, where: string, advice?: string, cause?: unknown): EolgateError =>
  EolgateError.of("own-catalogue-invalid", { problem, advice }, { where, cause });

export function isCle(value: unknown): value is CleDocument {
  return (
    typeof value === "object" &&
    value !== null &&
    "identifier" in value &&
    "events" in value &&
    Array.isArray(value.events) &&
    !("products" in value)
  );
}

/**
 * Its cycles, under the product that the purl map has for its identifier, else under a product of their own. @throws
 * EolgateError `config`.
 */
export function productsFromCle(document: CleDocument, catalogue: Catalogue, where: string): readonly OwnProduct[] {
  const purls = [document.identifier].flat();
  const keys = purls.map((purl) => purlKey(purl));
  const known = keys.map((key) => (key.kind === "purl" ? catalogue.purl(key.key)?.product : undefined)).find(Boolean);
  const [first] = keys;
  if (first === undefined || first.kind === "invalid") throw invalidOwn("identifier is no package URL", where);
  const withdrawn = new Set(document.events.map(({ eventId }) => eventId));
  const cycles = new Map<string, OwnCycle>();
  for (const event of document.events) {
    if (withdrawn.has(event.id)) continue;
    for (const cycle of cyclesOf(event, where)) {
      const field = fieldOf(event, cycles.get(cycle));
      if (field) cycles.set(cycle, { ...cycles.get(cycle), cycle, [field]: dayOf(event, where) });
    }
  }
  const slug = known ?? first.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const read_on = document.updatedAt.slice(0, 10);
  return [
    {
      slug,
      ...(known === undefined && { name: first.name, purls }),
      source: supportPage(document) ?? `https://ecma-international.org/publications-and-standards/standards/ecma-428/`,
      read_on,
      cycles: [...cycles.values()],
    },
  ];
}

/** The end of life is the last of all; without one, the end of standard support is the end. */
function fieldOf({ type, supportId }: CleEvent, cycle: OwnCycle | undefined): "released" | "eoas" | "eol" | undefined {
  const hasEnd = cycle?.eol !== undefined;
  switch (type) {
    case "released":
      return "released";
    case "endOfDevelopment":
      return "eoas";
    case "endOfSupport":
      return isStandard(supportId) || !hasEnd ? "eol" : undefined;
    case "endOfLife":
      return hasEnd ? undefined : "eol";
    default:
      return undefined;
  }
}

const isStandard = (supportId: string | undefined): boolean => supportId === undefined || supportId === "standard";

function cyclesOf(event: CleEvent, where: string): readonly string[] {
  if (event.version !== undefined) return [event.version];
  return (event.versions ?? []).map(({ range }) => {
    const cycle = cycleOfRange(range);
    if (cycle === undefined) throw invalidOwn(`the range ${range} is not a release cycle`, where);
    return cycle;
  });
}

function dayOf({ effective }: CleEvent, where: string): string {
  if (/^\d{4}-\d{2}-\d{2}T/.test(effective)) return effective.slice(0, 10);
  throw invalidOwn(`${effective} is no timestamp`, where);
}

function supportPage({ definitions }: CleDocument): string | undefined {
  return definitions?.support.find(({ url }) => url?.startsWith("http"))?.url;
}

// Converts release cycles to version ranges (VERS) and back: cycle 3.11 is `>=3.11|<3.12`.

export function rangeOfCycle(product: Product, cycle: string): string {
  const scheme = schemeOf(product);
  if (cycle === "all") return `vers:${scheme}/*`;
  const next = nextCycle(cycle);
  const encoded = percentEncode(cycle);
  return next === undefined ? `vers:${scheme}/${encoded}` : `vers:${scheme}/>=${encoded}|<${next}`;
}

/** The cycle that a range describes; undefined when it describes none. */
export function cycleOfRange(range: string): string | undefined {
  const body = /^vers:[a-z0-9.+-]+\/(.+)$/.exec(range)?.[1];
  if (body === undefined) return undefined;
  if (body === "*") return "all";
  if (!/[<>!|]/.test(body)) return decodeURIComponent(body.replace(/^=/, ""));
  const [, from, below] = /^>=([^|<>!]+)\|<([^|<>!]+)$/.exec(body) ?? [];
  if (from === undefined || below === undefined) return undefined;
  return cycleBetween(decodeURIComponent(from), decodeURIComponent(below));
}

/** The cycle that begins with one version and ends before another. */
function cycleBetween(from: string, below: string): string | undefined {
  // `>=1.0.0|<2.0.0` is the cycle 1: zeros at the end of both add nothing.
  const ends = new Set([below.replace(TRAILING_ZEROS, ""), below]);
  return [from.replace(TRAILING_ZEROS, ""), from].find((cycle) => {
    const next = nextCycle(cycle);
    return next !== undefined && ends.has(next);
  });
}

const TRAILING_ZEROS = /(?:\.0)+$/;

/** 3.11 → 3.12; names that do not end in a number have no next. */
function nextCycle(cycle: string): string | undefined {
  const parts = /^(\d+(?:\.\d+)*)$/.exec(cycle)?.[1]?.split(".");
  const last = parts?.pop();
  return parts === undefined || last === undefined ? undefined : [...parts, String(Number(last) + 1)].join(".");
}

function schemeOf({ purls }: Product): string {
  const key = purls[0] === undefined ? undefined : purlKey(purls[0]);
  return key?.kind === "purl" ? key.type : "generic";
}
