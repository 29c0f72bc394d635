/** `eolgate product`: every release line of a product, newest first. */
import { assessmentFromScore } from "../../core/wire/assessment.ts";
import { lineList } from "../../report/cards/lists.ts";
import { terminal } from "../../report/escape.ts";
import type { Invocation } from "../commands.ts";
import { lookUp } from "../lookup.ts";

export const run = (invocation: Invocation): Promise<number> =>
  lookUp(
    invocation,
    ({ operations }) => operations.product({ slug: invocation.args[0] ?? "" }),
    (product, options) =>
      `\n  ${terminal(product.name)}  ${product.category}, ${product.version_count} lines\n\n${lineList(product.versions.map(assessmentFromScore), options)}\n\n`,
  );
