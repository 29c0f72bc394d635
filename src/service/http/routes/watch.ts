/** Routes of watch lists. Links in mails open a page with a button: only POST has an effect, because mail scanners follow links. */
import { Type } from "typebox";
import type { FastifyInstance, FastifyReply } from "fastify";
import { EolgateError } from "../../../messages/error.ts";
import type { WatchResponse } from "../../../wire/schemas.ts";
import type { Admission } from "../admission.ts";
import type { AppContext } from "../app-context.ts";
import { HTML_TYPE, JSON_TYPE, withNotice } from "../replies.ts";
import { PACKAGE_LIMIT, WATCH_LIMIT } from "../../alerts/cycles.ts";
import type { WatchContent } from "../../documents/documents.ts";
import { SERVICE_OPERATIONS } from "../service-operations.ts";
import {
  cycleKey,
  type WatchLinkTarget,
  type Caller,
  type FollowedPackages,
  type WatchService,
} from "../../services.ts";
import { pageScope } from "../../pages/page-sender.ts";
import { siteOf } from "../../pages/site.ts";
import { watchPage, type WatchPage } from "../../pages/watch.ts";
import { admitDocument, bodyOf, callerOf } from "./lookups.ts";
import type { CycleRef } from "../../../model/index.ts";
import { addressBlock } from "../address.ts";

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
      const answer: WatchResponse = { email, status: "confirmation-sent", ...listOf(question), docs };
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

/** The watched release cycles and packages, and those that are not watched, with the reason. */
function listOf({
  cycles,
  follow,
  packages,
  unmatched,
}: WatchContent): Omit<WatchResponse, "email" | "status" | "docs"> {
  const names = cycles.map(cycleKey);
  const watched = names.slice(0, WATCH_LIMIT);
  return {
    lines: watched,
    count: watched.length,
    limit: WATCH_LIMIT,
    ...(follow.length > 0 && {
      follow: [...follow],
      packages: packages.slice(0, PACKAGE_LIMIT),
      package_limit: PACKAGE_LIMIT,
    }),
    not_watched: [
      ...names.slice(WATCH_LIMIT).map((name) => ({ line: name, reason: "limit" })),
      ...packages.slice(PACKAGE_LIMIT).map((component) => ({ component, reason: "limit" })),
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
  (await done) ? { state: "done", cycles: [], follow: [], packages: [] } : undefined;

export interface WatchRequest {
  readonly email: string;
  /** Distinct release cycles, highest risk first. */
  readonly cycles: readonly CycleRef[];
  readonly follow: FollowedPackages["follow"];
  readonly packages: FollowedPackages["packages"];
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
  { email, cycles, follow, packages, caller, ip }: WatchRequest,
): Promise<RequestedWatch> {
  const watched = cycles.slice(0, WATCH_LIMIT);
  const from = caller.kind === "anonymous" ? addressBlock(ip) : undefined;
  const answer = await watches.watch(email, watched, { follow, packages }, from);
  return { email: answer.email, watched, dropped: cycles.slice(WATCH_LIMIT) };
}

export function gone(): never {
  throw EolgateError.of("token-not-valid", {});
}
