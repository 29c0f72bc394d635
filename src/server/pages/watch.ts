/** The page behind a link in a mail: what it would do, and the button that does it. */
import { findProduct } from "../../core/resolve/product.ts";
import { formatCount } from "../../core/messages/format.ts";
import { layout } from "./layout.ts";
import { link, markup, type Markup } from "./markup.ts";
import type { WatchSummary } from "../services.ts";
import type { Site } from "./site.ts";

export interface WatchPage extends WatchSummary {
  readonly purpose: "confirm" | "unsubscribe";
  readonly state: "ask" | "done";
  readonly token: string;
}

const WORDS = {
  confirm: {
    title: "Confirm your watch list",
    ask: "You will get a mail before these release cycles reach their end of life, when an ended one gets a known exploited vulnerability, and when a package of the list is no longer maintained.",
    button: "Confirm",
    done: "Your watch list is confirmed.",
    after: "Each mail has a link that ends them.",
  },
  unsubscribe: {
    title: "Stop the alerts",
    ask: "No more alerts will be sent for this list.",
    button: "Unsubscribe",
    done: "You will get no more alerts.",
    after: "The list is deleted.",
  },
} as const;

export function watchPage(site: Site, page: WatchPage): string {
  const { title, done, after } = WORDS[page.purpose];
  return layout(
    {
      title,
      description: title,
      unlisted: true,
      body: markup`<h1>${title}</h1>
${page.state === "done" ? markup`<p class="note" role="status"><b>${done}</b> ${after}</p>` : form(site, page)}`,
    },
    site,
  );
}

function form(site: Site, { purpose, token, lines, packages }: WatchPage): Markup {
  const { ask, button } = WORDS[purpose];
  return markup`<p class="lead">${ask}</p>
<form method="post" action="${site.places.watch(purpose, token)}"><button type="submit">${button}</button></form>
${names(
  "release cycle",
  lines.map((line) => cycleLink(site, line)),
)}${names(
    "package",
    packages.map((purl) => markup`${purl}`),
  )}`;
}

function names(noun: string, entries: readonly Markup[]): Markup | null {
  if (entries.length === 0) return null;
  return markup`<h2>${formatCount(entries.length, noun)}</h2>
<ul class="names">${entries.map((entry) => markup`<li>${entry}</li>\n`)}</ul>`;
}

/** A cycle that is no longer in the catalogue is shown without a link. */
function cycleLink({ catalogue, places }: Site, line: string): Markup {
  const cut = line.indexOf(":");
  const [slug, cycle] = [line.slice(0, cut), line.slice(cut + 1)];
  const known = findProduct(catalogue, slug)?.cycles.some(({ name }) => name === cycle) === true;
  return link(line, known ? places.scoreCard({ product: slug, cycle }) : null);
}
