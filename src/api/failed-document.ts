/** A document that could not be checked, in a run with others that could. */
import { EolgateError } from "../messages/error.ts";
import type { FailedDocument } from "../model/index.ts";

/** Converts the error of one document to its entry in a report. */
export function failedDocument(file: string, error: EolgateError): FailedDocument {
  const { kind, code, message, where, hint } = error;
  return {
    file,
    error: { kind, code, message, ...(where !== undefined && { where }), ...(hint !== undefined && { hint }) },
  };
}

/**
 * Runs `step` and converts its failure to an entry of the report, so that an error in one document does not stop the
 * others. This applies only to errors of the document itself: a missing catalogue or network ends the run.
 */
export async function collectFailure<Outcome>(
  file: string,
  step: () => Promise<Outcome>,
): Promise<Outcome | FailedDocument> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof EolgateError) || error.exit !== 3) throw error;
    return failedDocument(file, error);
  }
}
