/** Expressions of GitHub workflows: `${{ matrix.os }}` and `${{ env.NODE }}` refer to values of the same file. */
import { under } from "./yaml.ts";
import type { Leaf } from "./yaml.ts";

const EXPRESSION = /\$\{\{\s*(matrix|env)\.([\w-]+)\s*\}\}/;

/**
 * Returns the leaf once for every value of its expression, with the location of that value. Returns the leaf itself if
 * the value is not in the file. `${{ matrix.image }}:${{ matrix.tag }}` is resolved step by step.
 */
export function expand(leaf: Leaf, all: readonly Leaf[], depth = 0): readonly Leaf[] {
  const [whole, scope, name] = EXPRESSION.exec(leaf.text) ?? [];
  if (whole === undefined || name === undefined || depth > 4) return [leaf];
  const values = scope === "matrix" ? matrixValues(name, leaf, all) : envValues(name, leaf, all);
  if (values.length === 0) return [leaf];
  return values.flatMap((value) => expand(substitute(leaf, whole, value), all, depth + 1));
}

function substitute(leaf: Leaf, whole: string, value: Leaf): Leaf {
  if (leaf.text.trim() === whole) return { ...value, path: leaf.path };
  return { ...leaf, text: leaf.text.replace(whole, () => value.text), place: value.place };
}

/** The values of a key of the matrix of the leaf's own job. */
function matrixValues(name: string, { path }: Leaf, all: readonly Leaf[]): readonly Leaf[] {
  const [jobs = "", job = ""] = path;
  return [
    ...under(all, jobs, job, "strategy", "matrix", name, "*"),
    ...under(all, jobs, job, "strategy", "matrix", "include", "*", name),
  ];
}

/** The nearest variable of the name: of the step, the job, the workflow. */
function envValues(name: string, { path }: Leaf, all: readonly Leaf[]): readonly Leaf[] {
  const scopes = [path.slice(0, 4), path.slice(0, 2), []];
  return scopes.map((scope) => under(all, ...scope, "env", name)).find((found) => found.length > 0) ?? [];
}
