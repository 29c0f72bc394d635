/** Helpers for tests of signal sources: a client that does not wait, subjects, and outcomes by key. */
import { asIsoDate, asPurl } from "../../src/text/ids.ts";
import type { Component } from "../../src/model/index.ts";
import { type PackageSubject, compilePrivatePatterns, packageSubject } from "../../src/support/subject.ts";
import { createSignalsClient, type SignalsClientOptions } from "../../src/signals/http.ts";
import type { QueryContext, SourceOutcome, SignalSource, Subject } from "../../src/signals/source.ts";

export const TODAY = asIsoDate("2026-11-22");

export function component(purl: string, more: Partial<Component> = {}): Component {
  return {
    pointer: "/components/0",
    span: { start: 0, end: 0 },
    kind: "other",
    name: "any",
    purls: purl === "" ? [] : [asPurl(purl)],
    cpes: [],
    licenses: [],
    declared: [],
    ...more,
  };
}

export function packageOf(purl: string): PackageSubject {
  const subject = packageSubject(component(purl), compilePrivatePatterns([]));
  if (typeof subject === "string") throw new Error(`${purl}: ${subject}`);
  return subject;
}

export function subjectOf(purl: string): Subject {
  const subject = packageOf(purl);
  return { key: subject.purl, package: subject };
}

export function createContext(options: Partial<SignalsClientOptions> = {}): QueryContext & { close(): Promise<void> } {
  const client = createSignalsClient({ env: {}, pause: async () => undefined, ...options });
  return { client, today: TODAY, close: () => client.close() };
}

/** Queries a source and returns the outcomes by key. */
export async function query(
  source: SignalSource,
  subjects: readonly Subject[],
  options: Partial<SignalsClientOptions> = {},
): Promise<ReadonlyMap<string, SourceOutcome>> {
  const context = createContext(options);
  try {
    const outcomes = new Map<string, SourceOutcome>();
    for await (const outcome of source.query(subjects, context)) outcomes.set(outcome.key, outcome);
    return outcomes;
  } finally {
    await context.close();
  }
}

/** `statement date → replacement (message)` for each entry of the evidence, or the reason why there is none. */
export function formatOutcome(outcome: SourceOutcome | undefined): readonly string[] {
  if (outcome === undefined) return ["no outcome"];
  if ("unanswered" in outcome) return [`unanswered: ${outcome.unanswered.detail}`];
  if (!outcome.answer.found) return ["not found"];
  return outcome.answer.evidence.map(({ statement, date, replacement, message }) =>
    [statement, date, replacement && `→ ${replacement}`, message && `(${message})`].filter(Boolean).join(" "),
  );
}
