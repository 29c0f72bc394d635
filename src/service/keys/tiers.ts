/**
 * The limits of each tier, as data. A file can replace the defaults and add tiers, for example for Enterprise customers.
 */
import { EolgateError } from "../../messages/error.ts";
import { isKeyOf, isRecord } from "../../text/values.ts";
import type { PricedTier } from "../services.ts";

export interface Tiers {
  readonly anonymous: PricedTier;
  readonly free: PricedTier;
  /** Tier of the operator's first key. */
  readonly enterprise: PricedTier;
  get(name: string): PricedTier | undefined;
  readonly all: readonly PricedTier[];
}

const DEFAULTS: readonly PricedTier[] = [
  { name: "anonymous", requestsPerDay: 50, batchItems: 3, sbomComponents: 3, pricePerMonth: null },
  { name: "free", requestsPerDay: 150, batchItems: 5, sbomComponents: 5, pricePerMonth: 0 },
  { name: "starter", requestsPerDay: 10_000, batchItems: 25, sbomComponents: 25, pricePerMonth: 89 },
  { name: "pro", requestsPerDay: null, batchItems: 50, sbomComponents: 50, pricePerMonth: 199 },
  { name: "enterprise", requestsPerDay: null, batchItems: null, sbomComponents: null, pricePerMonth: null },
];

/** Fields of the file and the properties that they set. */
const LIMITS = {
  requests_per_day: "requestsPerDay",
  batch_items: "batchItems",
  sbom_components: "sbomComponents",
  price_per_month: "pricePerMonth",
} as const;

export const DEFAULT_TIERS: Tiers = tiersOf(DEFAULTS);

/**
 * Merge `{"tiers": {"free": {"requests_per_day": 500}, "acme": {…}}}` with the defaults; null means unlimited. A new tier
 * has no limits by default. @throws EolgateError `server-config` with the path of the wrong value
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

function limitsOf(values: Readonly<Record<string, unknown>>, where: string, path: string): Partial<PricedTier> {
  const limits: Partial<Record<(typeof LIMITS)[keyof typeof LIMITS], number | null>> = {};
  for (const [field, value] of Object.entries(values)) {
    if (!isKeyOf(LIMITS, field))
      throw bad(where, `${path}/${field}`, `is not one of ${Object.keys(LIMITS).join(", ")}`);
    if (value !== null && !(typeof value === "number" && Number.isSafeInteger(value) && value >= 0)) {
      throw bad(where, `${path}/${field}`, "must be a whole number or null");
    }
    limits[LIMITS[field]] = value;
  }
  return limits;
}

function tiersOf(all: readonly PricedTier[]): Tiers {
  const byName = new Map(all.map((tier) => [tier.name, tier]));
  const get = (name: string): PricedTier => byName.get(name) ?? unlimited(name);
  return {
    anonymous: get("anonymous"),
    free: get("free"),
    enterprise: get("enterprise"),
    get: (name) => byName.get(name),
    all,
  };
}

const unlimited = (name: string): PricedTier => ({
  name,
  requestsPerDay: null,
  batchItems: null,
  sbomComponents: null,
  pricePerMonth: null,
});

function bad(where: string, path: string, what: string): EolgateError {
  return EolgateError.of("server-config", { problem: `the tiers file is not valid: ${path} ${what}` }).at(where);
}
