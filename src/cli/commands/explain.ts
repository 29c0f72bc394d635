/** `eolgate explain`: why a component is assessed as it is, with the sources. */
import { explain } from "../../api/explain.ts";
import { explanationCard } from "../../report/cards/explanation.ts";
import { explanationJson } from "../../report/json/explanation.ts";
import type { Invocation } from "../command.ts";
import { deliver, terminalOptions } from "../output.ts";
import { openCatalogue, readSettings, text } from "../config.ts";
import { localLinks } from "../backend.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const settings = await readSettings(invocation);
  const catalogue = await openCatalogue(invocation, settings);
  const { policy, asOf } = settings;
  const explanation = { ...explain(args[0] ?? "", { catalogue, policy, asOf }), warnDays: policy.warnDays };
  const output = text(settings.values["output"]);
  await deliver(
    io,
    output,
    text(settings.values["format"]) === "json"
      ? explanationJson(explanation, localLinks(io, catalogue, asOf))
      : explanationCard(explanation, terminalOptions(io, output !== undefined)),
  );
  return 0;
}
