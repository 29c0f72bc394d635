/**
 * Compares the licences of components with the licences that the policy denies. In an expression, OR offers a choice
 * and AND requires both sides (SPDX 3, annex on expressions). A component is denied when every choice contains a denied
 * licence.
 */
import parse from "spdx-expression-parse";
import { EolgateError } from "../messages/error.ts";

/**
 * Maximum length of an expression, in characters: the parser's stack and time grow with the text, and no real
 * expression is longer.
 */
const MAX_LENGTH = 2000;

type Expression = ReturnType<typeof parse>;
type Leaf = Extract<Expression, { readonly license: string }>;

/** A licence as a document states it: an SPDX expression, or a text that is shown as written. */
export type License =
  | {
      readonly kind: "expression";
      readonly text: string;
      readonly expression: Expression;
      readonly ids: readonly string[];
    }
  | { readonly kind: "text"; readonly text: string };

/** Parses a licence. Never throws: a text that is not an SPDX expression has the kind `text`. */
export function readLicense(text: string): License {
  const expression = parseExpression(text);
  if (expression === undefined) return { kind: "text", text };
  return { kind: "expression", text, expression, ids: [...new Set(leaves(expression).map(leafName))] };
}

function parseExpression(text: string): Expression | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function leaves(expression: Expression): readonly Leaf[] {
  return "conjunction" in expression ? [...leaves(expression.left), ...leaves(expression.right)] : [expression];
}

function leafName({ license, plus, exception }: Leaf): string {
  return `${license}${plus ? "+" : ""}${exception === undefined ? "" : ` WITH ${exception}`}`;
}

/** `unreadable`: a text is not an SPDX expression, so the licence cannot be determined. */
export type LicenseDecision = "allowed" | "denied" | "unreadable";

/**
 * Creates a check of a component's licences against denied expressions. A denied expression is one licence, or several
 * joined by OR. If a component has several licences, all of them apply.
 * @throws EolgateError `config` (`bad-policy`) when a denied expression is not valid
 */
export function createLicenseCheck(denied: readonly string[]): (licenses: readonly string[]) => LicenseDecision {
  const terms = denied.flatMap(deniedTerms);
  const known = new Map<string, LicenseDecision>();
  const decideText = (text: string): LicenseDecision => {
    const decision = known.get(text) ?? decideLicense(readLicense(text), terms);
    known.set(text, decision);
    return decision;
  };
  return (licenses) => {
    const decisions = new Set(licenses.map(decideText));
    if (decisions.has("denied")) return "denied";
    return decisions.has("unreadable") ? "unreadable" : "allowed";
  };
}

function decideLicense(license: License, denied: readonly Term[]): LicenseDecision {
  if (license.kind === "expression") return avoidable(license.expression, denied) ? "allowed" : "denied";
  const text = license.text.trim();
  if (text === "" || text === "NOASSERTION" || text === "NONE") return "allowed";
  // `mit` for `MIT`: SPDX identifiers are compared without case, but the parser requires the exact case.
  return denied.some(({ name }) => name.toLowerCase() === text.toLowerCase()) ? "denied" : "unreadable";
}

/** Whether the expression can be met without any denied licence. */
function avoidable(expression: Expression, denied: readonly Term[]): boolean {
  if (!("conjunction" in expression)) {
    const term = toTerm(expression);
    return !denied.some((each) => covers(each, term));
  }
  const [left, right] = [avoidable(expression.left, denied), avoidable(expression.right, denied)];
  return expression.conjunction === "or" ? left || right : left && right;
}

/** One licence: its family and version, and whether it includes later versions. */
interface Term {
  readonly name: string;
  readonly family: string;
  readonly version: number;
  readonly later: boolean;
  readonly exception: string | undefined;
}

/** `GPL-3.0`, `GPL-3.0-only`, `GPL-2.0-with-classpath-exception`: the deprecated spellings mean the same licence. */
const SPELLING = /^(.+?)-(\d+(?:\.\d+)?)(?:-(only|or-later)|-with-.+)?$/;

function toTerm(leaf: Leaf): Term {
  const [, family, version, suffix] = SPELLING.exec(leaf.license) ?? [];
  return {
    name: leafName(leaf),
    family: family ?? leaf.license,
    version: Number(version ?? 0),
    later: suffix === "or-later" || leaf.plus === true,
    exception: leaf.exception,
  };
}

/**
 * Whether every version that `term` allows is denied. "Or later" allows later versions: denying GPL-2.0-only does not
 * deny GPL-2.0-or-later, which may be used as GPL-3.0; denying GPL-2.0-or-later denies both. A licence is denied with
 * every exception to it, unless the policy names one exception.
 */
function covers(denied: Term, term: Term): boolean {
  if (denied.family !== term.family) return false;
  if (denied.exception !== undefined && denied.exception !== term.exception) return false;
  return denied.later ? term.version >= denied.version : !term.later && term.version === denied.version;
}

function deniedTerms(text: string): readonly Term[] {
  const expression = parseExpression(text.trim());
  if (expression === undefined) {
    throw badLicense(
      text,
      "is not an SPDX licence expression",
      "For example AGPL-3.0-only, or GPL-2.0-or-later OR SSPL-1.0.",
    );
  }
  if (joins(expression, "and")) {
    throw badLicense(
      text,
      "joins licences with AND, which is not supported here",
      "List each licence on its own, or join them with OR.",
    );
  }
  return leaves(expression).map(toTerm);
}

function joins(expression: Expression, operator: "and" | "or"): boolean {
  if (!("conjunction" in expression)) return false;
  return expression.conjunction === operator || joins(expression.left, operator) || joins(expression.right, operator);
}

const badLicense = (text: string, why: string, hint: string): EolgateError =>
  EolgateError.of("bad-policy", { problem: `"${text}" ${why}`, advice: hint }).at("denyLicense");
