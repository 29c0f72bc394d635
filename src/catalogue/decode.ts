/** Decodes stored products. Each product is decoded when a document names it. */
import { asIsoDate, asProductSlug, isStatementDay, type StatementDay } from "../text/ids.ts";
import { effectiveEnd } from "../lifecycle/ends.ts";
import { lazy } from "../text/values.ts";
import type {
  Claim,
  End,
  KevBasis,
  KevExposure,
  KevVersions,
  Product,
  ReleaseCycle,
  SupportTrack,
} from "../model/index.ts";
import { corrupt } from "./format/head.ts";
import { readDate, readEnd, parseKevRange } from "./stored-values.ts";
import type {
  StoredClaim,
  StoredCycle,
  StoredEnd,
  StoredKevVersions,
  StoredProduct,
  StoredRead,
  StoredTrack,
} from "./schema.ts";

/** The tables that rows refer to by index. */
export interface References {
  readonly address: (index: number) => string | undefined;
  readonly read: (index: number) => StoredRead | undefined;
  /** The purls of a product, without versions. */
  readonly purls: (slug: string) => readonly string[];
  /** Those of one of its packages; of `undefined`, those that are not packages with release cycles of its own. */
  readonly purlsOfPart: (slug: string, part: string | undefined) => readonly string[];
}

/** What claims refer to. */
export type Sources = Pick<References, "address" | "read">;

export function decodeProduct(slug: string, stored: StoredProduct, references: References): Product {
  return {
    slug: asProductSlug(slug),
    ...decodeHead(stored),
    ...decodeRules(stored, references),
    cycles: stored.cycles.map((storedCycle) => {
      const cycle = decodeCycle(storedCycle, stored.read, references, stored.models);
      // A copy would decode the claims of every cycle.
      return stored.parts ? { ...cycle, ...partOf(storedCycle.name) } : cycle;
    }),
    cpes: stored.cpes ?? [],
    get purls() {
      return references.purls(slug);
    },
    ...(stored.parts && { purlsOfPart: (part: string | undefined) => references.purlsOfPart(slug, part) }),
    split: new Map(Object.entries(stored.split ?? {})),
    ...(stored.codeNames !== undefined && { codeNames: stored.codeNames }),
  };
}

type ProductHead = "name" | "aliases" | "category" | "tags" | "attackSurface" | "record" | "scope" | "models";

function decodeHead({ record, models, ...stored }: StoredProduct): Pick<Product, ProductHead> {
  return {
    name: stored.name,
    aliases: stored.aliases ?? [],
    category: stored.category,
    tags: stored.tags ?? [],
    attackSurface: stored.surface,
    record,
    scope: stored.scope ?? (record === "upstream" && !models ? "complete" : "partial"),
    models: models ?? false,
  };
}

function decodeRules(
  stored: StoredProduct,
  references: References,
): Pick<
  Product,
  "monotonic" | "endsAfter" | "closedBranches" | "policyUrl" | "edge" | "kev" | "versionRule" | "gateEnd"
> {
  const { policy, kev, rule, monotonic, endsAfter, closed, gate, edge } = stored;
  return {
    ...(edge !== undefined && { edge }),
    ...(gate !== undefined && { gateEnd: gate }),
    ...(monotonic && { monotonic }),
    ...(endsAfter !== undefined && { endsAfter }),
    ...(closed !== undefined && { closedBranches: closed }),
    ...(policy !== undefined && { policyUrl: references.address(policy) ?? "" }),
    ...(kev !== undefined && { kev: decodeKev(kev, stored, references) }),
    ...(rule !== undefined && { versionRule: rule }),
  };
}

/**
 * Every source's claim on a cycle's end of life: the record's first, then those of `also` in their order, then those that
 * are quarantined.
 */
export function decodeEolClaims(cycle: StoredCycle, productRead: number, references: Sources): readonly Claim[] {
  const { eol, also = [], quarantined = [] } = cycle;
  return [
    claim(cycle.read ?? productRead, readEnd(eol), references),
    ...also.map(([index, end]) => claim(index, readEnd(end), references)),
    ...quarantined.map(([index, end]) => claim(index, readEnd(end), references, QUARANTINED)),
  ];
}

/** Claims are decoded when they are read: a document needs those of few cycles of a product. */
function decodeCycle(
  cycle: StoredCycle,
  productRead: number,
  references: References,
  isModel: boolean | undefined,
): ReleaseCycle {
  const claims = lazy(() => decodeEolClaims(cycle, productRead, references));
  const eol = lazy(() => effectiveEnd(claims()));
  const others = otherClaims(cycle, cycle.read ?? productRead, references);
  const tracks = lazy(() => (cycle.tracks ?? []).map((track) => decodeTrack(track, references)));
  return {
    name: cycle.name,
    ...decodeRelease(cycle),
    ...(cycle.eoas !== undefined && { eoasFrom: effectiveEoas(cycle.eoas, others) }),
    ...(isModel && typeof cycle.eoas === "string" && { deprecatedFrom: readDate(cycle.eoas) }),
    get eol() {
      return eol();
    },
    ...(cycle.notBefore !== undefined && { eolNotBefore: readDate(cycle.notBefore) }),
    ...(cycle.eoes !== undefined && { eoesFrom: readEnd(cycle.eoes) }),
    get claims() {
      return claims();
    },
    ...others,
    get tracks() {
      return tracks();
    },
    ...decodeMarks(cycle),
    ...(cycle.milestones && {
      otherMilestones: cycle.milestones.map(([kind, end]) => ({ kind, date: readDate(end) })),
    }),
  };
}

