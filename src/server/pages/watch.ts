/** The page behind a link in a mail: what it would do, and the button that does it. */
import { findProduct } from "../../core/resolve/product.ts";
import { formatCount } from "../../core/messages/format.ts";
import { layout } from "./layout.ts";
import { link, markup, type Markup } from "./markup.ts";
import type { Site } from "./site.ts";

export interface WatchPage {
  readonly purpose: "confirm" | "unsubscribe";
  readonly state: "ask" | "done";
  readonly token: string;
  /** `slug:cycle` */
  readonly lines: readonly string[];
}

const WORDS = {
  confirm: {
    title: "Confirm your watch list",
    ask: "You will get a mail before these release cycles reach their end of life, and when an ended one gets a known exploited vulnerability.",
    button: "Confirm",
    done: "Your watch list is confirmed.",
    after: "Each mail has a link that ends them.",
  },
  unsubscribe: {
    title: "Stop the alerts",
    ask: "No more alerts will be sent for these release cycles.",
    button: "Unsubscribe",
    done: "You will get no more alerts.",
    after: "The list is deleted.",
  },
} as const;

export function watchPage(site: Site, { purpose, state, token, lines }: WatchPage): string {
  const { title, done, after } = WORDS[purpose];
  return layout(
    {
      title,
      description: title,
      unlisted: true,
      body: markup`<h1>${title}</h1>
${state === "done" ? markup`<p class="note" role="status"><b>${done}</b> ${after}</p>` : form(site, purpose, token, lines)}`,
    },
    site,
  );
}

function form(site: Site, purpose: WatchPage["purpose"], token: string, lines: readonly string[]): Markup {
  const { ask, button } = WORDS[purpose];
  return markup`<p class="lead">${ask}</p>
<form method="post" action="${site.places.watch(purpose, token)}"><button type="submit">${button}</button></form>
<h2>${formatCount(lines.length, "release cycle")}</h2>
<ul class="names">${lines.map((line) => markup`<li>${cycleLink(site, line)}</li>\n`)}</ul>`;
}

/** A cycle that is no longer in the catalogue is shown without a link. */
function cycleLink({ catalogue, places }: Site, line: string): Markup {
  const cut = line.indexOf(":");
  const [slug, cycle] = [line.slice(0, cut), line.slice(cut + 1)];
  const known = findProduct(catalogue, slug)?.cycles.some(({ name }) => name === cycle) === true;
  return link(line, known ? places.scoreCard({ product: slug, cycle }) : null);
}
