/** The pages behind the secret links in mails: a confirmed watch list, confirmation, unsubscription. */
import type { EolgateError } from "../../messages/error.ts";
import { formatCount } from "../../messages/format.ts";
import { WATCH_LIMIT } from "../alerts/cycles.ts";
import type { ListedCycles } from "../documents/listed.ts";
import type { ManagedList, WatchLinkTarget } from "../services.ts";
import { ACCOUNT_FIELDS, listField, problemNote, unknownNote, watchedTable, cycleList } from "./account.ts";
import { layout } from "./layout.ts";
import { external, markup, type Markup } from "./markup.ts";
import { type Site, rootOf } from "./site.ts";

export interface WatchListPage {
  readonly list: ManagedList;
  /** Whether the list was saved just now. */
  readonly saved?: boolean;
  /** Entries of the edited list that are not recognised; the others are saved. */
  readonly unknown?: ListedCycles["unknown"];
  /** Why the edited list was not saved. */
  readonly problem?: EolgateError;
  /** Text of the edited list. */
  readonly typed?: string;
}

export function watchListPage(site: Site, page: WatchListPage): string {
  const { list, saved, unknown = [] } = page;
  const title = "Your watch list";
  return layout(
    {
      title,
      description: title,
      section: "watch",
      unlisted: true,
      body: markup`<h1>${title}</h1>
${saved && markup`<p class="note pass" role="status">The list is saved.</p>`}
${unknownNote(unknown, "The other entries are saved. Release cycles stay in the list until all entries are recognised.")}
${problemNote(page.problem)}
<p class="lead">${formatCount(list.cycles.length, "release cycle")}. Mails go to ${list.address}. <a href="${site.paths.watch("unsubscribe", list.links.unsubscribe)}">Unsubscribe</a></p>
${list.cycles.length > 0 && watchedTable(site, list.cycles)}
${editForm(site, page)}
${feeds(site, list)}
<h2>Keep this address to yourself</h2>
<p>Whoever has it can change and end the list.</p>`,
    },
    site,
  );
}

function editForm(site: Site, { list, typed }: WatchListPage): Markup {
  const text = typed ?? list.cycles.map(({ product, cycle }) => `${product} ${cycle}`).join("\n");
  return markup`<h2>Edit the list</h2>
<form class="stacked" method="post" action="${site.paths.watchList(list.links.manage)}">
${listField(text)}
<div class="buttons"><button type="submit" name="${ACCOUNT_FIELDS.action}" value="save">Save</button></div>
</form>
<p class="soft">At most ${WATCH_LIMIT} release cycles. What has ended already is shown here and not mailed.</p>`;
}

function feeds({ links }: Site, list: ManagedList): Markup {
  const base = `${rootOf(links)}/watch/${list.links.feed}`;
  return markup`<h2>Calendar and feed</h2>
<ul><li><a href="${external(`${base}/calendar.ics`)}">Calendar</a> <span class="soft">iCalendar: subscribe to this address</span></li>
<li><a href="${external(`${base}/feed.atom`)}">Atom feed</a></li></ul>
<p class="soft">They show the ends of support of this list. Their addresses cannot change it.</p>`;
}

export interface WatchPage {
  readonly purpose: "confirm" | "unsubscribe";
  readonly token: string;
  readonly target: WatchLinkTarget;
}

const TEXTS = {
  confirm: {
    title: "Confirm your watch list",
    effect:
      "You will receive a mail before these release cycles reach end of life, and when CISA lists an exploited vulnerability of an ended one.",
    button: "Confirm",
    done: "Your watch list is confirmed.",
    after: "Each mail has a link to stop the alerts.",
  },
  unsubscribe: {
    title: "Stop the alerts",
    effect: "No more alerts will be sent for this list.",
    button: "Unsubscribe",
    done: "This watch list is deleted. It sends no more mails.",
    after: "If you have confirmed another list since, its mails have a link to stop that one.",
  },
} as const;

export function watchPage(site: Site, page: WatchPage): string {
  const { title } = TEXTS[page.purpose];
  return layout(
    {
      title,
      description: title,
      unlisted: true,
      body: markup`<h1>${title}</h1>
${page.target.state === "done" ? done(site, page) : form(site, page)}`,
    },
    site,
  );
}

function done(site: Site, { purpose, target: { list } }: WatchPage): Markup {
  const texts = TEXTS[purpose];
  return markup`<p class="note pass" role="status"><b>${texts.done}</b> ${texts.after}</p>
${list && markup`<p><a href="${site.paths.watchList(list.links.manage)}">Open your watch list</a></p>`}`;
}

function form(site: Site, { purpose, token, target: { cycles } }: WatchPage): Markup {
  const { effect, button } = TEXTS[purpose];
  return markup`<p class="lead">${effect}</p>
<form method="post" action="${site.paths.watch(purpose, token)}"><button type="submit">${button}</button></form>
${cycleList(site, cycles)}`;
}
