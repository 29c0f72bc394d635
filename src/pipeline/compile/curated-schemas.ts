/**
 * Shapes of the curated files: products with their release cycles, AI platforms, lists of packages, packages of
 * distributions, versions of exploited vulnerabilities.
 */
import { type Static, Type } from "typebox";
import { STORED_DATE } from "../../catalogue/stored-values.ts";
import { closedObject } from "../../text/schema.ts";

// Which addresses may be cited. A statement is what a project publishes: a change that somebody proposed is not published
// yet, and a fork is not the project. What was merged is cited where it was merged to.

/** Addresses of proposed changes and of comparisons, on the hosts of repositories; `/-/` is GitLab on any host. */
const PROPOSALS: readonly RegExp[] = [
  /^https?:\/\/(?:www\.)?github\.com\/[^/]+\/[^/]+\/(?:pull|pulls|compare)(?:[/?#]|$)/i,
  /^https?:\/\/patch-diff\.githubusercontent\.com\//i,
  /^https?:\/\/(?:www\.)?(?:github\.com\/[^/]+\/[^/]+\/(?:blob|raw|tree)|raw\.githubusercontent\.com\/[^/]+\/[^/]+)\/refs\/pull\//i,
  /^https?:\/\/[^/]+\/.+\/-\/(?:merge_requests|compare)(?:[/?#]|$)/i,
  /^https?:\/\/gitlab\.com\/.+\/merge_requests\//i,
  /^https?:\/\/bitbucket\.org\/[^/]+\/[^/]+\/(?:pull-requests|branches\/compare)(?:[/?#]|$)/i,
];

export const isProposal = (url: string): boolean => PROPOSALS.some((form) => form.test(url));

/** The page of a statement, or `@name` of one in pages.json. */
export const page = Type.Refine(
  Type.String({ minLength: 1 }),
  (url) => !isProposal(url),
  (url) => `${url} is a proposed change or a comparison: cite the default branch or the vendor's page`,
);

export const text = Type.String({ minLength: 1 });
export const day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
/**
 * The day of the content that was read, or its month or year where no day is known. The first day of a month is refused,
 * because it usually means a month whose day is not known.
 */
export const statementDay = Type.String({ pattern: "^\\d{4}(-\\d{2}(-(0[2-9]|[12]\\d|3[01]))?)?$" });
export const date = Type.String({ pattern: STORED_DATE });
export const end = Type.Union([date, Type.Boolean()]);
const basis = Type.Enum(["stated", "rule", "declared", "absence"]);
export const kevBasis = Type.Enum(["exact", "evidence", "component", "bundle"]);
export const optional = Type.Optional;

/** A page, the day it was read, and how the value follows from it. */
const Read = closedObject({
  page,
  on: statementDay,
  basis,
  /** The copy or list through which the page was read. */
  via: optional(page),
  /** Not the statement of the vendor or the maintainers themselves: a lock file, or a page that was not read whole. */
  secondary: optional(Type.Literal(true)),
});
const Reads = Type.Array(Read, { minItems: 1 });

const CuratedCycle = closedObject({
  cycle: text,
  released: optional(date),
  eoas: optional(end),
  /** Absent only where the product's rule gives it. */
  eol: optional(end),
  eoes: optional(end),
  notBefore: optional(date),
  latest: optional(Type.Union([text, Type.Tuple([text, day])])),
  lts: optional(Type.Literal(true)),
  label: optional(text),
  rolling: optional(Type.Literal(true)),
  declaredBy: optional(text),
  successor: optional(text),
  /** Index into the product's `reads`; 0 when absent. */
  read: optional(Type.Integer({ minimum: 1 })),
});
/** Release cycles that the upstream record does not have yet; each gives way once it does. */
export const AddedCycles = closedObject({
  reads: Type.Array(Type.Omit(Read, ["basis"]), { minItems: 1 }),
  rows: Type.Array(closedObject({ product: text, ...CuratedCycle.properties, eol: end })),
});
/**
 * Which lines get fixes, where the maintainers state a rule instead of dates. The basis of the product's first read is
 * `rule`.
 */
const SupportRule = closedObject({
  /** So many of the newest lines. */
  newest: Type.Integer({ minimum: 1 }),
  /** What a line is. The minor version counts while the major one is 0. */
  of: Type.Enum(["major", "minor"]),
  /** Months for which a line still gets fixes after the line that replaces it was released. */
  months: optional(Type.Integer({ minimum: 1 })),
  /**
   * What the page states about every other line. `ended`: it is not supported any more. `superseded`: fixes are only in the
   * newest lines. Absent: nothing, or that fixes are possible; nothing is concluded then.
   */
  others: optional(Type.Enum(["ended", "superseded"])),
});
export const Product = closedObject({
  slug: text,
  name: text,
  category: text,
  aliases: optional(Type.Array(text)),
  policy: text,
  purls: optional(Type.Array(text)),
  /** Package URLs of packages with cycles of their own in this product, named `package@cycle`. */
  parts: optional(Type.Array(text)),
  cpes: optional(Type.Array(text)),
  kev: optional(Type.Array(Type.Tuple([text, text, kevBasis]))),
  note: optional(text),
  /** Whether every release cycle is recorded. Absent: not checked. */
  scope: optional(Type.Enum(["complete", "partial"])),
  rule: optional(SupportRule),
  reads: Reads,
  /** With a rule: the lines whose release or end is known. */
  cycles: Type.Array(CuratedCycle),
});
export const Platform = closedObject({
  slug: text,
  name: text,
  vendor: Type.Union([text, Type.Null()]),
  ids: optional(Type.Literal("name@version")),
  reads: Type.Array(closedObject({ page, on: statementDay, via: optional(page) }), { minItems: 1 }),
  cycles: Type.Array(
    closedObject({
      cycle: text,
      ids: optional(Type.Array(text)),
      vendor: optional(Type.Union([text, Type.Null()])),
      released: optional(date),
      deprecated: optional(Type.Union([date, Type.Literal(true)])),
      retires: optional(date),
      notBefore: optional(date),
      retired: optional(Type.Literal(true)),
      read: optional(Type.Integer({ minimum: 1 })),
    }),
  ),
});

const PackageWords = closedObject({
  successor: optional(text),
  /** The newest stable release, with its day where the vendor states it. */
  latest: CuratedCycle.properties.latest,
  /** The vendor's word: it gets fixes only. */
  maintenance: optional(Type.Literal(true)),
});
/** A vendor's list of packages of one ecosystem: `name` or `name@major`, the end, the read, and what else is stated. */
export const PackageList = closedObject({
  slug: text,
  name: text,
  category: text,
  /** Package URL type of all packages. */
  type: text,
  policy: text,
  reads: Reads,
  packages: Type.Array(
    Type.Union([
      Type.Tuple([text, end, Type.Integer({ minimum: 0 })]),
      Type.Tuple([text, end, Type.Integer({ minimum: 0 }), PackageWords]),
    ]),
    { minItems: 1 },
  ),
});

export type CuratedAddedCycles = Static<typeof AddedCycles>;
export type CuratedProduct = Static<typeof Product>;
export type CuratedPlatform = Static<typeof Platform>;
export type CuratedPackages = Static<typeof PackageList>;

export const PurlGroup = closedObject({
  product: text,
  basis: text,
  min: optional(text),
  max: optional(text),
  transform: optional(Type.Enum(["minor-shift", "java-legacy", "dotnet-package"] as const)),
  /** The cycle that the names of these packages contain. */
  cycle: optional(text),
  why: optional(text),
  purls: Type.Array(text, { minItems: 1 }),
});
export const KevVersionFile = closedObject({
  reads: Type.Array(closedObject({ source: text, page, on: day, via: optional(page) })),
  products: Type.Record(
    text,
    Type.Array(
      closedObject({
        cve: Type.String({ pattern: "^CVE-\\d{4}-\\d{4,}$" }),
        /** The record names no version of the product. */
        unknown: optional(Type.Literal(true)),
        ranges: optional(Type.Array(text)),
        cycles: optional(Type.Array(text)),
        fixed: optional(Type.Record(text, text)),
        /** Where CISA's own heading does not name the product: how exactly the record does. */
        basis: optional(Type.Enum(["evidence", "component"])),
        read: optional(Type.Integer({ minimum: 1 })),
      }),
    ),
  ),
});

export type CuratedPurls = Static<typeof PurlGroup>;
export type CuratedKevVersions = Static<typeof KevVersionFile>;
