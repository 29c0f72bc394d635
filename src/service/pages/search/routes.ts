/** Routes of the home page, the search, categories, and suggestions: release cycles that a text names, then products. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { EolgateError } from "../../../messages/error.ts";
import { JSON_TYPE } from "../../http/replies.ts";
import { choicePage } from "../error.ts";
import { categoryPage, homePage, searchPage } from "./home.ts";
import { moved, SAME_ORIGIN, type PageRoutesContext } from "../page-sender.ts";
import { search, type SearchResult } from "./search.ts";
import { siteOf, type Site } from "../site.ts";
import type { Assessment } from "../../../model/index.ts";
import { formatCount, formatDay } from "../../../messages/format.ts";
import { formatCycle, formatEndCell, formatEnd } from "../../../report/labels.ts";
import { statusLabel } from "../labels.ts";

/** Characters of a search. */
const MAX_QUERY = 300;

const homeQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_QUERY, description: "Text of a search" })),
  category: Type.Optional(Type.String({ maxLength: 100, description: "Lists one category" })),
});
const suggestQuery = Type.Object({ q: Type.String({ maxLength: MAX_QUERY, description: "Text so far" }) });

export function searchRoutes(context: PageRoutesContext): void {
  const { scope, parts, send, listingOf } = context;
  const { editions } = parts;
  scope.get<{ Querystring: { q?: string; category?: string } }>(
    "/",
    { ...SAME_ORIGIN, schema: { querystring: homeQuery } },
    (request, reply) => {
      const { q = "", category } = request.query;
      if (q.trim() !== "") return answerSearch(context, request, reply, q);
      if (category !== undefined) return moved(reply, siteOf(parts).paths.category(category));
      return send(request, reply, "/", (site) => homePage(site, listingOf(editions.current())));
    },
  );
  scope.get<{ Params: { category: string } }>("/category/:category", SAME_ORIGIN, (request, reply) => {
    const { category } = request.params;
    const chosen = listingOf(editions.current()).categories.find(({ name }) => name === category);
    if (!chosen) throw EolgateError.of("unknown-path", { problem: `unknown category "${category}"` });
    return send(request, reply, `category ${category}`, (site) => categoryPage(site, chosen));
  });
  scope.get<{ Querystring: { q: string } }>(
    "/suggest",
    { ...SAME_ORIGIN, schema: { querystring: suggestQuery } },
    async (request, reply) => {
      const found = find(context, request.query.q);
      const named = await editions.current().local.assessCycles(found.cycles.slice(0, MOST_SUGGESTIONS));
      reply.type(JSON_TYPE).header("cache-control", "private, max-age=300");
      return reply.send(JSON.stringify({ items: suggestions(siteOf(parts), found, named) }));
    },
  );
}

function find({ parts, listingOf }: PageRoutesContext, text: string): SearchResult {
  const edition = parts.editions.current();
  return search({ catalogue: edition.served.catalogue, listing: listingOf(edition), asOf: edition.asOf }, text);
}

/** Redirects to the score card if the text means one release cycle; otherwise lists the cycles or products that were found. */
function answerSearch(
  context: PageRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): FastifyReply | Promise<FastifyReply> {
  const { parts, send } = context;
  const found = find(context, text);
  const [cycle, ...others] = found.cycles;
  if (cycle === undefined) return send(request, reply, null, (site) => searchPage(site, found));
  if (others.length === 0) {
    // With the version in the path, the card explains which cycle it belongs to.
    const version = found.version ?? cycle.cycle;
    return moved(reply, siteOf(parts).paths.scoreCard({ product: cycle.product, cycle: version }));
  }
  return send(request, reply, null, async (site) =>
    choicePage(site, found.query, await parts.editions.current().local.assessCycles(found.cycles)),
  );
}

export interface Suggestion {
  readonly href: string;
  readonly name: string;
  /** `Supported: 30 Apr 2027, in 5 months`, or the number of release cycles. */
  readonly note: string;
}

function noteOf(assessment: Assessment): string {
  const { date } = assessment.support;
  const end = date === null ? formatEndCell(assessment) : `${formatDay(date)}, ${formatEnd(assessment).distance}`;
  return `${statusLabel(assessment)}: ${end}`;
}

const MOST_SUGGESTIONS = 8;

/** @param assessments of the release cycles that the text names */
function suggestions(site: Site, found: SearchResult, assessments: readonly Assessment[]): readonly Suggestion[] {
  const cycles = assessments.map((each) => ({
    href: site.paths.scoreCard(each.releaseCycle).href,
    name: formatCycle(each),
    note: noteOf(each),
  }));
  const products = found.products.map(({ product, cycleCount }) => ({
    href: site.paths.product(product.slug).href,
    name: product.name,
    note: formatCount(cycleCount, "release cycle"),
  }));
  return [...cycles, ...products].slice(0, MOST_SUGGESTIONS);
}
