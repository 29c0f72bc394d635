/** Routes of the page of a watch list, its actions and its feeds, authenticated by secret links. */
import { gone } from "./watch.ts";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Links } from "../../../wire/links.ts";
import { cycleCalendar, cycleFeed, nearEnds, type Subscription } from "../../../report/calendar.ts";
import type { AppContext } from "../app-context.ts";
import { acceptForms, notAForm, readFields, textField, answerForm, MAX_FORM } from "../forms.ts";
import { listedCycles } from "../../documents/listed.ts";
import { ACCOUNT_FIELDS } from "../../pages/account.ts";
import { pageScope } from "../../pages/page-sender.ts";
import { ATOM_TYPE, CALENDAR_TYPE } from "../../pages/assets/site-files.ts";
import { siteOf, rootOf } from "../../pages/site.ts";
import { isAction, watchListPage, type WatchListAction } from "../../pages/watch.ts";
import { HTML_TYPE, sendTagged } from "../replies.ts";
import { assessCycles } from "../../alerts/cycles.ts";
import type { ProductCycle, ManagedList } from "../../services.ts";

const CONFIG = { cors: false, anyMedia: true } as const;

interface LinkRoute {
  Params: { link: string };
  Querystring: { done?: string };
  Body: Buffer | undefined;
}

export function watchListRoutes(app: FastifyInstance, parts: AppContext): void {
  const { watches } = parts.services;
  const listOf = async (link: string): Promise<ManagedList> => (await watches.manage(link)) ?? gone();
  pageScope(app, parts, (scope) => {
    acceptForms(scope);
    scope.get<LinkRoute>("/watch/:link", { config: CONFIG }, async ({ params, query }, reply) => {
      const list = await listOf(params.link);
      const { done } = query;
      const page = { list, ...(typeof done === "string" && isAction(done) && { done }) };
      return secret(reply)
        .type(HTML_TYPE)
        .send(watchListPage(siteOf(parts), page));
    });
    scope.post<LinkRoute>("/watch/:link", { config: CONFIG, bodyLimit: MAX_FORM }, async (request, reply) => {
      const { link } = request.params;
      const form = await readFields(request);
      const action = textField(form, ACCOUNT_FIELDS.action);
      if (!isAction(action)) throw notAForm();
      const typed = textField(form, ACCOUNT_FIELDS.list);
      const list = await listOf(link);
      return answerForm(request, secret(reply), parts, {
        send: async () => {
          await act(action, link, typed, parts);
          return reply.redirect(`${siteOf(parts).paths.watchList(link).href}?done=${action}`, 303);
        },
        again: (site, problem) => watchListPage(site, { list, typed, problem }),
      });
    });
  });
  feedRoutes(app, parts);
}

async function act(action: WatchListAction, link: string, typed: string, parts: AppContext): Promise<void> {
  const { watches } = parts.services;
  const { served, asOf } = parts.editions.current();
  const isDone =
    action === "save"
      ? await watches.edit(link, listedCycles(typed, served.catalogue, asOf))
      : await watches.setPaused(link, action === "pause");
  if (!isDone) gone();
}

const FEEDS: Readonly<Record<string, WatchFeed>> = {
  "calendar.ics": { type: CALENDAR_TYPE, make: cycleCalendar },
  "feed.atom": { type: ATOM_TYPE, make: cycleFeed },
};

interface WatchFeed {
  readonly type: string;
  readonly make: (subscription: Subscription, links: Links) => string;
}

/** The link of a feed allows reading the release cycles of the list, and nothing else. */
function feedRoutes(app: FastifyInstance, parts: AppContext): void {
  for (const [file, feed] of Object.entries(FEEDS)) {
    app.get<{ Params: { link: string } }>(
      `/watch/:link/${file}`,
      { config: { cors: false } },
      async (request, reply) => {
        const { link } = request.params;
        const cycles = (await parts.services.watches.feed(link)) ?? gone();
        const { links } = siteOf(parts);
        const content = feed.make(subscriptionOf(cycles, `${rootOf(links)}/watch/${link}/${file}`, parts), links);
        return sendTagged(request, reply, { type: feed.type, content, cache: "private, no-cache" });
      },
    );
  }
}

/** Days. The feed contains all cycles, because the owner has selected them. */
const EVERY = { past: Number.MAX_SAFE_INTEGER, ahead: Number.MAX_SAFE_INTEGER };

function subscriptionOf(
  cycles: readonly ProductCycle[],
  self: string,
  { editions, settings }: AppContext,
): Subscription {
  const { served, asOf } = editions.current();
  return {
    title: "Watch list: end of life",
    page: new URL("watch", `${settings.publicUrl.replace(/\/+$/, "")}/`).href,
    self,
    updated: served.catalogue.metadata.date,
    ends: nearEnds(assessCycles(served.catalogue, cycles, asOf), EVERY),
  };
}

/** The URL is a secret, so the response must not be cached. The header `referrer-policy` is set for all responses. */
const secret = (reply: FastifyReply): FastifyReply => reply.header("cache-control", "no-store");