function decodeRelease({
  codename,
  label,
  released,
  lts,
  latest,
}: StoredCycle): Pick<ReleaseCycle, "codename" | "label" | "releaseDate" | "lts" | "ltsFrom" | "latest"> {
  const [name, date] = typeof latest === "string" ? [latest] : (latest ?? []);
  return {
    ...(codename !== undefined && { codename }),
    ...(label !== undefined && { label }),
    ...(released !== undefined && { releaseDate: readDate(released) }),
    lts: lts !== undefined,
    ...(typeof lts === "string" && { ltsFrom: asIsoDate(lts) }),
    ...(name !== undefined && { latest: { name, ...(date !== undefined && { date: asIsoDate(date) }) } }),
  };
}

function decodeMarks({
  rolling,
  retired,
  declaredBy,
  successor,
}: StoredCycle): Pick<ReleaseCycle, "rolling" | "retired" | "declaredBy" | "successor"> {
  return {
    rolling: rolling ?? false,
    retired: retired ?? false,
    ...(declaredBy !== undefined && { declaredBy }),
    ...(successor !== undefined && { successor }),
  };
}

/** The record's end of active support, or the effective one of all claims where vendors were read. */
function effectiveEoas(record: StoredEnd, { eoasClaims }: Pick<ReleaseCycle, "eoasClaims">): End {
  return eoasClaims ? effectiveEnd(eoasClaims) : readEnd(record);
}

/** Claims on the ends of active and of extended support, where vendors state them. */
function otherClaims(
  cycle: StoredCycle,
  read: number,
  references: References,
): Pick<ReleaseCycle, "eoasClaims" | "eoesClaims"> {
  const all = (record: StoredEnd | undefined, also: readonly StoredClaim[]): readonly Claim[] => [
    claim(read, readEnd(record), references),
    ...also.map(([index, end]) => claim(index, readEnd(end), references)),
  ];
  return {
    ...(cycle.alsoEoas && { eoasClaims: all(cycle.eoas, cycle.alsoEoas) }),
    ...(cycle.alsoEoes && { eoesClaims: all(cycle.eoes, cycle.alsoEoes) }),
  };
}

/** `NServiceBus.RabbitMQ@9.1` is a cycle of the package NServiceBus.RabbitMQ; a scope begins with the sign as well. */
function partOf(name: string): Pick<ReleaseCycle, "part"> {
  const at = name.lastIndexOf("@");
  return at > 0 ? { part: name.slice(0, at) } : {};
}

const QUARANTINED: Partial<Claim> = { quarantined: true };

/** @throws EolgateError `catalogue-corrupt` where there is no such source, or its day is none */
export function sourceAt(index: number, { read }: Sources): StoredRead & { readonly on: StatementDay } {
  const source = read(index);
  if (source === undefined) throw corrupt(PLACE, `it has no source ${index}`);
  return { ...source, on: readDay(source.on) };
}

/** The day on which a page was read. @throws EolgateError `catalogue-corrupt` */
export function readDay(on: string): StatementDay {
  if (isStatementDay(on)) return on;
  throw corrupt(PLACE, `${on} is no day of reading`);
}

const PLACE = "the sources of the catalogue";

function claim(index: number, end: End, references: Sources, more: Partial<Claim> = {}): Claim {
  const read = sourceAt(index, references);
  const { address } = references;
  return {
    kind: read.kind,
    source: read.source,
    end,
    url: address(read.page) ?? "",
    retrievedAt: read.on,
    ...(read.via !== undefined && { via: address(read.via) ?? "" }),
    ...claimMarks(read),
    ...more,
  };
}

function claimMarks({ kind, objection, basis, reason, copied, secondary }: StoredRead): Partial<Claim> {
  const complete = kind === "vendor-feed" && !objection && basis !== "rule";
  return {
    ...(copied && { copied: true as const }),
    ...(basis !== undefined && { basis }),
    ...(reason !== undefined && { reason }),
    ...(complete && { complete: true as const }),
    ...(secondary && { secondary: true as const }),
  };
}

function decodeTrack(
  { name, vendor, cost, end, read }: StoredTrack,
  { address, read: readAt }: References,
): SupportTrack {
  const page = read === undefined ? undefined : readAt(read)?.page;
  const url = page === undefined ? undefined : address(page);
  return {
    name,
    vendor: vendor ?? "",
    cost,
    end: end === null ? null : readDate(end),
    ...(url !== undefined && { url }),
  };
}

const RANK: readonly KevBasis[] = ["exact", "evidence", "component", "bundle"];

function decodeKev(
  stored: NonNullable<StoredProduct["kev"]>,
  { cycles, kevCycles = [] }: StoredProduct,
  references: References,
): KevExposure {
  const affected = kevCycles.map((list) => list.flatMap((index) => cycles[index]?.name ?? []));
  const entries = stored.map(([cve, added, basis, ransomware, versions]) => ({
    cve,
    added: asIsoDate(added),
    ransomware: ransomware === 1,
    basis,
    ...(versions !== undefined && { versions: decodeKevVersions(cve, versions, affected, references) }),
  }));
  const basis = RANK.find((rank) => entries.some((entry) => entry.basis === rank)) ?? "bundle";
  return { basis, entries };
}

function decodeKevVersions(
  cve: string,
  [read, cycles, ranges = [], fixed = {}]: StoredKevVersions,
  lists: readonly (readonly string[])[],
  references: References,
): KevVersions {
  const source = sourceAt(read, references);
  return {
    ranges: ranges.flatMap((range) => parseKevRange(range) ?? []),
    cycles: lists[cycles] ?? [],
    fixedIn: fixed,
    url: (references.address(source.page) ?? "").replace("{cve}", cve),
    retrievedAt: source.on,
  };
}
