/**
 * `eolgate watch preview`: the alerts that a watch list would send, with their dates, according to the current
 * catalogue.
 */
import { columns } from "../../report/cards/score-card.ts";
import { escapeTerminal } from "../../report/escape.ts";
import { previewAlerts, type Preview, type PreviewAlert } from "../alerts/plan.ts";
import { WATCH_LIMIT, assessCycles } from "../alerts/cycles.ts";
import type { WatchedCycle } from "../store/store.ts";
import type { Invocation } from "../../cli/command.ts";
import { deliver, jsonText } from "../../cli/output/output.ts";
import { openCatalogue, readSettings, stringValue } from "../../cli/settings/config.ts";
import type { IsoDate } from "../../text/ids.ts";
import { findCycle, productNamed } from "../../api/operations/lookup.ts";
import { cyclesOf } from "../documents/check.ts";
import { uniqueCycles } from "../services.ts";
import type { Catalogue, Policy } from "../../model/index.ts";
import { assessByCycle } from "../../api/assess.ts";
import { kevFromCatalogue } from "../../lifecycle/assess.ts";
import { readInput } from "../../api/input.ts";
import { checkDocument } from "../../api/check.ts";
import type { ProcessContext } from "../../cli/start/process-context.ts";

export async function preview(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const settings = await readSettings(invocation);
  const { values, policy, asOf } = settings;
  const catalogue = await openCatalogue(invocation, settings);
  const watched: WatchedCycle[] = [];
  for (const subject of args) watched.push(...(await watchedCycles(subject, { io, catalogue, policy, asOf })));
  const answer = previewAlerts(catalogue, uniqueCycles(watched).slice(0, WATCH_LIMIT), asOf);
  const json = stringValue(values["format"]) === "json";
  await deliver(io, stringValue(values["output"]), json ? jsonText(answer) : formatPreview(answer));
  return 0;
}

function formatPreview({ asOf, welcome, upcoming, silent, exposed }: Preview): string {
  const parts = [
    ["already due (listed in the welcome mail):", columns(welcome.map(row))],
    ["upcoming:", columns(upcoming.map(row))],
    [
      "ended (reported when CISA adds an exploited vulnerability):",
      columns(exposed.map((line) => [escapeTerminal(line)])),
    ],
    ["no announced end (nothing due):", columns(silent.map((line) => [escapeTerminal(line)]))],
  ];
  const shown = parts.filter(([, rows]) => rows !== "").map(([title, rows]) => `${title}\n${rows}\n`);
  return shown.length === 0 ? `nothing to watch as of ${asOf}\n` : shown.join("\n");
}

const row = ({ day, cycle, trigger, end }: PreviewAlert): readonly string[] => [
  day,
  escapeTerminal(cycle),
  trigger,
  end === "" ? "" : `end of life ${end}`,
];

export interface WatchContext {
  readonly io: ProcessContext;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly asOf: IsoDate;
}

/**
 * The cycles of a subject, which is `slug:version` or the path of a document. Each cycle once, riskiest first, as POST
 * /v1/sbom/watch stores them.
 */
export async function watchedCycles(subject: string, context: WatchContext): Promise<readonly WatchedCycle[]> {
  return /^[^/\\]+:[^:]+$/.test(subject) ? [cycleOf(context, subject)] : await documentCycles(subject, context);
}

function cycleOf({ catalogue, asOf }: WatchContext, subject: string): WatchedCycle {
  const [slug = "", version = ""] = subject.split(":");
  const product = productNamed(catalogue, slug, "eolgate products");
  return { product: product.slug, cycle: findCycle(product, version, asOf).cycle.name };
}

async function documentCycles(file: string, { io, ...context }: WatchContext): Promise<readonly WatchedCycle[]> {
  const { rows } = await checkDocument(await readInput(file, io.cwd, () => io.stdin()), {
    ...context,
    assess: assessByCycle(
      async (cycles) => assessCycles(context.catalogue, cycles, context.asOf),
      kevFromCatalogue(context.catalogue),
    ),
  });
  return cyclesOf(rows.counts());
}
