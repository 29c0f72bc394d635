/** `eolgate catalogue import FILE`: a catalogue carried by hand to a machine without a network. */
import { acceptCatalogue } from "../../../catalogue/accept.ts";
import { changesCard } from "../../../report/cards/catalogue.ts";
import { answer, cacheOf, currentCatalogueFile, configuredKey, namedFile } from "../../current-catalogue.ts";
import type { Invocation } from "../../commands.ts";
import { flagValues } from "../../value-origins.ts";
import { on } from "../../config.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const values = flagValues(invocation);
  const taken = await acceptCatalogue({
    folder: cacheOf(invocation),
    current: await currentCatalogueFile(invocation, values),
    offered: await namedFile(invocation, args[0] ?? ""),
    key: await configuredKey(invocation, values),
    allowOlder: on(values["allowOlder"]),
    today: io.today(),
    now: io.now(),
  });
  const words = () => `catalogue of ${taken.changes.to.date} in ${taken.path}\n${changesCard(taken.changes, 10)}`;
  return answer(invocation, values, taken, words);
}
