/** Feeds and the panel to subscribe to a product. */
import type { Product } from "../../model/index.ts";
import { OPERATIONS } from "../../api/operations.ts";
import { external, markup, type Address, type Markup } from "./markup.ts";
import type { Site } from "./site.ts";
import { rootOf, routePath } from "./snippets.ts";

export interface FeedLink {
  readonly title: string;
  readonly type: string;
  readonly href: Address | null;
}

export function productFeeds({ links }: Site, { slug, name }: Product): readonly FeedLink[] {
  const base = `${rootOf(links)}/feeds/${encodeURIComponent(slug)}`;
  return [
    { title: `${name}: end of life (Atom)`, type: "application/atom+xml", href: external(`${base}/feed.atom`) },
    { title: `${name}: end of life (calendar)`, type: "text/calendar", href: external(`${base}/calendar.ics`) },
  ];
}

/** Feeds of the release cycles of all products that end soon. */
export function soonFeeds({ links }: Site): readonly FeedLink[] {
  const base = `${rootOf(links)}/feeds/ending-soon`;
  return [
    { title: "Release cycles that end soon (Atom)", type: "application/atom+xml", href: external(`${base}.atom`) },
    { title: "Release cycles that end soon (calendar)", type: "text/calendar", href: external(`${base}.ics`) },
  ];
}

export const previewOf = ({ links }: Site, { slug }: Product): Address | null =>
  external(`${rootOf(links)}/feeds/${encodeURIComponent(slug)}/preview.png`);

export function subscribePanel(site: Site, product: Product): Markup {
  const { links } = site;
  const { slug } = product;
  const base = `${rootOf(links)}/feeds/${encodeURIComponent(slug)}`;
  const json = external(`${rootOf(links)}${routePath(OPERATIONS.product.path, { slug })}`);
  return markup`<section class="panel screen" aria-labelledby="subscribe"><h2 id="subscribe">Subscribe</h2>
<p>Get a reminder a month before the end of each release cycle:</p>
<ul><li><a href="${external(`${base}/calendar.ics`)}">Calendar</a> <span class="soft">iCalendar: subscribe to this address</span></li>
<li><a href="${external(`${base}/feed.atom`)}">Atom feed</a></li>
<li><a href="${json}">JSON</a> <span class="soft">for programs</span></li>
<li><a href="${external(links.product(slug))}">Permanent link</a></li></ul></section>`;
}
