/**
 * Licences of components against the policy's denied ones. An expression is a choice: OR lets the user pick, AND binds
 * to both, so a component is denied when none of its choices avoids every denied licence (SPDX 3, annex on expressions).
 */
import parse from "spdx-expression-parse";
import { EolgateError } from "../errors.ts";

/** The parser's stack and time grow with the text; no licence anybody meant is longer. */
const LONGEST = 2000;

type Expression = ReturnType<typeof parse>;
type Leaf = Extract<Expression, { readonly license: string }>;

/** A licence as a document gives it: an SPDX expression, or a text that is shown as written. */
export type License =
  | {
      readonly kind: "expression";
      readonly text: string;
      readonly expression: Expression;
      readonly ids: readonly string[];
    }
  | { readonly kind: "text"; readonly text: string };

/** Never fails: what is not an expression is a text. */
export function readLicense(text: string): License {
  const expression = parseExpression(text);
  if (expression === undefined) return { kind: "text", text };
  return { kind: "expression", text, expression, ids: [...new Set(leaves(expression).map(leafName))] };
}

function parseExpression(text: string): Expression | undefined {
  if (text.length > LONGEST) return undefined;
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

/** `unreadable`: some text is not an SPDX expression, so the licence cannot be determined. */
export type LicenseDecision = "allowed" | "denied" | "unreadable";

/**
 * Assesses a component's licences against denied expressions. Each of them lists licences, joined by OR where it names
 * several. Several licences on one component bind together.
 */
export function createLicenseCheck(denied: readonly string[]): (licenses: readonly string[]) => LicenseDecision {
  const terms = denied.flatMap(deniedTerms);
  const known = new Map<string, LicenseDecision>();
  const judgeText = (text: string): LicenseDecision => {
    const word = known.get(text) ?? judgeLicense(readLicense(text), terms);
    known.set(text, word);
    return word;
  };
  return (licenses) => {
    const words = new Set(licenses.map(judgeText));
    if (words.has("denied")) return "denied";
    return words.has("unreadable") ? "unreadable" : "allowed";
  };
}

function judgeLicense(license: License, denied: readonly Term[]): LicenseDecision {
  if (license.kind === "expression") return avoidable(license.expression, denied) ? "allowed" : "denied";
  const text = license.text.trim();
  if (text === "" || text === "NOASSERTION" || text === "NONE") return "allowed";
  // `mit` for `MIT`: identifiers compare without case, the parser does not.
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

/** One licence: its family and version, and whether later versions are meant too. */
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
 * Whether everything that `term` offers is denied. "Or later" offers later versions: denying GPL-2.0-only leaves
 * GPL-2.0-or-later a way out, denying GPL-2.0-or-later does not. A licence is denied with every exception to it,
 * unless the policy names one exception.
 */
function covers(denied: Term, term: Term): boolean {
  if (denied.family !== term.family) return false;
  if (denied.exception !== undefined && denied.exception !== term.exception) return false;
  return denied.later ? term.version >= denied.version : !term.later && term.version === denied.version;
}

function deniedTerms(text: string): readonly Term[] {
  const expression = parseExpression(text.trim());
  if (expression === undefined) {
    throw refused(text, "is no SPDX licence expression", "For example AGPL-3.0-only, or GPL-2.0-or-later OR SSPL-1.0.");
  }
  if (joins(expression, "and")) {
    throw refused(
      text,
      "joins licences with AND, which names none that could be denied",
      "Deny each of them alone, or join them with OR.",
    );
  }
  return leaves(expression).map(toTerm);
}

function joins(expression: Expression, word: "and" | "or"): boolean {
  if (!("conjunction" in expression)) return false;
  return expression.conjunction === word || joins(expression.left, word) || joins(expression.right, word);
}

const refused = (text: string, why: string, hint: string): EolgateError =>
  EolgateError.of("bad-license", { license: text, problem: why, advice: hint }, { where: "--deny-license" });
