/** `eolgate catalogue import FILE`: installs a catalogue from a file, for machines without a network. */
import { acceptCatalogue } from "../../../catalogue/update/install.ts";
import { installedCard } from "../../../report/cards/catalogue.ts";
import { answer, installOptions, namedFile, trustOf } from "../../current-catalogue.ts";
import type { Invocation } from "../../command.ts";
import { flagValues } from "../../value-origins.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const { bytes: _, ...installed } = await acceptCatalogue({
    ...(await installOptions(invocation, values)),
    offered: await namedFile(invocation, invocation.args[0] ?? ""),
    trust: await trustOf(invocation, values),
  });
  return answer(invocation, values, installed, () => installedCard(installed));
}
