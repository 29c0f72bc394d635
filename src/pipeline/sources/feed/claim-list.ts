/** Collects the claims of a reader. The first row wins where a feed states a cycle twice. */
import { asProductSlug, type ProductSlug } from "../../../text/ids.ts";
import type { LifecycleDate, SupportTrack } from "../../../model/index.ts";
import type { LifecycleSource, SourceDocument, SourceClaim, SourceNote, SourceReading } from "../source.ts";
import { feedChanged } from "./location.ts";

type Basis = SourceClaim["basis"];

export class ClaimList {
  readonly #product: ProductSlug;
  readonly #claims = new Map<string, SourceClaim>();
  readonly #notes: SourceNote[] = [];
  readonly #next: SourceDocument[] = [];

  constructor(product: ProductSlug) {
    this.#product = product;
  }

  #add(claim: SourceClaim, subject: string = claim.field): void {
    const key = `${claim.cycle}\n${subject}`;
    const before = this.#claims.get(key);
    if (!before) this.#claims.set(key, claim);
    else if (JSON.stringify(before) !== JSON.stringify(claim)) this.note("duplicate", claim.cycle, subject);
  }

  /** A date that the source leaves out is not a claim: `undefined` adds nothing here and below. */
  date(field: "releaseDate" | "notBefore", cycle: string, date: LifecycleDate | undefined): void {
    if (date) this.#add({ product: this.#product, cycle, field, date, basis: "stated" });
  }

  end(field: "eoas" | "eol" | "eoes", cycle: string, date: LifecycleDate | undefined, basis: Basis = "stated"): void {
    if (date) this.#add({ product: this.#product, cycle, field, end: { kind: "dated", date }, basis });
  }

  /** Supported, with no end announced. */
  open(field: "eoas" | "eol" | "eoes", cycle: string, basis: Basis = "stated"): void {
    this.#add({ product: this.#product, cycle, field, end: { kind: "open" }, basis });
  }

  ended(field: "eoas" | "eol" | "eoes", cycle: string): void {
    this.#add({ product: this.#product, cycle, field, end: { kind: "ended" }, basis: "stated" });
  }

  track(cycle: string, track: Omit<SupportTrack, "end">, end: LifecycleDate | undefined): void {
    if (!end) return;
    const claim = { product: this.#product, cycle, field: "track", track: { ...track, end }, basis: "stated" } as const;
    this.#add(claim, `track ${track.name}`);
  }

  note(code: SourceNote["code"], where: string, text: string): void {
    this.#notes.push({ code, where, text });
  }

  next(document: SourceDocument): void {
    this.#next.push(document);
  }

  /** @throws EolgateError `feed-changed` when nothing at all was read: an empty feed is a broken one. */
  reading(): SourceReading {
    if (this.#claims.size === 0 && this.#next.length === 0) throw feedChanged("/", "at least one release cycle");
    return this.part();
  }

  /** One product's part of an answer about many: it may state nothing of it. */
  part(): SourceReading {
    return { claims: [...this.#claims.values()], notes: this.#notes, next: this.#next };
  }
}

/** A vendor's feed of one product, read by code. */
interface VendorFeed extends Pick<LifecycleSource, "id" | "title" | "format" | "documents"> {
  readonly product: string;
  /** The product where absent. */
  readonly origin?: string;
  /** `read` where absent. */
  readonly verification?: LifecycleSource["verification"];
}

type ReadClaims = (claims: ClaimList, text: string, document: SourceDocument) => void;

export function vendorFeed(
  { product, origin = product, verification = "read", ...head }: VendorFeed,
  read: ReadClaims,
): LifecycleSource {
  const slug = asProductSlug(product);
  return {
    kind: "lifecycle",
    ...head,
    origin,
    verification,
    products: [slug],
    independentOfUpstream: true,
    parse(text, document) {
      const claims = new ClaimList(slug);
      read(claims, text, document);
      return claims.reading();
    },
  };
}
