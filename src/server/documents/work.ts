/** One job on one document: the same work on the event loop (small documents, tests) and in a worker (big ones). */
import { EolgateError } from "../../core/errors.ts";
import type { Finding } from "../../core/model.ts";
import { riskiest, unmatchedComponent } from "../../core/wire/sbom.ts";
import type { LocalOperations, ScoreCap } from "../../api/local.ts";
import { checkForBrowser } from "./check.ts";
import type { CheckedDocument, WatchQuestion } from "./documents.ts";

export interface Job {
  readonly kind: "sbom" | "enrich" | "watch" | "check";
  readonly bytes: Uint8Array;
  readonly strict?: "0" | "1" | undefined;
  readonly warnDays?: number | undefined;
  readonly cap?: ScoreCap | undefined;
  /** Of a check: the name of the file, null for a list. */
  readonly file?: string | null | undefined;
  /** State the support level of each component. */
  readonly signals?: boolean | undefined;
}

export type Outcome = string | Uint8Array | WatchQuestion | CheckedDocument;

export async function work(job: Job, local: LocalOperations): Promise<Outcome> {
  const input = {
    document: job.bytes,
    ...(job.strict === undefined ? {} : { strict: job.strict }),
    ...(job.warnDays === undefined ? {} : { warn_days: job.warnDays }),
  };
  switch (job.kind) {
    case "sbom":
      return JSON.stringify(await local.sbom(input, job.cap, { signals: job.signals === true }));
    case "enrich":
      return local.enrich(input, job.cap, { signals: job.signals === true });
    case "check":
      return checkForBrowser({ bytes: job.bytes, file: job.file ?? null, ...(job.cap && { cap: job.cap }) }, local);
    case "watch": {
      const email = emailIn(job.bytes);
      const { findings } = await local.scan(input);
      return { email, cycles: cyclesOf(findings), unmatched: findings.flatMap(unmatchedComponent) };
    }
  }
}

/** `{email, sbom}`. The reader unwraps `sbom` by itself, from the bytes. */
function emailIn(bytes: Uint8Array): string {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw wrong("The body is not JSON", cause);
  }
  if (typeof body !== "object" || body === null || !("email" in body) || typeof body.email !== "string") {
    throw wrong("The body must be an object with email and sbom");
  }
  if (!("sbom" in body) || typeof body.sbom !== "object" || body.sbom === null) {
    throw wrong("The body must hold the document as an object named sbom");
  }
  return body.email;
}

const wrong = (message: string, cause?: unknown): EolgateError =>
  EolgateError.of("invalid-request", { problem: message, advice: undefined }, { where: "body", cause });

/** Each cycle once, riskiest first. A distro-maintained package is watched by the distribution's cycle. */
function cyclesOf(findings: readonly Finding[]): WatchQuestion["cycles"] {
  const assessed = findings.flatMap(({ assessment }) => (assessment ? [{ assessment }] : []));
  const lines = riskiest(assessed).map(
    ({ assessment: { releaseCycle } }) => [`${releaseCycle.product}:${releaseCycle.cycle}`, releaseCycle] as const,
  );
  return [...new Map(lines).values()];
}
