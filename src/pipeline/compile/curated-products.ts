/** Shapes of the curated files about products: their release cycles, AI platforms, and lists of packages. */
import type { Static } from "typebox";
import { Type } from "typebox";

const text = Type.String({ minLength: 1 });
const day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const date = Type.String({ pattern: "^\\d{4}-\\d{2}(-\\d{2})?$" });
const end = Type.Union([date, Type.Boolean()]);
const basis = Type.Union([Type.Literal("stated"), Type.Literal("rule"), Type.Literal("declared")]);
const kevBasis = Type.Union([
  Type.Literal("exact"),
  Type.Literal("evidence"),
  Type.Literal("component"),
  Type.Literal("bundle"),
]);
const closed = { additionalProperties: false };
const optional = Type.Optional;

/** A page, the day it was read, and how the value follows from it. */
const Read = Type.Object(
  {
    page: text,
    on: day,
    basis,
    /** The copy or list through which the page was read. */
    via: optional(text),
    /** Not the statement of the vendor or the maintainers themselves: a lock file, or a page that was not read whole. */
    secondary: optional(Type.Literal(true)),
  },
  closed,
);
const Reads = Type.Array(Read, { minItems: 1 });

const CuratedCycle = Type.Object(
  {
    cycle: text,
    released: optional(date),
    eoas: optional(end),
    eol: end,
    eoes: optional(end),
    notBefore: optional(date),
    latest: optional(text),
    lts: optional(Type.Literal(true)),
    label: optional(text),
    rolling: optional(Type.Literal(true)),
    declaredBy: optional(text),
    successor: optional(text),
    /** Index into the product's `reads`; 0 when absent. */
    read: optional(Type.Integer({ minimum: 1 })),
  },
  closed,
);
export const Product = Type.Object(
  {
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
    scope: optional(Type.Union([Type.Literal("complete"), Type.Literal("partial")])),
    reads: Reads,
    cycles: Type.Array(CuratedCycle, { minItems: 1 }),
  },
  closed,
);
export const Platform = Type.Object(
  {
    slug: text,
    name: text,
    vendor: Type.Union([text, Type.Null()]),
    ids: optional(Type.Literal("name@version")),
    reads: Type.Array(Type.Object({ page: text, on: day, via: optional(text) }, closed), { minItems: 1 }),
    cycles: Type.Array(
      Type.Object(
        {
          cycle: text,
          ids: optional(Type.Array(text)),
          vendor: optional(Type.Union([text, Type.Null()])),
          released: optional(date),
          deprecated: optional(Type.Union([date, Type.Literal(true)])),
          retires: optional(date),
          notBefore: optional(date),
          retired: optional(Type.Literal(true)),
          read: optional(Type.Integer({ minimum: 1 })),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** A vendor's list of packages of one ecosystem: `name` or `name@major`, the end, the read, and the successor. */
export const PackageList = Type.Object(
  {
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
        Type.Tuple([text, end, Type.Integer({ minimum: 0 }), text]),
      ]),
      { minItems: 1 },
    ),
  },
  closed,
);

export type CuratedProduct = Static<typeof Product>;
export type CuratedPlatform = Static<typeof Platform>;
export type CuratedPackages = Static<typeof PackageList>;
