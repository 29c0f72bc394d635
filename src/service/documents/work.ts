/** Processes a job for a document, on the event loop (small documents, tests) or in a worker (large ones). */
import { EolgateError } from "../../messages/error.ts";
import { asRecord, compact, isRecord } from "../../text/values.ts";
import { isWebhook } from "../mail/message.ts";
import { toFindings } from "../../policy/rows.ts";
import { unmatchedComponent } from "../../wire/sbom.ts";
import type { LocalOperations, ScoreCap } from "../../api/operations/local.ts";
import type { OperationInput } from "../../api/operations/operations.ts";
import { checkForBrowser, cyclesOf } from "./check.ts";
import type { CheckedDocument, WatchContent } from "../services.ts";

export interface DocumentJob {
  readonly kind: "sbom" | "enrich" | "watch" | "check";
  readonly bytes: Uint8Array;
  readonly strict?: "0" | "1" | undefined;
  readonly warnDays?: number | undefined;
  readonly cap?: ScoreCap | undefined;
  /** For a check: the name of the file; null for a list. */
  readonly file?: string | null | undefined;
}

/** Bytes occupy their whole buffer, so that a thread can transfer them without a copy. */
export type DocumentOutcome = Uint8Array<ArrayBuffer> | WatchContent | CheckedDocument;

export async function work(job: DocumentJob, local: LocalOperations): Promise<DocumentOutcome> {
  const input = compact({ document: job.bytes, strict: job.strict, warn_days: job.warnDays });
  switch (job.kind) {
    case "sbom":
      return utf8(JSON.stringify(await local.sbom(input, job.cap)));
    case "enrich":
      return ownBytes(await local.enrich(input, job.cap));
    case "check":
      return checkForBrowser({ bytes: job.bytes, file: job.file ?? null, ...(job.cap && { cap: job.cap }) }, local);
    case "watch":
      return watchQuestion(job, input, local);
  }
}

/** Bytes that occupy their whole buffer, so that they can be transferred to another thread. Copied if necessary. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return new Uint8Array(buffer);
  return new Uint8Array(bytes);
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function watchQuestion(
  job: DocumentJob,
  input: OperationInput<"sbom">,
  local: LocalOperations,
): Promise<WatchContent> {
  const email = addressIn(job.bytes);
  const { rows } = await local.scan(input);
  return { email, cycles: cyclesOf(rows.counts()), unmatched: toFindings(rows).flatMap(unmatchedComponent) };
}

/** The address in `{email, sbom}` or `{webhook, sbom}`. The SBOM reader parses `sbom` from the bytes. */
function addressIn(bytes: Uint8Array): string {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw wrong("The body is not JSON", cause);
  }
  const { email, webhook, sbom } = asRecord(body);
  const address = email ?? webhook;
  if (typeof address !== "string" || (email !== undefined && webhook !== undefined)) {
    throw wrong("The body must be an object with sbom, and either email or webhook");
  }
  if (webhook !== undefined && !isWebhook(address))
    throw wrong("The webhook must be an address that begins with https://");
  if (!isRecord(sbom)) throw wrong("The body must contain the document as an object named sbom");
  return address;
}

const wrong = (message: string, cause?: unknown): EolgateError =>
  EolgateError.of("invalid-request", { problem: message, advice: undefined }, { where: "body", cause });
