/** An in-toto Statement v1 about the verdict, which docs/verdict-predicate.md describes. */
import type { Policy, Report, StatementParts } from "../model/index.ts";
import { escapeJson } from "./escape.ts";
import { allowedObject, contributionObject, formatFailOn } from "./json/frame.ts";
import { jsonPieces } from "./json.ts";
import type { Reporter } from "./reporter.ts";
import { asList, asRecord, isRecord } from "../text/values.ts";

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1" as const;
export const PREDICATE_TYPE = "https://github.com/eolgate/eolgate/blob/main/docs/verdict-predicate.md#v1" as const;

export const inToto: Reporter = (report) => {
  const { statement } = report;
  if (statement === undefined) throw new TypeError("the report has no parts of a statement");
  const text = `${escapeJson(JSON.stringify(statementObject(report, statement), null, 2))}\n`;
  return statement.seal?.(text) ?? text;
};

/** The statement as an object. Members are written in this order, so that equal checks give equal bytes. */
export function statementObject(report: Report, parts: StatementParts) {
  const { tool, asOf, verdict, exit, catalogue, policy, documents, contributions } = report;
  const { subjects, sha256 } = parts;
  const { validUntil, exitCodeUntil, next, limit } = parts.validity;
  const { assessed, notAssessed, percent } = verdict.coverage;
  const fields = policyFields(policy);
  return {
    _type: STATEMENT_TYPE,
    // Before the subjects, of which there may be many: a report is recognized by its beginning.
    predicateType: PREDICATE_TYPE,
    subject: subjects.map(({ name, digest, annotations }) => ({ name, digest, ...(annotations && { annotations }) })),
    predicate: {
      tool: { name: tool.name, version: tool.version },
      asOf,
      verdict: verdict.value,
      exit: { code: exit.code, name: exit.name, why: exit.why },
      validUntil,
      exitCodeUntil,
      ...(next && { next }),
      ...(limit && { limit }),
      conditions: verdict.reasons.map(({ verdict: severity, condition, count }) => ({
        severity,
        condition,
        components: count,
      })),
      coverage: { assessed, notAssessed, percent },
      inputs: documents.map(({ file, digest, document: { format, specVersion } }) => ({
        name: file,
        format,
        specVersion,
        digest: digestSet(digest()),
      })),
      policy: { digest: { sha256: sha256([JSON.stringify(fields)]) }, fields },
      ...(verdict.allowed && { allowed: verdict.allowed.map(allowedObject) }),
      ...(contributions && { contributions: contributions.map(contributionObject) }),
      catalogue: {
        date: catalogue.date,
        digest: digestSet(catalogue.digest),
        purlMapDate: catalogue.purlMapDate,
        kevVersion: catalogue.kevVersion,
      },
      report: { mediaType: "application/json" as const, digest: { sha256: sha256(comparableLines(report)) } },
    },
  };
}

/** A digest as `algorithm:value`, in the form of in-toto. */
export function digestSet(digest: string): Readonly<Record<string, string>> {
  const [algorithm = "", value = ""] = digest.split(":", 2);
  return { [algorithm]: value };
}

/** Fields that decide no verdict: how sources are asked, and which names they must not see. */
const OF_REQUESTS: ReadonlySet<string> = new Set(["privatePackages", "signalsMaxAge", "signalsTimeout"]);

/** Every field of the policy that can decide a verdict, sorted. A waiver has no reason and no name of a person here. */
function policyFields({ failOn, waivers, ...others }: Policy): Readonly<Record<string, unknown>> {
  const fields = {
    ...others,
    failOn: failOn.map(formatFailOn),
    waivers: waivers.map(({ target, expires }) => ({ target, expires })),
  };
  return asRecord(sorted(Object.fromEntries(Object.entries(fields).filter(([name]) => !OF_REQUESTS.has(name)))));
}

/** The value with the members of all objects in it sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return asList(value).map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

/**
 * The lines of the JSON report that depend only on what was checked, with which policy and catalogue: not those of the
 * settings and of the catalogue, which name files of one machine.
 */
function* comparableLines(report: Report): Generator<string> {
  const decoder = new TextDecoder();
  let last = "";
  for (const piece of jsonPieces(report)) {
    const lines = `${last}${typeof piece === "string" ? piece : decoder.decode(piece)}`.split(/(?<=\n)/);
    last = lines.pop() ?? "";
    yield* lines.filter(isComparable);
  }
  if (isComparable(last)) yield last;
}

const isComparable = (line: string): boolean => !/^"(?:settings|catalogue)": /.test(line);
