/** Rewords errors of the YAML parser for users. */

/** The parser's code for a document whose nesting is deeper than the call stack. */
const TOO_DEEP = "RESOURCE_EXHAUSTION";
const TOO_DEEP_TEXT = "it is nested too deeply";

/** The first line of the parser's message, with the position and without the excerpt. */
export function yamlProblem(cause: unknown): string {
  const [first = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  const problem = first.replace(/:$/, "");
  const isTooDeep = cause instanceof Error && "code" in cause && cause.code === TOO_DEEP;
  return isTooDeep ? problem.replace(/^.*?(?= at line|$)/, TOO_DEEP_TEXT) : problem;
}

/** The parser's code, for messages that state the position on their own. */
export const yamlProblemCode = (code: string): string => (code === TOO_DEEP ? TOO_DEEP_TEXT : code);
