/** Answers a stack of `slug:version` pairs as metrics. A pair that cannot be resolved gets a series of its own. */
import { EolgateError } from "../messages/error.ts";
import type { Assessment } from "../model/index.ts";
import { metrics, type MetricsRow } from "../wire/metrics.ts";

const MAX_PAIRS = 100;

export function answerMetrics(
  stack: string,
  format: "prometheus" | "openmetrics",
  assess: (slug: string, version: string) => Assessment,
): string {
  const pairs = stack
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
  if (pairs.length === 0) {
    throw EolgateError.of(
      "invalid-request",
      { problem: "the stack has no slug:version pair", advice: "For example ?stack=nodejs:20,python:3.12" },
      { where: "query/stack" },
    );
  }
  if (pairs.length > MAX_PAIRS) {
    throw EolgateError.of(
      "invalid-request",
      { problem: `the stack has ${pairs.length} pairs, more than the limit of ${MAX_PAIRS}` },
      { where: "query/stack", details: { limit: MAX_PAIRS } },
    );
  }
  return metrics(
    pairs.map((pair) => row(pair, assess)),
    format,
  );
}

function row(pair: string, assess: (slug: string, version: string) => Assessment): MetricsRow {
  const colon = pair.indexOf(":");
  const product = colon < 0 ? pair : pair.slice(0, colon);
  const version = colon < 0 ? "" : pair.slice(colon + 1);
  if (version === "") return { kind: "error", product, version, reason: "no-version" };
  try {
    return { kind: "answer", assessment: assess(product, version) };
  } catch (error) {
    if (!(error instanceof EolgateError) || error.kind === "internal") throw error;
    return { kind: "error", product, version, reason: error.code };
  }
}
