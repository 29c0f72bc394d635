/** What a reader copies: a badge, a request. Addresses in them are for others, so they are whole. */
import type { Assessment } from "../../core/model.ts";
import type { Links } from "../../core/wire/links.ts";
import { OPERATIONS } from "../../api/operations.ts";
import { formatCycle } from "../../report/labels.ts";

/** Where our routes stand, from any link: they share one root. */
export const rootOf = ({ docs }: Links): string => docs.replace(/\/docs$/, "");

/** A Markdown picture that shields.io draws from our answer, linked to the score card. */
export function badgeSnippet(links: Links, of: Assessment): string {
  const { product, cycle } = of.releaseCycle;
  const endpoint = `${rootOf(links)}${routePath(OPERATIONS.badge.path, { slug: product, version: cycle })}`;
  const name = formatCycle(of).replace(/[[\]\\]/g, "\\$&");
  const picture = `https://img.shields.io/endpoint?url=${encodeURIComponent(endpoint)}`;
  return `[![${name}](${picture})](${links.scoreCard(of.releaseCycle)})`;
}

/** `/v1/score/:slug` with its parameters filled in. */
export function routePath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
