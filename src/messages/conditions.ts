/** Texts for the conditions of a policy. */
import type { Condition } from "../model/index.ts";

interface ConditionLabels {
  /** As a heading. */
  readonly title: string;
  /** After `1 component`. */
  readonly one: string;
  /** After `3 components`. */
  readonly many: string;
}

export const CONDITION_LABELS: Readonly<Record<Condition, ConditionLabels>> = {
  none: { title: "supported", one: "is supported", many: "are supported" },
  eol: { title: "end of life", one: "has reached end of life", many: "have reached end of life" },
  approaching: { title: "ending soon", one: "ends soon", many: "end soon" },
  retired: {
    title: "retired by its maintainers",
    one: "was retired by its maintainers",
    many: "were retired by their maintainers",
  },
  superseded: {
    title: "superseded by a newer release",
    one: "was superseded by a newer release",
    many: "were superseded by newer releases",
  },
  score: {
    title: "risk score at or above the limit",
    one: "has a risk score at or above the limit",
    many: "have a risk score at or above the limit",
  },
  kev: {
    title: "with a known exploited vulnerability",
    one: "has a known exploited vulnerability",
    many: "have known exploited vulnerabilities",
  },
  "kev-product": {
    title: "of a product with known exploited vulnerabilities",
    one: "belongs to a product with known exploited vulnerabilities",
    many: "belong to products with known exploited vulnerabilities",
  },
  unknown: { title: "end of life unknown", one: "has an unknown end of life", many: "have an unknown end of life" },
  untracked: { title: "not in the catalogue", one: "is not in the catalogue", many: "are not in the catalogue" },
  license: { title: "denied licence", one: "has a denied licence", many: "have a denied licence" },
  "package-eol": {
    title: "no longer supported by the distribution",
    one: "is no longer supported by its distribution",
    many: "are no longer supported by their distribution",
  },
  "declared-mismatch": {
    title: "declared end differs from the catalogue",
    one: "declares an end that differs from the catalogue",
    many: "declare an end that differs from the catalogue",
  },
  unmaintained: { title: "no longer maintained", one: "is no longer maintained", many: "are no longer maintained" },
  inactive: {
    title: "no recent release or commit",
    one: "has no recent release or commit",
    many: "have no recent release or commit",
  },
};

/** For a licence that warns: it cannot be parsed, or the baseline contains it. A denied licence fails. */
export const QUESTIONABLE_LICENSE = {
  one: "has a questionable licence",
  many: "have a questionable licence",
} as const;
