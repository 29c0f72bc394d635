/** `eolgate catalogue info`: which catalogue is in use, how old it is, what it holds. */
import { catalogueInfo } from "../../../catalogue/info.ts";
import { catalogueCard } from "../../../report/cards/catalogue.ts";
import { answer, currentCatalogueFile } from "../../current-catalogue.ts";
import type { Invocation } from "../../command.ts";
import { flagValues } from "../../value-origins.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const { bytes, origin } = await currentCatalogueFile(invocation, values);
  const info = catalogueInfo(bytes, origin, invocation.io.today());
  return answer(invocation, values, info, () => catalogueCard(info));
}
