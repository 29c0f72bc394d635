/** What the reporters word: step 5. */
import type { IsoDate, ProductSlug } from "../ids.ts";
import type { CatalogueMetadata } from "./catalogue.ts";
import type { SbomDocument } from "./document.ts";
import type { Advice, Comparison, Forecast } from "./advice.ts";
import type { Finding, Policy, Verdict } from "./policy.ts";
import type { CycleRef } from "./resolution.ts";

/** One document on its way through the gate. */
export interface DocumentReport {
  /** Path as given, or `<stdin>`. */
  readonly file: string;
  /** `sha256:` over the bytes as they were read. */
  readonly digest: string;
  /** Whether gzip was undone before reading. */
  readonly gzipped: boolean;
  readonly document: SbomDocument;
  /** Every component, in document order. */
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  /** The folder whose version pins this file holds a part of: its files are one gate together. */
  readonly partOf?: string;
}

/** A document that gave no answer, beside others that did. */
export interface FailedDocument {
  readonly file: string;
  readonly error: {
    readonly kind: string;
    readonly code: string;
    readonly message: string;
    readonly where?: string;
    readonly hint?: string;
  };
}

/** What the reporters word. Everything that any format shows stands here. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string };
  readonly asOf: IsoDate;
  readonly policy: Policy;
  readonly catalogue: CatalogueMetadata & { readonly ageDays: number };
  readonly documents: readonly DocumentReport[];
  readonly failed: readonly FailedDocument[];
  /** Over all documents. */
  readonly verdict: Verdict;
  readonly exit: { readonly code: number; readonly name: string; readonly why: string };
  /** Where to go from a line that ends. Absent when nobody worked it out. */
  readonly advice?: (line: CycleRef) => Advice | undefined;
  /** What turns red in the time to come. Absent when nobody asked. */
  readonly forecast?: Forecast;
  /** Against an earlier document or report. Absent without one. */
  readonly comparison?: Comparison;
  /** Base address of the links to score cards and methodology; the public project page when nobody serves. */
  readonly links: {
    readonly scoreCard: (line: CycleRef) => string;
    readonly product: (slug: ProductSlug) => string;
    readonly products: string;
    readonly methodology: string;
    readonly docs: string;
  };
}
