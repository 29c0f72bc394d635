/** `/keys` and `/watch`: a key or a watch list by a form. The answer of each is a mail. */
import type { EolgateError } from "../../core/errors.ts";
import { formatCount, formatNumber } from "../../core/messages/format.ts";
import { sentence } from "../../core/wire/error.ts";
import { WATCH_LIMIT } from "../alerts/limits.ts";
import type { CycleName, Tier } from "../services.ts";
import { layout, type Page } from "./layout.ts";
import { markup, trusted, type Markup } from "./markup.ts";
import type { Site } from "./site.ts";
import { listContents } from "./watched-cycles.ts";

/** Names of the forms' fields and buttons, read by the routes. */
export const ACCOUNT_FIELDS = { email: "email", action: "action", list: "list", follow: "follow" } as const;

/** What was typed, and why it was not accepted. */
export interface FormState {
  /** Whether this server can follow packages. */
  readonly offersFollow?: boolean;
  readonly follows?: boolean;
  readonly email?: string;
  readonly list?: string;
  readonly problem?: EolgateError;
}

export function keysPage(site: Site, free: Tier, state: FormState = {}): string {
  return layout(
    {
      title: "Get an API key",
      description: "A free API key by e-mail, or your key again.",
      section: "keys",
      ...listed(state),
      body: markup`<h1>Get an API key</h1>
${problemNote(state.problem)}
<p class="lead">The key is sent by e-mail. It is free, needs no password and does not expire. It has ${requestWords(free)}.</p>
<form class="stacked" method="post" action="${site.places.keys}">
${emailField(state.email)}
<div class="buttons"><button type="submit" name="${ACCOUNT_FIELDS.action}" value="free">Send me a key</button>
<button class="plain" type="submit" name="${ACCOUNT_FIELDS.action}" value="recover">Send my keys again</button></div>
</form>
<p>Each address has one free key: asking again sends the same key. The <a href="${site.places.docs}">API documentation</a> has the limits and the routes.</p>`,
    },
    site,
  );
}

const requestWords = ({ requestsPerDay: limit }: Tier): string =>
  limit === null ? "no limit of requests" : `${formatNumber(limit)} requests a day`;

export function watchFormPage(site: Site, state: FormState = {}): string {
  return layout(
    {
      title: "Watch a stack",
      description: "Get a mail before a release cycle that you use reaches its end of life.",
      section: "watch",
      ...listed(state),
      body: markup`<h1>Watch a stack</h1>
${problemNote(state.problem)}
<p class="lead">You get a mail 12 months and 90, 60, 30 and 7 days before a release cycle ends, when it has ended, and when a vulnerability of an ended one is newly known to be exploited. Only your address, the names of at most ${WATCH_LIMIT} release cycles${state.offersFollow && " and the packages that you choose to watch"} are stored.</p>
<form class="stacked" method="post" action="${site.places.watchForm}">
${listField(state.list)}
${state.offersFollow && followField(state.follows)}
${emailField(state.email)}
<div class="buttons"><button type="submit" name="${ACCOUNT_FIELDS.action}" value="watch">Watch</button></div>
</form>
<p>To watch an SBOM or a lockfile, <a href="${site.places.check}">check it</a> and use the form below the result.</p>
<h2>Change or end a watch list</h2>
<p>Every mail has a link to your list. If you have none left, have it sent again:</p>
<form class="stacked" method="post" action="${site.places.watchForm}">
${emailField(state.email, "link-email")}
<div class="buttons"><button class="plain" type="submit" name="${ACCOUNT_FIELDS.action}" value="link">Send me the link</button></div>
</form>`,
    },
    site,
  );
}

/** A form that was refused is not a page for search engines. */
const listed = ({ problem }: FormState): Pick<Page, "unlisted"> => (problem ? { unlisted: true } : {});

/** Below the result of a check: its release cycles as a watch list. */
export function watchResultForm(site: Site, cycles: readonly CycleName[]): Markup | null {
  if (cycles.length === 0) return null;
  const watched = cycles.slice(0, WATCH_LIMIT);
  const all = formatCount(cycles.length, "release cycle");
  const which = watched.length < cycles.length ? `the ${WATCH_LIMIT} riskiest of ${all}` : all;
  const names = watched.map(
    ({ product, cycle }) =>
      markup`<input type="hidden" name="${ACCOUNT_FIELDS.list}" value="${`${product} ${cycle}`}">\n`,
  );
  return markup`<section class="panel screen" aria-labelledby="watch"><h2 id="watch">Watch ${which}</h2>
<p>Get a mail before they end. Nothing is watched until you confirm.</p>
<form class="stacked" method="post" action="${site.places.watchForm}">${names}${emailField()}
<div class="buttons"><button type="submit" name="${ACCOUNT_FIELDS.action}" value="watch">Watch</button></div></form></section>`;
}

