/** Flags that ask sources for support levels, see docs/signals.md. */
import type { Flag } from "./flags.ts";

const SIGNALS = "Support levels:";

export const SIGNALS_FLAGS: readonly Flag[] = [
  {
    flags: "--signals <source>",
    summary:
      "determine a support level for every component: deps.dev, registry (npm, PyPI, …), cache (no network) or all; sends package URLs without qualifiers",
    env: "EOLGATE_SIGNALS",
    choices: ["off", "deps.dev", "registry", "cache", "all"],
    group: SIGNALS,
  },
  {
    flags: "--inactive-months <months>",
    summary: "a package without a release or commit for this long is inactive (default: 24)",
    env: "EOLGATE_INACTIVE_MONTHS",
    group: SIGNALS,
  },
  {
    flags: "--private-packages <pattern>",
    summary: "packages that are never sent to a source: pkg:npm/@acme/*",
    env: "EOLGATE_PRIVATE_PACKAGES",
    repeat: true,
    group: SIGNALS,
  },
  {
    flags: "--signals-max-age <days>",
    summary: "request cached answers again if they are older (default: 7)",
    env: "EOLGATE_SIGNALS_MAX_AGE",
    group: SIGNALS,
  },
  {
    flags: "--signals-timeout <seconds>",
    summary: "time limit for all requests to the sources (default: 120)",
    env: "EOLGATE_SIGNALS_TIMEOUT",
    group: SIGNALS,
  },
];
