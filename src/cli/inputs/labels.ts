/** `--label NAME=VALUE`: labels of documents, with parts of their paths. */
import type { CheckContext } from "../../api/check.ts";
import { EolgateError } from "../../messages/error.ts";
import { type Settings, listValue } from "../../shell/settings.ts";

const LABEL = /^([A-Za-z_][\w.-]{0,62})=(.+)$/s;
/** `{1}`: the first folder of the path; `{-1}`: the last one; `{file}`: the name of the file. */
const PLACEHOLDER = /\{(file|-?[1-9]\d?)\}/g;

/**
 * Returns the labels of a document by its path. A label is left out where the path has no such folder.
 * @throws EolgateError `invalid-value`
 */
export function labelsOf({ values }: Pick<Settings, "values">): CheckContext["labels"] {
  const labels = listValue(values["label"]).map(parseLabel);
  const again = labels.find(([name], index) => labels.findIndex(([other]) => other === name) < index);
  if (again !== undefined) throw invalid(`the label ${again[0]} is given twice`);
  if (labels.length === 0) return undefined;
  return (file) => {
    const parts = partsOf(file);
    return Object.fromEntries(
      labels
        .filter(([, pattern]) => [...pattern.matchAll(PLACEHOLDER)].every(([, part = ""]) => parts.has(part)))
        .map(([name, pattern]) => [name, pattern.replaceAll(PLACEHOLDER, (_, part: string) => parts.get(part) ?? "")]),
    );
  };
}

/** The value of each placeholder in a path. */
function partsOf(file: string): ReadonlyMap<string, string> {
  const folders = file.split(/[\\/]/).filter((part) => part !== "" && part !== "." && part !== "..");
  const name = folders.pop() ?? "";
  const counted = folders.flatMap((folder, at) => [[at + 1, folder] as const, [at - folders.length, folder] as const]);
  return new Map([["file", name], ...counted.map(([at, folder]) => [String(at), folder] as const)]);
}

function parseLabel(written: string): readonly [name: string, pattern: string] {
  const [, name, pattern] = LABEL.exec(written) ?? [];
  if (name === undefined || pattern === undefined) throw invalid(`"${written}" is not a label`);
  if (/\{[^{}]*\}/.test(pattern.replaceAll(PLACEHOLDER, "")))
    throw invalid(`"${written}" has a placeholder that does not exist`);
  return [name, pattern];
}

const invalid = (problem: string): EolgateError =>
  EolgateError.of("invalid-value", {
    problem,
    advice: "Write NAME=VALUE; in the value, {1} is the first folder of a path, {-1} the last one, {file} the file.",
  }).at("--label");
