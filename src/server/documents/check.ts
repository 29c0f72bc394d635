/** A check for the browser: a document, a lockfile or version pins by the name of the file, or a pasted list. */
import { EolgateError } from "../../core/errors.ts";
import { inventoryKindOf, readInventory } from "../../core/inventory/read.ts";
import type { Catalogue, Report } from "../../core/model.ts";
import { productsCalled, suggest } from "../../core/resolve/product.ts";
import type { CheckInput } from "../../api/check.ts";
import { collectFailure } from "../../api/failed-document.ts";
import { readStackInput } from "../../api/inventory/file.ts";
import { isSbomName } from "../../api/inventory/sbom-names.ts";
import type { LocalOperations } from "../../api/local.ts";
import { html, htmlContent } from "../../report/html.ts";
import { PLAIN } from "../../report/reporter.ts";
import { digestOf } from "../../platform/digest.ts";
import type { CheckedDocument, CheckQuestion } from "./documents.ts";

const WITH_DETAILS = { ...PLAIN, details: true };

export async function checkForBrowser(question: CheckQuestion, local: LocalOperations): Promise<CheckedDocument> {
  const report = await local.check([await inputOf(question, local.setting.catalogue)]);
  return {
    verdict: report.verdict.value,
    exit: report.exit,
    content: htmlContent(report, WITH_DETAILS),
    report: html(report, WITH_DETAILS),
    enriched: await enrichedDocument(question, report, local),
  };
}

async function inputOf({ bytes, file }: CheckQuestion, catalogue: Catalogue): Promise<CheckInput> {
  if (file === null) {
    const stack = listedCycles(new TextDecoder().decode(bytes), catalogue).join(",");
    return { ...(await readStackInput(stack, catalogue)), file: "pasted list" };
  }
  const digest = digestOf(bytes);
  const kind = isSbomName(file) ? undefined : inventoryKindOf(file);
  if (kind === undefined) return { file, digest, gzipped: false, bytes };
  return collectFailure(file, async () => ({ file, digest, document: await readInventory(kind, bytes) }));
}

/** A document can be enriched when it was read, and is one. */
async function enrichedDocument(
  { bytes, file, cap }: CheckQuestion,
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

const MAX_ENTRIES = 500;
/** `nodejs 18`, `Node.js v18.20.1`, `nodejs:18`, `debian@12`. */
const ENTRY = /^(?<name>.*[^\s:@])(?:\s*[:@]\s*|\s+)v?(?<version>[^\s:@,]+)$/;

/**
 * `slug:version` for each entry of a list that people typed, separated by commas, semicolons or line ends.
 * @throws EolgateError `usage` for an entry that names no product, several, or no version, with its number.
 */
function listedCycles(text: string, catalogue: Catalogue): readonly string[] {
  const entries = text
    .split(/[,;\n]/)
    .map((entry) => entry.replace(/#.*/, "").trim())
    .filter((entry) => entry !== "");
  if (entries.length === 0) throw EolgateError.of("empty-list", {}, { where: "list" });
  if (entries.length > MAX_ENTRIES)
    throw EolgateError.of("too-many-pairs", { count: entries.length, maxPairs: MAX_ENTRIES }, { where: "list" });
  return entries.map((entry, index) => listedCycle(entry, `list, entry ${index + 1}`, catalogue));
}

function listedCycle(entry: string, where: string, catalogue: Catalogue): string {
  const { name, version } = ENTRY.exec(entry.slice(0, 200))?.groups ?? {};
  if (name === undefined || version === undefined)
    throw EolgateError.of("list-entry", { entry: JSON.stringify(entry.slice(0, 60)) }, { where });
  const products = productsCalled(catalogue, name);
  const [product] = products;
  if (product !== undefined && products.length === 1) return `${product.slug}:${version}`;
  const candidates = products.length > 0 ? products.map(({ slug }) => slug) : suggest(catalogue, name);
  const suggestions = candidates.slice(0, 5).join(", ");
  throw EolgateError.of("list-product", { name: JSON.stringify(name), suggestions }, { where });
}
