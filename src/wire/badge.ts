/**
 * Badges in the format of shields.io endpoints. A release cycle that cannot be determined gets a grey badge instead of
 * an HTTP error, which would show a broken image.
 */
import type { Assessment } from "../model/index.ts";
import type { Badge } from "./schemas.ts";

const COLOURS = { active: "brightgreen", approaching: "yellow", eol: "red", unknown: "lightgrey" } as const;
const CACHE_SECONDS = 3600;

export function badge(assessment: Assessment): Badge {
  const { releaseCycle, support } = assessment;
  return {
    schemaVersion: 1,
    label: `${releaseCycle.product} ${releaseCycle.cycle}`,
    message: message(assessment),
    color: COLOURS[support.status],
    cacheSeconds: CACHE_SECONDS,
  };
}

export function greyBadge(label: string, message: "not tracked" | "ambiguous"): Badge {
  return { schemaVersion: 1, label, message, color: "lightgrey", cacheSeconds: CACHE_SECONDS };
}

/** By the support that counts; its track is named. */
function message({ support: { status, date, track }, cycle }: Assessment): string {
  if (status === "unknown") return "unknown";
  if (status === "eol" && cycle.retired) return "retired";
  const { dated, undated } = MESSAGES[status];
  const end = date ? `${dated} ${date.precision === "month" ? date.value.slice(0, 7) : date.value}` : undated;
  return track === null ? end : `${end} (${track.name})`;
}

const MESSAGES = {
  active: { dated: "supported until", undated: "supported" },
  approaching: { dated: "end of life", undated: "end of life near" },
  eol: { dated: "end of life since", undated: "end of life" },
} as const;
