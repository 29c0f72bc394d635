/** `eolgate catalogue info`: which catalogue is in use, how old it is, what it holds. */
import { catalogueInfo } from "../../../catalogue/info.ts";
import { catalogueCard } from "../../../report/cards/catalogue.ts";
import { answer, catalogueAtHand } from "../../catalogue-room.ts";
import type { Invocation } from "../../commands.ts";
import { flagValues } from "../../places.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const { bytes, origin } = await catalogueAtHand(invocation, values);
  const info = catalogueInfo(bytes, origin, invocation.io.today());
  return answer(invocation, values, info, () => catalogueCard(info));
}
