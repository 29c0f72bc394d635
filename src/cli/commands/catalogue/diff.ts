/** `eolgate catalogue diff OLD NEW`: added cycles, moved dates, changed statuses. */
import { diffCatalogues } from "../../../catalogue/info/diff.ts";
import { parseCatalogue } from "../../../catalogue/load.ts";
import { changesCard, changesMarkdown } from "../../../report/cards/catalogue.ts";
import { answer, namedFile } from "../../current-catalogue.ts";
import type { Invocation } from "../../command.ts";
import { flagValues } from "../../value-origins.ts";
import { text } from "../../config.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [older = "", newer = ""] = invocation.args;
  const values = flagValues(invocation);
  const [before, after] = [await namedFile(invocation, older), await namedFile(invocation, newer)];
  const changes = diffCatalogues(
    parseCatalogue(before.bytes, before.origin),
    parseCatalogue(after.bytes, after.origin),
    invocation.io.today(),
  );
  const render = text(values["format"]) === "markdown" ? changesMarkdown : changesCard;
  return answer(invocation, values, changes, () => render(changes));
}
