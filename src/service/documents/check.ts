/** Checks a file or a pasted list for the browser. The name of the file determines how it is read. */
import { type CheckRequest, type CheckedDocument, uniqueCycles } from "../services.ts";
import { EolgateError } from "../../messages/error.ts";
import { inventoryKindOf, readInventory, shownText } from "../../files/read.ts";
import { inventoryDocument } from "../../files/document.ts";
import type { Counted, CycleRef, EvaluatedComponent, ParsedDocument, Report } from "../../model/index.ts";
import type { CheckInput } from "../../api/check.ts";
import { collectFailure } from "../../api/input.ts";
import { isSbomName } from "../../api/inventory/names.ts";
import type { LocalOperations } from "../../api/operations/local.ts";
import { evaluatedOf } from "../../policy/rows.ts";
import { html, htmlContent } from "../../report/html.ts";
import { PLAIN } from "../../report/reporter.ts";
import { digestOf } from "../../platform/file-source.ts";
import { isPurl, readListed } from "./listed.ts";
import { riskiest } from "../../wire/sbom.ts";

const WITH_DETAILS = { ...PLAIN, details: true };

export async function checkForBrowser(question: CheckRequest, local: LocalOperations): Promise<CheckedDocument> {
  const report = await local.check([await inputOf(question, local.context)]);
  return {
    verdict: report.verdict.value,
    exit: report.exit,
    content: htmlContent(report, WITH_DETAILS),
    report: html(report, WITH_DETAILS),
    enriched: await enrichedDocument(question, report, local),
    cycles: cyclesOf(evaluatedOf(report.documents)),
  };
}

type Context = Pick<LocalOperations["context"], "catalogue" | "asOf">;

async function inputOf({ bytes, file }: CheckRequest, context: Context): Promise<CheckInput> {
  const digest = () => digestOf(bytes);
  if (file === null) return { file: "pasted list", digest, document: await listDocument(bytes, context) };
  const kind = isSbomName(file) ? undefined : inventoryKindOf(file, () => shownText(bytes));
  if (kind === undefined) return { file, digest, gzipped: false, bytes: () => bytes };
  return collectFailure(file, async () => ({
    file,
    digest,
    document: await readInventory(kind, bytes, context.catalogue.facts),
  }));
}

/** A document with one component for each entry of the list; one that names no version keeps its words as the name. */
const listDocument = (bytes: Uint8Array, { catalogue, asOf }: Context): Promise<ParsedDocument> =>
  inventoryDocument(bytes, async (text) => ({
    format: "pins",
    specVersion: "stack",
    entries: readListed(text, catalogue, asOf).map(({ text: entry, at, length, named }) => {
      const location = { at, length };
      if (isPurl(entry)) return { name: entry, purl: entry, location };
      return named ? { name: named.slug, version: named.version, asked: true, location } : { name: entry, location };
    }),
  }));

/** The enriched document, or the reason why there is none. */
async function enrichedDocument(
  { bytes, file, cap }: CheckRequest,
  { documents: [checked] }: Report,
  local: LocalOperations,
): Promise<Uint8Array | string> {
  const format = checked?.document.format;
  if (file === null || (format !== "CycloneDX" && format !== "SPDX")) return "Only CycloneDX and SPDX can be enriched.";
  try {
    return await local.enrich({ document: bytes }, cap);
  } catch (error) {
    if (error instanceof EolgateError) return `It cannot be enriched: ${error.message}.`;
    throw error;
  }
}

/** Distinct cycles, highest risk first. For distro-maintained packages, this is the cycle of the distribution. */
export function cyclesOf(evaluatedComponents: readonly Counted<EvaluatedComponent>[]): readonly CycleRef[] {
  const assessed = evaluatedComponents.flatMap(({ value: { assessment } }) => (assessment ? [{ assessment }] : []));
  return uniqueCycles(riskiest(assessed).map(({ assessment }) => assessment.releaseCycle));
}
