/** Values that every page needs: paths, links, catalogue, day; and snippets to copy, with absolute URLs. */
import { percentEncode } from "../../text/values.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { Catalogue, Assessment } from "../../model/index.ts";
import { linksUnder, type Links } from "../../wire/links.ts";
import type { AppContext } from "../http/app-context.ts";
import { SERVICE_OPERATIONS } from "../http/service-operations.ts";
import { below, external, fixedPath, markup, path, type LinkTarget, type Markup } from "./markup.ts";
import { ICON_PATH, STYLE_PATH } from "./assets/assets.ts";
import { OPERATIONS } from "../../api/operations/operations.ts";
import { formatCycle } from "../../report/labels.ts";

export interface Site {
  readonly version: string;
  /** Absolute URLs, for snippets and `rel=canonical`. */
  readonly links: Links;
  readonly paths: SitePaths;
  readonly catalogue: Catalogue;
  readonly asOf: IsoDate;
  /** Whether pages contain search and forms; see `ServerSettings`. */
  readonly interactive: boolean;
  readonly sendsMail: boolean;
}

/** What becomes of a mail: `was sent to a@example.org`. */
export const delivery = ({ sendsMail }: Pick<Site, "sendsMail">, email: string): string =>
  sendsMail
    ? `was sent to ${email}`
    : `for ${email} did not leave this service, because it has no mail server. Ask its operator for the mail`;

/** The answer to a request for keys. It is the same whether or not the address has a key. */
export const keyMail = (site: Pick<Site, "sendsMail">, email: string, request: "mailFree" | "recover"): string =>
  `${request === "recover" ? "If there are keys of this address, the mail with them" : "The key"} ${delivery(site, email)}`;

export function siteOf({ editions, settings, version }: AppContext): Site {
  const { served, asOf } = editions.current();
  return {
    version,
    links: linksUnder(settings.publicUrl),
    paths: sitePaths(settings.publicUrl),
    catalogue: served.catalogue,
    asOf,
    interactive: settings.interactive,
    sendsMail: settings.sendsMail,
  };
}

/** Targets of links within the site. They are paths, so that they work with every host name. */
export type SitePaths = Readonly<ReturnType<typeof sitePaths>>;

/** @param publicUrl can contain a path (`https://tools.example.org/eol`), which a proxy removes from requests */
function sitePaths(publicUrl: string) {
  const base = new URL(publicUrl).pathname.replace(/\/+$/, "");
  const at = (address: LinkTarget): LinkTarget => below(base, address);
  return {
    home: at(path`/`),
    suggest: at(path`/suggest`),
    category: (name: string) => at(path`/category/${name}`),
    product: (slug: string) => at(path`/${slug}`),
    /** Redirects to a score card, by the query parameter `version`. */
    scores: (slug: string) => at(path`/score/${slug}`),
    scoreCard: ({ product, cycle }: { readonly product: string; readonly cycle: string }) =>
      at(path`/score/${product}/${cycle}`),
    check: at(path`/check`),
    keys: at(path`/keys`),
    prices: at(path`/prices`),
    watchForm: at(path`/watch`),
    /** The page of a list, by its secret link. */
    watchList: (link: string) => at(path`/watch/${link}`),
    methodology: at(path`/methodology`),
    docs: at(path`/docs`),
    openapi: at(fixedPath(SERVICE_OPERATIONS.openapi.path)),
    catalogue: at(fixedPath(SERVICE_OPERATIONS.catalogue.path)),
    exploited: (slug: string) => at(path`/${slug}#exploited`),
    watch: (purpose: string, token: string) => at(path`/v1/watch/${purpose}?token=${token}`),
    style: at(fixedPath(STYLE_PATH)),
    icon: at(fixedPath(ICON_PATH)),
  };
}

/** The base URL of the server, without a slash at the end. */
export const rootOf = ({ docs }: Links): string => docs.replace(/\/docs$/, "");

/** A badge in Markdown, which shields.io renders from the route `badge`, linked to the score card. */
export function badgeSnippet(links: Links, assessment: Assessment): string {
  const { product, cycle } = assessment.releaseCycle;
  const endpoint = `${rootOf(links)}${routePath(OPERATIONS.badge.path, { slug: product, version: cycle })}`;
  const name = formatCycle(assessment).replace(/[[\]\\]/g, "\\$&");
  const picture = `https://img.shields.io/endpoint?url=${percentEncode(endpoint)}`;
  return `[![${name}](${picture})](${links.scoreCard(assessment.releaseCycle)})`;
}

/** The calendar of a product, to subscribe to. */
export const calendarLink = ({ links }: Pick<Site, "links">, slug: string): Markup =>
  markup`<a href="${external(`${rootOf(links)}/feeds/${percentEncode(slug)}/calendar.ics`)}">Calendar</a> <span class="soft">(iCalendar: subscribe to this address)</span>`;

/** A route pattern with its parameters replaced: `/v1/score/:slug`. */
export const routePath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => percentEncode(values[name] ?? ""));
