/**
 * `eolgate watch preview`: the alerts that a watch list would send, with their dates, according to the current
 * catalogue.
 */
import { columns } from "../../report/cards/lists.ts";
import { escapeTerminal } from "../../report/escape.ts";
import { previewAlerts } from "../alerts/preview.ts";
import type { Preview, PreviewAlert } from "../alerts/preview.ts";
import { WATCH_LIMIT } from "../alerts/limits.ts";
import type { WatchedCycle } from "../store/store.ts";
import type { Invocation } from "../../cli/command.ts";
import { deliver, jsonText } from "../../cli/output.ts";
import { watchedCycles } from "./watched-cycles.ts";
import { openCatalogue, readSettings, text } from "../../cli/config.ts";

export async function preview(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const settings = await readSettings(invocation);
  const { values, policy, asOf } = settings;
  const catalogue = await openCatalogue(invocation, settings);
  const watched = new Map<string, WatchedCycle>();
  for (const subject of args) {
    for (const releaseCycle of await watchedCycles(subject, { io, catalogue, policy, asOf })) {
      watched.set(`${releaseCycle.product}:${releaseCycle.cycle}`, releaseCycle);
    }
  }
  const answer = previewAlerts(catalogue, [...watched.values()].slice(0, WATCH_LIMIT), asOf);
  const json = text(values["format"]) === "json";
  await deliver(io, text(values["output"]), json ? jsonText(answer) : formatPreview(answer));
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
