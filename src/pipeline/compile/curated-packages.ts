/** Shapes of the curated files about distributions' packages and about the versions of exploited vulnerabilities. */
import type { Static } from "typebox";
import { Type } from "typebox";

const text = Type.String({ minLength: 1 });
const day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const date = Type.String({ pattern: "^\\d{4}-\\d{2}(-\\d{2})?$" });
const closed = { additionalProperties: false };
const optional = Type.Optional;
const texts = Type.Array(text);
const yes = Type.Literal(true);

const format = Type.Union([Type.Literal("deb"), Type.Literal("rpm"), Type.Literal("apk"), Type.Literal("alpm")]);
const byFormat = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Object({ deb: optional(schema), rpm: optional(schema), apk: optional(schema), alpm: optional(schema) }, closed);

export const PackageLifecycles = Type.Object(
  {
    reads: Type.Array(
      Type.Object(
        {
          page: text,
          on: day,
          basis: Type.Union([Type.Literal("stated"), Type.Literal("rule")]),
          via: optional(text),
        },
        closed,
      ),
    ),
    rows: Type.Array(
      Type.Object(
        {
          distribution: text,
          release: text,
          kind: Type.Union([
            Type.Literal("module"),
            Type.Literal("application-stream"),
            Type.Literal("package"),
            Type.Literal("repository"),
          ]),
          name: text,
          stream: optional(text),
          packages: optional(texts),
          versions: optional(texts),
          product: optional(Type.Array(text, { minItems: 1, maxItems: 2 })),
          start: optional(date),
          eol: optional(Type.Union([date, Type.Boolean()])),
          extended: optional(Type.Tuple([text, date])),
          rolling: optional(yes),
          fullLife: optional(yes),
          dependent: optional(yes),
          repository: optional(text),
          commitment: optional(
            Type.Union([Type.Literal("vendor"), Type.Literal("best-effort"), Type.Literal("limited")]),
          ),
          follows: optional(text),
          weak: optional(yes),
          /** Index into `reads`; 0 when absent. */
          read: optional(Type.Integer({ minimum: 1 })),
        },
        closed,
      ),
    ),
  },
  closed,
);

const proof = Type.Union([Type.Literal("name"), Type.Literal("revision"), Type.Literal("name-and-revision")]);
/** `knowledge`: not read anywhere. Enough to doubt that the distribution built a package, never to date it. */
const evidence = Type.Union([Type.Literal("knowledge"), Type.Literal("observed"), Type.Literal("stated")]);

export const VendorPackageRows = Type.Array(
  Type.Object(
    {
      vendor: text,
      product: optional(text),
      /** What the packages are called where no product is tracked. */
      label: optional(text),
      names: byFormat(texts),
      revision: optional(byFormat(text)),
      proof: optional(byFormat(proof)),
      productNames: optional(texts),
      maintainers: optional(texts),
      page: text,
      on: day,
      basis: evidence,
      /** Format, name, version, and whether the vendor built it. */
      examples: optional(Type.Array(Type.Tuple([format, text, text, Type.Boolean()]))),
    },
    closed,
  ),
);

export const DistroRevisionRows = Type.Array(
  Type.Object(
    {
      distribution: text,
      products: texts,
      format,
      pattern: text,
      release: optional(text),
      proves: optional(yes),
      page: text,
      on: day,
      basis: evidence,
      examples: texts,
      counterExamples: optional(texts),
    },
    closed,
  ),
);

export const KevVersionFile = Type.Object(
  {
    reads: Type.Array(Type.Object({ source: text, page: text, on: day, via: optional(text) }, closed)),
    products: Type.Record(
      text,
      Type.Array(
        Type.Object(
          {
            cve: Type.String({ pattern: "^CVE-\\d{4}-\\d{4,}$" }),
            /** The record names no version of the product. */
            unknown: optional(yes),
            ranges: optional(texts),
            cycles: optional(texts),
            fixed: optional(Type.Record(text, text)),
            /** Where CISA's own heading does not name the product: how exactly the record does. */
            basis: optional(Type.Union([Type.Literal("evidence"), Type.Literal("component")])),
            read: optional(Type.Integer({ minimum: 1 })),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
);

export type CuratedPackageLifecycles = Static<typeof PackageLifecycles>;
export type CuratedVendorPackages = Static<typeof VendorPackageRows>;
export type CuratedDistroRevisions = Static<typeof DistroRevisionRows>;
export type CuratedKevVersions = Static<typeof KevVersionFile>;
