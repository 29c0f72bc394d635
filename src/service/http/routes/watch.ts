/**
 * Routes of watch lists, their page, its actions and its feeds, authenticated by secret links. Links in mails open a page
 * with a button: only POST has an effect, because mail scanners follow links.
 */
import { cycleKey } from "../../../text/ids.ts";
import { Type } from "typebox";
import type { FastifyInstance, FastifyReply } from "fastify";
import { EolgateError } from "../../../messages/error.ts";
import type { WatchResponse } from "../../../wire/schemas.ts";
import { type Admission, addressBlock } from "../admission.ts";
import type { AppContext } from "../app-context.ts";
import { HTML_TYPE, JSON_TYPE, sendTagged, withNotice } from "../replies.ts";
import { WATCH_LIMIT, assessCycles } from "../../alerts/cycles.ts";
import {
  type Caller,
  type ManagedList,
  type ProductCycle,
  type WatchContent,
  type WatchLinkTarget,
  type WatchService,
} from "../../services.ts";
import { SERVICE_OPERATIONS } from "../service-operations.ts";
import { pageScope } from "../../pages/page-sender.ts";
import { rootOf, siteOf } from "../../pages/site.ts";
import { type WatchPage, watchListPage, watchPage } from "../../pages/watch.ts";
import { admitDocument, bodyOf, callerOf } from "./lookups.ts";
import type { CycleRef } from "../../../model/index.ts";
import type { Links } from "../../../wire/links.ts";
import { type Subscription, cycleCalendar, cycleFeed, nearEnds } from "../../../report/calendar.ts";
import { MAX_FORM, acceptForms, answerForm, notAForm, readFields, textField } from "../forms.ts";
import { listedCycles } from "../../documents/listed.ts";
import { isWebhook } from "../../mail/message.ts";
import { ACCOUNT_FIELDS } from "../../pages/account.ts";
import { ATOM_TYPE, CALENDAR_TYPE } from "../../pages/assets/site-files.ts";

export function watchRoutes(app: FastifyInstance, parts: AppContext, admission: Admission, docs: string): void {
  const { services, settings, documents } = parts;
  app.post<{ Body: Buffer | undefined }>(
    SERVICE_OPERATIONS.watch.path,
    {
      bodyLimit: settings.maxBody,
      config: { access: "counted", raw: true },
      onRequest: (request, reply) => admitDocument(request, reply, parts, admission),
    },
    async (request, reply) => {
      const question = await documents.watch(bodyOf(request.body));
      const { ip } = request;
      const { email } = await requestWatch(services.watches, { ...question, caller: callerOf(request), ip });
      const answer: WatchResponse = {
        ...(isWebhook(email) ? { webhook: email } : { email }),
        status: settings.sendsMail || isWebhook(email) ? "confirmation-sent" : "confirmation-written",
        ...listOf(question),
        docs,
      };
      const json = JSON.stringify(answer);
      return reply
        .code(202)
        .type(JSON_TYPE)
        .send(request.noticed ? withNotice(json, settings.keylessUntil) : json);
    },
  );
  pageScope(app, parts, (scope) => {
    // The form and one-click unsubscription (RFC 8058) both send a POST to the link. Their bodies are ignored.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: NO_BODY }, async () => undefined);
    linkRoutes(scope, parts, "confirm");
    linkRoutes(scope, parts, "unsubscribe");
  });
}

/** The watched release cycles, and what is not watched, with the reason. */
function listOf({ cycles, unmatched }: WatchContent): Omit<WatchResponse, "email" | "webhook" | "status" | "docs"> {
  const names = cycles.map(cycleKey);
  const watched = names.slice(0, WATCH_LIMIT);
  return {
    lines: watched,
    count: watched.length,
    limit: WATCH_LIMIT,
    not_watched: [
      ...names.slice(WATCH_LIMIT).map((name) => ({ line: name, reason: "limit" })),
      ...unmatched.map(({ component, reason }) => ({ component, reason })),
    ],
  };
}

type Purpose = WatchPage["purpose"];
const tokenQuery = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });

const NO_BODY = 4096;

