/** What shields.io reads from an endpoint. A release cycle that cannot be determined is a grey badge, never an error picture. */
import type { Assessment } from "../model.ts";
import type { Badge } from "./schemas.ts";

const COLOURS = { active: "brightgreen", approaching: "yellow", eol: "red", unknown: "lightgrey" } as const;
const CACHE_SECONDS = 3600;

export function badge(assessment: Assessment): Badge {
  const { releaseCycle, status } = assessment;
  return {
    schemaVersion: 1,
    label: `${releaseCycle.product} ${releaseCycle.cycle}`,
    message: message(assessment),
    color: COLOURS[status],
    cacheSeconds: CACHE_SECONDS,
  };
}

export function greyBadge(label: string, message: "not tracked" | "ambiguous"): Badge {
  return { schemaVersion: 1, label, message, color: "lightgrey", cacheSeconds: CACHE_SECONDS };
}

function message({ status, eolDate, cycle }: Assessment): string {
  const shown = eolDate?.precision === "month" ? eolDate.value.slice(0, 7) : eolDate?.value;
  switch (status) {
    case "active":
      return shown === undefined ? "supported" : `supported until ${shown}`;
    case "approaching":
      return shown === undefined ? "end of life near" : `end of life ${shown}`;
    case "eol":
      if (cycle.retired) return "retired";
      return shown === undefined ? "end of life" : `end of life since ${shown}`;
    case "unknown":
      return "unknown";
  }
}
