/** One stored product becomes the model's product. Runs once for each product that a document really names. */
import { asIsoDate, asProductSlug } from "../core/ids.ts";
import { effectiveEnd } from "../core/lifecycle/ends.ts";
import type { End, KevBasis, KevExposure, Product, ReleaseCycle, Claim, SupportTrack } from "../core/model.ts";
import { readDate, readEnd } from "./compile/ends.ts";
import type { StoredEnd, StoredCycle, StoredProduct, StoredRead, StoredClaim, StoredTrack } from "./schema.ts";

/** The tables that rows refer to by index. */
export interface References {
  readonly address: (index: number) => string | undefined;
  readonly read: (index: number) => StoredRead | undefined;
  /** Purls that the published map gives to a product. */
  readonly purls: (slug: string) => readonly string[];
}

export function decodeProduct(slug: string, stored: StoredProduct, references: References): Product {
  const { policy, kev, rule } = stored;
  return {
    slug: asProductSlug(slug),
    name: stored.name,
    aliases: stored.aliases ?? [],
    category: stored.category,
    tags: stored.tags ?? [],
    attackSurface: stored.surface,
    record: stored.record,
    ...(policy !== undefined && { policyUrl: references.address(policy) ?? "" }),
    models: stored.models ?? false,
    cycles: stored.lines.map((line) => decodeLine(line, stored.read, references)),
    cpes: stored.cpes ?? [],
    get purls() {
      return references.purls(slug);
    },
    ...(kev !== undefined && { kev: decodeKev(kev) }),
    split: new Map(Object.entries(stored.split ?? {})),
    ...(rule !== undefined && { versionRule: rule }),
  };
}

function decodeLine(line: StoredCycle, productRead: number, references: References): ReleaseCycle {
  const read = line.read ?? productRead;
  const words = (record: StoredEnd | undefined, also: readonly StoredClaim[] = []): readonly Claim[] => [
    statement(read, readEnd(record), references),
    ...also.map(([index, end]) => statement(index, readEnd(end), references)),
  ];
  const claims = [
    ...words(line.eol, line.also),
    ...(line.quarantined ?? []).map(([index, end]) => statement(index, readEnd(end), references, QUARANTINED)),
  ];
  const [name, date] = typeof line.latest === "string" ? [line.latest] : (line.latest ?? []);
  return {
    name: line.name,
    ...(line.codename !== undefined && { codename: line.codename }),
    ...(line.label !== undefined && { label: line.label }),
    ...(line.released !== undefined && { releaseDate: readDate(line.released) }),
    lts: line.lts !== undefined,
    ...(typeof line.lts === "string" && { ltsFrom: asIsoDate(line.lts) }),
    ...(line.eoas !== undefined && { eoasFrom: readEnd(line.eoas) }),
    eol: effectiveEnd(claims),
    ...(line.notBefore !== undefined && { eolNotBefore: readDate(line.notBefore) }),
    ...(line.eoes !== undefined && { eoesFrom: readEnd(line.eoes) }),
    ...(name !== undefined && { latest: { name, ...(date !== undefined && { date: asIsoDate(date) }) } }),
    claims,
    ...(line.alsoEoas && { eoasClaims: words(line.eoas, line.alsoEoas) }),
    ...(line.alsoEoes && { eoesClaims: words(line.eoes, line.alsoEoes) }),
    tracks: (line.tracks ?? []).map((track) => decodeTrack(track, references)),
    rolling: line.rolling ?? false,
    retired: line.retired ?? false,
    ...(line.declaredBy !== undefined && { declaredBy: line.declaredBy }),
    ...(line.successor !== undefined && { successor: line.successor }),
  };
}

const QUARANTINED: Partial<Claim> = { quarantined: true };

function statement(index: number, end: End, { read: readAt, address }: References, more: Partial<Claim> = {}): Claim {
  const read = readAt(index);
  if (read === undefined) throw new RangeError(`no read ${index}`);
  return {
    kind: read.kind,
    source: read.source,
    end,
    url: address(read.page) ?? "",
    retrievedAt: asIsoDate(read.on),
    ...(read.copied && { copied: true as const }),
    ...(read.basis !== undefined && { basis: read.basis }),
    ...(read.reason !== undefined && { reason: read.reason }),
    ...more,
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

function decodeKev(stored: NonNullable<StoredProduct["kev"]>): KevExposure {
  const entries = stored.map(([cve, added, basis, ransomware]) => ({
    cve,
    added: asIsoDate(added),
    ransomware: ransomware === 1,
    basis,
  }));
  const basis = RANK.find((rank) => entries.some((entry) => entry.basis === rank)) ?? "bundle";
  return { basis, entries };
}
