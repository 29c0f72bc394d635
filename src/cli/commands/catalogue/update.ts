/** `eolgate catalogue update`: reads the sources, or another server's catalogue, and replaces the one in the user's cache. */
import { fetchCatalogue, acceptCatalogue } from "../../../catalogue/accept.ts";
import { updateCatalogue } from "../../../catalogue/update.ts";
import { EolgateError } from "../../../core/errors.ts";
import { changesCard, updateCard } from "../../../report/cards/catalogue.ts";
import { answer, cacheOf, currentCatalogueFile, configuredKey } from "../../current-catalogue.ts";
import type { Invocation } from "../../commands.ts";
import { flagValues } from "../../value-origins.ts";
import { on, text } from "../../config.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const values = flagValues(invocation);
  const common = {
    folder: cacheOf(invocation),
    current: await currentCatalogueFile(invocation, values),
    today: io.today(),
    now: io.now(),
  };
  const reach = { env: io.env, signal: io.stop() };
  const from = text(values["from"]);
  if (from !== undefined) {
    const offered = await fetchCatalogue(from, reach);
    const key = await configuredKey(invocation, values);
    const taken = await acceptCatalogue({ ...common, offered, key, allowOlder: on(values["allowOlder"]) });
    return answer(
      invocation,
      values,
      taken,
      () => `catalogue of ${taken.changes.to.date} in ${taken.path}\n${changesCard(taken.changes, 10)}`,
    );
  }
  const report = await updateCatalogue({
    ...common,
    ...reach,
    base: text(values["sourceBase"]),
    ...(io.terminal.err && {
      progress: (done, of) => io.err(`\rreading sources: ${done} of ${of}${done === of ? "\n" : ""}`),
    }),
  });
  const { bytes: _, ...facts } = report;
  const code = await answer(invocation, values, facts, () => updateCard(report));
  const failed = report.sources.filter(({ outcome }) => outcome === "failed");
  if (failed.length === 0 || !on(values["strictSources"])) return code;
  throw EolgateError.of(
    "vendors-unread",
    { failed: failed.length, all: report.sources.length },
    { where: failed.map(({ id }) => id).join(", ") },
  );
}
