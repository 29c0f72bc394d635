/** `eolgate catalogue info`: the catalogue in use, its age and its counts. */
import { catalogueInfo } from "../../../catalogue/info/info.ts";
import { EolgateError } from "../../../messages/error.ts";
import { catalogueCard } from "../../../report/cards/catalogue.ts";
import { answer, currentCatalogueFile } from "../../current-catalogue.ts";
import type { Invocation } from "../../command.ts";
import { flagValues } from "../../value-origins.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const { bytes, origin } = await currentCatalogueFile(invocation, values);
  const today = invocation.io.today();
  const info = catalogueInfo(bytes, origin, today);
  if (info.age_days < 0) throw EolgateError.of("catalogue-from-future", { date: info.date, today }, { where: origin });
  return answer(invocation, values, info, () => catalogueCard(info));
}