const emailField = (value = "", id = "email"): Markup =>
  markup`<div><label for="${id}">E-mail address</label>
<input id="${id}" type="email" name="${ACCOUNT_FIELDS.email}" value="${value}" maxlength="254" autocomplete="email" required></div>`;

/** Package URLs that belong to no release cycle are accepted only with it. */
const followField = (checked = false): Markup =>
  markup`<div><label class="choice"><input type="checkbox" name="${ACCOUNT_FIELDS.follow}" value="deprecated"${checked && markup` checked`}> Also watch packages without a release cycle: get a mail when their maintainers deprecate them</label></div>`;

export const listField = (value = ""): Markup =>
  markup`<div><label for="list">Products and versions, or package URLs</label>
<p class="soft" id="list-note">One on each line, or separated by commas: <code>nodejs 18, debian 11</code> or <code>pkg:npm/express@4.21.2</code></p>
<textarea id="list" name="${ACCOUNT_FIELDS.list}" rows="6" spellcheck="false" autocomplete="off" aria-describedby="list-note" required>
${lines(value)}</textarea></div>`;

/** Each line is escaped for itself: line ends stay, and every other character that cannot be seen is shown. */
const lines = (text: string): readonly Markup[] =>
  text.split(/\r?\n/).map((line, index) => markup`${index > 0 && trusted("\n")}${line}`);

/** Above the form, so that a screen reader announces it first. */
export function problemNote(problem: EolgateError | undefined): Markup | null {
  if (problem === undefined) return null;
  const { message, where, hint } = problem;
  const [, entry] = /^list, entry (\d+)$/.exec(where ?? "") ?? [];
  const words = entry === undefined ? sentence(message) : `Entry ${entry}: ${message}`;
  return markup`<p class="note fail" role="alert"><b>${words}.</b>${hint !== undefined && ` ${hint}`}</p>`;
}

/** The same whether or not the address has a key. */
export function keySentPage(site: Site, email: string, recovers: boolean): string {
  const words = recovers ? markup`If <b>${email}</b> has keys, they` : markup`The key for <b>${email}</b>`;
  const verb = recovers ? "were sent to it" : "was sent to it";
  return sentPage(site, "keys", {
    title: "Look into your mail",
    body: markup`<p>${words} ${verb}. It may take a minute.</p>`,
  });
}

/** The same whether or not the address has a list. */
export const linkSentPage = (site: Site, email: string): string =>
  sentPage(site, "watch", {
    title: "Look into your mail",
    body: markup`<p>If <b>${email}</b> has a confirmed watch list, the link to it was sent. It may take a minute.</p>`,
  });

export interface SentWatchList {
  readonly email: string;
  readonly watched: readonly CycleName[];
  /** Package URLs that are followed. */
  readonly packages: readonly string[];
  /** How many were left out, because a list holds no more. */
  readonly dropped: number;
}

export const watchSentPage = (site: Site, { email, watched, packages, dropped }: SentWatchList): string =>
  sentPage(site, "watch", {
    title: "Confirm your watch list",
    body: markup`<p>A mail with a link was sent to <b>${email}</b>. Nothing is watched until you confirm it, within 7 days.</p>`,
    rest: markup`${dropped > 0 && markup`<p class="note warn">A list holds ${WATCH_LIMIT} release cycles. The ${formatCount(dropped, "least risky one", "least risky ones")} of yours ${dropped === 1 ? "is" : "are"} not watched.</p>`}
${listContents(site, { cycles: watched, packages })}`,
  });

interface Sent {
  readonly title: string;
  readonly body: Markup;
  readonly rest?: Markup;
}

function sentPage(site: Site, section: "keys" | "watch", { title, body, rest }: Sent): string {
  return layout(
    {
      title,
      description: title,
      section,
      unlisted: true,
      body: markup`<h1>${title}</h1>
<div class="note pass" role="status">${body}</div>
${rest}`,
    },
    site,
  );
}
