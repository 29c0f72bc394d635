/** The length of an answer, which goes into the context of a model: lists that are too long are shortened alike. */
import { Type } from "typebox";
import { isRecord } from "../../text/values.ts";

/** An argument of every tool. */
export const budgetInput = {
  max_characters: Type.Optional(
    Type.Integer({ minimum: 2000, maximum: 1_000_000, description: "Length of the answer (default: 8000)" }),
  ),
};

/** The lengths of lists that are tried. Beside the shortest of them, texts are shortened too. */
const LENGTHS = [500, 300, 200, 150, 100, 70, 50, 40, 30, 25, 20, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/**
 * The answer in at most so many characters of JSON: of each list, the entries with the highest score stay. `omitted`
 * counts the others by the path of their list.
 */
export function withinBudget(answer: object, most = 8000): object {
  let shortened: object = answer;
  for (const length of LENGTHS) {
    if (JSON.stringify(shortened).length <= most) break;
    const omitted: Record<string, number> = {};
    const shorten = (value: unknown, path: string): unknown => {
      if (typeof value === "string") return length < 5 ? shortText(value) : value;
      if (isRecord(value)) {
        const fields = Object.entries(value).map(([name, each]) => [name, shorten(each, `${path}${name}.`)]);
        return Object.fromEntries(fields);
      }
      if (!Array.isArray(value)) return value;
      const list = path.slice(0, -1);
      if (value.length > length) omitted[list] = (omitted[list] ?? 0) + value.length - length;
      const worst = value.length > length ? value.toSorted((a, b) => riskOf(b) - riskOf(a)).slice(0, length) : value;
      return worst.map((each) => shorten(each, path));
    };
    const rest = Object.entries(answer).map(([name, each]) => [name, shorten(each, `${name}.`)] as const);
    shortened = {
      ...Object.fromEntries<unknown>(rest),
      omitted,
      more: "Ask for less, or pass a higher max_characters.",
    };
  }
  return shortened;
}

/** Entries without a score, such as those without an answer, come first and keep their order. */
const riskOf = (entry: unknown): number =>
  isRecord(entry) && typeof entry["score"] === "number" ? entry["score"] : 101;

/** A text of a document, which may be long and addressed to the model. */
export const shortText = (text: string): string => (text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text);
