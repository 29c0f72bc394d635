/** The page of a confirmation or unsubscription link in a mail, with a button for the action. */
import type { WatchLinkTarget } from "../http/services.ts";
import { layout } from "./layout.ts";
import { markup, type Markup } from "./markup.ts";
import type { Site } from "./site.ts";
import { listContents } from "./watched-cycles.ts";

export interface WatchPage {
  readonly purpose: "confirm" | "unsubscribe";
  readonly token: string;
  readonly target: WatchLinkTarget;
}

const TEXTS = {
  confirm: {
    title: "Confirm your watch list",
    effect:
      "You will receive a mail before these release cycles reach end of life, when CISA lists an exploited vulnerability of an ended one, and when a package on the list is no longer maintained.",
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

function form(site: Site, { purpose, token, target: { cycles, packages } }: WatchPage): Markup {
  const { effect, button } = TEXTS[purpose];
  return markup`<p class="lead">${effect}</p>
<form method="post" action="${site.paths.watch(purpose, token)}"><button type="submit">${button}</button></form>
${listContents(site, { cycles, packages })}`;
}