function linkRoutes(scope: FastifyInstance, parts: AppContext, purpose: Purpose): void {
  const { watches } = parts.services;
  const url = `/v1/watch/${purpose}`;
  const options = { schema: { querystring: tokenQuery }, config: { cors: false, anyMedia: true } } as const;
  const send = (reply: FastifyReply, facts: WatchPage): FastifyReply =>
    reply
      .header("cache-control", "no-store")
      .type(HTML_TYPE)
      .send(watchPage(siteOf(parts), facts));

  scope.get<{ Querystring: { token: string } }>(url, options, async ({ query: { token } }, reply) => {
    const target = (await watches.lookUp(token, purpose)) ?? gone();
    return send(reply, { purpose, token, target });
  });
  scope.post<{ Querystring: { token: string } }>(
    url,
    { ...options, bodyLimit: NO_BODY },
    async ({ query: { token } }, reply) => {
      const target =
        (await (purpose === "confirm" ? watches.confirm(token) : ended(watches.unsubscribe(token)))) ?? gone();
      return send(reply, { purpose, token, target });
    },
  );
}

const ended = async (done: Promise<boolean>): Promise<WatchLinkTarget | undefined> =>
  (await done) ? { state: "done", cycles: [] } : undefined;

export interface WatchRequest {
  readonly email: string;
  /** Distinct release cycles, highest risk first. */
  readonly cycles: readonly CycleRef[];
  readonly caller: Caller;
  /** The address of the client. */
  readonly ip: string;
}

export interface RequestedWatch {
  /** The normalized address. */
  readonly email: string;
  readonly watched: readonly CycleRef[];
  /** Release cycles beyond the limit of a list, which are not watched. */
  readonly dropped: readonly CycleRef[];
}

/** @throws EolgateError as `WatchService.watch` */
export async function requestWatch(
  watches: WatchService,
  { email, cycles, caller, ip }: WatchRequest,
): Promise<RequestedWatch> {
  const watched = cycles.slice(0, WATCH_LIMIT);
  const from = caller.kind === "anonymous" ? addressBlock(ip) : undefined;
  const answer = await watches.watch(email, watched, from);
  return { email: answer.email, watched, dropped: cycles.slice(WATCH_LIMIT) };
}

export function gone(): never {
  throw EolgateError.of("token-not-valid", {});
}

const CONFIG = { cors: false, anyMedia: true } as const;

interface LinkRoute {
  Params: { link: string };
  Querystring: { saved?: string };
  Body: Buffer | undefined;
}

export function watchListRoutes(app: FastifyInstance, parts: AppContext): void {
  const { watches } = parts.services;
  const listOf = async (link: string): Promise<ManagedList> => (await watches.manage(link)) ?? gone();
  pageScope(app, parts, (scope) => {
    acceptForms(scope);
    scope.get<LinkRoute>("/watch/:link", { config: CONFIG }, async ({ params, query }, reply) => {
      const list = await listOf(params.link);
      const page = watchListPage(siteOf(parts), { list, saved: query.saved !== undefined });
      return secret(reply).type(HTML_TYPE).send(page);
    });
    scope.post<LinkRoute>("/watch/:link", { config: CONFIG, bodyLimit: MAX_FORM }, async (request, reply) => {
      const { link } = request.params;
      const form = await readFields(request);
      if (textField(form, ACCOUNT_FIELDS.action) !== "save") throw notAForm();
      const typed = textField(form, ACCOUNT_FIELDS.list);
      const list = await listOf(link);
      return answerForm(request, secret(reply), parts, {
        send: async () => {
          const { served, asOf } = parts.editions.current();
          const { cycles, unknown } = listedCycles(typed, served.catalogue, asOf);
          const isRead = unknown.length === 0;
          // A typing error must not end the watch of a release cycle.
          if (!(await watches.edit(link, isRead ? cycles : [...cycles, ...list.cycles]))) gone();
          if (isRead) return reply.redirect(`${siteOf(parts).paths.watchList(link).href}?saved`, 303);
          const page = { list: await listOf(link), typed, unknown };
          return reply.type(HTML_TYPE).send(watchListPage(siteOf(parts), page));
        },
        again: (site, problem) => watchListPage(site, { list, typed, problem }),
      });
    });
  });
  feedRoutes(app, parts);
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
