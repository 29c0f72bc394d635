/**
 * What each tier may do: data, not code. The defaults are the current values of the specification, section 8; a file
 * lays other values over them (the alternative ones, Enterprise customers).
 */
import { Fault } from "../../core/errors.ts";

export interface Tier {
  readonly name: string;
  /** Null: unlimited. */
  readonly requestsPerDay: number | null;
  readonly batchLimit: number | null;
  /** Components scored per SBOM request. */
  readonly sbomScored: number | null;
  /** Whole units of the currency a month; null where it is not sold. */
  readonly pricePerMonth: number | null;
}

export interface Tiers {
  readonly anonymous: Tier;
  readonly free: Tier;
  /** The server's own first key, and a tier for those who run it. */
  readonly enterprise: Tier;
  get(name: string): Tier | undefined;
  readonly all: readonly Tier[];
}

const DEFAULTS: readonly Tier[] = [
  { name: "anonymous", requestsPerDay: 50, batchLimit: 3, sbomScored: 3, pricePerMonth: null },
  { name: "free", requestsPerDay: 150, batchLimit: 5, sbomScored: 5, pricePerMonth: 0 },
  { name: "starter", requestsPerDay: 10_000, batchLimit: 25, sbomScored: 25, pricePerMonth: 89 },
  { name: "pro", requestsPerDay: null, batchLimit: 50, sbomScored: 50, pricePerMonth: 199 },
  { name: "enterprise", requestsPerDay: null, batchLimit: null, sbomScored: null, pricePerMonth: null },
];

/** Wire name of each limit in the file → ours. */
const LIMITS = {
  requests_per_day: "requestsPerDay",
  batch_items: "batchLimit",
  sbom_scored: "sbomScored",
  price_per_month: "pricePerMonth",
} as const;

export const DEFAULT_TIERS: Tiers = tiersOf(DEFAULTS);

/**
 * `{"tiers": {"free": {"requests_per_day": 500}, "acme": {…}}}` laid over the defaults; null means unlimited. A tier
 * that the defaults lack begins without limits. @throws Fault `config` with the path of what is wrong.
 */
export function parseTiers(document: unknown, where: string): Tiers {
  const listed = isRecord(document) ? document["tiers"] : undefined;
  if (!isRecord(listed)) throw bad(where, "/tiers", "must be an object of tiers");
  const tiers = new Map(DEFAULTS.map((tier) => [tier.name, tier]));
  for (const [name, values] of Object.entries(listed)) {
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) throw bad(where, `/tiers/${name}`, "must be a lower-case name");
    if (!isRecord(values)) throw bad(where, `/tiers/${name}`, "must be an object");
    tiers.set(name, { ...(tiers.get(name) ?? unlimited(name)), ...limitsOf(values, where, `/tiers/${name}`) });
  }
  return tiersOf([...tiers.values()]);
}

function limitsOf(values: Readonly<Record<string, unknown>>, where: string, path: string): Partial<Tier> {
  const limits: Partial<Record<(typeof LIMITS)[keyof typeof LIMITS], number | null>> = {};
  for (const [field, value] of Object.entries(values)) {
    if (!isLimit(field)) throw bad(where, `${path}/${field}`, `is not one of ${Object.keys(LIMITS).join(", ")}`);
    if (value !== null && !(typeof value === "number" && Number.isSafeInteger(value) && value >= 0)) {
      throw bad(where, `${path}/${field}`, "must be a whole number or null");
    }
    limits[LIMITS[field]] = value;
  }
  return limits;
}

function tiersOf(all: readonly Tier[]): Tiers {
  const byName = new Map(all.map((tier) => [tier.name, tier]));
  const get = (name: string): Tier => byName.get(name) ?? unlimited(name);
  return {
    anonymous: get("anonymous"),
    free: get("free"),
    enterprise: get("enterprise"),
    get: (name) => byName.get(name),
    all,
  };
}

const unlimited = (name: string): Tier => ({
  name,
  requestsPerDay: null,
  batchLimit: null,
  sbomScored: null,
  pricePerMonth: null,
});

const isLimit = (field: string): field is keyof typeof LIMITS => Object.hasOwn(LIMITS, field);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function bad(where: string, path: string, what: string): Fault {
  return new Fault("config", { code: "tiers-bad", message: `The tiers file: ${path} ${what}`, where });
}
