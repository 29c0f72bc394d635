/** The page of a confirmed watch list, which is opened with its secret link: status, edit, pause, feeds, unsubscribe. */
import { formatCount } from "../../messages/format.ts";
import type { EolgateError } from "../../messages/error.ts";
import { WATCH_LIMIT } from "../alerts/limits.ts";
import type { ManagedList } from "../http/services.ts";
import { ACCOUNT_FIELDS, listField, problemNote } from "./account.ts";
import { layout } from "./layout.ts";
import { external, markup, type Markup } from "./markup.ts";
import type { Site } from "./site.ts";
import { rootOf } from "./snippets.ts";
import { packageNames, watchedTable } from "./watched-cycles.ts";

export interface WatchListPage {
  readonly list: ManagedList;
  /** The action that was carried out before. */
  readonly done?: WatchListAction;
  /** Why the edited list was not saved. */
  readonly problem?: EolgateError;
  /** Text of the edited list. */
  readonly typed?: string;
}

export type WatchListAction = "save" | "pause" | "resume";

const DONE: Readonly<Record<WatchListAction, string>> = {
  save: "The list is saved.",
  pause: "The list is paused: no mails are sent.",
  resume: "The list is active again.",
};

export const isAction = (text: string): text is WatchListAction => Object.hasOwn(DONE, text);

export function watchListPage(site: Site, page: WatchListPage): string {
  const { list, done } = page;
  const title = "Your watch list";
  return layout(
    {
      title,
      description: title,
      section: "watch",
      unlisted: true,
      body: markup`<h1>${title}</h1>
${done && markup`<p class="note pass" role="status">${DONE[done]}</p>`}
${problemNote(page.problem)}
<p class="lead">${contentsOf(list)}. ${list.paused ? markup`<b>Paused:</b> no mails are sent to ${list.address} until you resume the list.` : markup`Mails go to ${list.address}.`}</p>
${list.cycles.length > 0 && watchedTable(site, list.cycles)}
${packageNames(list.packages)}
${actions(site, page)}
${editForm(site, page)}
${feeds(site, list)}
<h2>Keep this address to yourself</h2>
<p>Whoever has it can change and end the list.</p>`,
    },
    site,
  );
}

/** `2 release cycles and 14 packages`. */
const contentsOf = ({ cycles, packages }: ManagedList): string =>
  [
    ...(cycles.length > 0 || packages.length === 0 ? [formatCount(cycles.length, "release cycle")] : []),
    ...(packages.length > 0 ? [formatCount(packages.length, "package")] : []),
  ].join(" and ");

function actions(site: Site, { list }: WatchListPage): Markup {
  const [action, label] = list.paused ? ["resume", "Resume the mails"] : ["pause", "Pause the mails"];
  return markup`<form class="buttons" method="post" action="${site.paths.watchList(list.links.manage)}"><button class="plain" type="submit" name="${ACCOUNT_FIELDS.action}" value="${action}">${label}</button>
<a href="${site.paths.watch("unsubscribe", list.links.unsubscribe)}">Unsubscribe</a></form>`;
}

function editForm(site: Site, { list, typed }: WatchListPage): Markup {
  const text = typed ?? list.cycles.map(({ product, cycle }) => `${product} ${cycle}`).join("\n");
  return markup`<h2>Edit the list</h2>
<form class="stacked" method="post" action="${site.paths.watchList(list.links.manage)}">
${listField(text)}
<div class="buttons"><button type="submit" name="${ACCOUNT_FIELDS.action}" value="save">Save</button></div>
</form>
<p class="soft">At most ${WATCH_LIMIT} release cycles. What has ended already is shown here and not mailed.${list.packages.length > 0 && " The packages stay as they are."}</p>`;
}

function feeds({ links }: Site, list: ManagedList): Markup {
  const base = `${rootOf(links)}/watch/${list.links.feed}`;
  return markup`<h2>Calendar and feed</h2>
<ul><li><a href="${external(`${base}/calendar.ics`)}">Calendar</a> <span class="soft">iCalendar: subscribe to this address</span></li>
<li><a href="${external(`${base}/feed.atom`)}">Atom feed</a></li></ul>
<p class="soft">They show the ends of support of this list, also while it is paused. Their addresses cannot change it.</p>`;
}
