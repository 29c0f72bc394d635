/** Verifies a signed statement about a verdict, and whether the verdict holds on a day. docs/verdict-predicate.md */
import type { KeyObject } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { keyId, kindOf } from "../catalogue/signature.ts";
import { EolgateError } from "../messages/error.ts";
import { PREDICATE_TYPE } from "../report/in-toto.ts";
import { type IsoDate, isIsoDate } from "../text/ids.ts";
import { badStatement, openSigned } from "./signed-payload.ts";
import { STATEMENT_PAYLOAD } from "./sign.ts";

export interface VerdictQuestion {
  readonly bytes: Uint8Array;
  /** Name of the file, for messages. */
  readonly where: string;
  readonly keys: readonly KeyObject[];
  /** Digest that a subject must have, `sha256:…`; undefined if it is not to be compared. */
  readonly subject: string | undefined;
  readonly day: IsoDate;
}

/** `holds`, or the first reason why not. */
export type VerdictState = "holds" | "failed" | "no-verdict" | "not-yet" | "expired";

export interface VerifiedVerdict {
  readonly state: VerdictState;
  readonly day: IsoDate;
  readonly verdict: string;
  readonly exitCode: number;
  readonly asOf: string;
  readonly validUntil: string;
  readonly key: { readonly id: string; readonly algorithm: string };
  /** The subject that was compared; null if none was. */
  readonly subject: VerdictSubject | null;
  /** What this answer does not include. */
  readonly notChecked: readonly string[];
}

interface VerdictSubject {
  readonly name: string;
  readonly digest: string;
  /** Only this document states that it is about the subject. */
  readonly statedBy?: string;
}

const text = Type.String();
const digests = Type.Record(text, text);
const headSchema = Type.Object({
  // cosign writes the earlier version.
  _type: Type.Union([
    Type.Literal("https://in-toto.io/Statement/v1"),
    Type.Literal("https://in-toto.io/Statement/v0.1"),
  ]),
  predicateType: text,
});
const verdictSchema = Type.Object({
  subject: Type.Array(
    Type.Object({
      name: Type.Optional(text),
      digest: digests,
      annotations: Type.Optional(Type.Object({ statedBy: Type.Optional(text) })),
    }),
    { minItems: 1 },
  ),
  predicate: Type.Object({
    asOf: text,
    verdict: Type.Union(["pass", "warn", "fail", "none"].map((each) => Type.Literal(each))),
    exit: Type.Object({ code: Type.Integer() }),
    validUntil: text,
    policy: Type.Object({ digest: digests }),
    catalogue: Type.Object({ date: text }),
  }),
});
type VerdictStatement = Static<typeof verdictSchema>;

/**
 * Verifies the signature, the subject, the verdict and its days, in this order.
 * @throws EolgateError `bad-statement`, `bad-signature`, `other-subject`
 */
export function verifyVerdict({ bytes, where, keys, subject, day }: VerdictQuestion): VerifiedVerdict {
  const signed = openSigned(bytes, keys, where);
  const { subject: subjects, predicate } = readVerdict(signed.payload, signed.payloadType, where);
  const compared = subject === undefined ? null : findSubject(subjects, subject, where);
  const { verdict, exit, asOf, validUntil, policy, catalogue } = predicate;
  return {
    state: stateOn(day, predicate),
    day,
    verdict,
    exitCode: exit.code,
    asOf,
    validUntil,
    key: { id: keyId(signed.key), algorithm: kindOf(signed.key) ?? "" },
    subject: compared,
    notChecked: [
      ...(compared === null ? ["the subject (name it with --subject)"] : []),
      ...signed.notChecked,
      `the policy (${digestTexts(policy.digest).join(", ")})`,
      `what became known after the catalogue of ${catalogue.date}`,
    ],
  };
}

/** Reads a statement whose signature was verified. */
function readVerdict(payload: Buffer, payloadType: string, where: string): VerdictStatement {
  if (payloadType !== STATEMENT_PAYLOAD)
    throw badStatement(`it signs ${JSON.stringify(payloadType.slice(0, 80))} and not an in-toto statement`, where);
  const statement = parsePayload(payload);
  if (!Value.Check(headSchema, statement)) throw badStatement("it signs no in-toto statement", where);
  const { predicateType } = statement;
  if (predicateType !== PREDICATE_TYPE)
    throw badStatement(`the statement is not a verdict of eolgate: ${predicateType.slice(0, 200)}`, where);
  if (Value.Check(verdictSchema, statement) && hasDays(statement.predicate)) return statement;
  const [error] = Value.Errors(verdictSchema, statement);
  const why = error === undefined ? "its days are not valid" : `${error.instancePath} ${error.message}`;
  throw badStatement(`the verdict is incomplete: ${why.trim()}`, where);
}

function parsePayload(payload: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch {
    return undefined;
  }
}

const hasDays = ({ asOf, validUntil }: VerdictStatement["predicate"]): boolean =>
  isIsoDate(asOf) && isIsoDate(validUntil) && asOf <= validUntil;

function stateOn(day: IsoDate, { verdict, exit, asOf, validUntil }: VerdictStatement["predicate"]): VerdictState {
  if (verdict === "fail") return "failed";
  if (verdict === "none" || exit.code !== 0) return "no-verdict";
  if (day < asOf) return "not-yet";
  return day > validUntil ? "expired" : "holds";
}

const digestTexts = (digest: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`);

function findSubject(subjects: VerdictStatement["subject"], digest: string, where: string): VerdictSubject {
  for (const { name = "", digest: own, annotations } of subjects) {
    if (!digestTexts(own).some((each) => each.toLowerCase() === digest.toLowerCase())) continue;
    const statedBy = annotations?.statedBy;
    return { name, digest, ...(statedBy !== undefined && { statedBy }) };
  }
  const [first] = subjects;
  const others = subjects.length > 1 ? `, and ${subjects.length - 1} more` : "";
  const about = first === undefined ? "" : `${first.name ?? ""} ${digestTexts(first.digest).join(", ")}${others}`;
  throw EolgateError.of("other-subject", { digest, about }).at(where);
}
