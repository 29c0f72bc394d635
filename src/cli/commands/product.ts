/** `eolgate product`: every release cycle of a product, newest first. */
import { assessmentFromScore } from "../../wire/assessment.ts";
import { cycleList } from "../../report/cards/lists.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { Invocation } from "../command.ts";
import { lookUp } from "../lookup.ts";

export const run = (invocation: Invocation): Promise<number> =>
  lookUp(
    invocation,
    ({ operations }) => operations.product({ slug: invocation.args[0] ?? "" }),
    (product, options) =>
      `\n  ${escapeTerminal(product.name)}  ${escapeTerminal(product.category)}, ${product.version_count} lines\n\n${cycleList(product.versions.map(assessmentFromScore), options)}\n\n`,
  );
