/** Snippets to copy, with absolute URLs. */
import type { Assessment } from "../../model/index.ts";
import type { Links } from "../../wire/links.ts";
import { OPERATIONS } from "../../api/operations.ts";
import { formatCycle } from "../../report/labels.ts";

/** The base URL of the server, without a slash at the end. */
export const rootOf = ({ docs }: Links): string => docs.replace(/\/docs$/, "");

/** A badge in Markdown, which shields.io renders from the route `badge`, linked to the score card. */
export function badgeSnippet(links: Links, assessment: Assessment): string {
  const { product, cycle } = assessment.releaseCycle;
  const endpoint = `${rootOf(links)}${routePath(OPERATIONS.badge.path, { slug: product, version: cycle })}`;
  const name = formatCycle(assessment).replace(/[[\]\\]/g, "\\$&");
  const picture = `https://img.shields.io/endpoint?url=${encodeURIComponent(endpoint)}`;
  return `[![${name}](${picture})](${links.scoreCard(assessment.releaseCycle)})`;
}

/** A route pattern with its parameters replaced: `/v1/score/:slug`. */
export function routePath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
